"""Git: where the repository is, what state it is in, and the one place that runs `git`."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.storage.dialogue import spawned
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
LINGER = 0.05  # seconds between two looks at whether git has ended, while something of it is open
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
    folders = all(os.path.isdir(os.path.join(directory, name)) for name in ("objects", "refs"))
    return folders and os.path.isfile(os.path.join(directory, "HEAD"))


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
    return with_setting(kept | QUIET, *NO_BARE)


# Under this git never takes a folder of the work tree for a bare repository. Committed files can shape one, and its config
# would run commands (core.fsmonitor). For the same reason every git runs at the top level of the work tree, where `.git`
# comes first; older gits than 2.38 have that alone.
NO_BARE = ("safe.bareRepository", "explicit")


def with_setting(environment: Mapping[str, str], key: str, value: str) -> dict[str, str]:
    """Returns an environment in which git is told one setting more."""
    count = environment.get("GIT_CONFIG_COUNT", "")
    at = int(count) if count.isdigit() else 0
    more = {"GIT_CONFIG_COUNT": str(at + 1), f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return {**environment, **more}


def talk(
    directory: str,
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    given: bytes = b"",
    index: str | None = None,
    time_out: float | None = TIME_OUT,
    magic: bool = False,
) -> Output:
    """Returns what `git ARGUMENTS` said, run in a directory with `given` on its input.

    `index` is another index file than the work tree's own. With `magic` a pathspec may begin with `:(`; without it every
    path is taken as it stands. `time_out` None waits for as long as it takes, for a signer that asks its owner.
    Raises GitmemError("no-git") and GitmemError("git-slow").
    """
    variables = clean_environment(environment) | ({"GIT_INDEX_FILE": index} if index else {})
    errors, error_end = os.pipe()
    try:
        process, into, out = spawned(command(directory, arguments, magic=magic), variables, error_end)
    except OSError as error:
        os.close(errors)
        raise no_git(error) from error
    finally:
        os.close(error_end)
    heard: dict[int, bytearray] = {out: bytearray(), errors: bytearray()}
    status = _exchange(process, into, given, heard, time_out)
    if status is None:
        os.kill(process, 9)
        os.waitpid(process, 0)
        message = f"git {arguments[0]} took longer than {time_out:.0f} seconds."
        raise GitmemError("git-slow", message, "See what holds the repository, then run the command again.")
    return Output(os.waitstatus_to_exitcode(status), bytes(heard[out]), bytes(heard[errors]))


def command(directory: str, arguments: Sequence[str], *, magic: bool = False) -> list[str]:
    """Returns the words by which git is run; without `magic` every path is taken as it stands."""
    return ["git", *([] if magic else ["--literal-pathspecs"]), "-C", directory, *arguments]


def no_git(error: OSError) -> GitmemError:
    """Returns the refusal of a machine without git, or of words that no git can be started with."""
    if not isinstance(error, FileNotFoundError):
        return GitmemError("no-git", f"git cannot be started: {error.strerror}.", "See that git on PATH is a program.")
    return GitmemError("no-git", "The git command was not found.", "Install Git and put it on PATH.")


def _exchange(
    process: int, into: int, given: bytes, heard: Mapping[int, bytearray], time_out: float | None
) -> int | None:
    """Writes one stream and reads the others, and returns how the process ended; None where that takes too long.

    A stream that a daemon of git's keeps open is waited for no longer than git itself.
    """
    from select import POLLIN, POLLOUT, poll

    end = None if time_out is None else time.monotonic() + time_out
    waiting = poll()
    os.set_blocking(into, False)
    for stream, events in ((into, POLLOUT), *((stream, POLLIN) for stream in heard)):
        waiting.register(stream, events)
    unread, left = memoryview(given), {into, *heard}
    status: int | None = None
    while left:
        silent = len(left) < len(heard)  # one of its streams is at its end: so may git be
        limits = [*([max(0.0, end - time.monotonic())] if end is not None else []), *([LINGER] if silent else [])]
        ready = waiting.poll(min(limits) * 1000 if limits else None)
        if end is not None and time.monotonic() > end:  # what never falls silent is stopped, too
            break
        if not ready and silent:
            ended, code = os.waitpid(process, os.WNOHANG)
            if ended:
                status = code
                break
        for stream, _ in ready:
            if stream == into:
                unread = unread[_written(into, unread) :]
                done = not unread
            else:
                chunk = os.read(stream, 1 << 16)
                heard[stream] += chunk
                done = not chunk
            if done:
                waiting.unregister(stream)
                os.close(stream)
                left.discard(stream)
    for stream in left:
        os.close(stream)
    if status is None and not left:
        _, status = os.waitpid(process, 0)
    return status


def _written(stream: int, data: memoryview) -> int:
    try:
        return os.write(stream, data[: 1 << 16])
    except BrokenPipeError:
        return len(data)


def ask(directory: str, arguments: Sequence[str], *, environment: Mapping[str, str]) -> bytes | None:
    """Returns the output of a small git query, or None where git fails or is missing. Raises GitmemError("git-slow")."""
    try:
        done = talk(directory, arguments, environment=environment)
    except GitmemError as error:
        if error.code == "no-git":
            return None
        raise
    return done.out if done.status == 0 else None


def settings(directory: str, *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns what this clone decides for itself: `git config gitmem.*`, keys in lower case without the section."""
    out = ask(directory, ["config", "-z", "--get-regexp", r"^gitmem\."], environment=environment) or b""
    return own_settings(_pair(item) for item in items(out))


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
    said = items(out)
    origins = (_origin(directory, each) for each in said[::2])
    return [(origin, *_pair(item)) for origin, item in zip(origins, said[1::2], strict=False)]


