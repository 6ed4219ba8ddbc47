"""Claims between notes: made, taken back, stamped on their targets, and held through renames."""

import os
from functools import partial
from typing import Any

import pytest
from conftest import Project
from projects import SECRET, UNREADABLE, bytes_of, kept, refusal, status_of, stopped, text

from gitmem.operations import links
from gitmem.operations.read import show
from gitmem.operations.recall import recall
from gitmem.operations.upkeep import check
from gitmem.operations.write import Draft, revise
from gitmem.search.query import Wanted


def link(project: Project, source: str, verb: str, target: str, **more: Any) -> dict[str, Any]:
    return links.link(project.open(), source, verb, target, **more)


def unlink(project: Project, source: str, verb: str, target: str) -> dict[str, Any]:
    return links.unlink(project.open(), source, verb, target)


def rename(project: Project, name: str, new: str) -> dict[str, Any]:
    return links.rename(project.open(), name, new)


def out(project: Project, name: str) -> list[tuple[str, str, str | None, float]]:
    shown = show(project.open(), name)["links_out"]
    return [(each["verb"], each["name"], each["note"], each["weight"]) for each in shown]


@pytest.fixture
def pair(project: Project) -> Project:
    """A project with a note `old` and a note `new`."""
    kept(project, "Old")
    kept(project, "New")
    return project


def test_link_replies_with_the_files_it_changed(pair: Project) -> None:
    reply = link(pair, "new", "Because", "old")

    assert reply == {
        "name": "new",
        "path": ".memory/decision/new.md",
        "changed": [".memory/decision/new.md"],
        "deferred": False,
        "verb": "because",
        "to": "old",
        "warnings": [],
    }
    assert out(pair, "new") == [("because", "old", None, 1.0)]


def test_the_same_link_again_changes_what_is_given_and_nothing_else(pair: Project) -> None:
    link(pair, "new", "because", "old", note="first", weight=0.4)

    link(pair, "new", "because", "old", weight=0.7)
    heavier = out(pair, "new")
    same = link(pair, "new", "because", "old")
    link(pair, "new", "because", "old", note="second")

    assert heavier == [("because", "old", "first", 0.7)]
    assert same["changed"] == []
    assert out(pair, "new") == [("because", "old", "second", 0.7)]


def test_link_is_surgical(pair: Project) -> None:
    path = pair.write("decision/hand.md", "")
    before = b"\xef\xbb\xbf---\r\ntype: decision\r\nbecause: # why\r\n  - old   # it was first\r\nodd: {a: 1}\r\n---\r\nB \r\n"
    path.write_bytes(before)

    link(pair, "hand", "because", "new")
    unlink(pair, "hand", "because", "new")

    assert path.read_bytes() == before


def test_an_alias_and_a_path_name_the_target_too(pair: Project) -> None:
    revise(pair.open(), "old", Draft(aliases=("first",)))

    link(pair, ".memory/decision/new.md", "because", "FIRST")

    assert out(pair, "new") == [("because", "old", None, 1.0)]


@pytest.mark.parametrize(
    ("source", "verb", "target", "code"),
    [
        ("new", "becuase", "old", "unknown-verb"),
        ("new", "because", "nobody", "unknown-name"),
        ("nobody", "because", "old", "unknown-name"),
        ("new", "because", "new", "self-link"),
        ("new", "about", "old", "wrong-target"),
        ("new", "answers", "old", "wrong-target"),
        ("new", "because", "../../etc/passwd", "path-escapes"),
    ],
)
def test_a_claim_that_makes_no_sense_is_refused(pair: Project, source: str, verb: str, target: str, code: str) -> None:
    before = bytes_of(pair)

    error = refusal(lambda: link(pair, source, verb, target))

    assert error.code == code
    assert bytes_of(pair) == before


