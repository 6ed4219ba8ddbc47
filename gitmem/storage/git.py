"""Git: where the repository is, what state it is in, and the one place that runs `git`."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from errno import ENOEXEC

from gitmem.errors import GitmemError
from gitmem.values import NamedTuple

PATHSPECS = ("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS")
# `git rev-parse --local-env-vars` and the pathspec variables: they would point git at another repository.
LOCATING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
    *PATHSPECS,
)
# No prompt, no pager, and no index refresh written by commands that only look.
QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "LC_ALL": "C"}
TIME_OUT = 60.0
OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)
# What ends each of them.
FINISH = {
    "merge": "Finish the merge (git merge --continue) or abort it (git merge --abort)",
    "rebase": "Finish the rebase (git rebase --continue) or abort it (git rebase --abort)",
    "am": "Finish the am (git am --continue) or abort it (git am --abort)",
    "cherry-pick": "Finish the cherry-pick (git cherry-pick --continue) or abort it (git cherry-pick --abort)",
    "revert": "Finish the revert (git revert --continue) or abort it (git revert --abort)",
    "bisect": "End the bisect (git bisect reset)",
}
# In these an `--abort` throws away what was committed or changed meanwhile.
REWINDING = frozenset({"rebase", "am"})


class Repository(NamedTuple):
    """A work tree: its top level, its own git directory, and the directory shared by all its work trees."""

    top: str
    git_dir: str
    common_dir: str


class HookEnvironment(dict[str, str]):
    """The environment that git gave a hook: the variables that locate the repository and the index are meant."""


class Output(NamedTuple):
    """What a git command said: exit status and the bytes of both streams."""

    status: int
    out: bytes
    err: bytes


def find(directory: str) -> Repository | None:
    """Returns the repository whose work tree holds a directory, found by reading alone, or None."""
    here = os.path.realpath(directory)
    while True:
        git_dir = _git_dir(here)
        if git_dir:
            return Repository(here, git_dir, _common_dir(git_dir))
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _git_dir(top: str) -> str | None:
    path = os.path.join(top, ".git")
    if os.path.isdir(path):
        return path if os.path.exists(os.path.join(path, "HEAD")) else None
    text = _line(path)
    if not text.startswith("gitdir: "):
        return None
    return os.path.normpath(os.path.join(top, text[8:]))


def is_bare(directory: str) -> bool:
    """Returns whether a folder has the shape of a repository without a work tree; nothing in it is believed."""
    return all(os.path.exists(os.path.join(directory, name)) for name in ("HEAD", "objects", "refs"))


def _common_dir(git_dir: str) -> str:
    text = _line(os.path.join(git_dir, "commondir"))
    return os.path.normpath(os.path.join(git_dir, text)) if text else git_dir


def _line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().rstrip("\n")
    except OSError:
        return ""


def operation(repository: Repository) -> str | None:
    """Returns the name of the Git operation that is unfinished in this work tree, or None."""
    for name, word in OPERATIONS:
        if os.path.exists(os.path.join(repository.git_dir, name)):
            return word
    # Between two of its picks a cherry-pick, or revert, of several commits has no head, but a list of what is to come.
    words = _line(os.path.join(repository.git_dir, "sequencer", "todo")).split(" ")
    return {"pick": "cherry-pick", "p": "cherry-pick", "revert": "revert"}.get(words[0])


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment in which git finds the repository by directory alone and never prompts.

    In that of a hook it goes on finding what git told the hook: a commit of some paths has an index of its own.
    """
    scrubbed = PATHSPECS if isinstance(environment, HookEnvironment) else LOCATING
    kept = {key: value for key, value in environment.items() if key not in scrubbed}
    return kept | QUIET | _no_bare(environment)


