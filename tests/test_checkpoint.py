"""Checkpoints: what is said, what goes along and for whom, what is left, deferred, or nothing new."""

import json
import os
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import git_states as states
import pytest
from conftest import SOURCE, command
from git_states import dirty, git, note, project, seen, write

from gitmem.errors import GitmemError
from gitmem.notes.entry import read
from gitmem.operations.checkpoint import Asked, Said, checkpoint
from gitmem.operations.draft import Author, Draft
from gitmem.operations.memory import Memory, open_memory
from gitmem.operations.write import remember
from gitmem.storage import commit, disk, ledger
from gitmem.storage import git as repositories

PERSON, AGENT = Author("user", None), Author("agent", "claude-code")
SECRET = "password = hunter2hunter2"  # gitmem: allow-secret
OLD = ".memory/decision/old-way.md"


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[None]:
    with states.home(tmp_path / "home"):
        yield


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path / "project")


def opened(root: Path, later: int = 0) -> Memory:
    return open_memory(str(root), environment=os.environ, now=int(time.time()) + later)


def stood(root: Path, title: str = "Where it stands", author: Author = PERSON, later: int = 0, **more: Any) -> Any:
    """Returns the reply to a checkpoint; `more` is what it says and what it was asked."""
    asked = {key: more.pop(key) for key in list(more) if key in Asked._fields}
    return checkpoint(opened(root, later), Said(title, **more), author, Asked(**asked))


def refused(root: Path, title: str = "Where it stands", **more: Any) -> GitmemError:
    with pytest.raises(GitmemError) as caught:
        stood(root, title, **more)
    return caught.value


def remembered(root: Path, title: str, author: Author = AGENT) -> str:
    """Returns the path of a note that a verb wrote, and that the ledger therefore knows."""
    path: str = remember(opened(root), Draft(title=title, type="decision", body="It was so."), author)["path"]
    ledger.record(str(root), {path: disk.digest((root / path).read_bytes())})
    return path


def committed(root: Path) -> list[str]:
    return git(root, "show", "--name-status", "--format=", "--no-renames", "HEAD").splitlines()


def codes(reply: Any) -> dict[str, str]:
    return {warning["name"]: warning["code"] for warning in reply["warnings"]}


# What is said


def test_a_checkpoint_says_where_work_stands(root: Path) -> None:
    tip = git(root, "rev-parse", "HEAD").strip()

    reply = stood(
        root,
        "Index survives kill: half done",
        body="The writer is fenced.\n\nNot yet: vectors.",
        next_steps=("Fence the vectors",),
        events=("decision=Rename is the fence", "blocker=No disk to test on"),
        touches=("src/main.py", "lib/"),
        tags=("Index",),
        session="s1",
    )

    entry = read("x.md", (root / reply["path"]).read_bytes(), verbs=())
    assert reply["path"].startswith(".memory/checkpoint/2") and reply["path"].endswith(
        "Z-index-survives-kill-half-done.md"
    )
    assert reply["path"] == f".memory/checkpoint/{reply['name']}.md"
    assert (entry.note.type, entry.note.source, entry.note.tags, entry.problems) == (
        "checkpoint",
        "user",
        ("index",),
        (),
    )
    assert entry.note.extra["next"] == ["Fence the vectors"]
    assert entry.note.extra["events"] == ["decision=Rename is the fence", "blocker=No disk to test on"]
    assert entry.note.extra["head"] == tip
    assert git(root, "log", "-1", "--format=%B").strip() == (
        "Index survives kill: half done\n\nThe writer is fenced.\n\nNot yet: vectors.\n\n"
        f"Memory-Checkpoint: {reply['name']}\nMemory-Session: s1\nMemory-Touches: src/main.py\nMemory-Touches: lib/"
    )
    assert git(root, "log", "-1", "--format=%(trailers:key=Memory-Session,valueonly)").strip() == "s1"


def test_the_reply_has_every_key(root: Path) -> None:
    reply = stood(root)

    keys = {"name", "path", "commit", "deferred", "reason", "notes", "left", "unresolved", "handle", "warnings"}
    keys |= {"made", "suspects"}
    assert set(reply) == keys
    assert json.loads(json.dumps(reply)) == reply
    assert (reply["deferred"], reply["reason"], reply["unresolved"]) == (False, None, [])
    assert reply["handle"].startswith("gm-")


