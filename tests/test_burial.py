"""Notes put away on purpose: buried under a tombstone, or forgotten, and what then says so."""

import io
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, run, told
from projects import AGENT, SECRET, bytes_of, kept, problems, refusal, status_of, stopped, text

from gitmem.faces import cli
from gitmem.operations import burial, links
from gitmem.operations.history import diff
from gitmem.operations.read import show
from gitmem.operations.recall import recall
from gitmem.operations.review import review
from gitmem.operations.write import Draft, remember, revise
from gitmem.search.query import Wanted

REASON = "It locks on network drives."


def bury(project: Project, name: str, reason: str = REASON) -> dict[str, Any]:
    return burial.bury(project.open(), name, reason, AGENT)


def forget(project: Project, name: str, **more: Any) -> dict[str, Any]:
    return burial.forget(project.open(), name, AGENT, **more)


def codes(reply: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["code"], each["name"]) for each in reply["warnings"]]


def recalled(project: Project, query: str, **filters: Any) -> dict[str, Any]:
    return recall(project.open(), query, Wanted(**filters))


@pytest.fixture
def cache(project: Project) -> Project:
    """A project with a note on a SQLite cache, and one beside it."""
    kept(project, "SQLite cache", body="A database answers fastest.")
    kept(project, "Plain files", body="Git carries them.")
    return project


# bury


def test_bury_archives_a_note_under_a_tombstone_that_repeats_no_claim(cache: Project) -> None:
    reply = bury(cache, "sqlite-cache")

    assert reply == {
        "name": "sqlite-cache",
        "path": ".memory/decision/sqlite-cache.md",
        "changed": [".memory/tombstone/removed-sqlite-cache.md", ".memory/decision/sqlite-cache.md"],
        "tombstone": "removed-sqlite-cache",
        "deferred": False,
        "warnings": [],
    }
    stone = show(cache.open(), "removed-sqlite-cache")
    assert (stone["fields"]["buried"], stone["body"].strip()) == (["sqlite-cache"], REASON)
    assert "fastest" not in text(cache, "tombstone/removed-sqlite-cache.md")
    assert status_of(cache, "sqlite-cache") == "archived" and problems(cache) == {}


def test_bury_again_changes_nothing_and_says_which_tombstone_stands(cache: Project) -> None:
    bury(cache, "sqlite-cache")
    before = bytes_of(cache)

    reply = bury(cache, "sqlite-cache", "Another reason.")

    assert reply["changed"] == [] and codes(reply) == [("already-buried", "removed-sqlite-cache")]
    assert bytes_of(cache) == before


def test_a_note_taken_back_is_buried_again_under_the_same_tombstone(cache: Project) -> None:
    bury(cache, "sqlite-cache")
    revise(cache.open(), "removed-sqlite-cache", Draft(status="archived"))
    revise(cache.open(), "sqlite-cache", Draft(status=""))

    reply = bury(cache, "sqlite-cache", "It locked again.")

    stone = show(cache.open(), "removed-sqlite-cache")
    assert reply["changed"] == [".memory/tombstone/removed-sqlite-cache.md", ".memory/decision/sqlite-cache.md"]
    assert stone["body"].strip() == "It locked again." and "archived" not in stone["marks"]


def test_what_a_tombstone_alone_has_buried_by_hand_is_only_archived(cache: Project) -> None:
    cache.note("no-sqlite", REASON, type="tombstone", buried="[SQLite-Cache]")

    reply = bury(cache, "sqlite-cache")

    assert reply["tombstone"] == "no-sqlite" and reply["changed"] == [".memory/decision/sqlite-cache.md"]