def _no_bare(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the setting under which git never takes a folder of the work tree for a bare repository.

    Committed files can shape one, and its config would run commands (core.fsmonitor). For the same reason every git
    runs at the top level of the work tree, where `.git` comes first; older gits than 2.38 have that alone.
    """
    count = environment.get("GIT_CONFIG_COUNT", "")
    at = int(count) if count.isdigit() else 0
    return {
        "GIT_CONFIG_COUNT": str(at + 1),
        f"GIT_CONFIG_KEY_{at}": "safe.bareRepository",
        f"GIT_CONFIG_VALUE_{at}": "explicit",
    }


def run(
    directory: str,
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    given: bytes = b"",
    time_out: float = TIME_OUT,
) -> Output:
    """Returns what `git ARGUMENTS` said, run in a directory with `given` on its input.

    Raises GitmemError("no-git") without a git binary and GitmemError("git-slow") past `time_out` seconds.
    """
    import subprocess

    command = ["git", "--literal-pathspecs", "-C", directory, *arguments]
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, timeout=time_out, check=False, env=clean_environment(environment)
        )
    except FileNotFoundError as error:
        raise GitmemError("no-git", "The git command was not found.", "Install Git and put it on PATH.") from error
    except subprocess.TimeoutExpired as error:
        message = f"git {arguments[0]} took longer than {time_out:.0f} seconds."
        raise GitmemError("git-slow", message, "See what holds the repository, then run the command again.") from error
    return Output(done.returncode, done.stdout, done.stderr)


def ask(directory: str, arguments: Sequence[str], *, environment: Mapping[str, str]) -> bytes | None:
    """Returns the output of a small git query, or None where git fails or is missing.

    Spawned without the subprocess module, whose import costs as much as the interpreter's start.
    """
    reading, writing = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, writing, 1),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    command = ["git", "-C", directory, *arguments]
    try:
        process = os.posix_spawnp("git", command, clean_environment(environment), file_actions=actions)
    except OSError:
        os.close(reading)
        return None
    finally:
        os.close(writing)
    with open(reading, "rb") as stream:
        out = stream.read()
    _, status = os.waitpid(process, 0)
    return out if status == 0 else None


def settings(directory: str, *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns what this clone decides for itself: `git config gitmem.*`, keys in lower case without the section."""
    out = ask(directory, ["config", "-z", "--get-regexp", r"^gitmem\."], environment=environment) or b""
    return own_settings(_pair(item) for item in _items(out))


def own_settings(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns those of git's (key, value) that are gitmem's, the last one of each key."""
    named = ((key.lower(), value) for key, value in pairs)
    return {key.removeprefix("gitmem."): _readable(value) for key, value in named if key.startswith("gitmem.")}


def _readable(value: str) -> str:
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


Configuration = list[tuple[str | None, str, str]]


def configuration(directory: str, *, environment: Mapping[str, str]) -> Configuration | None:
    """Returns (file, key, value) of all that git is told, in its order, or None where git fails.

    File is empty for what the environment says, None where it is no file.
    """
    out = ask(directory, ["config", "-z", "--list", "--show-origin"], environment=environment)
    if out is None:
        return None
    items = list(_items(out))
    origins = (_origin(directory, each) for each in items[::2])
    return [(origin, *_pair(item)) for origin, item in zip(origins, items[1::2], strict=False)]


def _origin(directory: str, text: str) -> str | None:
    kind, _, path = text.partition(":")
    return os.path.join(directory, path) if kind == "file" else "" if kind == "command line" else None


def _items(out: bytes) -> Iterator[str]:
    return (item for item in out.decode("utf-8", "surrogateescape").split("\0") if item)


def _pair(item: str) -> tuple[str, str]:
    key, _, value = item.partition("\n")
    return key, value


def set_setting(directory: str, key: str, value: str, *, environment: Mapping[str, str]) -> None:
    """Sets `gitmem.KEY` in this clone's own configuration."""
    done = run(directory, ["config", "--local", f"gitmem.{key}", value], environment=environment)
    if done.status:
        raise said(done, f"git config gitmem.{key} could not be set")


def said(done: Output, what: str) -> GitmemError:
    """Returns the refusal that repeats git's own words."""
    return GitmemError("git", f"{what}: {words(done)}", None)


def words(done: Output) -> str:
    """Returns what git complains of, without the list of options that it may add."""
    said = done.err.decode("utf-8", "replace").partition("\nusage:")[0].strip()
    return said or f"exit status {done.status}"


def head(directory: str, *, environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Returns (branch, commit): branch None when detached, commit None when unborn or unknown."""
    branch = ask(directory, ["symbolic-ref", "--quiet", "--short", "HEAD"], environment=environment)
    commit = ask(directory, ["rev-parse", "--verify", "--quiet", "HEAD"], environment=environment)
    return (branch or b"").decode().strip() or None, (commit or b"").decode().strip() or None


def pending(directory: str, path: str, *, environment: Mapping[str, str]) -> list[str]:
    """Returns the files under a path that differ from HEAD or are untracked, relative to the top level."""
    arguments = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", path]
    done = run(directory, arguments, environment=environment)
    return sorted(item[3:] for item in done.out.decode("utf-8", "surrogateescape").split("\0") if item)


def renamed(directory: str, path: str, *, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns (old, new) paths under a path that the index moved since HEAD, relative to the top level."""
    arguments = ["diff", "--cached", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--", path]
    return _pairs(run(directory, arguments, environment=environment).out)


def identity(directory: str, *, environment: Mapping[str, str]) -> str | None:
    """Returns `Name <email>` as git would write it, or None where git knows none."""
    out = ask(directory, ["var", "GIT_COMMITTER_IDENT"], environment=environment)
    return out.decode("utf-8", "replace").rpartition("> ")[0] + ">" if out else None


def run_editor(command: str, path: str) -> int:
    """Returns the exit status of the user's editor, opened on a file; the command is the user's own words for a shell."""
    import subprocess

    return subprocess.run(["/bin/sh", "-c", f'{command} "$@"', command, path], check=False).returncode


def past_renames(directory: str, path: str, *, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns (old, new) paths under a path that commits moved, newest first, relative to the top level."""
    arguments = ["log", "--format=", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--", path]
    return _pairs(run(directory, arguments, environment=environment).out)


def _pairs(out: bytes) -> list[tuple[str, str]]:
    words = out.decode("utf-8", "surrogateescape").split("\0")
    return [(words[at + 1], words[at + 2]) for at in range(0, len(words) - 2, 3)]


def version(*, environment: Mapping[str, str]) -> str | None:
    """Returns git's own version, such as 2.39.5, or None without git."""
    out = ask(os.sep, ["version"], environment=environment)
    return out.decode().removeprefix("git version ").strip() if out else None


# With patterns of its own a sparse checkout would decide anew what an index says is to be skipped.
SKIPPING = ("core.sparseCheckout", "false")


def _one_setting_more(environment: Mapping[str, str]) -> dict[str, str]:
    count = environment.get("GIT_CONFIG_COUNT", "")
    at = int(count) if count.isdigit() else 0
    return {
        f"GIT_CONFIG_KEY_{at}": SKIPPING[0],
        f"GIT_CONFIG_VALUE_{at}": SKIPPING[1],
        "GIT_CONFIG_COUNT": str(at + 1),
    }


def run_hook(
    top: str, path: str, arguments: Sequence[str], *, environment: Mapping[str, str], index: str
) -> tuple[int, bytes]:
    """Returns the exit status of a repository's own hook, run as `git commit` runs it, and what it printed.

    It may take as long as it likes. What it prints goes through a file, since a daemon that it leaves behind would
    hold a pipe open.
    """
    import subprocess
    import tempfile

    kept = {key: value for key, value in environment.items() if key not in LOCATING}
    variables = kept | {"GIT_INDEX_FILE": index, "GIT_EDITOR": ":", "GIT_PREFIX": ""} | _one_setting_more(kept)
    with tempfile.TemporaryFile() as printed:
        for command in ([path, *arguments], ["/bin/sh", path, *arguments]):
            try:
                done = subprocess.run(
                    command,
                    cwd=top,
                    env=variables,
                    check=False,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=printed,
                )
            except OSError as error:
                if error.errno == ENOEXEC:  # a script that does not name its interpreter: git falls back to sh, too
                    continue
                return 127, f"{path}: {error.strerror}".encode()
            printed.seek(0)
            return done.returncode, printed.read()
    return 127, b""
