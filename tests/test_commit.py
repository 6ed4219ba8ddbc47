"""The commit engine: our paths alone, as Git would do it, and whole or not at all whatever happens meanwhile."""

import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import git_states as states
import pytest
from conftest import spawned
from git_states import commit, dirty, git, note, project, seen, write

from gitmem.errors import GitmemError
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.draft import Author
from gitmem.operations.memory import open_memory
from gitmem.storage import commit as engine
from gitmem.storage import git as repositories
from gitmem.storage.commit import Committed, commit_paths
from gitmem.storage.git import Repository

PERSON = Author("user", None)
NEW = ".memory/decision/new-way.md"
SCRIPT = """
import os, sys, time
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.draft import Author, Draft
from gitmem.operations.memory import open_memory
from gitmem.operations.write import remember
for number in range(int(sys.argv[3])):
    memory = open_memory(sys.argv[1], environment=os.environ, now=int(time.time()))
    title = f"{sys.argv[2]} {number}"
    remember(memory, Draft(title=title, type="decision", body="It was so."), Author("user", None))
    reply = checkpoint(memory, Said(f"Stand {title}", body="Half done."), Author("user", None))
print(reply["commit"])
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[None]:
    with states.home(tmp_path / "home"):
        yield


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = project(tmp_path / "project")
    dirty(made)
    return made


def repository(root: Path) -> Repository:
    found = repositories.find(str(root))
    assert found
    return found


def committed(root: Path, changes: Mapping[str, bytes | None], message: str = "Told\n", **options: float) -> Committed:
    """Returns what the engine made of files that are first written or removed, as its callers do."""
    for path, data in changes.items():
        if data is None:
            (root / path).unlink()
        else:
            write(root, path, data.decode())
    with engine.lock(repository(root), environment=os.environ):
        return commit_paths(repository(root), changes, message, environment=os.environ, **options)


def refused(root: Path, changes: Mapping[str, bytes | None], **options: float) -> GitmemError:
    with pytest.raises(GitmemError) as caught:
        committed(root, changes, **options)
    return caught.value


def held(root: Path) -> list[str]:
    """Returns the whole index, ours included."""
    return git(root, "ls-files", "-s", "-z").split("\0")


def names(root: Path, commit: str = "HEAD") -> list[str]:
    return git(root, "diff-tree", "-r", "--name-only", "--no-commit-id", "--root", commit).splitlines()


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


# What a commit holds


def test_a_commit_holds_our_paths_and_no_other(root: Path) -> None:
    before, tip = seen(root), git(root, "rev-parse", "HEAD").strip()

    done = committed(root, {NEW: b"new\n", ".memory/decision/old-way.md": b"changed\n"})

    assert done.commit == git(root, "rev-parse", "HEAD").strip()
    assert git(root, "rev-parse", "HEAD~1").strip() == tip
    assert names(root) == [NEW, ".memory/decision/old-way.md"]
    assert seen(root) == before
    assert not done.warnings


def test_a_folder_goes_with_its_last_file(root: Path) -> None:
    gone = {f".memory/decision/{name}.md": None for name in ("old-way", "other-way")}

    committed(root, gone)

    assert "decision" not in git(root, "ls-tree", "-r", "--name-only", "HEAD", ".memory")
    assert not git(root, "status", "--porcelain", "--", ".memory")


def test_nothing_to_record_is_no_commit_and_no_change(root: Path) -> None:
    index, old = held(root), (root / ".memory/decision/old-way.md").read_bytes()

    done = committed(root, {".memory/decision/old-way.md": old})

    assert done == Committed(None, ())
    assert held(root) == index


def test_a_file_in_place_of_a_folder_keeps_neither(root: Path) -> None:
    committed(root, {".memory/aside.md/inner.md": b"one\n"})
    shutil.rmtree(root / ".memory/aside.md")

    with engine.lock(repository(root), environment=os.environ):
        write(root, ".memory/aside.md", "two\n")
        commit_paths(repository(root), {".memory/aside.md": b"two\n"}, "Told\n", environment=os.environ)

    assert git(root, "show", "HEAD:.memory/aside.md") == "two\n"
    assert not git(root, "status", "--porcelain", "--", ".memory")


@pytest.mark.parametrize("filemode", ["true", "false"])
def test_modes_are_kept(root: Path, filemode: str) -> None:
    path = root / ".memory/decision/old-way.md"
    path.chmod(0o755)
    git(root, "add", "--chmod=+x", str(path))
    git(root, "commit", "-q", "-m", "Mode", "--", str(path))
    git(root, "config", "core.filemode", filemode)

    committed(root, {".memory/decision/old-way.md": b"changed\n"})

    assert git(root, "ls-tree", "HEAD", str(path)).startswith("100755")
    assert not git(root, "status", "--porcelain", "--", ".memory")


def test_odd_paths_are_taken_as_they_stand(root: Path) -> None:
    paths = {f".memory/decision/{name}.md": name.encode() for name in ("*", "-x", "a b", "über", 'q"q', ":(top)x")}

    committed(root, paths)

    assert git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD~1..", fails=True) == ""
    assert set(git(root, "diff-tree", "-r", "-z", "--name-only", "--no-commit-id", "HEAD").split("\0")) == {*paths, ""}
    assert not git(root, "status", "--porcelain", "--", ".memory")


def test_blobs_pass_the_filters_of_their_path(root: Path) -> None:
    write(root, ".memory/.gitattributes", "*.md text eol=crlf ident\nshout.md filter=shout\n")
    git(root, "config", "filter.shout.clean", "tr a-z A-Z")

    committed(root, {NEW: b"one\r\ntwo\r\n", ".memory/decision/shout.md": b"quiet\r\n"})

    assert git(root, "cat-file", "blob", f"HEAD:{NEW}") == "one\ntwo\n"
    assert git(root, "cat-file", "blob", "HEAD:.memory/decision/shout.md") == "QUIET\n"


def test_what_the_disk_no_longer_holds_is_committed_as_it_was_judged(root: Path) -> None:
    write(root, NEW, "edited meanwhile\n")

    with engine.lock(repository(root), environment=os.environ):
        commit_paths(repository(root), {NEW: b"judged\n"}, "Told\n", environment=os.environ)

    assert git(root, "show", f"HEAD:{NEW}") == "judged\n"
    assert (root / NEW).read_text() == "edited meanwhile\n"


def test_identity_dates_and_words_are_gits(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "home/work").write_text("[user]\n\temail = work@example.org\n")
    git(root, "config", "--global", f"includeIf.gitdir:{root}/.path", str(tmp_path / "home/work"))
    git(root, "config", "i18n.commitEncoding", "latin1")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Author")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2001-02-03T04:05:06+07:00")

    committed(root, {NEW: b"new\n"}, "Grüße\n\n# kept\n")

    told = git(root, "log", "-1", "--encoding=utf-8", "--format=%an|%ae|%aI|%ce|%B")
    assert told == "Author|work@example.org|2001-02-03T04:05:06+07:00|work@example.org|Grüße\n\n# kept\n\n"
    assert git(root, "reflog", "-1", "--encoding=utf-8", "--format=%gs").strip() == "checkpoint: Grüße"


def test_variables_of_a_hook_point_nowhere_else(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = project(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))

    done = committed(root, {NEW: b"new\n"})
    monkeypatch.undo()

    assert done.commit == (root / ".git/refs/heads/main").read_text().strip()


def test_case_57_a_detached_head_is_said(root: Path) -> None:
    git(root, "checkout", "-q", "--detach")
    tip = git(root, "rev-parse", "main")

    done = committed(root, {NEW: b"new\n"})

    assert [warning.code for warning in done.warnings] == ["detached"]
    assert git(root, "rev-parse", "main") == tip


# Who refuses


def test_case_59_a_key_that_cannot_sign_is_said_and_nothing_moves(root: Path) -> None:
    git(root, "config", "commit.gpgsign", "true")
    git(root, "config", "gpg.program", "false")
    index, tip = held(root), git(root, "rev-parse", "HEAD")

    error = refused(root, {NEW: b"new\n"})

    assert error.code == "not-signed"
    assert (held(root), git(root, "rev-parse", "HEAD")) == (index, tip)
    assert (root / NEW).read_bytes() == b"new\n"


def test_a_commit_is_signed_where_git_signs(root: Path, tmp_path: Path) -> None:
    script = '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho "-----BEGIN PGP SIGNATURE-----"\n'
    git(root, "config", "commit.gpgsign", "on")
    git(root, "config", "gpg.program", str(executable(tmp_path / "gpg", script)))

    committed(root, {NEW: b"new\n"})

    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in git(root, "cat-file", "commit", "HEAD")


def test_case_79_without_an_identity_gits_own_advice_is_repeated(root: Path) -> None:
    git(root, "config", "--global", "--remove-section", "user")
    git(root, "config", "user.useConfigOnly", "true")
    index = held(root)

    error = refused(root, {NEW: b"new\n"})

    assert error.code == "no-identity"
    assert 'git config --global user.email "you@example.com"' in error.message
    assert held(root) == index


def test_a_refusing_hook_leaves_files_and_index(root: Path) -> None:
    executable(root / ".git/hooks/pre-commit", "echo line 3 is bad\nexit 1\n")
    before, index = seen(root), held(root)

    error = refused(root, {NEW: b"new\n"})

    assert error.code == "hook-refused"
    assert "line 3 is bad" in error.message
    assert (seen(root), held(root)) == (before, index)
    assert (root / NEW).exists()
    assert not list((root / ".git/gitmem").iterdir())


def test_hooks_are_passed_by_on_request_alone(root: Path) -> None:
    executable(root / ".git/hooks/commit-msg", "#!/bin/sh\nexit 1\n")

    assert refused(root, {NEW: b"new\n"}).code == "hook-refused"
    assert committed(root, {NEW: b"new\n"}, hooks=False).commit


@pytest.mark.parametrize("where", ["%(prefix)/{from_prefix}", "~/hooks", "{here}", "../hooks//"])
def test_hooks_are_looked_for_where_git_looks(root: Path, tmp_path: Path, where: str) -> None:
    hooks = Path(os.environ["HOME"], "hooks") if where.startswith("~") else tmp_path / "hooks"
    executable(hooks / "pre-commit", "#!/bin/sh\nexit 1\n")
    prefix = git(root, "-c", "gitmem.place=%(prefix)/", "config", "--type=path", "gitmem.place").strip()
    path = where.replace("{from_prefix}", os.path.relpath(hooks, prefix)).replace("{here}", str(hooks))
    git(root, "config", "core.hooksPath", path)

    assert refused(root, {NEW: b"new\n"}).code == "hook-refused"


def test_a_commit_message_hook_may_change_the_message(root: Path) -> None:
    executable(root / ".git/hooks/commit-msg", '#!/bin/sh\nprintf "Change-Id: 1  \\n\\n\\n" >> "$1"\n')

    committed(root, {NEW: b"new\n"}, "Told\n\n")

    assert git(root, "log", "-1", "--format=%B") == "Told\n\nChange-Id: 1\n\n"


def test_a_hook_sees_memory_alone_and_nothing_unstaged(root: Path) -> None:
    executable(root / ".git/hooks/pre-commit", states.STRICT_HOOK)

    assert committed(root, {NEW: b"new\n", ".memory/decision/old-way.md": None}).commit


def test_case_61_what_a_hook_stages_beside_memory_is_left_out_and_said(root: Path) -> None:
    executable(root / ".git/hooks/pre-commit", f"#!/bin/sh\necho formatted > {NEW}\ngit add -A\n")
    before = seen(root)

    done = committed(root, {NEW: b"new\n"})

    assert {"b.py", ".env"} & {word for warning in done.warnings for word in warning.message.replace(";", " ").split()}
    assert names(root) == [NEW]
    assert git(root, "show", f"HEAD:{NEW}") == "formatted\n"
    assert seen(root) == before
    assert not git(root, "status", "--porcelain", "--", ".memory")


# Others at work


def test_case_71_a_held_index_lock_is_waited_for_and_then_said(root: Path) -> None:
    before, tip = seen(root), git(root, "rev-parse", "HEAD")
    (root / ".git/index.lock").touch()

    start = time.monotonic()
    error = refused(root, {NEW: b"new\n"}, wait=0.3)
    took = time.monotonic() - start
    (root / ".git/index.lock").unlink()

    assert error.code == "index-locked" and "index.lock" in (error.hint or "")
    assert 0.3 <= took < 10
    assert (seen(root), git(root, "rev-parse", "HEAD")) == (before, tip)


def test_an_index_lock_that_goes_away_costs_nothing_but_the_wait(root: Path) -> None:
    lock = root / ".git/index.lock"
    lock.touch()
    threading.Timer(0.2, lock.unlink).start()

    assert committed(root, {NEW: b"new\n"}, wait=60).commit
    assert not git(root, "status", "--porcelain", "--", ".memory")


def test_a_ref_that_cannot_move_puts_our_entries_back(root: Path) -> None:
    index = held(root)
    (root / ".git/refs/heads/main.lock").touch()

    error = refused(root, {NEW: b"new\n", ".memory/decision/old-way.md": b"changed\n"})
    (root / ".git/refs/heads/main.lock").unlink()

    assert error.code == "git" and "main.lock" in error.message
    assert held(root) == index


def test_a_conflict_that_was_staged_in_memory_is_put_back_too(root: Path) -> None:
    old = git(root, "rev-parse", "HEAD:.memory/decision/old-way.md").strip()
    stages = "".join(f"100644 {old} {stage}\t{NEW}\n" for stage in (1, 2, 3))
    git(root, "update-index", "--index-info", given=stages)
    index = held(root)
    (root / ".git/refs/heads/main.lock").touch()

    refused(root, {NEW: b"new\n"})

    assert held(root) == index


def wrapper(folder: Path, step: str, act: str, *, after: bool = False) -> str:
    """Returns a PATH on which git does something before, or after, one of its commands."""
    real = shutil.which("git")
    run = f'"{real}" "$@"; status=$?\n{act}\nexit $status' if after else f'{act}\nexec "{real}" "$@"'
    script = f'#!/bin/sh\nreal="{real}"\ncase " $* " in *" {step} "*)\n{run};;\n*) exec "{real}" "$@";; esac\n'
    executable(folder / "git", script)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("moves", [1, 3])
def test_a_ref_moved_underneath_is_built_upon(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    act = f"""
count=$(cat {tmp_path}/count 2>/dev/null || echo 0)
if [ "$count" -lt {moves} ]; then
  echo $((count + 1)) > {tmp_path}/count
  "$real" -C {root} update-ref HEAD "$("$real" -C {root} commit-tree -p HEAD -m other "HEAD^{{tree}}")"
