"""Time travel: recall, show and diff at another commit say what a checkout of that commit would."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import QUERIES, Project, new_project, run, told

from gitmem.errors import GitmemError
from gitmem.notes.preset import preset_text
from gitmem.operations import past
from gitmem.operations.history import diff, named_revision, show_at, show_raw_at
from gitmem.operations.read import show
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted

CONFIG = preset_text("engram").replace("replaces", "supplants")


def commit(project: Project, message: str) -> str:
    project.git("add", "--all")
    project.git("commit", "--quiet", "--allow-empty", "--message", message)
    return project.git("rev-parse", "HEAD").strip()


@pytest.fixture
def lived(project: Project) -> Project:
    """A memory with a past: notes revised, moved, renamed, replaced and removed over five commits."""
    for at, words in enumerate(
        ("index cache", "write token", "atoms merge", "vouch zebra", "plain files", "合約 轉換")
    ):
        project.note(f"note-{at}", f"On {words}.\n\nThe {words} again, and kill safe.", tags="[git]")
    project.note("journal", "Write through a journal.")
    commit(project, "one")
    project.note("note-1", "On write tokens, now otherwise.")
    project.note("wal", "Write ahead.", replaces="[journal]")
    commit(project, "two")
    project.git("mv", ".memory/decision/note-2.md", ".memory/decision/renamed-2.md")
    (project.notes / "decision" / "note-3.md").unlink()
    commit(project, "three")
    (project.notes / "decision" / "note-4.md").unlink()
    project.note("note-4", "On plain files, a caution.", type="caution")
    project.note("stamped", "20261130", type="checkpoint")
    commit(project, "four")
    project.note("note-0", "On index and cache, edited and not committed.")
    project.note("new", "An index that nobody has committed.")
    return project


def answers(project: Project, at: str | None = None) -> list[str]:
    """Returns what recall answers, each time as of one commit or of none."""
    memory = project.open()
    found = [recall(memory, query, wanted, detail="full", explain=True, at=at) for query, wanted in QUERIES]
    meant = project.git("rev-parse", at).strip() if at else None
    assert all(each.pop("at") == meant for each in found)
    return [json.dumps(each, sort_keys=True) for each in found]


def checked_out(project: Project, target: Path, revision: str) -> Project:
    subprocess.run(["git", "clone", "-q", project.root, target], check=True)
    checkout = Project(target)
    checkout.git("checkout", "--quiet", "--detach", revision)
    return checkout


@pytest.mark.parametrize("revision", ["HEAD", "HEAD~1", "HEAD~2", "HEAD~3"])
def test_recall_at_a_commit_equals_a_checkout_of_it(lived: Project, tmp_path: Path, revision: str) -> None:
    checkout = checked_out(lived, tmp_path / "checkout", lived.git("rev-parse", revision).strip())

    assert answers(lived, revision) == answers(checkout)


def test_recall_at_equals_a_checkout_where_the_words_were_others(lived: Project, tmp_path: Path) -> None:
    lived.write("config.toml", CONFIG)
    lived.note("last", "The index, at last.", supplants="[note-0]")
    revision = commit(lived, "words")
    (lived.notes / "config.toml").unlink()
    commit(lived, "no words")

    checkout = checked_out(lived, tmp_path / "checkout", revision)

    assert answers(lived, revision) == answers(checkout)
    assert "note-0" not in [hit["name"] for hit in recall(lived.open(), "index", Wanted(), at=revision)["hits"]]


def test_recall_at_with_nothing_in_the_cache_and_beside_sparse_notes(lived: Project, tmp_path: Path) -> None:
    lived.git("stash", "--quiet", "--include-untracked")
    before = answers(lived, "HEAD~1")
    lived.git("sparse-checkout", "set", "--no-cone", "/.memory/caution/")

    assert answers(lived, "HEAD~1") == before
    assert not (lived.notes / "decision").exists()


def test_recall_at_leaves_the_present_and_the_index_alone(lived: Project) -> None:
    before = answers(lived)
    files = {path: path.read_bytes() for path in lived.cache.rglob("*") if path.is_file()}

    answers(lived, "HEAD~2")

    assert answers(lived) == before
    assert {path: path.read_bytes() for path in lived.cache.rglob("*") if path.is_file()} == files


def test_recall_at_a_date_is_the_last_commit_of_that_day(project: Project) -> None:
    for hour, body in (("01:00", "An index in the morning."), ("23:00", "An index at night.")):
        project.note("index", body)
        project.git("add", "--all")
        date = f"2026-03-01T{hour}:00Z"
        command = ["git", "-c", "user.name=T", "-c", "user.email=t@e.org", "commit", "-qm", body]
        subprocess.run(command, cwd=project.root, check=True, env={"GIT_COMMITTER_DATE": date, "PATH": "/usr/bin:/bin"})
    project.note("index", "An index today.")

    (hit,) = recall(project.open(), "index", Wanted(), at="2026-03-01")["hits"]

    assert "night" in hit["snippet"] and hit["commit"] == project.git("rev-parse", "HEAD").strip()


def test_recall_at_without_a_query_lists_the_checkpoints_of_that_time(lived: Project) -> None:
    def names(at: str) -> list[str]:
        return [hit["name"] for hit in recall(lived.open(), None, Wanted(), at=at)["hits"]]

    assert (names("HEAD"), names("HEAD~1")) == (["stamped"], [])


def test_more_notes_than_can_be_embedded_are_found_by_words(lived: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "EMBEDDED", 1)

    reply = recall(lived.open(), "write token", Wanted(), at="HEAD~3", explain=True)

    assert [each["code"] for each in reply["warnings"]] == ["lexical-only"]
    assert reply["hits"][0]["name"] == "note-1" and all(hit["why"]["cosine"] == 0 for hit in reply["hits"])


def test_unknown_revision_is_refused_not_none(lived: Project) -> None:
    done = run(lived.root, "recall", "index", "--at", "nowhere", "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "unknown-revision"


def test_linked_worktree_looks_back_as_the_main_one(lived: Project, tmp_path: Path) -> None:
    lived.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "HEAD~3")

    assert answers(Project(tmp_path / "linked"), "main") == answers(lived, "HEAD")


def test_memory_below_the_top_level_looks_back(tmp_path: Path) -> None:
    project = Project(tmp_path / "top" / "part")
    (project.notes / "decision").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", tmp_path / "top"], check=True)
    project.note("plain-files", "Markdown in Git.")
    head = commit(project, "one")
    project.note("plain-files", "Otherwise.")

    (hit,) = recall(project.open(), "markdown", Wanted(), at="HEAD")["hits"]

    assert (hit["path"], hit["commit"]) == ("part/.memory/decision/plain-files.md", head)
    assert show_at(project.open(), "plain-files", "HEAD")["body"].strip() == "Markdown in Git."


# Other branches


@pytest.fixture
def branched(project: Project) -> Project:
    """A branch with a note of its own, one revised, and one that replaces a note of main."""
    project.note("plain-files", "Markdown index.")
    project.note("journal", "Write a journal index.")
    commit(project, "one")
    project.git("checkout", "--quiet", "-b", "feature/wal")
    project.note("wal", "Write ahead index.", replaces="[journal]")
    project.note("plain-files", "Markdown index, reviewed.")
    commit(project, "two")
    project.git("tag", "--annotate", "v1", "--message", "v1")
    project.git("checkout", "--quiet", "main")
    return project


def found(project: Project, refs: str, **more: Any) -> list[tuple[str, str | None, str]]:
    reply = recall(project.open(), "index", Wanted(), refs=refs, **more)
    return sorted((hit["name"], hit["ref"] or "", hit["path"]) for hit in reply["hits"])


@pytest.mark.parametrize("glob", ["feature/wal", "refs/heads/feature/*", "feat*", "v1", "*"])
def test_notes_of_other_refs_are_labelled(branched: Project, glob: str) -> None:
    ref = "v1" if glob == "v1" else "feature/wal"

    assert found(branched, glob) == [
        ("journal", "", ".memory/decision/journal.md"),
        ("plain-files", "", ".memory/decision/plain-files.md"),
        ("plain-files", ref, ".memory/decision/plain-files.md"),
        ("wal", ref, ".memory/decision/wal.md"),
    ]


def test_note_of_another_ref_tells_its_author_and_commit(branched: Project) -> None:
    hits = recall(branched.open(), "write ahead", Wanted(), refs="feature/*")["hits"]

    assert hits[0]["name"] == "wal" and hits[0]["author"] == "T"
    assert hits[0]["commit"] == branched.git("rev-parse", "feature/wal").strip()


def test_a_note_of_ones_own_branch_that_is_edited_is_not_another_branchs(branched: Project) -> None:
    branched.note("plain-files", "Markdown index, edited and not committed.", because="[journal]")

    hits = recall(branched.open(), "index", Wanted(), refs="main")["hits"]
    everywhere = recall(branched.open(), "index", Wanted(), refs="*")["hits"]

    assert [hit["ref"] for hit in hits] == [None] * len(hits)
    assert {hit["ref"] for hit in everywhere} == {None, "feature/wal"}
    for hit in everywhere:
        assert len(hit["links"]) == len({str(link) for link in hit["links"]})


def test_own_branch_adds_nothing(branched: Project) -> None:
    plain = recall(branched.open(), "index", Wanted())

    assert recall(branched.open(), "index", Wanted(), refs="main")["hits"] == plain["hits"]


def test_refs_and_a_moment_go_together(branched: Project) -> None:
    commit(branched, "empty")
    branched.note("late", "A late index.")
    commit(branched, "late")

    names = [name for name, _, _ in found(branched, "feature/*", at="HEAD~1")]

    assert names == ["journal", "plain-files", "plain-files", "wal"]


def test_pattern_that_no_ref_has_is_refused(branched: Project) -> None:
    with pytest.raises(GitmemError) as refused:
        found(branched, "feature/wall")

    assert refused.value.code == "unknown-ref" and "feature/wal" in (refused.value.hint or "")


# show NAME@REV


def test_show_at_equals_show_in_a_checkout(lived: Project, tmp_path: Path) -> None:
    checkout = checked_out(lived, tmp_path / "checkout", "HEAD~2")

    for name in ("note-1", "journal", "wal"):
        assert show_at(lived.open(), name, "HEAD~2") == show(checkout.open(), name)


def test_show_at_finds_a_note_by_its_name_of_today(project: Project) -> None:
    project.note("old", "Once.")
    commit(project, "one")
    run(project.root, "rename", "old", "new")

    assert show_at(project.open(), "new", "HEAD")["name"] == "old"
    assert show_raw_at(project.open(), ".memory/decision/old.md", "HEAD") == note_bytes(
        project, "HEAD:.memory/decision/old.md"
    )


def test_a_path_with_an_at_sign_is_a_path_where_there_is_one(project: Project) -> None:
    project.write("decision/a@b.md", "---\ntitle: Odd\ntype: decision\n---\n")

    assert named_revision(project.open(), "decision/a@b.md") is None
    assert named_revision(project.open(), "decision/a@c.md") == ("decision/a", "c.md")


def test_a_sensitive_note_of_the_past_shows_its_file_only_with_its_body(project: Project) -> None:
    path = project.note("quiet", "The hidden word.", sensitive="true")
    commit(project, "one")

    with pytest.raises(GitmemError) as refused:
        show_raw_at(project.open(), "quiet", "HEAD")

    assert refused.value.code == "sensitive"
    assert show_raw_at(project.open(), "quiet", "HEAD", body=True) == path.read_bytes()


def note_bytes(project: Project, name: str) -> bytes:
    return project.git("cat-file", "blob", name).encode()


def test_show_at_of_what_was_not_there_yet_is_refused(lived: Project) -> None:
    with pytest.raises(GitmemError) as refused:
        show_at(lived.open(), "wal", "HEAD~3")

    assert refused.value.code == "unknown-name"


def test_name_that_holds_an_at_sign_is_a_name(project: Project) -> None:
    project.note("a@b", "Odd.")

    assert named_revision(project.open(), "a@b") is None
    assert named_revision(project.open(), "a@HEAD@{1}") == ("a", "HEAD@{1}")


@pytest.mark.parametrize("word", ["@HEAD", "wal@"])
def test_half_of_a_name_at_a_revision_is_wrong_usage(project: Project, word: str) -> None:
    done = run(project.root, "show", word)

    assert done.returncode == 2 and "NAME@REV" in done.stderr


@pytest.mark.parametrize("path", ["../x.md@HEAD", "/etc/passwd.md@HEAD"])
def test_path_outside_is_refused(lived: Project, path: str) -> None:
    done = run(lived.root, "show", path, "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "path-escapes"


# diff A..B


def names(reply: dict[str, Any]) -> dict[str, list[str]]:
    return {kind: [each["name"] for each in notes] for kind, notes in reply.items() if notes}


def test_diff_is_told_by_meaning(lived: Project) -> None:
    reply = diff(lived.open(), "HEAD~3..HEAD")

    assert names(reply) == {
        "added": ["stamped", "wal"],
        "revised": ["note-1", "note-4"],
        "superseded": ["journal"],
        "renamed": ["renamed-2"],
        "removed": ["note-3"],
    }
    assert set(reply) == {
        "added",
        "revised",
        "superseded",
        "buried",
        "renamed",
        "removed",
        "relinked",
        "stale",
        "risks",
        "warnings",
    }
    assert reply["superseded"][0]["by"] == "wal" and reply["renamed"][0]["old"] == "note-2"


def test_quiet_diff_prints_the_names(lived: Project) -> None:
    done = run(lived.root, "diff", "HEAD~3..HEAD", "--quiet")

    assert done.stdout.split() == ["stamped", "wal", "note-1", "note-4", "journal", "renamed-2", "note-3"]


@pytest.mark.parametrize("span", ["HEAD..HEAD", "..", "HEAD~1...HEAD~1"])
def test_diff_of_a_commit_with_itself_is_empty(lived: Project, span: str) -> None:
    assert names(diff(lived.open(), span)) == {}


def test_diff_backwards_takes_it_all_back(lived: Project) -> None:
    reply = names(diff(lived.open(), "HEAD..HEAD~3"))

    assert reply["added"] == ["note-3"] and reply["removed"] == ["stamped", "wal"] and reply["renamed"] == ["note-2"]


def test_diff_with_three_dots_starts_at_the_fork(branched: Project) -> None:
    branched.note("ours", "Ours.")
    commit(branched, "ours")

    two, three = (names(diff(branched.open(), f"main{dots}feature/wal")) for dots in ("..", "..."))

    assert two["removed"] == ["ours"] and "removed" not in three and three["added"] == ["wal"]


@pytest.mark.parametrize(("span", "code"), [("HEAD", "usage"), ("HEAD..nowhere", "unknown-revision")])
def test_diff_of_no_two_commits_is_refused(lived: Project, span: str, code: str) -> None:
    with pytest.raises(GitmemError) as refused:
        diff(lived.open(), span)

    assert refused.value.code == code


def test_case_79_diff_in_a_shallow_clone_says_what_it_cannot_know(lived: Project, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{lived.root}", tmp_path / "clone"], check=True)
    clone = Project(tmp_path / "clone")

    assert [each["code"] for each in diff(clone.open(), "HEAD~1..HEAD")["warnings"]] == ["shallow"]
    with pytest.raises(GitmemError) as refused:
        diff(clone.open(), "HEAD~2..HEAD")
    assert "--unshallow" in (refused.value.hint or "")


def test_partial_clone_looks_back(lived: Project, tmp_path: Path) -> None:
    for key in ("allowFilter", "allowAnySHA1InWant"):
        lived.git("config", f"uploadpack.{key}", "true")
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", f"file://{lived.root}", tmp_path / "clone"], check=True)

    reply = recall(Project(tmp_path / "clone").open(), "atoms merge", Wanted(), at="HEAD~3")

    assert reply["hits"][0]["name"] == "note-2"


# At scale: 10,000 notes and 1,000 commits of memory among 5,000


def imported(root: Path) -> Project:
    """Returns a project in which each of 1,000 commits adds ten notes and ten more revise ten each."""
    project = new_project(root)
    stream: list[str] = []
    for number in range(1010):
        paths = range(number * 10, number * 10 + 10) if number < 1000 else range(number, 10_000, 1000)
        files = "".join(_file(f".memory/decision/note-{at}.md", _text(at, number)) for at in paths)
        stream.append(_commit(number, f"Remember {number}") + files)
        stream += [_commit(number, f"work {at}") + _file(f"src/{at}.py", f"x = {number}\n") for at in range(4)]
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input="".join(stream), text=True, check=True)
    project.git("checkout", "--quiet", "main")
    project.git("gc", "--quiet")
    return project


def _commit(number: int, title: str) -> str:
    date = 1_700_000_000 + number * 60
    return f"commit refs/heads/main\ncommitter Jane Doe <j@example.org> {date} +0000\ndata {len(title)}\n{title}\n"


def _file(path: str, text: str) -> str:
    return f"M 100644 inline {path}\ndata {len(text)}\n{text}\n"


def _text(at: int, number: int) -> str:
    words = " ".join(
        f"{word}{(at * 7 + place * 13) % 900}" for place, word in enumerate(("index", "write", "merge") * 30)
    )
    return f"---\ntitle: Note {at} of {number}\ntype: decision\ncreated: 2026-05-01T00:00:00Z\n---\n\n{words}.\n"


def seconds(root: Path, *command: str) -> float:
    """Returns how long the fastest of three runs of a command took."""
    taken = []
    for _ in range(3):
        start = time.monotonic()
        subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"} | _env())
        taken.append(time.monotonic() - start)
    return min(taken)


def _env() -> dict[str, str]:
    from conftest import environment

    return environment()


@pytest.mark.full
def test_looking_back_over_10_000_notes_is_quick(tmp_path: Path) -> None:
    project = imported(tmp_path / "project")
    gitmem = (sys.executable, "-m", "gitmem")
    run(project.root, "recall", "index7", "--json")
    bare = seconds(project.root, sys.executable, "-c", "pass")

    took = {
        "recall": seconds(project.root, *gitmem, "recall", "index7 merge9", "--at", "HEAD~50"),
        "diff": seconds(project.root, *gitmem, "diff", "HEAD~50..HEAD"),
        "whole diff": seconds(project.root, *gitmem, "diff", "HEAD~5000..HEAD"),
    }
    whole = seconds(project.root, "git", "log", "--name-status", "--", ".memory")
    log = seconds(project.root, *gitmem, "log")
    one = seconds(project.root, "git", "log", "--", ".memory/decision/note-5000.md")
    history = seconds(project.root, *gitmem, "history", "note-5000")

    print(took, f"log {log:.3f} of {whole:.3f}, history {history:.3f} of {one:.3f}, bare {bare:.3f}")
    assert took["recall"] < 3 and took["diff"] < 3
    assert log < 1.5 * whole + bare and history < 1.5 * one + bare


@pytest.mark.parametrize("flag", ["--at", "--refs"])
def test_an_empty_moment_is_not_the_present(branched: Project, flag: str) -> None:
    done = run(branched.root, "recall", "plain files", flag, "")

    assert done.returncode == 2
    assert f"{flag} is empty" in done.stderr