def test_near_misses_are_named(pair: Project) -> None:
    kept(pair, "Plain files over a database")

    verb = refusal(lambda: link(pair, "new", "becuase", "old"))
    name = refusal(lambda: link(pair, "new", "because", "plain-file-over-a-database"))

    assert verb.hint == "Did you mean because?"
    assert name.hint == "Did you mean plain-files-over-a-database?"


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_weight_is_a_share(pair: Project, weight: float) -> None:
    assert refusal(lambda: link(pair, "new", "because", "old", weight=weight)).code == "bad-value"


def test_case_96_a_secret_in_the_note_of_a_link_is_refused(pair: Project) -> None:
    error = refusal(lambda: link(pair, "new", "because", "old", note=f"key {SECRET}"))

    assert error.code == "secret"
    assert SECRET not in error.message


def test_a_self_link_through_an_alias_or_a_path_is_refused(pair: Project) -> None:
    revise(pair.open(), "new", Draft(aliases=("fresh",)))

    errors = [refusal(partial(link, pair, "new", "needs", word)) for word in ("fresh", "decision/new.md", "NEW")]

    assert [error.code for error in errors] == ["self-link"] * 3


# Supersession


def test_replacing_stamps_the_target_and_unlinking_takes_it_back(pair: Project) -> None:
    before = bytes_of(pair)

    made = link(pair, "new", "replaces", "old")
    stamped = text(pair, "decision/old.md")
    taken = unlink(pair, "new", "replaces", "old")

    assert made["changed"] == [".memory/decision/new.md", ".memory/decision/old.md"]
    assert "status: superseded\n" in stamped
    assert taken["changed"] == made["changed"]
    assert bytes_of(pair) == before


def test_the_stamp_stays_while_another_note_replaces_it_too(pair: Project) -> None:
    kept(pair, "Newer", links=("replaces=old",))
    link(pair, "new", "replaces", "old")

    unlink(pair, "new", "replaces", "old")
    between = status_of(pair, "old")
    unlink(pair, "newer", "replaces", "old")

    assert (between, status_of(pair, "old")) == ("superseded", None)


def test_the_stamp_stays_while_another_note_replaces_it_by_an_alias(pair: Project) -> None:
    revise(pair.open(), "old", Draft(aliases=("first",)))
    pair.note("newer", replaces="[first]")
    link(pair, "new", "replaces", "old")

    unlink(pair, "new", "replaces", "old")

    assert "status: superseded" in text(pair, "decision/old.md")


def test_revising_an_alias_into_the_name_keeps_the_stamp(pair: Project) -> None:
    revise(pair.open(), "old", Draft(aliases=("first",), status="superseded"))
    pair.note("newer", replaces="[first]")

    revise(pair.open(), "newer", Draft(links=("replaces=old",)))

    assert "status: superseded" in text(pair, "decision/old.md")


def test_revise_and_remember_stamp_as_link_does(pair: Project) -> None:
    revise(pair.open(), "new", Draft(links=("replaces=old",)))
    revised = status_of(pair, "old")
    revise(pair.open(), "new", Draft(links=()))
    cleared = "status" in text(pair, "decision/old.md")
    kept(pair, "Newest", links=("replaces=old",))

    assert (revised, cleared) == ("superseded", False)
    assert "status: superseded" in text(pair, "decision/old.md")


def test_an_archived_target_stays_archived(pair: Project) -> None:
    revise(pair.open(), "old", Draft(status="archived"))

    link(pair, "new", "replaces", "old")
    unlink(pair, "new", "replaces", "old")

    assert "status: archived" in text(pair, "decision/old.md")


def test_a_target_that_cannot_be_rewritten_is_replaced_without_a_stamp(pair: Project) -> None:
    path = pair.write("decision/broken.md", UNREADABLE.decode())

    reply = link(pair, "new", "replaces", "broken")

    assert reply["changed"] == [".memory/decision/new.md"]
    assert path.read_bytes() == UNREADABLE
    assert status_of(pair, "broken") == "superseded"