fi"""
    before = seen(root)
    path = wrapper(tmp_path / "bin", "update-ref", act)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", path)
        done = committed(root, {NEW: b"new\n"})

    assert done.commit == git(root, "rev-parse", "HEAD").strip()
    assert git(root, "log", "--format=%s", f"-{moves + 1}").split() == ["Told", *["other"] * moves]
    assert (names(root), seen(root)) == ([NEW], before)


def test_a_tip_that_never_rests_is_given_up(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move = f'"$real" -C {root} commit-tree -p HEAD -m other "HEAD^{{tree}}"'
    path = wrapper(tmp_path / "bin", "update-ref", f'"$real" -C {root} update-ref HEAD "$({move})"')
    index = held(root)
    monkeypatch.setattr(engine, "TRIES", 4)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", path)
        error = refused(root, {NEW: b"new\n"})

    assert error.code == "ref-moving"
    assert held(root) == index


@pytest.mark.parametrize("each", [5, pytest.param(25, marks=pytest.mark.full)])
def test_four_processes_lose_no_checkpoint(root: Path, each: int) -> None:
    before, commits = seen(root), int(git(root, "rev-list", "--count", "HEAD"))

    processes = [spawned(SCRIPT, str(root), f"Process {number}", str(each)) for number in range(4)]
    ended = [process.communicate(timeout=600) for process in processes]

    assert [process.returncode for process in processes] == [0] * 4, ended
    assert int(git(root, "rev-list", "--count", "HEAD")) - commits <= 4 * each
    tracked = git(root, "ls-tree", "-r", "--name-only", "HEAD", ".memory").splitlines()
    assert sum("/process-" in path for path in tracked) == 4 * each
    assert sum("/checkpoint/" in path for path in tracked) == min(4 * each, 50)
    assert seen(root) == before
    assert unharmed(root)


def unharmed(root: Path) -> bool:
    """Returns whether nothing is locked, nothing broken, and memory is as HEAD has it."""
    locks = [path for path in (root / ".git").rglob("*.lock")]
    return not (locks or git(root, "fsck", "--no-dangling") or git(root, "status", "--porcelain", "-uall", ".memory"))


# Killed in the middle


class Gate:
    """Two named pipes: something on the other side tells that it has come here, and waits for ever."""

    def __init__(self, folder: Path) -> None:
        self.told, self.gate = folder / "told", folder / "gate"
        os.mkfifo(self.told)
        os.mkfifo(self.gate)
        self.handle = os.open(self.told, os.O_RDWR)

    @property
    def script(self) -> str:
        """Shell words that tell the process's id and wait."""
        return f'echo "$$" > {self.told}; read word < {self.gate}'

    def reached(self) -> int:
        """Returns the id of the process that waits here."""
        ready, _, _ = select.select([self.handle], [], [], 120)
        assert ready, "the place was never reached"
        return int(os.read(self.handle, 64).split()[0])