def test_case_58_nothing_suggests_that_anything_left_the_machine(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "server")
    git(root, "remote", "add", "origin", str(tmp_path / "server"))
    git(root, "push", "-q", "-u", "origin", "main")
    there = git(tmp_path / "server", "for-each-ref")

    reply = stood(root)

    assert git(tmp_path / "server", "for-each-ref") == there
    assert not {"push", "server", "remote", "origin", "sync"} & set(json.dumps(reply).lower().split())


def test_titles_that_meet_in_one_second_get_names_of_their_own(root: Path) -> None:
    names = {stood(root, body=body)["name"] for body in ("one", "two", "three")}

    assert len(names) == 3
    assert all("Z-where-it-stands" in name for name in names)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"title": ""}, "empty-title"),
        ({"title": "two\nlines"}, "bad-title"),
        ({"body": SECRET}, "secret"),
        ({"title": SECRET}, "secret"),
        ({"next_steps": (SECRET,)}, "secret"),
        ({"events": (f"decision={SECRET}",)}, "secret"),
        ({"body": "x" * 20_000}, "long-body"),
        ({"events": ("descision=x",)}, "unknown-event"),
        ({"events": ("decision",)}, "bad-event"),
        ({"include": ("nobody",)}, "unknown-name"),
    ],
)
def test_what_no_checkpoint_may_say_is_refused_before_anything_is_written(
    root: Path, more: dict[str, Any], code: str
) -> None:
    error = refused(root, **{"title": "Where it stands", **more})

    assert error.code == code and error.hint
    assert not (root / ".memory/checkpoint").exists()
    assert not git(root, "status", "--porcelain")


def test_a_misspelt_event_names_what_was_meant(root: Path) -> None:
    assert "decision" in (refused(root, events=("descision=x",)).hint or "")


