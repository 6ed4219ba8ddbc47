"""History: what revisions and dates mean, which commits changed the memory, and that the cached log never lies."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, environment, new_project, run, told

from gitmem.errors import GitmemError
from gitmem.operations.history import history, log
from gitmem.operations.past import moment
from gitmem.operations.recall import recall
from gitmem.search import log as logs
from gitmem.search.cache import seal, unseal
from gitmem.search.query import Wanted
from gitmem.storage import git
from gitmem.storage import history as commits

TRAILER = "Checkpoint\n\nMemory-Session: s1\n"


def commit(project: Project, message: str, date: str | None = None, author: str = "Jane Doe") -> str:
    """Commits everything, at a date where one is given, and returns the commit."""
    project.git("add", "--all")
    dated = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if date else {}
    names = {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": "a@example.org"}
    names |= {"GIT_COMMITTER_NAME": author, "GIT_COMMITTER_EMAIL": "a@example.org"}
    command = ["git", "commit", "--quiet", "--allow-empty", "--message", message]
    subprocess.run(command, cwd=project.root, check=True, env=os.environ | names | dated)
    return project.git("rev-parse", "HEAD").strip()


def changes(reply: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    return [(each["title"], {note["name"]: note["change"] for note in each["notes"]}) for each in reply["commits"]]


def fresh(project: Project) -> logs.Log:
    """Returns the log as a walk from nothing gives it."""
    memory = project.open()
    assert memory.repository
    return logs.read(logs.Place(memory.repository, ".memory", None, memory.environment))


def origins(project: Project, query: str = "plain files") -> dict[str, tuple[str | None, str | None]]:
    hits = recall(project.open(), query, Wanted())["hits"]
    return {hit["name"]: (hit["author"], hit["commit"]) for hit in hits}


# The log


def test_log_tells_what_each_commit_did_to_which_note(project: Project) -> None:
    project.note("plain-files", "Markdown in Git.")
    commit(project, "one")
    project.note("plain-files", "Markdown in Git, reviewed.")
    project.note("wal", "Twice as fast.")
    commit(project, "two")
    (project.notes / "decision" / "wal.md").unlink()
    commit(project, "three")
    (project.root / "code.py").write_text("x = 1\n")
    commit(project, "beside")

    reply = log(project.open())

    assert changes(reply) == [
        ("three", {"wal": "removed"}),
        ("two", {"plain-files": "revised", "wal": "added"}),
        ("one", {"plain-files": "added"}),
    ]
    assert reply["commits"][0]["commit"] == project.git("rev-parse", "HEAD~1").strip()
    assert {each["author"] for each in reply["commits"]} == {"Jane Doe"} and reply["warnings"] == []


def test_log_of_an_unborn_branch_is_empty(project: Project) -> None:
    project.note("plain-files")

    assert log(project.open()) == {"commits": [], "warnings": []}


def test_log_is_limited(project: Project) -> None:
    for number in range(4):
        project.note("plain-files", f"{number}")
        commit(project, f"{number}")

    assert [title for title, _ in changes(log(project.open(), limit=2))] == ["3", "2"]


def test_odd_titles_authors_and_paths_stay_apart(project: Project) -> None:
    project.note("plain-files")
    (project.notes / "decision" / "tab\there.md").write_text("x")
    title = "tab\there and \x1f \x01 decision/plain-files.md"
    commit(project, title, author="A\x1fB")

    reply = log(project.open())

    assert changes(reply) == [("tab here and     decision/plain-files.md", {"plain-files": "added"})]


def test_users_own_configuration_changes_nothing(project: Project) -> None:
    project.note("plain-files", "\n".join(map(str, range(30))))
    commit(project, "one")
    project.git("mv", ".memory/decision/plain-files.md", ".memory/decision/files.md")
    commit(project, "two")
    before = log(project.open())
    pairs = ("log.showSignature=true", "color.ui=always", "diff.renames=false", "log.follow=true", "log.showRoot=false")
    for key, value in (pair.split("=") for pair in (*pairs, "diff.relative=true", "log.diffMerges=off")):
        project.git("config", key, value)
    (project.cache / "log").unlink()

    assert log(project.open()) == before


# One note


def test_case_76_git_mv_is_followed(project: Project) -> None:
    project.note("plain-files", "Markdown in Git.")
    project.note("other", "", because="[plain-files]")
    commit(project, "one")
    project.git("mv", ".memory/decision/plain-files.md", ".memory/decision/files.md")
    commit(project, "two")
    project.git("mv", ".memory/decision/files.md", ".memory/caution.md")
    (project.notes / "caution").mkdir()
    project.git("mv", ".memory/caution.md", ".memory/caution/files.md")
    commit(project, "three")

    reply = history(project.open(), "files")

    assert changes(reply) == [
        ("three", {"files": "moved"}),
        ("two", {"files": "renamed"}),
        ("one", {"plain-files": "added"}),
    ]


def test_case_76_a_note_revised_and_renamed_in_one_commit_is_one_note(project: Project) -> None:
    project.note("plain-files", "Markdown in Git.")
    commit(project, "one")
    run(project.root, "revise", "plain-files", "--title", "All anew", "--body", "Not a word of the old text is left.")
    run(project.root, "rename", "plain-files", "newer")
    commit(project, "two")

    told = [("two", {"newer": "renamed"}), ("one", {"plain-files": "added"})]

    assert changes(history(project.open(), "newer")) == told
    assert changes(log(project.open())) == told


def test_a_note_that_changed_its_type_is_moved_and_not_another_one(project: Project) -> None:
    project.write("decision/a.md", "---\ntype: decision\n---\n")
    commit(project, "one")
    (project.notes / "decision" / "a.md").unlink()
    project.write("choice/a.md", "---\ntype: choice\n---\n\nAnother text.\n")
    commit(project, "two")

    assert changes(log(project.open())) == [("two", {"a": "moved"}), ("one", {"a": "added"})]


def test_history_of_a_note_that_is_gone_is_told_by_its_last_name(project: Project) -> None:
    path = project.note("plain-files")
    commit(project, "one")
    path.unlink()
    commit(project, "two")

    assert changes(history(project.open(), "Plain-Files")) == [
        ("two", {"plain-files": "removed"}),
        ("one", {"plain-files": "added"}),
    ]


def test_history_of_what_never_was_is_refused_with_a_near_miss(project: Project) -> None:
    project.note("plain-files")
    commit(project, "one")

    with pytest.raises(GitmemError) as refused:
        history(project.open(), "plain-file")

    assert refused.value.code == "unknown-name" and "plain-files" in (refused.value.hint or "")


def test_path_outside_is_refused(project: Project) -> None:
    project.note("plain-files")
    commit(project, "one")

    with pytest.raises(GitmemError) as refused:
        history(project.open(), "../../etc/passwd.md")

    assert refused.value.code == "path-escapes"


# Merges


def branched(project: Project) -> None:
    """Makes two branches that both change one note, differently, and one more note each."""
    project.note("plain-files", "one\ntwo\nthree\nfour\nfive\nsix\nseven")
    commit(project, "begin", "2026-01-01T00:00:00Z")
    project.git("branch", "side")
    project.note("plain-files", "ONE\ntwo\nthree\nfour\nfive\nsix\nseven")
    project.note("ours")
    commit(project, "ours", "2026-01-03T00:00:00Z", "Ours")
    project.git("checkout", "--quiet", "side")
    project.note("plain-files", "one\ntwo\nthree\nfour\nfive\nsix\nSEVEN")
    project.note("theirs")
    commit(project, "theirs", "2026-01-02T00:00:00Z", "Theirs")
    project.git("checkout", "--quiet", "main")


def test_merge_counts_where_it_changed_a_note_itself(project: Project) -> None:
    branched(project)
    project.git("merge", "--quiet", "--message", "merge", "side")

    assert changes(log(project.open())) == [
        ("merge", {"plain-files": "revised"}),
        ("ours", {"plain-files": "revised", "ours": "added"}),
        ("theirs", {"plain-files": "revised", "theirs": "added"}),
        ("begin", {"plain-files": "added"}),
    ]


def test_log_extended_over_a_merge_is_the_one_from_nothing(project: Project) -> None:
    branched(project)
    before = log(project.open())
    project.git("merge", "--quiet", "--message", "merge", "side")

    after = log(project.open())

    assert len(before["commits"]) == 2 and len(after["commits"]) == 4
    assert logs.read(_place(project)).commits() == fresh(project).commits()


def test_log_after_a_branch_was_left_is_the_one_from_nothing(project: Project) -> None:
    branched(project)
    log(project.open())
    project.git("checkout", "--quiet", "side")

    reply = log(project.open())

    assert [title for title, _ in changes(reply)] == ["theirs", "begin"]


def _place(project: Project) -> logs.Place:
    memory = project.open()
    assert memory.repository
    return logs.Place(memory.repository, ".memory", memory.where.cache, memory.environment)


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_damaged_log_is_made_anew(project: Project, damage: bytes | None) -> None:
    project.note("plain-files")
    commit(project, "one")
    before = log(project.open())
    kept = project.cache / "log"
    kept.write_bytes(kept.read_bytes()[:-3] if damage is None else damage)

    assert log(project.open()) == before


@pytest.mark.parametrize("at", [2, 3])
@pytest.mark.parametrize(
    "part", [b"a\0b", b"\xff", b"\n\x01a\n", b"\n\x01\x1f\x1fx\x1f\x1f\nA\tdecision/plain-files.md\n"]
)
def test_ill_formed_log_is_made_anew(project: Project, at: int, part: bytes) -> None:
    project.note("plain-files")
    commit(project, "one")
    before = log(project.open())
    kept = project.cache / "log"
    parts = unseal(kept.read_bytes(), 4) or []
    forged = seal(*parts[:at], part, *parts[at + 1 :])

    kept.write_bytes(forged)
    recalled = project.names("plain files")
    kept.write_bytes(forged)

    assert recalled == ["plain-files"]
    assert log(project.open()) == before


# Authors


def test_recall_tells_who_wrote_first_and_the_last_commit(project: Project) -> None:
    project.note("plain-files", "Markdown in Git.")
    first = commit(project, "one", author="Jane")
    assert origins(project) == {"plain-files": ("Jane", first)}
    project.git("mv", ".memory/decision/plain-files.md", ".memory/decision/files.md")
    commit(project, "two", author="Eve")
    path = project.notes / "decision" / "files.md"
    path.write_text(path.read_text() + "More.\n")
    last = commit(project, "three", author="Eve")

    assert origins(project) == {"files": ("Jane", last)}


def test_recall_tells_nobody_of_a_note_that_is_not_committed(project: Project) -> None:
    project.note("plain-files", "Markdown in Git.")
    commit(project, "one")
    project.note("plain-files-too", "Plain files.")

    assert origins(project)["plain-files-too"] == (None, None)


def test_recall_forgets_the_author_of_what_lay_at_the_path_before(project: Project) -> None:
    path = project.note("plain-files", "Markdown in Git.")
    commit(project, "one")
    path.unlink()
    commit(project, "two")
    project.note("plain-files", "Plain files again.")

    assert origins(project) == {"plain-files": (None, None)}


def test_recall_that_is_current_runs_no_git_beyond_its_settings(project: Project, tmp_path: Path) -> None:
    project.note("plain-files", "Markdown in Git.")
    head = commit(project, "one")
    run(project.root, "recall", "plain files")
    calls = tmp_path / "calls"
    (tmp_path / "bin").mkdir()
    shim = tmp_path / "bin" / "git"
    shim.write_text(f'#!/bin/sh\necho "$@" >> {calls}\nexec {git_binary()} "$@"\n')
    shim.chmod(0o755)

    done = run(project.root, "recall", "plain files", "--json", extra={"PATH": f"{shim.parent}:{os.environ['PATH']}"})

    assert told(done)["hits"][0]["commit"] == head
    assert not [line for line in calls.read_text().splitlines() if " log " in line or "rev-parse" in line]


def test_recall_that_is_current_loads_nothing_that_walks_history(project: Project) -> None:
    project.note("plain-files", "Markdown in Git.")
    commit(project, "one")
    run(project.root, "recall", "plain files")
    script = "import sys; from gitmem.faces.cli import main; main(['recall', 'plain files']); print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project.root, env=environment(), capture_output=True, text=True, check=True
    )

    loaded = set(done.stdout.splitlines()[-1].split())
    unwanted = {"dulwich", "subprocess", "gitmem.storage.plumbing", "gitmem.storage.objects", "gitmem.operations.past"}
    assert "gitmem.search.log" in loaded and not loaded & unwanted


def git_binary() -> str:
    return subprocess.run(["which", "git"], check=True, capture_output=True, text=True).stdout.strip()


def test_recall_without_git_answers_without_authors(project: Project, tmp_path: Path) -> None:
    project.note("plain-files", "Markdown in Git.")
    commit(project, "one")

    done = run(project.root, "recall", "plain files", "--json", extra={"PATH": str(tmp_path)})

    hit = told(done)["hits"][0]
    assert (hit["name"], hit["author"], hit["commit"]) == ("plain-files", None, None)


def test_recall_does_not_wait_for_a_long_history(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.note("plain-files", "Markdown in Git.")
    commit(project, "one")
    monkeypatch.setattr(logs, "PATIENCE", 0.0)
    assert origins(project) == {"plain-files": (None, None)}
    monkeypatch.undo()
    project.note("plain-files-too", "Plain files.")
    second = commit(project, "two")

    known = origins(project)

    assert known == {"plain-files": (None, None), "plain-files-too": ("Jane Doe", second)}
    assert [title for title, _ in changes(log(project.open()))] == ["two", "one"]


# Revisions and dates


@pytest.fixture
def dated(project: Project) -> dict[str, str]:
    """Three commits on two days, by committer date."""
    found = {}
    for title, date in (
        ("a", "2026-03-01T10:00:00Z"),
        ("b", "2026-03-01T23:30:00Z"),
        ("c", "2026-03-03T00:30:00+01:00"),
    ):
        project.note("plain-files", title)
        found[title] = commit(project, title, date)
    return found


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("HEAD~2", "a"),
        ("main", "c"),
        ("2026-03-01", "b"),
        ("2026-03-01T23:29:59Z", "a"),
        ("2026-03-01T23:30:00Z", "b"),
        ("2026-03-02", "c"),
        ("2026-03-02T23:29:59Z", "b"),
        ("2027-01-01", "c"),
        ("2026-03-02T00:00:00+01:00", "a"),
    ],
)
def test_revision_or_date_means_a_commit(project: Project, dated: dict[str, str], word: str, title: str) -> None:
    assert moment(project.open(), word) == dated[title]


@pytest.mark.parametrize(
    "word", ["nowhere", "--all", "HEAD~9", "2026-02-28", "1960-01-01", "HEAD:code.py", " ", "a\0b", ""]
)
def test_unknown_revision_is_refused_with_a_hint(project: Project, dated: dict[str, str], word: str) -> None:
    with pytest.raises(GitmemError) as refused:
        moment(project.open(), word)

    assert refused.value.code == "unknown-revision" and refused.value.hint


def test_revision_beats_a_date(project: Project, dated: dict[str, str]) -> None:
    project.git("tag", "2026-03-01", dated["a"])

    assert moment(project.open(), "2026-03-01") == dated["a"]


def test_tip_is_read_without_git(project: Project, dated: dict[str, str], tmp_path: Path) -> None:
    def tip(root: Path) -> str | None:
        repository = git.find(str(root))
        assert repository
        return commits.tip(repository, environment={"PATH": "/nowhere"})

    project.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "HEAD~1")
    project.git("branch", "feat/x", "HEAD~2")
    project.git("worktree", "add", "--quiet", str(tmp_path / "branch"), "feat/x")
    seen = [tip(root) for root in (project.root, tmp_path / "linked", tmp_path / "branch")]
    project.git("pack-refs", "--all")

    assert seen == [dated["c"], dated["b"], dated["a"]]
    assert [tip(root) for root in (project.root, tmp_path / "linked", tmp_path / "branch")] == seen
    assert tip(new_project(tmp_path / "unborn").root) is None


# Bad repositories (case 79)


def cloned(project: Project, target: Path, *options: str) -> Project:
    subprocess.run(["git", "clone", "-q", *options, f"file://{project.root}", target], check=True)
    return Project(target)


def test_case_79_shallow_boundary_is_said(project: Project, dated: dict[str, str], tmp_path: Path) -> None:
    clone = cloned(project, tmp_path / "clone", "--depth=1")

    reply = log(clone.open())

    assert [title for title, _ in changes(reply)] == ["c"]
    assert [each["code"] for each in reply["warnings"]] == ["shallow"]
    with pytest.raises(GitmemError) as refused:
        moment(clone.open(), "HEAD~1")
    assert "--unshallow" in (refused.value.hint or "")


def test_deepened_clone_knows_more(project: Project, dated: dict[str, str], tmp_path: Path) -> None:
    clone = cloned(project, tmp_path / "clone", "--depth=1")
    log(clone.open())
    clone.git("fetch", "--quiet", "--unshallow")

    reply = log(clone.open())

    assert [title for title, _ in changes(reply)] == ["c", "b", "a"] and reply["warnings"] == []


def test_partial_clone_is_told_without_fetching_texts(project: Project, dated: dict[str, str], tmp_path: Path) -> None:
    project.git("config", "uploadpack.allowFilter", "true")
    clone = cloned(project, tmp_path / "clone", "--filter=blob:none")
    clone.git("remote", "set-url", "origin", "/nowhere")

    assert [title for title, _ in changes(log(clone.open()))] == ["c", "b", "a"]


def test_no_repository_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".memory").mkdir()

    with pytest.raises(GitmemError) as refused:
        log(Project(tmp_path).open(environment=environment(GIT_CEILING_DIRECTORIES=str(tmp_path.parent))))

    assert refused.value.code == "no-repository"


def test_bare_repository_is_no_memory(project: Project, dated: dict[str, str], tmp_path: Path) -> None:
    clone = cloned(project, tmp_path / "bare", "--bare")

    done = run(clone.root, "log", "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "no-memory"


def test_sha256_has_a_history_too(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--object-format=sha256", tmp_path / "p"], check=True)
    project = Project(tmp_path / "p")
    project.note("plain-files", "Markdown in Git.")
    head = commit(project, "one")

    assert log(project.open())["commits"][0]["commit"] == head and len(head) == 64
    assert origins(project) == {"plain-files": ("Jane Doe", head)}


def test_commands_print_one_document_each(project: Project, dated: dict[str, str]) -> None:
    listed, limited, one = (
        told(run(project.root, *words, "--json"))
        for words in (("log",), ("log", "-n", "1"), ("history", "plain-files"))
    )

    assert len(listed["commits"]) == 3 and limited["commits"] == listed["commits"][:1] and one == listed
    assert set(one["commits"][0]) == {"commit", "author", "date", "title", "notes"}
    assert one["commits"][0]["date"] == "2026-03-02T23:30:00Z"


@pytest.mark.parametrize("words", [("diff", "^HEAD..HEAD"), ("undo", "^HEAD"), ("check", "--rev", "^HEAD")])
def test_all_but_a_commit_is_no_commit(project: Project, words: tuple[str, ...]) -> None:
    project.note("first")
    commit(project, "one")

    done = run(project.root, *words, "--json")

    assert done.returncode == 3 and "unknown-revision" in done.stdout + done.stderr


@pytest.mark.parametrize(("key", "partial"), [("branch.promisor.merge", False), ("remote.origin.promisor", True)])
def test_a_clone_is_partial_by_its_remotes_alone(project: Project, key: str, partial: bool) -> None:
    project.git("config", key, "refs/heads/main" if not partial else "true")
    repository = git.find(str(project.root))

    assert repository and commits.is_partial(repository) is partial
