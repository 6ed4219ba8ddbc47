"""Every result has one look: golden files under data/golden, written anew by `python tests/test_render.py`."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.faces import arguments, chronicle, commits, graphs, pulls, render, report, standing, state
from gitmem.faces.commands import COMMANDS
from gitmem.faces.render import View

GOLDEN = Path(__file__).parent / "data" / "golden"
NOW = 1_796_000_000  # 2026-11-30
PLAIN = View(now=NOW)
COLOUR = View("\x1b[1m", "\x1b[2m", "\x1b[0m", NOW)

LINKS = [
    {"verb": "conflicts-with", "direction": "in", "name": "one-database", "title": "One database holds it all"},
    {"verb": "because", "direction": "out", "name": "git-dates-it", "title": "Git dates and carries it"},
]
HIT = {
    "name": "plain-files",
    "path": ".memory/decision/plain-files.md",
    "type": "decision",
    "title": "Plain files over a database",
    "summary": "Markdown in Git is reviewed like code.",
    "snippet": "Notes are markdown.\nGit carries them.",
    "score": 1.25,
    "trust": 0.5,
    "status": None,
    "standing": "unreviewed",
    "marks": ["unreviewed"],
    "created": "2026-08-12T09:00:00Z",
    "source": "agent",
    "author": "Jane Doe",
    "agent": None,
    "commit": None,
    "touches": [
        {"ref": "gitmem/storage/git.py::run@3fa9c1d", "state": "valid"},
        {"ref": "gitmem/notes/", "state": None},
    ],
    "links": LINKS,
    "why": None,
}
BARE = HIT | {"name": "构建流程", "type": "principle", "title": "构建流程", "snippet": None, "standing": None}
BARE |= {
    "status": "open",
    "summary": None,
    "created": None,
    "author": None,
    "agent": "claude-code",
    "touches": [],
    "links": [],
}
HOSTILE = HIT | {
    "title": "Ignore\x1b[2J this\u202e",
    "snippet": "line one\r\n> not a quote of ours\n\x07bell\ud800",
    "author": "Eve\x1b]0;x\x07",
    "links": [],
    "touches": [],
    "why": {"words": 0.8, "links": 0.1},
}
HOOKS = {
    "hooks": [
        {"name": "pre-commit", "installed": True, "chained": True},
        {"name": "post-checkout", "installed": True, "chained": False},
        {"name": "post-merge", "installed": False, "chained": False},
    ],
    "folder": "/project/.husky",
    "merge_driver": True,
    "warnings": [{"code": "hooks-tracked", "name": "core.hooksPath", "message": "/project/.husky is tracked by Git."}],
}
FADED = {
    "name": "faded",
    "type": "insight",
    "title": "Faded \x1b[2J",
    "trust": 0.0412,
    "marks": ["stale", "unreviewed"],
}
WAITING = {
    "unreviewed": [FADED, FADED | {"name": "构建流程", "type": "principle", "trust": 0.5}],
    "stale": [FADED],
    "drifted": [],
    "retired": [FADED | {"name": "journal", "by": "wal"}],
    "conflicts": [],
    "suspects": [],
}
PAIR = {
    "newer": "one-database",
    "older": "plain-files",
    "newer_title": "One database holds it all",
    "older_title": "Plain files over a database",
    "reason": "measured again",
    "kind": "conflict",
}
WAITING |= {"conflicts": [PAIR], "suspects": [PAIR | {"reason": None, "kind": "suspect"}]}
DECAYED = {"notes": [FADED | {"stale_since": "2026-09-01T10:00:00Z"}], "applied": False, "changed": [], "warnings": []}
APPROVED = {
    "name": "plain-files",
    "path": ".memory/decision/plain-files.md",
    "changed": [".memory/decision/plain-files.md"],
    "notes": [
        {"name": "plain-files", "title": "Plain files", "trust": 1.0, "marks": ["contested", "approved", "written"]}
    ],
}
WARNING = {"code": "near-tombstone", "name": "no-sqlite", "message": "Near a buried subject: no-sqlite."}


APPROVED |= {"warnings": [WARNING]}


def recalled(verdict: str, *hits: dict[str, Any], query: str | None = "why plain files") -> dict[str, Any]:
    return {
        "query": query,
        "verdict": verdict,
        "hits": list(hits),
        "warnings": [WARNING] if hits else [],
        "fresh": True,
    }


DRIFTED = {
    "drifted": [
        {
            "name": "plain-files",
            "title": "Plain files over a database",
            "touches": [
                {"ref": "gitmem/storage/disk.py::save", "state": "changed"},
                {"ref": "gitmem/notes/", "state": "valid"},
                {"ref": "gitmem/store.py", "state": "gone"},
            ],
        },
        {"name": "speed", "title": "Speed", "touches": [{"ref": "bench/\x1b[2Jrun.py", "state": "gone"}]},
    ]
}
LISTED = {
    "total": 3,
    "notes": [
        HIT | {"tags": ["storage"]},
        BARE | {"tags": []},
    ],
}
SHOWN = {
    "name": "plain-files",
    "path": ".memory/decision/plain-files.md",
    "type": "decision",
    "title": "Plain files over a database",
    "summary": "Markdown in Git is reviewed like code.",
    "body": "\nWe measured both.\n\n- files: 9 ms\n- database: 12 ms\n",
    "fields": {
        "title": "Plain files over a database",
        "type": "decision",
        "tags": ["storage", "git"],
        "source": "user",
        "summary": "Markdown in Git is reviewed like code.",
        "because": [{"to": "git-dates-it", "note": "see #4"}],
        "ticket": {"id": "42", "open": True},
    },
    "links_out": [
        {"verb": "because", "name": "git-dates-it", "title": "Git dates it", "note": "see #4", "weight": 1.0}
    ],
    "links_in": [{"verb": "about", "name": "speed", "title": "Speed", "note": None, "weight": 1.0}],
    "mentions": [{"name": "rebuild", "title": "Rebuild takes a second"}, {"name": "lost", "title": None}],
    "trust": None,
    "standing": None,
    "marks": [],
    "touches": [{"ref": "gitmem/", "state": None}],
    "digest": "3fa9c1d2a7b4",
    "problems": [
        {
            "path": ".memory/decision/plain-files.md",
            "line": 4,
            "code": "unknown-word",
            "severity": "warning",
            "message": "The tag is odd.",
            "hint": None,
        }
    ],
}
SENSITIVE = SHOWN | {"summary": None, "body": None, "fields": {"sensitive": "true"}, "problems": [], "mentions": []}
WALKED = {
    "root": "plain-files",
    "notes": [
        {"name": "plain-files", "type": "decision", "title": "Plain files", "depth": 0},
        {"name": "git-dates-it", "type": "principle", "title": 'Git "dates" it', "depth": 1},
        {"name": "speed", "type": "insight", "title": "Speed | a <b>tag</b>", "depth": 1},
        {"name": "clock", "type": "caution", "title": "Clocks\\lie", "depth": 2},
    ],
    "edges": [
        {"from": "plain-files", "verb": "because", "to": "git-dates-it", "weight": 1.0, "note": None},
        {"from": "speed", "verb": "about", "to": "plain-files", "weight": 0.5, "note": "measured"},
        {"from": "git-dates-it", "verb": "needs", "to": "clock", "weight": 1.0, "note": None},
        {"from": "clock", "verb": "conflicts-with", "to": "speed", "weight": 1.0, "note": "on old kernels"},
        {"from": "clock", "verb": "because", "to": "lost", "weight": 1.0, "note": None},
    ],
}
JOURNAL = {"name": "journal", "title": "Journal", "created": None, "replaced_by": "wal", "note": "twice as fast"}
WAL = {"name": "wal", "title": "WAL", "created": "2026-11-02T00:00:00Z", "replaced_by": None, "note": None}
PROBLEMS = [
    {
        "path": ".memory/decision/a.md",
        "line": 3,
        "code": "duplicate-key",
        "severity": "error",
        "message": "The key tags stands twice.",
        "hint": "Keep one of them.",
    },
    {
        "path": ".memory/x.md",
        "line": None,
        "code": "wrong-folder",
        "severity": "warning",
        "message": "A decision lies here.",
        "hint": None,
    },
]
WRITTEN = {
    "name": "plain-files",
    "path": ".memory/decision/plain-files.md",
    "type": "decision",
    "created": True,
    "digest": "3fa9",
    "duplicates": [],
    "suspects": [{"name": "one-database", "title": "One database", "reason": "permission differs"}],
    "warnings": [WARNING],
    "related": [{"name": "speed", "title": "Speed", "type": "insight", "similarity": 0.7, "verb": "about"}],
    "unresolved": ["gone.py::f"],
    "deferred": True,
}
TWIN = WRITTEN | {"created": False, "duplicates": [{"name": "files", "title": "Files", "similarity": 0.93}]}
STATUS = {
    "root": "/project",
    "branch": "main",
    "head": "4f212fe0c1d2a7b4",
    "trusted": True,
    "notes": {"decision": 5, "caution": 2},
    "unreviewed": None,
    "stale": None,
    "drifted": None,
    "conflicts": 1,
    "suspects": None,
    "problems": 2,
    "index": {"fresh": True, "notes": 7, "bytes": 81920},
    "memory": {"checkpoint_count": 1, "recall_count": None, "recall_zero_hits": None, "last_recall_at": None},
    "pending": [".memory/decision/a.md"],
}
VOCABULARY = {
    "types": [
        {"name": "decision", "holds": "a choice made for a reason", "durability": "stable", "role": None, "brief": 7},
        {
            "name": "problem",
            "holds": "something that went wrong",
            "durability": "episodic",
            "role": "worklist",
            "brief": None,
        },
    ],
    "verbs": [
        {"name": "because", "reads": "a decision because a principle", "role": "reason", "to": "any"},
        {"name": "answers", "reads": "a resolution answers a problem", "role": "answer", "to": "worklist"},
    ],
    "domains": [],
    "statuses": [{"name": "open", "of": "worklist"}, {"name": "archived", "of": "any"}],
}

BEGUN: dict[str, Any] = {"root": "/project", "created": [".memory/config.toml"], "existing": ["x"], "hooks": []}
BEGUN |= {"trusted": False, "merge_driver": False, "warnings": []}
PENDING = [f".memory/decision/{letter}.md" for letter in "abcdefg"]
WORN = {"checkpoint_count": 3, "recall_count": 40, "recall_zero_hits": 6, "last_recall_at": "2026-11-30T09:00:00Z"}
WORN |= {"last_checkpoint_at": "2026-11-29T09:00:00Z"}

COMMITS = [
    {
        "commit": "3fa9c1d2a7b43fa9c1d2a7b43fa9c1d2a7b43fa9",
        "author": "Jane Doe",
        "date": "2026-11-02T09:00:00Z",
        "title": "Write through a journal\x1b[2J",
        "notes": [
            {"name": "wal", "change": "added"},
            {"name": "plain-files", "change": "added"},
            {"name": "journal", "change": "revised"},
        ],
    },
    {
        "commit": "4f212fe0c1d2a7b44f212fe0c1d2a7b44f212fe0",
        "author": "Eve",
        "date": "2026-11-01T09:00:00Z",
        "title": "Declare a domain",
        "notes": [],
    },
]
SHALLOW = {"code": "shallow", "name": None, "message": "The clone is shallow."}


def differing(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "path": f".memory/decision/{name}.md", "title": name.upper(), "type": "decision", **more}


WENT = {"verb": "because", "name": "speed", "note": None, "weight": 1.0}
DIFFERENCE: dict[str, Any] = {
    "added": [differing("wal")],
    "revised": [differing("plain-files", fields=["title", "body"])],
    "superseded": [differing("journal", by="wal"), differing("clock", by=None)],
    "buried": [differing("sqlite", by="no-sqlite")],
    "renamed": [differing("index", old="the-index")],
    "removed": [differing("lost")],
    "relinked": [differing("speed", came=[WENT | {"verb": "about", "note": "measured"}], went=[WENT])],
    "stale": [],
    "risks": [],
    "warnings": [SHALLOW],
}
SAME: dict[str, Any] = {key: [] for key in DIFFERENCE}
UNDONE = {
    "commit": "3fa9c1d2a7b43fa9c1d2a7b43fa9c1d2a7b43fa9",
    "reversed": ["journal", "wal"],
    "skipped": [{"name": "speed", "reason": "It has changed since."}],
    "warnings": [],
}

STOOD: dict[str, Any] = {
    "name": "20261130T112900Z-index-survives-kill",
    "path": ".memory/checkpoint/20261130T112900Z-index-survives-kill.md",
    "commit": "3fa9c1d2a7b43fa9c1d2a7b43fa9c1d2a7b43fa9",
    "deferred": False,
    "reason": None,
    "notes": ["plain-files", "speed"],
    "left": [".memory/decision/wal.md", ".memory/decision/lost.md"],
    "unresolved": [],
    "handle": None,
    "warnings": [
        {"code": "detached", "name": None, "message": "HEAD is detached: no branch holds this commit."},
        {"code": "not-ours", "name": ".memory/decision/wal.md", "message": "wal.md was not written by gitmem here."},
    ],
}
DEFERRED = STOOD | {"commit": None, "deferred": True, "reason": "A Git merge is unfinished."}
DEFERRED |= {"notes": [], "warnings": []}
NOTHING_NEW = STOOD | {"commit": None, "reason": "Nothing new since 20261130T112900Z-index.", "notes": [], "left": []}
RESOLVED: dict[str, Any] = {
    "merged": [".memory/decision/plain files.md", ".memory/decision/wal.md"],
    "parted": [
        {
            "name": "wal",
            "path": ".memory/decision/wal.md",
            "title": "WAL",
            "other": {"name": "wal-3fa9c1", "path": ".memory/insight/wal-3fa9c1.md", "title": "WAL!\x1b[2J"},
        }
    ],
    "changed": [".memory/decision/wal.md"],
    "problems": [
        {
            "path": ".memory/decision/speed.md",
            "line": 4,
            "code": "unsettled",
            "severity": "error",
            "message": "Both sides of a merge changed summary: ours stands, theirs is kept in this comment.",
            "hint": "Keep what is true, and delete the comment.",
        }
    ],
    "checked": 3,
    "add": [".memory/decision/plain files.md", ".memory/decision/wal.md"],
    "warnings": [{"code": "links", "name": "wal", "message": "speed link to wal, which is 'WAL' now."}],
}
NO_CONFLICT: dict[str, Any] = {key: [] for key in RESOLVED}

TITLED = {"summary": "Measured: `twice` as fast.", "body": "Measured: `twice` as fast.\n\n```\n<b>@all</b>\n```\n"}
REVIEWED: dict[str, Any] = DIFFERENCE | {
    "added": [differing("wal", **TITLED), differing("vault", summary=None, body=None)],
    "revised": [differing("plain-files", fields=["title", "body"], old_title="Files", summary=None)],
    "superseded": [differing("journal", by="wal", summary="Written twice."), differing("clock", by=None, summary=None)],
    "buried": [differing("sqlite", by="no-sqlite", summary=None)],
    "renamed": [differing("index", old="the-index", summary=None)],
    "removed": [differing("lost", summary="It was found.")],
    "stale": [
        differing(
            "git",
            touches=[{"ref": "src/git.py::run", "state": "changed"}, {"ref": "src/old/", "state": "gone"}],
            summary=None,
        )
    ],
    "base": COMMITS[0]["commit"],
    "head": COMMITS[1]["commit"],
    "passes": False,
    "risks": [*PROBLEMS, PROBLEMS[0] | {"message": "50% of it:\n::error::x", "path": "a,b:c.md"}],
}
PASSED = SAME | {"base": "", "head": "", "passes": True}
SET_UP = {"name": "github", "path": "p.yml", "changed": ["p.yml"], "diff": "--- /dev/null\n+++ b/p.yml\n+on: x\n"}

GOLDENS: dict[str, Callable[[], str]] = {
    "recall-strong": lambda: render.recall(recalled("strong", HIT, BARE), PLAIN),
    "recall-weak": lambda: render.recall(recalled("weak", HIT), PLAIN),
    "recall-none": lambda: render.recall(recalled("none"), PLAIN),
    "recall-near": lambda: render.recall(recalled("none", BARE), PLAIN),
    "recall-no-query": lambda: render.recall(recalled("strong", BARE, query=None), PLAIN),
    "recall-nothing": lambda: render.recall(recalled("none", query=None), PLAIN),
    "recall-full": lambda: render.recall(recalled("strong", HIT | {"body": "\nAll\n\nof it.\n"}), PLAIN),
    "recall-hostile": lambda: render.recall(recalled("strong", HOSTILE) | {"fresh": False}, PLAIN),
    "recall-colour": lambda: render.recall(recalled("strong", HIT), COLOUR),
    "recall-ref": lambda: render.recall(recalled("strong", HIT | {"ref": "feature/wal"}), PLAIN),
    "log": lambda: chronicle.log({"commits": COMMITS, "warnings": [SHALLOW]}, PLAIN),
    "log-none": lambda: chronicle.log({"commits": [], "warnings": []}, PLAIN),
    "diff": lambda: chronicle.diff(DIFFERENCE, PLAIN),
    "diff-same": lambda: chronicle.diff(SAME, PLAIN),
    "review": lambda: report.text(REVIEWED, PLAIN),
    "review-same": lambda: report.text(PASSED, PLAIN),
    "review-markdown": lambda: report.markdown(REVIEWED),
    "review-markdown-same": lambda: report.markdown(PASSED),
    "review-github": lambda: report.annotations(REVIEWED),
    "setup-dry-run": lambda: pulls.difference(SET_UP),
    "undo": lambda: chronicle.undone(UNDONE, PLAIN, dry_run=False),
    "undo-dry-run": lambda: chronicle.undone(UNDONE | {"commit": None}, PLAIN, dry_run=True),
    "undo-nothing": lambda: chronicle.undone(UNDONE | {"commit": None, "reversed": []}, PLAIN, dry_run=False),
    "checkpoint": lambda: commits.checkpoint(STOOD, PLAIN),
    "checkpoint-deferred": lambda: commits.checkpoint(DEFERRED, PLAIN),
    "checkpoint-nothing-new": lambda: commits.checkpoint(NOTHING_NEW | {"warnings": []}, PLAIN),
    "resolve-conflicts": lambda: commits.conflicts(RESOLVED, PLAIN),
    "resolve-conflicts-none": lambda: commits.conflicts(NO_CONFLICT, PLAIN),
    "list": lambda: render.listing(LISTED, PLAIN),
    "list-narrow": lambda: render.listing(LISTED, View(now=NOW, width=40)),
    "search": lambda: render.search(
        {
            "total": 1,
            "matches": [{"name": "a", "path": ".memory/decision/a.md", "line": 7, "text": "  fsync, then rename\r"}],
        },
        PLAIN,
    ),
    "show": lambda: render.show(SHOWN, PLAIN),
    "show-sensitive": lambda: render.show(SENSITIVE, PLAIN),
    "walk": lambda: graphs.tree(WALKED, PLAIN),
    "walk-dot": lambda: graphs.dot(WALKED, PLAIN),
    "walk-mermaid": lambda: graphs.mermaid(WALKED, PLAIN),
    "timeline": lambda: render.timeline({"head": "wal", "notes": [JOURNAL, WAL]}, PLAIN),
    "drift": lambda: render.drift(DRIFTED, PLAIN),
    "drift-none": lambda: render.drift({"drifted": []}, PLAIN),
    "tags": lambda: render.tags({"tags": [{"tag": "git", "count": 12}, {"tag": "speed", "count": 3}]}),
    "check": lambda: render.check({"problems": PROBLEMS, "checked": 12}, PLAIN),
    "check-clean": lambda: render.check({"problems": [], "checked": 1}, PLAIN),
    "check-fix": lambda: render.check(
        {
            "problems": PROBLEMS[:1],
            "checked": 12,
            "fixed": [{"path": ".memory/x.md", "code": "wrong-folder", "message": "moved", "diff": "-a\n+b\n"}],
        },
        PLAIN,
    ),
    "vocabulary": lambda: render.vocabulary(VOCABULARY, PLAIN),
    "vocabulary-rename": lambda: render.respelled(
        {"path": ".memory/config.toml", "changed": [".memory/gotcha/a.md"]}, "caution", "gotcha", PLAIN
    ),
    "vocabulary-add": lambda: render.added(
        {"path": ".memory/config.toml", "added": ["search", "storage"], "created": False}, PLAIN
    ),
    "vocabulary-begun": lambda: render.added(
        {"path": ".memory/config.toml", "added": ["search"], "created": True}, PLAIN
    ),
    "remember": lambda: render.written(WRITTEN, "remembered", PLAIN),
    "remember-duplicate": lambda: render.written(TWIN, None, PLAIN),
    "remember-batch": lambda: render.batch(
        {"results": [WRITTEN, TWIN, {"error": {"code": "x", "message": "The title is empty.", "hint": None}}]}
    ),
    "link": lambda: render.changed(
        {"name": "a", "path": "p", "changed": [".memory/a.md"]}, "linked a because b", PLAIN
    ),
    "link-same": lambda: render.changed({"name": "a", "path": "p", "changed": []}, "linked a because b", PLAIN),
    "init": lambda: state.begun(BEGUN, PLAIN),
    "init-hooks": lambda: state.begun(
        BEGUN | {"hooks": ["pre-commit"], "merge_driver": True, "trusted": True, "warnings": [WARNING]}, PLAIN
    ),
    "hooks": lambda: state.hooks(HOOKS, PLAIN),
    "approve": lambda: standing.changed(APPROVED, "approved", PLAIN),
    "approve-same": lambda: standing.changed(APPROVED | {"changed": [], "warnings": []}, "approved", PLAIN),
    "review-waiting": lambda: standing.waiting(WAITING, PLAIN),
    "review-waiting-none": lambda: standing.waiting({key: [] for key in WAITING}, PLAIN),
    "conflicts": lambda: standing.paired({"pairs": [PAIR]}, "contradictions", PLAIN),
    "suspects-none": lambda: standing.paired({"pairs": []}, "suspects", PLAIN),
    "decay": lambda: standing.decayed(DECAYED, PLAIN),
    "decay-applied": lambda: standing.decayed(
        DECAYED | {"applied": True, "changed": [".memory/insight/faded.md"], "warnings": [WARNING]}, PLAIN
    ),
    "decay-none": lambda: standing.decayed(DECAYED | {"notes": []}, PLAIN),
    "status": lambda: state.status(STATUS, PLAIN),
    "status-busy": lambda: state.status(STATUS | {"pending": PENDING, "memory": WORN}, PLAIN),
    "doctor": lambda: state.doctor(
        {
            "checks": [
                {"name": "git", "state": "ok", "message": "git 2.47", "hint": None},
                {"name": "cache", "state": "fault", "message": "It is not ours.", "hint": "rm -r .memory/.cache"},
            ]
        },
        PLAIN,
    ),
    "error": lambda: render.error("No note is named 'x'.", "Did you mean y?\nYour text is kept."),
    "help": arguments.overview,
    **{f"help-{command.name}": (lambda command=command: arguments.manual(command)) for command in COMMANDS},
}


def golden(name: str) -> Path:
    return GOLDEN / f"{name}.txt"


@pytest.mark.parametrize("name", GOLDENS)
def test_the_text_is_the_golden_one(name: str) -> None:
    text = GOLDENS[name]()

    assert text == golden(name).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(GOLDENS)


@pytest.mark.parametrize(
    "result", [recalled("strong", HIT, BARE), LISTED, WALKED, {"tags": [{"tag": "git", "count": 1}]}]
)
def test_quiet_prints_one_name_a_line(result: dict[str, Any]) -> None:
    lines = render.quiet(result).splitlines()

    assert lines and all(re.fullmatch(r"\S+", line) for line in lines)


def test_show_says_who_vouched_and_whether_that_still_holds() -> None:
    fields = {"approved": {"by": "Ada", "at": "2026-11-30", "of": "08ba6a4"}, "confirmed": "2026-12-01"}
    held = SHOWN | {"fields": fields, "standing": "approved", "marks": ["approved"]}
    void = held | {"fields": fields | {"confirmed_by": "agent"}, "standing": "unreviewed", "marks": ["unreviewed"]}

    shown = [[line.strip() for line in render.show(each, PLAIN).split("\n")] for each in (held, void)]

    assert {"approved   2026-11-30 by Ada", "confirmed  2026-12-01"} <= set(shown[0])
    lines = {"approved   2026-11-30 by Ada; void for the note as it is now", "confirmed  2026-12-01 by agent"}
    assert lines <= set(shown[1])


def test_quiet_says_nothing_of_a_note_that_was_not_written() -> None:
    assert render.quiet(TWIN) == ""
    assert render.quiet(WRITTEN) == "plain-files\n"


def test_quiet_keeps_what_is_wrong() -> None:
    assert render.quiet({"problems": PROBLEMS, "checked": 2}).count("\n") == 2
    assert render.quiet(REVIEWED).count("\n") == 3
    assert render.quiet({"checks": [{"name": "cache", "state": "fault"}]}) == "fault cache\n"


def test_quiet_says_which_checkpoint_and_what_a_person_has_to_settle() -> None:
    assert render.quiet(STOOD) == "20261130T112900Z-index-survives-kill\n"
    assert render.quiet(RESOLVED).startswith(".memory/decision/speed.md:4: error unsettled ")


def test_of_many_notes_in_a_commit_the_first_are_named_and_the_rest_counted() -> None:
    names = [f"note-{number}" for number in range(1_500)]

    shown = commits.checkpoint(STOOD | {"notes": names}, PLAIN)

    assert "note-0, note-1, " in shown and "note-19 and 1480 more\n" in shown
    assert "note-20" not in shown and len(shown) < 1_000
    assert "note-19\n" in commits.checkpoint(STOOD | {"notes": names[:20]}, PLAIN)


def test_case_58_nothing_suggests_that_a_checkpoint_left_the_machine() -> None:
    shown = [commits.checkpoint(each, PLAIN) for each in (STOOD, DEFERRED, NOTHING_NEW)]

    assert "in this clone alone" in shown[0]
    assert not re.search(r"\b(pushed|sent|saved to|remote|origin|published|shared|uploaded|synced)\b", " ".join(shown))


@given(st.text(), st.text())
def test_text_of_notes_never_leaves_its_quotes_nor_steers_the_terminal(title: str, text: str) -> None:
    hit = HIT | {"title": title, "snippet": text or "x", "links": [], "touches": [], "author": None}

    shown = render.recall(recalled("strong", hit), PLAIN)

    after_head = shown.split("plain-files", 1)[1].split("\n", 1)[1].split("\nwarning:")[0].strip("\n")
    assert all(line.startswith(">") for line in after_head.split("\n"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown.replace("\t", ""))


@given(st.text())
def test_graph_labels_cannot_end_early(title: str) -> None:
    walked = WALKED | {"notes": [note | {"title": title} for note in WALKED["notes"]]}  # type: ignore[attr-defined]

    drawn = graphs.dot(walked, PLAIN)
    chart = graphs.mermaid(walked, PLAIN)

    labels = re.findall(r"^  \"plain-files\" \[label=\"((?:[^\"\\]|\\.)*)\"\];$", drawn, re.MULTILINE)
    assert len(labels) == 1
    assert len(re.findall(r"^  n\d\[\"[^\"\n<>|\[\]]*\"\]$", chart, re.MULTILINE)) == 5


def test_ages_are_told_in_the_largest_unit_that_fits_twice() -> None:
    ages = {
        days: render._age(f"2026-{month}T00:00:00Z", NOW) for days, month in ((0, "11-30"), (1, "11-29"), (20, "11-10"))
    }

    assert ages == {0: "today", 1: "1 day old", 20: "2 weeks old"}


if __name__ == "__main__":
    texts = {each: text() for each, text in GOLDENS.items()}
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.txt"):
        old.unlink()
    for each, shown in texts.items():
        golden(each).write_text(shown, encoding="utf-8")