def test_a_sensitive_notes_body_stays_out_of_the_message(root: Path) -> None:
    executable = root / ".git/hooks/pre-commit"
    write(root, ".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
    executable.chmod(0o755)
    refused(root, body="The salary is nine.")
    path = next((root / ".memory/checkpoint").glob("*.md"))
    path.write_text(path.read_text().replace("type: checkpoint", "type: checkpoint\nsensitive: true"))

    reply = stood(root, body="The salary is nine.", verify=False)

    assert reply["commit"] and reply["name"] == path.stem
    assert "salary" not in git(root, "log", "-1", "--format=%B")


def test_the_fingerprint_changes_with_the_work_and_not_with_memory(root: Path) -> None:
    def mark(title: str) -> Any:
        reply = stood(root, title)
        return read("x.md", (root / reply["path"]).read_bytes(), verbs=()).note.extra["worktree"]

    clean, again = mark("One"), mark("Two")
    write(root, "a.py", "value = 2\n")
    changed = mark("Three")
    write(root, "a.py", "value = 3\n")
    further = mark("Four")
    write(root, "new/file.py", "")
    untracked = mark("Five")

    assert clean == again
    assert len({clean, changed, further, untracked}) == 4


# What goes along


@pytest.mark.parametrize("author", [PERSON, AGENT])
def test_cases_52_and_54_the_users_own_work_is_never_swept_in(root: Path, author: Author) -> None:
    dirty(root)
    path = remembered(root, "New way")
    before = seen(root)

    reply = stood(root, author=author)

    assert committed(root) == [f"A\t{reply['path']}", f"A\t{path}"]
    assert reply["notes"] == ["new-way"] and reply["left"] == []
    assert seen(root) == before


def test_a_persons_checkpoint_takes_every_change_of_memory(root: Path) -> None:
    note(root, "by-hand")
    with open(root / OLD, "a") as file:
        file.write("More.\n")

    reply = stood(root)

    assert reply["notes"] == ["by-hand", "old-way"]
    assert not git(root, "status", "--porcelain")


def test_an_agents_checkpoint_takes_what_verbs_wrote_and_names_the_rest(root: Path) -> None:
    note(root, "by-hand")
    remembered(root, "By verb")
    edited = remembered(root, "By verb then by hand")
    with open(root / edited, "a") as file:
        file.write("More.\n")

    reply = stood(root, author=AGENT)

    assert reply["notes"] == ["by-verb"]
    assert reply["left"] == [".memory/decision/by-hand.md", edited]
    assert set(codes(reply).values()) == {"not-ours"}


def test_an_agent_may_name_what_else_goes_along(root: Path) -> None:
    note(root, "by-hand")
    note(root, "another")

    reply = stood(root, author=AGENT, include=("by-hand",))

    assert reply["notes"] == ["by-hand"]
    assert reply["left"] == [".memory/decision/another.md"]


def test_notes_with_errors_or_secrets_stay_out_and_are_named(root: Path) -> None:
    write(root, ".memory/decision/broken.md", "---\ntitle: [\n---\n\nText.\n")
    write(root, ".memory/decision/conflict.md", "---\ntitle: A\n---\n\n<<<<<<< a\n=======\n>>>>>>> b\n")
    write(root, ".memory/decision/leak.md", f"---\ntitle: B\n---\n\n{SECRET}\n")

    reply = stood(root)

    assert [Path(path).stem for path in reply["left"]] == ["broken", "conflict", "leak"]
    assert [Path(name).stem for name in codes(reply)] == ["broken", "conflict", "leak"]
    assert "hunter2" not in json.dumps(reply)
    assert committed(root) == [f"A\t{reply['path']}"]


@pytest.mark.parametrize("author", [PERSON, AGENT])
def test_our_own_other_files_go_along_and_strays_do_not(root: Path, author: Author) -> None:
    write(root, ".memory/config.toml", "")
    write(root, ".memory/.gitattributes", "*.md text eol=lf\n")
    write(root, ".memory/README.md", "# Memory\n")
    write(root, ".memory/notes.txt", "x\n")
    write(root, ".memory/decision/.draft.md", "x\n")
    os.symlink("../../a.py", root / ".memory/decision/link.md")

    reply = stood(root, author=author)

    assert [row[2:] for row in committed(root)] == [
        ".memory/.gitattributes", ".memory/README.md", reply["path"], ".memory/config.toml",
    ]  # fmt: skip
    assert reply["left"] == [".memory/decision/.draft.md", ".memory/decision/link.md", ".memory/notes.txt"]


def test_the_cache_is_no_memory_even_where_nothing_ignores_it(root: Path) -> None:
    git(root, "rm", "-q", "--cached", ".memory/.gitignore")
    (root / ".memory/.gitignore").unlink()
    write(root, ".memory/.cache/manifest", "x")

    reply = stood(root, allow_deletions=True)

    assert reply["left"] == []
    assert ".memory/.cache/manifest" not in git(root, "ls-files")


@pytest.mark.parametrize("author", [PERSON, AGENT])
def test_deletions_no_verb_made_need_a_word(root: Path, author: Author) -> None:
    (root / OLD).unlink()

    left = stood(root, author=author)
    taken = stood(root, "Later", author=author, allow_deletions=True)

    assert left["left"] == [OLD] and codes(left) == {OLD: "deletion"}
    assert taken["notes"] == ["old-way"] and f"D\t{OLD}" in committed(root)


def test_deletions_that_a_verb_made_go_along(root: Path) -> None:
    (root / OLD).unlink()
    ledger.record(str(root / ".memory"), {"decision/old-way.md": None})

    reply = stood(root, author=AGENT)

    assert reply["notes"] == ["old-way"] and not git(root, "status", "--porcelain")


def test_notes_that_are_not_checked_out_are_never_deletions(root: Path) -> None:
    git(root, "update-index", "--skip-worktree", OLD)
    (root / OLD).unlink()

    reply = stood(root, allow_deletions=True)

    assert reply["left"] == [] and reply["notes"] == []
    assert git(root, "cat-file", "-e", f"HEAD:{OLD}") == ""


@pytest.mark.parametrize("author", [PERSON, AGENT])
def test_a_note_staged_with_another_text_stays_and_is_named(root: Path, author: Author) -> None:
    with open(root / OLD, "a") as file:
        file.write("Staged.\n")
    git(root, "add", OLD)
    with open(root / OLD, "a") as file:
        file.write("And more.\n")
    before = seen(root)

    left = stood(root, author=author)

    assert left["left"] == [OLD] and codes(left) == {OLD: "half-staged"} and seen(root) == before
    stood(root, "With it", author=author, include=("old-way",))
    assert git(root, "show", f"HEAD:{OLD}").endswith("Staged.\nAnd more.\n")
    assert not git(root, "status", "--porcelain")


def test_case_70_a_memory_in_a_folder_commits_itself_alone(root: Path) -> None:
    note(root, "inner", "pkg/a/.memory")
    note(root, "outer")

    reply = checkpoint(opened(root / "pkg/a"), Said("Inner stand"), PERSON)

    assert all(row[2:].startswith("pkg/a/.memory/") for row in committed(root))
    assert reply["path"].startswith("pkg/a/.memory/checkpoint/")
    assert git(root, "status", "--porcelain") == "?? .memory/decision/outer.md\n"


def test_older_checkpoints_leave_with_the_next_one_and_git_keeps_them(root: Path) -> None:
    write(root, ".memory/config.toml", "[policy]\nkeep_checkpoints = 2\n")
    replies = [stood(root, f"Stand {number}", later=number) for number in range(4)]

    there = sorted(path.stem for path in (root / ".memory/checkpoint").iterdir())

    assert there == [reply["name"] for reply in replies[2:]]
    assert replies[3]["notes"] == [replies[1]["name"]]
    assert git(root, "show", f"{replies[2]['commit']}:{replies[1]['path']}").startswith("---\ntitle: Stand 1\n")
    assert not git(root, "status", "--porcelain")


def test_an_older_checkpoint_that_was_edited_does_not_leave(root: Path) -> None:
    write(root, ".memory/config.toml", "[policy]\nkeep_checkpoints = 1\n")
    first = stood(root, "First")
    with open(root / first["path"], "a") as file:
        file.write("Edited.\n")

    second = stood(root, "Second", later=1)
    assert (root / first["path"]).exists() and first["name"] in second["notes"]
    stood(root, "Third", later=2)

    assert not (root / first["path"]).exists()
    assert "Edited." in git(root, "show", f"{second['commit']}:{first['path']}")


# Nothing new, refused, deferred


def test_the_same_again_is_nothing_new(root: Path) -> None:
    first = stood(root, body="Half done.")
    tip = git(root, "rev-parse", "HEAD")

    again = stood(root, body="Half done.", later=60)

    assert (again["commit"], again["name"], again["deferred"]) == (None, first["name"], False)
    assert again["reason"].startswith("Nothing new")
    assert git(root, "rev-parse", "HEAD") == tip
    assert len(list((root / ".memory/checkpoint").iterdir())) == 1


def test_the_same_again_with_something_pending_is_new(root: Path) -> None:
    stood(root)
    note(root, "by-hand")

    again = stood(root, later=60)

    assert again["commit"] and again["notes"] == ["by-hand"]
    assert len(list((root / ".memory/checkpoint").iterdir())) == 2


def test_a_checkpoint_that_was_refused_is_not_written_twice(root: Path) -> None:
    write(root, ".git/hooks/pre-commit", "#!/bin/sh\necho no\nexit 1\n")
    (root / ".git/hooks/pre-commit").chmod(0o755)
    note(root, "by-hand")

    errors = [refused(root, later=later) for later in (0, 60)]
    reply = stood(root, later=120, verify=False)

    assert [error.code for error in errors] == ["hook-refused"] * 2
    assert reply["commit"] and reply["notes"] == ["by-hand"]
    assert len(list((root / ".memory/checkpoint").iterdir())) == 1


def test_case_55_in_a_merge_the_note_is_written_and_the_commit_deferred(tmp_path: Path) -> None:
    root = states.merging(tmp_path).root
    note(root, "by-hand")
    before, tip = seen(root), git(root, "rev-parse", "HEAD")

    reply = stood(root)
    again = stood(root, later=60)

    assert (reply["commit"], reply["deferred"]) == (None, True)
    assert "merge" in reply["reason"] and reply["left"] == [".memory/decision/by-hand.md"]
    assert again["name"] == reply["name"]
    assert (root / reply["path"]).exists()
    assert (seen(root), git(root, "rev-parse", "HEAD")) == (before, tip)
    assert not git(root, "diff", "--cached", "--name-only", "--", ".memory")


# Where nothing can be committed


def test_an_ignored_memory_is_refused_with_the_rule(root: Path) -> None:
    write(root, ".gitignore", "# ours\ncheckpoint/\n")

    error = refused(root)

    assert error.code == "ignored" and ".gitignore:2:checkpoint/" in error.message
    assert not list((root / ".memory/checkpoint").iterdir())


def test_ignored_notes_are_named(root: Path) -> None:
    write(root, ".gitignore", "quiet.md\n")
    note(root, "quiet")

    assert codes(stood(root)) == {".memory/decision/quiet.md": "ignored"}


def test_case_79_without_a_repository_git_says_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / "plain/.memory").mkdir(parents=True)

    error = refused(tmp_path / "plain")

    assert error.code == "no-repository" and "git init" in (error.hint or "")