def test_rings_of_replacements_are_refused(pair: Project) -> None:
    kept(pair, "Newest", links=("replaces=new",))
    link(pair, "new", "replaces", "old")
    revise(pair.open(), "newest", Draft(aliases=("top",)))

    for source, target in (("old", "new"), ("old", "newest"), ("old", "top"), ("new", "newest")):
        assert refusal(partial(link, pair, source, "replaces", target)).code == "cycle"


def test_a_ring_through_an_alias_is_refused(pair: Project) -> None:
    revise(pair.open(), "new", Draft(aliases=("fresh",)))
    pair.note("newer", replaces="[fresh]")

    assert refusal(lambda: link(pair, "new", "replaces", "newer")).code == "cycle"


def test_a_new_note_that_closes_a_ring_is_refused(project: Project) -> None:
    project.note("first", replaces="[second]")

    error = refusal(lambda: kept(project, "Second", links=("replaces=first",)))

    assert error.code == "cycle"
    assert list(bytes_of(project)) == ["decision/first.md"]


# Answers


def test_an_answer_resolves_and_taking_it_away_reopens(project: Project) -> None:
    kept(project, "Broken", "problem")

    kept(project, "Mended", "resolution", links=("answers=broken",))
    answered = text(project, "problem/broken.md")
    unlink(project, "mended", "answers", "broken")

    assert "status: resolved" in answered
    assert "status: open" in text(project, "problem/broken.md")


def test_the_answer_stays_while_another_note_gives_it_too(project: Project) -> None:
    kept(project, "Broken", "problem")
    kept(project, "Mended", "resolution", links=("answers=broken",))
    kept(project, "Mended again", "resolution", links=("answers=broken",))

    unlink(project, "mended", "answers", "broken")
    between = status_of(project, "broken")
    unlink(project, "mended-again", "answers", "broken")

    assert (between, status_of(project, "broken")) == ("resolved", "open")


def test_what_answers_and_replaces_leaves_the_other_stamp_behind(project: Project) -> None:
    kept(project, "Broken", "problem")
    kept(project, "Mended", "resolution", links=("answers=broken", "replaces=broken"))

    both = status_of(project, "broken")
    unlink(project, "mended", "replaces", "broken")

    assert (both, status_of(project, "broken")) == ("superseded", "resolved")


def test_an_answer_to_a_file_that_cannot_be_changed_is_refused_whole(project: Project) -> None:
    project.write("problem/broken.md", UNREADABLE.decode())
    kept(project, "Mended", "resolution")
    before = bytes_of(project)

    error = refusal(lambda: link(project, "mended", "answers", "broken"))

    assert error.code == "unparsable"
    assert bytes_of(project) == before


@pytest.mark.parametrize("status", ["resolved", "obsolete"])
def test_resolve_closes_a_worklist_note(project: Project, status: str) -> None:
    kept(project, "Later", "intent")

    reply = links.resolve(project.open(), "later", status=status)
    again = links.resolve(project.open(), "later", status=status)

    path = ".memory/intent/later.md"
    assert reply == {"name": "later", "path": path, "changed": [path], "deferred": False}
    assert again["changed"] == []
    assert f"status: {status}" in text(project, "intent/later.md")


def test_resolve_by_a_note_links_it(project: Project) -> None:
    kept(project, "Broken", "problem")
    kept(project, "Mended", "resolution")

    reply = links.resolve(project.open(), "broken", by="mended")

    assert reply == {
        "name": "broken",
        "path": ".memory/problem/broken.md",
        "changed": [".memory/resolution/mended.md", ".memory/problem/broken.md"],
        "deferred": False,
        "by": "mended",
        "warnings": [],
    }
    assert out(project, "mended") == [("answers", "broken", None, 1.0)]
    assert status_of(project, "broken") == "resolved"


def test_resolve_as_obsolete_by_a_note_does_both(project: Project) -> None:
    kept(project, "Broken", "problem")
    kept(project, "Gone", "insight")

    links.resolve(project.open(), "broken", by="gone", status="obsolete")

    assert out(project, "gone") == [("answers", "broken", None, 1.0)]
    assert status_of(project, "broken") == "obsolete"