STEPS = ("status", "hash-object", "cat-file", "mktree", "ls-files", "commit-tree", "update-index", "update-ref")
BRIEF = {("update-index", False), ("update-ref", False), ("update-ref", True)}


def kills() -> list[object]:
    every = [(step, after) for step in STEPS for after in (False, True)]
    return [pytest.param(*each, marks=[] if each in BRIEF else pytest.mark.full) for each in every]


@pytest.mark.parametrize(("step", "after"), kills())
def test_killed_at_a_step_of_the_commit_nothing_is_lost_or_locked(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    gate, before = Gate(tmp_path), seen(root)
    path = wrapper(tmp_path / "bin", step, gate.script, after=after)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", path)
        process = spawned(SCRIPT, str(root), "Note", "1")

    waiting = gate.reached()
    process.kill()
    os.kill(waiting, signal.SIGKILL)
    process.communicate()

    assert seen(root) == before
    assert (root / ".memory/decision/note-0.md").exists()
    assert not list((root / ".git").rglob("*.lock"))
    checkpoint(opened(root), Said("Afterwards"), PERSON)
    assert "decision/note-0.md" in git(root, "ls-tree", "-r", "--name-only", "HEAD", ".memory")
    assert seen(root) == before and unharmed(root)


def opened(root: Path):  # type: ignore[no-untyped-def]
    return open_memory(str(root), environment=os.environ, now=int(time.time()) + 5)


STASHERS = {
    "hides by checkout": """#!/bin/sh
git diff --binary > "$HOME/patch"
git stash store -q -m backup "$(git stash create)" 2>/dev/null
git diff --name-only -z | xargs -0 -r git checkout --force --
{wait}
test ! -s "$HOME/patch" || git apply "$HOME/patch"
""",
    "keeps the index": """#!/bin/sh
git stash push -q --keep-index
{wait}
git stash pop -q
""",
    "writes all files": """#!/bin/sh
git checkout-index -a -f
git checkout -q -- .
git reset -q --hard
git checkout -q stash@{{0}} -- . 2>/dev/null
{wait}
exit 1
""",
}


@pytest.mark.parametrize("killed", ["hook", "both"])
@pytest.mark.parametrize("stasher", STASHERS)
def test_a_stasher_killed_inside_the_hook_leaves_the_users_work(
    root: Path, tmp_path: Path, stasher: str, killed: str
) -> None:
    gate, before = Gate(tmp_path), seen(root)
    executable(root / ".git/hooks/pre-commit", STASHERS[stasher].format(wait=gate.script))
    process = spawned(SCRIPT, str(root), "Note", "1")

    waiting = gate.reached()
    assert seen(root) == before
    if killed == "both":
        process.kill()
    os.kill(waiting, signal.SIGKILL)
    _, said = process.communicate()

    assert seen(root) == before
    assert process.returncode != 0 and (killed == "both" or "hook refused" in said)
    (root / ".git/hooks/pre-commit").unlink()
    checkpoint(opened(root), Said("Afterwards"), PERSON)
    assert seen(root) == before and unharmed(root)


@pytest.mark.parametrize("stasher", STASHERS)
@pytest.mark.parametrize(
    "build", [states.sparse, states.sparse_index, states.unborn, states.linked, states.split_index]
)
def test_a_stasher_finds_nothing_to_put_away_in_any_index(tmp_path: Path, build: states.Builder, stasher: str) -> None:
    root = build(tmp_path).root
    dirty(root)
    hooks = tmp_path / "hooks"
    git(root, "config", "core.hooksPath", str(hooks))
    executable(
        hooks / "pre-commit", STASHERS[stasher].format(wait=f"cat b.py > {tmp_path}/while; ls > {tmp_path}/there")
    )
    before, there = seen(root), sorted(path.name for path in root.iterdir() if path.name[0] != ".")

    with engine.lock(repository(root), environment=os.environ):
        write(root, NEW, "new\n")
        try:
            commit_paths(repository(root), {NEW: b"new\n"}, "Told\n", environment=os.environ)
        except GitmemError as error:
            assert error.code == "hook-refused"

    assert seen(root) == before
    assert (tmp_path / "while").read_text() == "# b.py\nvalue = 4\n"
    assert (tmp_path / "there").read_text().split() == there
    assert (root / NEW).read_text() == "new\n"


PRE_COMMIT = """repos:
- repo: local
  hooks:
  - {{id: wait, name: wait, language: system, entry: {script}, files: md$, pass_filenames: false}}
"""


@pytest.mark.parametrize("killed", ["hook", "both", "none"])
def test_the_pre_commit_framework_killed_inside_a_hook_leaves_the_users_work(
    root: Path, tmp_path: Path, killed: str
) -> None:
    gate = Gate(tmp_path)
    script = executable(tmp_path / "wait", f"#!/bin/sh\n{gate.script}\n")
    write(root, ".pre-commit-config.yaml", PRE_COMMIT.format(script=script))
    git(root, "add", ".pre-commit-config.yaml")
    git(root, "commit", "-q", "-m", "Config", "--", ".pre-commit-config.yaml")
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=root, check=True, capture_output=True)
    before = seen(root)
    process = spawned(SCRIPT, str(root), "Note", "1")

    waiting = gate.reached()
    assert seen(root) == before
    if killed == "both":
        process.kill()
    if killed == "none":
        gate.gate.write_text("go on\n")
    else:
        os.kill(parent(waiting), signal.SIGKILL)
        os.kill(waiting, signal.SIGKILL)
    out, _ = process.communicate()

    assert seen(root) == before
    assert (process.returncode == 0 and out.strip() != "None") == (killed == "none")
    checkpoint(opened(root), Said("Afterwards"), PERSON, verify_not()) if killed != "none" else None
    assert seen(root) == before and unharmed(root)


