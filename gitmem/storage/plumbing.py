"""Plumbing: git commands spoken to without the subprocess module, whose import costs a third of an interpreter's start."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.storage.dialogue import Dialogue, spawned
from gitmem.storage.git import TIME_OUT, Output, clean_environment, said

# Bytes of one command line, of the 1 MB that the narrowest system takes with its environment, and of one word of it.
LINE, LONGEST = 400_000, 20_000


class Batch(Dialogue):
    """A git command that answers each question as it comes (`cat-file --batch`, `mktree --batch`)."""

    def __init__(
        self, directory: str, arguments: Sequence[str], *, environment: Mapping[str, str], errors: int | None = None
    ) -> None:
        """`errors` is as in Dialogue. Raises GitmemError("no-git")."""
        try:
            super().__init__(_command(directory, arguments), clean_environment(environment), errors)
        except FileNotFoundError as error:
            raise _no_git() from error


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
    """Returns what `git ARGUMENTS` said, as `run` does; on another index file than the work tree's own where asked.

    With `magic` a pathspec may begin with `:(`; without it every path is taken as it stands.
    `time_out` None waits for as long as it takes, for a signer that asks its owner. Raises GitmemError("no-git") and
    GitmemError("git-slow").
    """
    variables = clean_environment(environment) | ({"GIT_INDEX_FILE": index} if index else {})
    errors, error_end = os.pipe()
    try:
        process, into, out = spawned(_command(directory, arguments, magic=magic), variables, error_end)
    except FileNotFoundError as error:
        os.close(errors)
        raise _no_git() from error
    finally:
        os.close(error_end)
    heard: dict[int, bytearray] = {out: bytearray(), errors: bytearray()}
    finished = _exchange(into, given, heard, time_out)
    if not finished:
        os.kill(process, 9)
    _, status = os.waitpid(process, 0)
    if not finished:
        message = f"git {arguments[0]} took longer than {time_out:.0f} seconds."
        raise GitmemError("git-slow", message, "See what holds the repository, then run the command again.")
    return Output(os.waitstatus_to_exitcode(status), bytes(heard[out]), bytes(heard[errors]))


def batches(words: Iterable[str]) -> Iterator[list[str]]:
    """Yields paths and other words in parts that a command line holds; what no path and no name can be is left out."""
    part: list[str] = []
    left = LINE
    for word in words:
        size = _size(word)
        if size > LONGEST:
            continue
        if size > left:
            yield part
            part, left = [], LINE
        part.append(word)
        left -= size + 8  # and its place in the list
    if part:
        yield part


def tracked(directory: str, paths: Sequence[str], *, environment: Mapping[str, str]) -> set[str]:
    """Returns which of these paths, relative to the top level, the index holds."""
    found: set[str] = set()
    for batch in batches(paths):
        done = talk(directory, ["ls-files", "-z", "--", *batch], environment=environment)
        if done.status:
            raise said(done, "git cannot tell which notes it tracks")
        found.update(item for item in done.out.decode("utf-8", "surrogateescape").split("\0") if item)
    return found


def _size(word: str) -> int:
    """Returns the bytes of a word; more than any has where a command line cannot hold it at all."""
    try:
        return LONGEST + 1 if "\0" in word else len(word.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return LONGEST + 1


def _command(directory: str, arguments: Sequence[str], *, magic: bool = False) -> list[str]:
    return ["git", *([] if magic else ["--literal-pathspecs"]), "-C", directory, *arguments]


def _no_git() -> GitmemError:
    return GitmemError("no-git", "The git command was not found.", "Install Git and put it on PATH.")


def _exchange(into: int, given: bytes, heard: Mapping[int, bytearray], time_out: float | None) -> bool:
    """Writes one stream and reads the others until all are closed; False where that takes too long."""
    from select import POLLIN, POLLOUT, poll

    end = None if time_out is None else time.monotonic() + time_out
    waiting = poll()
    os.set_blocking(into, False)
    for stream, events in ((into, POLLOUT), *((stream, POLLIN) for stream in heard)):
        waiting.register(stream, events)
    unread, left = memoryview(given), {into, *heard}
    while left:
        ready = waiting.poll(None if end is None else max(0.0, end - time.monotonic()) * 1000)
        if not ready or (end is not None and time.monotonic() > end):  # what never falls silent is stopped, too
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
    return not left


def _written(stream: int, data: memoryview) -> int:
    try:
        return os.write(stream, data[: 1 << 16])
    except BrokenPipeError:
        return len(data)