def test_only_worklist_notes_are_resolved(pair: Project) -> None:
    error = refusal(lambda: links.resolve(pair.open(), "old"))

    assert error.code == "not-worklist"
    assert error.hint == "To retire it: gitmem revise old --status archived"
    assert refusal(lambda: links.resolve(pair.open(), "old", status="done")).code == "unknown-status"
    assert refusal(lambda: links.resolve(pair.open(), "old", by="new")).code == "wrong-target"


def test_resolve_says_when_a_file_cannot_be_changed(project: Project) -> None:
    project.write("problem/broken.md", UNREADABLE.decode())

    assert refusal(lambda: links.resolve(project.open(), "broken")).code == "unparsable"


def test_a_vocabulary_without_an_answer_says_how_to_declare_one(project: Project) -> None:
    project.write("config.toml", '[verbs.replaces]\nrole = "supersession"\n[verbs.denies]\nrole = "contradiction"\n')
    kept(project, "Broken", "problem")
    kept(project, "Mended", "resolution")

    error = refusal(lambda: links.resolve(project.open(), "broken", by="mended"))

    assert error.code == "missing-role"
    assert "gitmem vocabulary add verb" in (error.hint or "")


# Unlinking


def test_a_dangling_link_can_be_taken_away(project: Project) -> None:
    project.note("one", because="[gone, 'Odd/name']")

    unlink(project, "one", "because", "gone")
    unlink(project, "one", "because", "Odd/name")

    assert out(project, "one") == []


def test_unlink_takes_every_spelling_of_the_target(pair: Project) -> None:
    revise(pair.open(), "old", Draft(aliases=("first",)))
    pair.note("third", because="[first, Old, new]")

    unlink(pair, "third", "because", "decision/old.md")

    assert out(pair, "third") == [("because", "new", None, 1.0)]


def test_unlink_of_what_is_not_linked_is_refused(pair: Project) -> None:
    error = refusal(lambda: unlink(pair, "new", "because", "old"))

    assert (error.code, error.hint) == ("no-link", "gitmem show new lists its links.")


def test_unlink_keeps_a_list_whose_parts_it_cannot_read(pair: Project) -> None:
    path = pair.note("third", because="[old, {odd: thing}]")
    before = path.read_bytes()

    errors = [refusal(partial(verb, pair, "third", "because", word)) for verb, word in ((unlink, "old"), (link, "new"))]

    assert [error.code for error in errors] == ["bad-value"] * 2
    assert path.read_bytes() == before


# Renaming


def test_rename_keeps_the_links_and_the_title(pair: Project) -> None:
    link(pair, "new", "because", "old")

    reply = rename(pair, "old", "ancient")

    assert reply == {
        "name": "ancient",
        "path": ".memory/decision/ancient.md",
        "changed": [".memory/decision/old.md", ".memory/decision/ancient.md"],
        "deferred": False,
        "alias": "old",
    }
    shown = show(pair.open(), "old")
    assert (shown["name"], shown["title"], shown["fields"]["aliases"]) == ("ancient", "Old", ["old"])
    assert [each["name"] for each in shown["links_in"]] == ["new"]
    assert out(pair, "new") == [("because", "old", None, 1.0)]
    assert check(pair.open())["problems"] == []


def test_rename_back_leaves_one_alias(pair: Project) -> None:
    rename(pair, "old", "ancient")
    rename(pair, "ancient", "old")

    assert show(pair.open(), "old")["fields"]["aliases"] == ["ancient"]


def test_rename_to_its_own_name_changes_nothing(pair: Project) -> None:
    before = bytes_of(pair)

    assert rename(pair, "old", "old")["changed"] == []
    assert bytes_of(pair) == before


@pytest.mark.parametrize("word", ["new", "NEW", "fresh", "a b", "../up", "con", "", "x" * 80])
def test_rename_refuses_a_name_that_is_taken_or_none(pair: Project, word: str) -> None:
    revise(pair.open(), "new", Draft(aliases=("fresh",)))
    before = bytes_of(pair)

    error = refusal(lambda: rename(pair, "old", word))

    assert error.code == ("name-taken" if word in ("new", "fresh") else "bad-name")
    assert bytes_of(pair) == before


