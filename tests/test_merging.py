"""Notes made into one: what the survivor takes over, what stays behind, and that it is one write or none."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, new_project
from hypothesis import given, settings
from hypothesis import strategies as st
from projects import bytes_of, kept, problems, refusal, status_of, stopped, text

from gitmem.faces import cli
from gitmem.knowledge import graph as graphs
from gitmem.operations import links, merging
from gitmem.operations.history import diff
from gitmem.operations.memory import ready
from gitmem.operations.read import show
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted


def merge(project: Project, *names: str, into: str = "whole", dry_run: bool = False) -> dict[str, Any]:
    return merging.merge(project.open(), names, into, dry_run=dry_run)


def out(project: Project, name: str) -> list[tuple[str, str, str | None]]:
    return [(each["verb"], each["name"], each["note"]) for each in show(project.open(), name)["links_out"]]


def codes(reply: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["code"], each["name"]) for each in reply["warnings"]]


@pytest.fixture
def three(project: Project) -> Project:
    """A project with the notes `whole`, `half` and `rest`, a reason, and a note that rests on all."""
    project.note("reason")
    project.note("oldest")
    project.note("whole", "First line.", tags="[a, b]", touches="[src/a.py@3fa9c1d]", because="[reason]")
    project.note(
        "half",
        "First line.\n\nOnly here.",
        tags="[b, c]",
        touches="[src/a.py@1111111, src/b.py]",
        aliases="[former]",
        replaces="[oldest]",
        because="[{to: reason, note: measured}, whole]",
        domain="store",
        **{"conflicts-with": "[other]"},
    )
    project.note("rest", sensitive="true", needs="[half, nobody]", ticket="ABC-1")
    project.note("other")
    project.note("user", because="[whole, {to: former, note: twice}, rest]", needs="[half]", suspects="[half]")
    return project


def test_the_survivor_takes_over_what_ties_the_others_to_the_rest(three: Project) -> None:
    reply = merge(three, "half", "rest")

    note = show(three.open(), "whole")
    assert note["fields"]["tags"] == ["a", "b", "c"]
    assert note["fields"]["touches"] == ["src/a.py@3fa9c1d", "src/b.py"]
    assert note["fields"]["aliases"] == ["former"] and note["body"].strip() == "First line."
    assert sorted(out(three, "whole")) == sorted(
        [
            ("because", "reason", "measured"),
            ("conflicts-with", "other", None),
            ("needs", "nobody", None),
            ("replaces", "half", None),
            ("replaces", "rest", None),
        ]
    )
    assert reply["gained"]["tags"] == ["c"] and reply["merged"] == ["half", "rest"]


def test_links_to_the_others_lead_to_the_survivor(three: Project) -> None:
    reply = merge(three, "half", "rest")

    assert out(three, "user") == [("because", "whole", "twice"), ("needs", "whole", None)]
    assert show(three.open(), "user")["fields"]["suspects"] == ["whole"]
    assert reply["repointed"] == ["user"]
    assert reply["changed"] == [f".memory/decision/{name}.md" for name in ("whole", "half", "rest", "user")]


def test_the_others_stay_behind_as_history_with_their_texts(three: Project) -> None:
    merge(three, "half", "rest")

    assert out(three, "half") == [("replaces", "oldest", None)] and out(three, "rest") == []
    assert [status_of(three, name) for name in ("half", "rest", "oldest")] == ["superseded"] * 3
    assert "Only here." in text(three, "decision/half.md")
    assert show(three.open(), "oldest")["now"] == "whole"
    assert show(three.open(), "FORMER")["name"] == "whole"
    assert problems(three) == {"decision/whole.md": ["dangling-link"], "decision/half.md": ["unknown-domain"]}


def test_a_dry_run_says_what_the_others_hold_alone_and_writes_nothing(three: Project) -> None:
    before = bytes_of(three)

    reply = merge(three, "half", "rest", dry_run=True)

    assert bytes_of(three) == before and reply["dry_run"]
    assert reply["left"] == [
        {"name": "half", "title": "Half", "text": "Only here.", "fields": {"domain": "store"}},
        {"name": "rest", "title": "Rest", "text": None, "fields": {"ticket": "ABC-1"}},
    ]
    assert reply | {"dry_run": False} == merge(three, "half", "rest")


def test_merging_again_changes_nothing(three: Project) -> None:
    merge(three, "half", "rest")
    before = bytes_of(three)

    reply = merge(three, "rest", "half", "half")

    assert reply["changed"] == [] and bytes_of(three) == before


@pytest.mark.parametrize(
    ("field", "value", "name", "code"),
    [
        ("pinned", "0.2", "half", "pinned"),
        ("pinned", "1", "whole", "pinned"),
        ("status", "superseded", "rest", "superseded"),
        ("status", "superseded", "whole", "superseded"),
        ("status", "archived", "half", "archived"),
        ("replaces", "[whole]", "other", "superseded"),
        ("replaces", "[former]", "other", "superseded"),
        ("replaces", "[whole]", "rest", "superseded"),
    ],
)
def test_a_merge_that_must_not_be_leaves_every_byte(
    three: Project, field: str, value: str, name: str, code: str
) -> None:
    path = three.notes / f"decision/{name}.md"
    path.write_text(path.read_text().replace("type:", f"{field}: {value}\ntype:"))
    before = bytes_of(three)

    error = refusal(lambda: merge(three, "half", "rest"))

    assert error.code == code
    assert bytes_of(three) == before


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("whole",), "self-merge"),
        ((), "self-merge"),
        (("half", "decision/whole.md"), "self-merge"),
        (("half", "nobody-at-all"), "unknown-name"),
        (("no-sqlite",), "wrong-target"),
    ],
)
def test_what_cannot_be_merged_is_refused(three: Project, names: tuple[str, ...], code: str) -> None:
    three.note("no-sqlite", type="tombstone")
    before = bytes_of(three)

    assert refusal(lambda: merge(three, *names)).code == code
    assert bytes_of(three) == before


def test_a_link_that_needs_another_type_is_no_link_to_the_survivor(three: Project) -> None:
    three.note("hangs", type="problem")
    three.note("fsync", type="resolution", answers="[hangs]")

    error = refusal(lambda: merge(three, "hangs"))

    assert error.code == "wrong-target" and error.hint == "gitmem unlink fsync answers hangs takes that link away."


def test_a_note_that_only_a_hand_can_edit_stops_all_of_it(three: Project) -> None:
    path = three.notes / "decision/user.md"
    path.write_text(path.read_text().replace("needs: [half]", "needs: [half, [what, is, this]]"))
    before = bytes_of(three)

    error = refusal(lambda: merge(three, "half"))

    assert error.code == "bad-value" and bytes_of(three) == before


# Problems


def test_what_answered_a_merged_problem_answers_the_survivor(project: Project) -> None:
    kept(project, "It hangs", "problem")
    kept(project, "It stalls", "problem")
    kept(project, "Fsync", "resolution", links=("answers=it-stalls",))

    reply = merge(project, "it-stalls", into="it-hangs")

    assert status_of(project, "it-hangs") == "resolved" and out(project, "fsync") == [("answers", "it-hangs", None)]
    assert codes(reply) == [("resolved", "it-hangs")]


def test_answers_move_and_their_problems_stay_resolved(project: Project) -> None:
    kept(project, "It hangs", "problem")
    kept(project, "Fsync", "resolution", links=("answers=it-hangs",))
    kept(project, "Flush and fsync", "resolution")

    merge(project, "fsync", into="flush-and-fsync")

    assert status_of(project, "it-hangs") == "resolved"
    assert links.unlink(project.open(), "flush-and-fsync", "answers", "it-hangs")["changed"]
    assert status_of(project, "it-hangs") == "open"


def test_open_work_behind_a_note_that_is_closed_is_told(project: Project) -> None:
    kept(project, "It hangs", "problem", status="resolved")
    kept(project, "It stalls", "problem")

    assert codes(merge(project, "it-stalls", into="it-hangs")) == [("open", "it-stalls")]


def test_an_approval_that_ends_with_the_links_is_told(three: Project) -> None:
    from gitmem.operations.approval import approve

    three.git("config", "user.name", "T")
    three.git("config", "user.email", "t@example.org")
    approve(three.open(), ["whole", "half", "user", "other"])

    assert codes(merge(three, "half")) == [("approval-void", "whole"), ("approval-void", "user")]


# One write or none


@pytest.mark.parametrize("folder", ["decision", "caution", "principle", "insight"])
def test_a_merge_that_the_disk_refuses_half_way_is_none(project: Project, folder: str) -> None:
    for kind in ("decision", "caution", "principle", "insight"):
        project.note(kind, type=kind)
    project.note("insight", type="insight", because="[caution, principle]")
    (project.notes / folder / ".gitmem.tmp").mkdir()  # no file can be written beside it, also not by root
    before = bytes_of(project)

    error = refusal(lambda: merge(project, "caution", "principle", into="decision"))

    assert error.code == "disk" and bytes_of(project) == before


def test_what_a_killed_merge_left_is_finished_by_the_same_merge(three: Project) -> None:
    whole = bytes_of(three)
    merge(three, "half", "rest")
    done = bytes_of(three)
    paths = [f"decision/{name}.md" for name in ("whole", "half", "rest", "user")]

    for count in range(1, len(paths)):
        for at, path in enumerate(paths):
            (three.notes / path).write_bytes((done if at < count else whole)[path])
        assert set(problems(three).get("decision/whole.md", [])) <= {"dangling-link", "duplicate-alias"}
        merge(three, "half", "rest")

        assert bytes_of(three) == done


def test_a_stopped_rebase_keeps_tracked_notes(three: Project) -> None:
    stopped(three, "rebase")
    before = bytes_of(three)

    assert refusal(lambda: merge(three, "half")).code == "unfinished-operation"
    assert bytes_of(three) == before


# The law


NAMES = [f"note-{number}" for number in range(6)]
VERBS = ["because", "needs", "builds-on", "conflicts-with"]
CLAIMS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VERBS), st.sampled_from(NAMES)), max_size=14)


@settings(max_examples=15, deadline=None)
@given(claims=CLAIMS, victims=st.lists(st.sampled_from(NAMES[1:]), min_size=1, max_size=3, unique=True))
def test_after_a_merge_nothing_but_its_replacement_points_to_a_victim_and_no_link_is_lost(
    claims: list[tuple[str, str, str]], victims: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = linked(Path(folder) / "p", claims)

        merge(project, *victims, into=NAMES[0])

        graph = graphs.build(ready(project.open()).view.everything())
        found = {
            (entry.name, edge.link.verb, edge.target.name)
            for entry in graph.entries
            for edge in graph.out[entry.path]
            if edge.target
        }
    moved = {name: NAMES[0] if name in victims else name for name in NAMES}
    expected = {(moved[one], verb, moved[other]) for one, verb, other in claims if one != other}
    replaced = {(NAMES[0], "replaces", name) for name in victims}
    assert found == {claim for claim in expected if claim[0] != claim[2]} | replaced


def linked(root: Path, claims: list[tuple[str, str, str]]) -> Project:
    """Returns a project whose notes make these claims."""
    project = new_project(root)
    for name in NAMES:
        own = {verb: [to for one, each, to in claims if (one, each) == (name, verb) and to != name] for verb in VERBS}
        project.note(name, f"Of {name}.", **{verb: json.dumps(targets) for verb, targets in own.items() if targets})
    return project


# What others make of it


def test_recall_and_diff_see_one_note(three: Project) -> None:
    three.git("add", ".")
    three.git("commit", "-qm", "Begin")
    merge(three, "half", "rest")
    three.git("add", ".")
    three.git("commit", "-qm", "Merge")

    reply = diff(three.open(), "HEAD~1..HEAD")
    hits = [hit["name"] for hit in recall(three.open(), "half rest whole", Wanted())["hits"]]

    assert [(each["name"], each["by"]) for each in reply["superseded"]] == [("half", "whole"), ("rest", "whole")]
    assert {each["name"] for each in reply["relinked"]} == {"whole", "half", "rest", "user"}
    assert "whole" in hits and not {"half", "rest"}.intersection(hits)


def test_the_command_shows_what_stays_behind(three: Project, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(three.root))

    status = cli.main([*at, "merge", "half", "rest", "--into", "whole", "--dry-run"])
    said = capsys.readouterr().out
    wrong = cli.main([*at, "merge", "half"])

    assert (status, wrong) == (0, 2)
    assert said.splitlines() == [
        "would merge half rest into whole",
        *(f"  changed    .memory/decision/{name}.md" for name in ("whole", "half", "rest", "user")),
        "  gains      tags c",
        "  gains      touches src/b.py",
        "  gains      aliases former",
        "  gains      links because reason, conflicts-with other, needs nobody, replaces half, replaces rest",
        "  repointed  user",
        "  left       in half: 1 line > Half",
        "             domain: store",
        "             > Only here.",
        "  left       in rest: a sensitive text > Rest",
        "             ticket: ABC-1",
    ]