def verify_not():  # type: ignore[no-untyped-def]
    from gitmem.operations.checkpoint import Asked

    return Asked(verify=False)


def parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def test_case_53_a_refused_push_changes_nothing_here(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "server")
    executable(tmp_path / "server/hooks/pre-receive", "#!/bin/sh\nexit 1\n")
    git(root, "remote", "add", "origin", str(tmp_path / "server"))
    before = seen(root)

    committed(root, {NEW: b"new\n"})
    git(root, "push", "-q", "origin", "main", fails=True)

    assert seen(root) == before and unharmed(root)
    assert stat.S_ISREG((root / NEW).stat().st_mode)
    note(root, "later")
    commit(root, "Later")


# Others, and hooks, that do something in the middle


def racing(root: Path, act: str) -> None:
    """Lets a user do something, once, just after our entries went into the index."""
    words = "#!/bin/sh\n[ -e .git/once ] && exit 0\ngit ls-files .memory | grep -q new-way || exit 0\ntouch .git/once\n"
    executable(root / ".git/hooks/post-index-change", f"{words}unset GIT_INDEX_FILE\n{act}\nexit 0\n")


@pytest.mark.parametrize("act", ["git commit -q -m user", "git commit -q -m user -- b.py", "git commit -q -a -m user"])
def test_who_commits_while_our_entries_are_staged_takes_no_note_away(root: Path, act: str) -> None:
    racing(root, act)

    done = committed(root, {NEW: b"new\n", ".memory/decision/old-way.md": b"changed\n"})
    git(root, "commit", "-q", "--allow-empty", "-m", "next")

    assert (root / ".git/once").exists() and done.commit
    assert git(root, "show", f"HEAD:{NEW}") == "new\n"
    assert unharmed(root)