@pytest.mark.parametrize("what", ["folder", "link", "own-link", "pipe"])
def test_a_rename_onto_what_is_no_note_leaves_the_note_where_it_is(pair: Project, what: str) -> None:
    place = pair.notes / "decision" / "ancient.md"
    make = {
        "folder": place.mkdir,
        "link": lambda: place.symlink_to("/etc/hostname"),
        "own-link": lambda: place.symlink_to("old.md"),
        "pipe": lambda: os.mkfifo(place),
    }
    make[what]()
    old = text(pair, "decision/old.md")

    error = refusal(lambda: rename(pair, "old", "ancient"))

    assert error.code == "name-taken"
    assert text(pair, "decision/old.md") == old
    assert sorted(os.listdir(pair.notes / "decision")) == ["ancient.md", "new.md", "old.md"]


def test_a_rename_of_case_alone_needs_no_alias(project: Project) -> None:
    project.note("Loud")

    rename(project, "loud", "loud")

    assert os.listdir(project.notes / "decision") == ["loud.md"]
    assert "aliases" not in text(project, "decision/loud.md")


def test_rename_by_path_parts_two_files_of_one_name(project: Project) -> None:
    project.note("same")
    project.note("same", type="caution")

    rename(project, "caution/same.md", "other")

    assert "aliases" not in text(project, "caution/other.md")
    assert check(project.open())["problems"] == []


def test_rename_of_an_unparsable_note_is_refused(project: Project) -> None:
    project.write("decision/broken.md", UNREADABLE.decode())

    assert refusal(lambda: rename(project, "broken", "mended")).code == "unparsable"
    assert bytes_of(project) == {"decision/broken.md": UNREADABLE}


def test_two_files_of_one_name_are_shown_by_path_and_not_written_by_name(project: Project) -> None:
    project.note("same", "One.")
    project.note("Same", "Two.", type="caution")
    kept(project, "Other")

    calls = (
        lambda: revise(project.open(), "same", Draft(body="New.")),
        lambda: link(project, "same", "because", "other"),
        lambda: link(project, "other", "because", "same"),
        lambda: rename(project, "same", "third"),
        lambda: show(project.open(), "same"),
    )
    errors = [refusal(call) for call in calls]

    assert {error.code for error in errors} == {"duplicate-name"}
    assert "caution/Same.md" in errors[0].message
    assert show(project.open(), "caution/Same.md")["body"] == "Two."
    assert revise(project.open(), "decision/same.md", Draft(body="New."))["path"] == ".memory/decision/same.md"


def test_case_56_a_stopped_rebase_refuses_to_change_a_tracked_target(pair: Project) -> None:
    kept(pair, "Broken", "problem")
    stopped(pair, "rebase")
    kept(pair, "Mended", "resolution")
    before = bytes_of(pair)

    calls = (
        lambda: link(pair, "new", "because", "old"),
        lambda: link(pair, "mended", "answers", "broken"),
        lambda: rename(pair, "old", "ancient"),
        lambda: links.resolve(pair.open(), "broken"),
    )
    codes = {refusal(call).code for call in calls}

    assert codes == {"unfinished-operation"}
    assert bytes_of(pair) == before
    assert link(pair, "mended", "because", "old")["deferred"]


def test_recall_tells_links_by_the_names_that_notes_have_now(project: Project) -> None:
    kept(project, "No sticky sessions")
    kept(project, "Signed cookies", links=("because=no-sticky-sessions",), body="Sessions live in cookies.")
    links.rename(project.open(), "no-sticky-sessions", "no-stickiness")

    (hit,) = (hit for hit in recall(project.open(), "cookies", Wanted())["hits"] if hit["name"] == "signed-cookies")

    assert [each["name"] for each in hit["links"]] == ["no-stickiness"]