@pytest.mark.parametrize(
    ("name", "reason", "code"),
    [
        ("nobody", REASON, "unknown-name"),
        ("sqlite-cache", " ", "missing-value"),
        ("sqlite-cache", f"key {SECRET}", "secret"),
        ("plain-files", REASON, "pinned"),
        ("no-journal", REASON, "wrong-target"),
        ("../../etc/passwd", REASON, "path-escapes"),
        ("sqlite-cache", "long " * 4000, "long-body"),
    ],
)
def test_a_burial_that_must_not_be_leaves_every_byte(cache: Project, name: str, reason: str, code: str) -> None:
    cache.note("no-journal", type="tombstone")
    cache.note("plain-files", pinned="0.9")
    before = bytes_of(cache)

    error = refusal(lambda: bury(cache, name, reason))

    assert error.code == code and SECRET not in error.message
    assert bytes_of(cache) == before


def test_a_vocabulary_without_tombstones_is_told_how_to_declare_them(cache: Project) -> None:
    config = '[types.decision]\nholds = "d"\n[verbs.replaces]\nrole = "supersession"\n[verbs.against]\nrole = "contradiction"\n'
    cache.write("config.toml", config)

    error = refusal(lambda: bury(cache, "sqlite-cache"))

    assert (error.code, "--role tombstone" in (error.hint or "")) == ("missing-role", True)


def test_a_burial_that_the_disk_refuses_half_way_is_none(cache: Project) -> None:
    (cache.notes / "decision/.gitmem.tmp").mkdir()  # no file can be written beside it, also not by root
    before = bytes_of(cache)

    error = refusal(lambda: bury(cache, "sqlite-cache"))

    assert error.code == "disk" and "nothing was changed" in error.message
    assert bytes_of(cache) == before


def test_what_is_put_back_after_a_failure_is_not_taken_for_a_verbs_work(cache: Project) -> None:
    cache.git("config", "user.name", "T")
    cache.git("config", "user.email", "t@example.org")
    cache.git("add", ".")
    cache.git("commit", "-qm", "Begin")
    cache.write("decision/sqlite-cache.md", text(cache, "decision/sqlite-cache.md").replace("fastest", "slowest"))
    cache.note("plain-files", pinned="1")
    (cache.notes / "decision/.gitmem.tmp").mkdir()
    refusal(lambda: bury(cache, "sqlite-cache"))
    (cache.notes / "decision/.gitmem.tmp").rmdir()

    reply = told(run(cache.root, "checkpoint", "Half", "--json", extra={"CLAUDECODE": "1"}))

    assert reply["left"] == [".memory/decision/plain-files.md", ".memory/decision/sqlite-cache.md"]


# What a tombstone does


def test_the_buried_subject_is_refused_by_name_and_title_and_written_when_that_is_meant(cache: Project) -> None:
    bury(cache, "sqlite-cache")
    memory = cache.open()

    def again(title: str, **more: Any) -> Any:
        return remember(memory, Draft(title=title, type="insight", **more), AGENT)

    errors = [refusal(partial(again, title)) for title in ("SQLite cache", "sqlite  cache", "Removed: sqlite-cache")]
    errors.append(refusal(lambda: again("A store", name="SQLITE-cache")))
    meant = remember(memory, Draft(title="SQLite cache", type="insight"), AGENT, allow_tombstoned=True)

    assert [error.code for error in errors] == ["tombstoned"] * 4
    assert meant["created"]


def test_a_title_whose_name_was_another_is_refused_after_forgetting(project: Project) -> None:
    kept(project, "Use C++ for speed & fun", name="speed")

    forget(project, "speed", reason="It was slow.")

    assert refusal(lambda: kept(project, "Use C++ for speed & fun")).code == "tombstoned"
    assert refusal(lambda: kept(project, "Other", name="speed")).code == "tombstoned"


def test_recall_warns_of_a_buried_subject_and_never_delivers_the_note(cache: Project) -> None:
    bury(cache, "sqlite-cache")

    replies = [recalled(cache, query) for query in ("why is there no sqlite cache", "SQLite", "sqlite cache database")]

    for reply in replies:
        assert ("tombstoned", "removed-sqlite-cache") in codes(reply)
        assert "sqlite-cache" not in [hit["name"] for hit in reply["hits"]]
    assert "fastest" not in str(replies)