def test_case_79_a_bare_repository_is_refused(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare")
    (tmp_path / "bare/.memory").mkdir()
    git(root, "config", "core.bare", "true")

    assert refused(tmp_path / "bare").code == "bare"
    assert refused(root).code == "bare"


def test_case_79_a_foreign_owner_is_refused_with_the_way_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")

    error = refused(root)

    assert error.code == "foreign-owner" and "safe.directory" in (error.hint or "")
    assert not (root / ".memory/checkpoint").exists()


def test_case_79_without_git_it_is_said(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert refused(root).code == "no-git"


# The ledger


def test_the_ledger_forgives_torn_lines_and_stays_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = repositories.find(str(root))
    assert repository
    path = root / ".git/gitmem/ledger"
    ledger.record(str(root), {"a.md": "1" * 64})
    path.write_bytes(path.read_bytes() + b"2222 torn")
    ledger.record(str(root), {"b.md": "3" * 64, "a.md": None})
    written = ledger.read(repository)

    assert written.holds("a.md", "1" * 64) and written.holds("b.md", "3" * 64)
    assert not written.holds("torn", "2222") and written.gone == {"a.md"}
    monkeypatch.setattr(ledger, "LIMIT", 4_000)
    for number in range(200):
        ledger.record(str(root), {f"{number}.md": f"{number:064}"})
    assert path.stat().st_size < 5_000
    assert ledger.read(repository).holds("199.md", f"{199:064}")


def test_case_68_each_work_tree_has_a_ledger_of_its_own(tmp_path: Path) -> None:
    tree = states.linked(tmp_path).root
    main = tmp_path / "main"
    ledger.record(str(tree / ".memory"), {"a.md": "1" * 64})

    there, here = repositories.find(str(tree)), repositories.find(str(main))

    assert there and here
    assert ledger.read(there).holds(".memory/a.md", "1" * 64)
    assert not ledger.read(here).holds(".memory/a.md", "1" * 64)
    assert (main / ".git/gitmem").is_dir()


def test_outside_a_repository_there_is_no_ledger(tmp_path: Path) -> None:
    ledger.record(str(tmp_path), {"a.md": "1" * 64})

    assert list(tmp_path.iterdir()) == [tmp_path / "home"]


# Others at work meanwhile


def hooked(root: Path, name: str, act: str) -> None:
    write(root, f".git/hooks/{name}", f"#!/bin/sh\nunset GIT_INDEX_FILE\n{act}\nexit 0\n")
    (root / ".git/hooks" / name).chmod(0o755)


@pytest.mark.parametrize("operation", ["rebase", "merge"])
def test_an_operation_that_begins_while_a_hook_runs_defers_the_commit(tmp_path: Path, operation: str) -> None:
    root = states.diverged(tmp_path / "project")
    remembered(root, "Alpha thing")
    tip = git(root, "rev-parse", "main")
    hooked(root, "pre-commit", f"git {operation} -q other > /dev/null 2>&1")

    reply = stood(root)
    index = git(root, "ls-files", "-s", ".memory/decision/alpha-thing.md")
    git(root, operation, "--abort")

    assert reply["deferred"] and reply["commit"] is None and operation in reply["reason"]
    assert (git(root, "rev-parse", "main"), index) == (tip, "")
    assert (root / reply["path"]).exists() and (root / ".memory/decision/alpha-thing.md").exists()
    (root / ".git/hooks/pre-commit").unlink()
    assert stood(root)["commit"]


def test_what_somebody_has_committed_meanwhile_is_said(root: Path) -> None:
    hooked(root, "pre-commit", "git add .memory; git commit -q --no-verify -m theirs")

    reply = stood(root)

    assert reply["commit"] is None and "committed" in reply["reason"]
    assert git(root, "show", f"HEAD:{reply['path']}") and not git(root, "status", "--porcelain")


def in_hook(folder: Path, *words: str) -> str:
    """Returns the line of a hook that runs a gitmem command, its status and its words kept in a folder."""
    name = folder / words[0]
    return f"{shlex.join(command(*words))} > {name}.out 2> {name}.err; echo $? > {name}.status"


@pytest.mark.parametrize("hook", ["pre-commit", "commit-msg", "reference-transaction", "post-index-change"])
def test_a_hook_that_commits_memory_itself_is_refused_at_once(root: Path, tmp_path: Path, hook: str) -> None:
    acts = [in_hook(tmp_path, "checkpoint", "Inner"), in_hook(tmp_path, "undo", "HEAD")]
    hooked(root, hook, "\n".join(f'[ -n "$INNER" ] || INNER=1 {act}' for act in acts))
    began = time.monotonic()

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", SOURCE)
        reply = stood(root)

    assert reply["commit"] and time.monotonic() - began < disk.LOCK_WAIT / 2
    assert [(tmp_path / f"{verb}.status").read_text() for verb in ("checkpoint", "undo")] == ["3\n"] * 2
    assert all("hook" in (tmp_path / f"{verb}.err").read_text() for verb in ("checkpoint", "undo"))
    assert committed(root) == [f"A\t{reply['path']}"] and not git(root, "status", "--porcelain")


def test_a_hook_may_read_and_write_notes_and_commit_elsewhere(root: Path, tmp_path: Path) -> None:
    other = project(tmp_path / "other")
    acts = [
        in_hook(tmp_path, "recall", "old way"),
        in_hook(tmp_path, "remember", "From a hook", "--type", "decision", "--body", "So."),
        in_hook(tmp_path, "revise", "other-way", "--body", "Changed."),
        in_hook(tmp_path, "checkpoint", "Elsewhere", "-C", str(other)),
    ]
    hooked(root, "pre-commit", "\n".join(acts))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", SOURCE)
        reply = stood(root)

    verbs = ("recall", "remember", "revise", "checkpoint")
    assert {verb: (tmp_path / f"{verb}.status").read_text() for verb in verbs} == dict.fromkeys(verbs, "0\n")
    assert committed(root) == [f"A\t{reply['path']}"]
    assert git(root, "status", "--porcelain").splitlines() == [
        " M .memory/decision/other-way.md", "?? .memory/decision/from-a-hook.md",
    ]  # fmt: skip
    assert git(other, "log", "-1", "--format=%s") == "Elsewhere\n"


def test_what_a_hook_left_running_commits_once_the_commit_is_made(root: Path) -> None:
    inside = {**os.environ, commit.COMMITTING: str(root / ".git")}
    memory = open_memory(str(root), environment=inside, now=int(time.time()))

    assert checkpoint(memory, Said("Where it stands"), PERSON)["commit"]


@pytest.mark.parametrize("operation", ["cherry-pick", "revert"])
def test_between_two_picks_an_operation_is_unfinished(tmp_path: Path, operation: str) -> None:
    root = states.diverged(tmp_path / "project")
    picked = ("other", "HEAD") if operation == "cherry-pick" else ("HEAD~1", "HEAD")
    git(root, operation, "--no-edit", *picked, fails=True)
    git(root, "checkout", "--ours", "code.py")
    write(root, "code.py", "value = 'settled'\n")
    git(root, "commit", "-q", "-a", "-m", "settled")
    assert not {"CHERRY_PICK_HEAD", "REVERT_HEAD"} & set(os.listdir(root / ".git"))

    reply = stood(root)

    assert reply["deferred"] and operation in reply["reason"]


def test_a_large_memory_says_what_it_did_not_compare(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.operations.unjudged.LOOKED_AMONG", 0)
    (root / ".memory/insight").mkdir(parents=True, exist_ok=True)
    (root / ".memory/insight/by-hand.md").write_text("---\ntitle: By hand\n---\nText.\n")

    reply = checkpoint(opened(root), Said("Look"), PERSON)

    assert [each["code"] for each in reply["warnings"]] == ["unjudged"] and reply["suspects"] == []