def test_a_refused_ref_leaves_the_flags_of_our_entries(root: Path) -> None:
    write(root, NEW, "new\n")
    git(root, "add", "-N", NEW)
    git(root, "update-index", "--assume-unchanged", ".memory/decision/old-way.md")
    git(root, "update-index", "--skip-worktree", ".memory/decision/other-way.md")
    listed = git(root, "ls-files", "--debug", "-s", "-v", ".memory/decision")
    (root / ".git/refs/heads/main.lock").touch()

    paths = (NEW, ".memory/decision/old-way.md", ".memory/decision/other-way.md")
    refused(root, dict.fromkeys(paths, b"changed\n"))

    assert git(root, "ls-files", "--debug", "-s", "-v", ".memory/decision") == listed


@pytest.mark.parametrize(
    "act",
    ["git reset -q --hard", "git stash -q", "git read-tree -u --reset HEAD", "git rm -rq --cached ."],
)
def test_a_hook_that_takes_the_notes_out_is_said_and_costs_none(root: Path, act: str) -> None:
    executable(root / ".git/hooks/pre-commit", f"#!/bin/sh\n{act}\nexit 0\n")
    before, index, tip = seen(root), held(root), git(root, "rev-parse", "HEAD")

    error = refused(root, {NEW: b"new\n", ".memory/decision/old-way.md": b"changed\n"})

    assert error.code == "hook-refused" and "out of the commit" in error.message
    assert (seen(root), held(root), git(root, "rev-parse", "HEAD")) == (before, index, tip)
    assert (root / NEW).read_bytes() == b"new\n"
    assert (root / ".memory/decision/old-way.md").read_bytes() == b"changed\n"


def test_a_deletion_that_a_hook_takes_back_is_no_commit_of_the_rest(root: Path) -> None:
    executable(root / ".git/hooks/pre-commit", "#!/bin/sh\ngit reset -q -- .memory/decision/old-way.md\n")

    assert refused(root, {NEW: b"new\n", ".memory/decision/old-way.md": None}).code == "hook-refused"