@pytest.mark.parametrize("query", ["plain files", "what are the files", "how is the index kept", "removed", "the", ""])
def test_recall_of_another_subject_does_not_warn(cache: Project, query: str) -> None:
    bury(cache, "sqlite-cache")

    assert codes(recalled(cache, query)) == []


def test_a_tombstone_that_is_put_away_or_replaced_warns_no_more(cache: Project) -> None:
    bury(cache, "sqlite-cache")
    revise(cache.open(), "removed-sqlite-cache", Draft(status="archived"))
    put_away = codes(recalled(cache, "sqlite cache"))
    revise(cache.open(), "removed-sqlite-cache", Draft(status=""))
    links.link(cache.open(), "plain-files", "replaces", "removed-sqlite-cache")

    assert put_away == codes(recalled(cache, "sqlite cache")) == []


def test_a_filter_hides_no_tombstone_and_another_script_finds_its_own(project: Project) -> None:
    kept(project, "构建流程", body="先测试。")
    kept(project, "Plain files")
    bury(project, "构建流程")

    assert codes(recalled(project, "构建流程", types=("decision",))) == [("tombstoned", "removed-构建流程")]


# forget


def test_forget_deletes_the_file_and_names_what_dangles(cache: Project) -> None:
    kept(cache, "Index", links=("because=sqlite-cache",), body="See [[sqlite-cache]].")
    cache.git("add", ".")
    cache.git("commit", "-qm", "Begin")

    reply = forget(cache, "sqlite-cache", reason=REASON)

    assert not (cache.notes / "decision/sqlite-cache.md").exists()
    assert reply["dangling"] == [
        {"name": "index", "verb": "because", "to": "sqlite-cache"},
        {"name": "index", "verb": None, "to": "sqlite-cache"},
    ]
    assert codes(reply) == [("dangling-link", "index"), ("dangling-mention", "index")]
    assert reply["changed"] == [".memory/tombstone/removed-sqlite-cache.md", ".memory/decision/sqlite-cache.md"]
    assert problems(cache)["decision/index.md"] == ["dangling-link", "dangling-mention"]
    assert cache.git("show", "HEAD:.memory/decision/sqlite-cache.md")


def test_forget_without_a_trace_leaves_none_and_says_where_git_has_nothing(cache: Project) -> None:
    reply = forget(cache, "sqlite-cache", trace=False)

    assert reply["tombstone"] is None and codes(reply) == [("no-history", "sqlite-cache")]
    assert list(bytes_of(cache)) == ["decision/plain-files.md"]
    assert kept(cache, "SQLite cache")["created"]
    assert refusal(lambda: forget(cache, "plain-files", trace=False, reason="x")).code == "usage"


def test_forgetting_what_replaced_a_note_does_not_bring_that_back(cache: Project) -> None:
    cache.note("oldest")
    cache.note("old", replaces="[oldest]")
    cache.note("new", replaces="[old]")

    reply = forget(cache, "old")

    assert ("successor-unknown", "oldest") in codes(reply)
    assert [status_of(cache, name) for name in ("oldest", "new")] == ["superseded", None]
    assert revise(cache.open(), "oldest", Draft(status=""))["changed"]
    assert status_of(cache, "oldest") is None


def test_forgetting_the_only_answer_reopens_the_problem(cache: Project) -> None:
    kept(cache, "It hangs", "problem")
    kept(cache, "Fsync", "resolution", links=("answers=it-hangs",))
    resolved = status_of(cache, "it-hangs")

    forget(cache, "fsync", trace=False)

    assert (resolved, status_of(cache, "it-hangs")) == ("resolved", "open")