def _origin(directory: str, text: str) -> str | None:
    kind, _, path = text.partition(":")
    return os.path.join(directory, path) if kind == "file" else "" if kind == "command line" else None


def items(out: bytes) -> list[str]:
    """Returns the words of an answer that NULs part."""
    return [item for item in out.decode("utf-8", "surrogateescape").split("\0") if item]


def renames(words: Sequence[str]) -> list[tuple[str, str]]:
    """Returns (old, new) of the words of `--name-status` where it names nothing but renames."""
    return [(words[at + 1], words[at + 2]) for at in range(0, len(words) - 2, 3)]


def _pair(item: str) -> tuple[str, str]:
    key, _, value = item.partition("\n")
    return key, value


def set_setting(directory: str, key: str, value: str, *, environment: Mapping[str, str]) -> None:
    """Sets `gitmem.KEY` in this clone's own configuration."""
    done = talk(directory, ["config", "--local", f"gitmem.{key}", value], environment=environment)
    if done.status:
        raise said(done, f"git config gitmem.{key} could not be set")


def said(done: Output, what: str) -> GitmemError:
    """Returns the refusal that repeats git's own words."""
    return GitmemError("git", f"{what}: {words(done)}", None)


def words(done: Output) -> str:
    """Returns what git complains of, without the list of options that it may add."""
    said = done.err.decode("utf-8", "replace").partition("\nusage:")[0].strip()
    return said or f"exit status {done.status}"


def identity(directory: str, *, environment: Mapping[str, str]) -> str | None:
    """Returns `Name <email>` as git would write it, or None where git knows none."""
    out = ask(directory, ["var", "GIT_COMMITTER_IDENT"], environment=environment)
    return out.decode("utf-8", "replace").rpartition("> ")[0] + ">" if out else None


def version(*, environment: Mapping[str, str]) -> str | None:
    """Returns git's own version, such as 2.39.5, or None without git."""
    out = ask(os.sep, ["version"], environment=environment)
    return out.decode().removeprefix("git version ").strip() if out else None