def test_a_forgotten_tombstone_leaves_no_tombstone_and_lets_its_subject_live(cache: Project) -> None:
    bury(cache, "sqlite-cache")

    reply = forget(cache, "removed-sqlite-cache")

    assert reply["tombstone"] is None
    assert kept(cache, "SQLite cache", "insight")["created"]


def test_one_of_two_files_of_a_name_is_forgotten_by_its_path(cache: Project) -> None:
    cache.note("plain-files", type="insight")
    cache.note("index", because="[plain-files]")

    reply = forget(cache, "insight/plain-files.md")

    assert reply["tombstone"] is None and reply["dangling"] == []
    assert problems(cache) == {}


def test_forget_goes_on_where_a_killed_one_ended(cache: Project) -> None:
    cache.note("removed-sqlite-cache", "Removed.", type="tombstone", buried="[sqlite-cache]")

    reply = forget(cache, "sqlite-cache")

    assert reply["tombstone"] == "removed-sqlite-cache"
    assert reply["changed"] == [".memory/decision/sqlite-cache.md"]


def test_a_pinned_note_is_not_forgotten(cache: Project) -> None:
    cache.note("plain-files", pinned="1")

    error = refusal(lambda: forget(cache, "plain-files"))

    assert (error.code, error.hint) == ("pinned", "A person lets go of it: gitmem unpin plain-files")


def test_a_stopped_rebase_keeps_tracked_notes(cache: Project) -> None:
    stopped(cache, "rebase")
    before = bytes_of(cache)

    errors = [refusal(partial(verb, cache, "sqlite-cache")) for verb in (bury, forget)]

    assert [error.code for error in errors] == ["unfinished-operation"] * 2
    assert bytes_of(cache) == before


# The commands


def answer(project: Project, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.main(["-C", str(project.root), *words])
    return status, *capsys.readouterr()


def test_an_agent_is_refused_forget_and_may_bury(
    cache: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    refused = answer(cache, capsys, "forget", "sqlite-cache")
    buried = answer(cache, capsys, "bury", "sqlite-cache", "--reason", REASON)

    assert (refused[0], "forget is an act of a person" in refused[2]) == (3, True)
    assert (buried[0], buried[1].splitlines()[0]) == (0, "buried sqlite-cache")


def test_both_say_what_they_changed(
    cache: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))

    said = answer(cache, capsys, "forget", "sqlite-cache", "--reason", REASON)
    quiet = answer(cache, capsys, "--quiet", "bury", "plain-files", "--reason", REASON)
    wrong = answer(cache, capsys, "bury", "plain-files")

    assert said[1].splitlines() == [
        "forgot sqlite-cache",
        "  changed    .memory/tombstone/removed-sqlite-cache.md",
        "  changed    .memory/decision/sqlite-cache.md",
        "  tombstone  removed-sqlite-cache",
        "warning: sqlite-cache was never committed: nothing of it is left.",
    ]
    assert (quiet[1], wrong[0]) == ("plain-files\n", 2)


# What review and diff make of it


def test_diff_and_review_tell_what_was_buried(cache: Project, tmp_path: Path) -> None:
    kept(cache, "Journal", aliases=("log",))
    cache.git("add", ".")
    cache.git("commit", "-qm", "Begin")
    cache.git("switch", "-qc", "feature")
    bury(cache, "sqlite-cache")
    forget(cache, "journal", reason=REASON)
    cache.git("add", ".")
    cache.git("commit", "-qm", "Bury")

    told_by = [diff(cache.open(), "main..feature"), review(cache.open(), "main")]

    for reply in told_by:
        assert [(each["name"], each["by"]) for each in reply["buried"]] == [
            ("journal", "removed-journal"),
            ("sqlite-cache", "removed-sqlite-cache"),
        ]
        assert [each["name"] for each in reply["removed"]] == ["journal"]
        assert reply["revised"] == reply["superseded"] == []
    assert [risk for risk in told_by[1]["risks"] if risk["severity"] == "error"] == []
