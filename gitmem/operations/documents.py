"""Documents: the files that speak for a project, as its policy names them, each with its first heading."""

import os
import re
from collections.abc import Collection, Iterator, Sequence

from gitmem.operations.memory import Memory
from gitmem.storage.worktree import FILE, FOLDER, Worktree
from gitmem.values import NamedTuple

MOST = 40  # documents that are named; what is past them no reader takes in
LOOKED = 2_000  # files that are looked at for one pattern
HEAD = 8_192  # bytes in which a first heading stands
_HEADING = r"#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$"
_WILD = r"\*\*/|\*\*|\*|\?"


class Document(NamedTuple):
    """A file that speaks for the project: its path from the top level, first heading, and whether it changed of late."""

    path: str
    heading: str | None
    changed: bool


def documents(memory: Memory, changed: Collection[str]) -> list[Document]:
    """Returns the documents of the policy's patterns, in their order; `changed` are paths that have changed of late.

    Patterns hold from the memory's root; no link is followed.
    """
    top = memory.repository.top if memory.repository else memory.root
    tree, above = Worktree(top), memory.root[len(top) :].strip("/")
    found: dict[str, Document] = {}
    for pattern in memory.config.policy.documents:
        for path in _matching(tree, f"{above}/{pattern}" if above else pattern):
            if path not in found and len(found) < MOST:
                found[path] = Document(path, heading(_start(tree, path)), path in changed)
    return list(found.values())


def _matching(tree: Worktree, pattern: str) -> Iterator[str]:
    """Yields the files that a pattern means, by path."""
    wild = re.search(r"[*?]", pattern)
    if wild is None:
        seen = tree.look(pattern)
        yield from [pattern] if seen and seen.kind == FILE else []
        return
    parts = [part for part in re.split(f"({_WILD})", pattern) if part]
    folder = pattern[: wild.start()].rpartition("/")[0]
    left = LOOKED
    for path in _below(tree, folder):
        left -= 1
        if matches(parts, path):
            yield path
        if not left:
            return


def matches(parts: Sequence[str], path: str) -> bool:
    """Returns whether a pattern, as its wild and its plain parts, means a path.

    It keeps every place that the parts so far may end at: as a regular expression the pattern of a repository's config
    could take for ever (15 stars and a name of 120 letters).
    """
    places = {0}
    for part in parts:
        places = _after(part, places, path) if places else places
    return len(path) in places


def _after(part: str, places: set[int], path: str) -> set[int]:
    """Returns where a part may end that begins at one of some places."""
    if part == "**":
        return set(range(min(places), len(path) + 1))
    if part == "**/":
        return {*places, *(at + 1 for at in range(min(places), len(path)) if path[at] == "/")}
    if part == "*":
        return _within_names(places, path)
    if part == "?":
        return {at + 1 for at in places if path[at : at + 1] not in ("", "/")}
    return {at + len(part) for at in places if path.startswith(part, at)}


def _within_names(places: set[int], path: str) -> set[int]:
    """Returns some places, and all that follow each before the next slash."""
    found, reached = set(), False
    for at in range(min(places), len(path) + 1):
        reached = at in places or (reached and path[at - 1] != "/")
        if reached:
            found.add(at)
    return found


def _below(tree: Worktree, folder: str) -> Iterator[str]:
    """Yields the files below a folder, by path; those of hidden folders are none."""
    try:
        names = sorted(os.listdir(os.path.join(tree.top, folder)))
    except OSError:
        return
    for name in names:
        path = f"{folder}/{name}" if folder else name
        seen = None if name.startswith(".") else tree.look(path)
        if seen and seen.kind == FILE:
            yield path
        elif seen and seen.kind == FOLDER:
            yield from _below(tree, path)


def _start(tree: Worktree, path: str) -> str:
    try:
        with open(os.path.join(tree.top, path), "rb") as file:
            return file.read(HEAD).decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:
        return ""


def heading(text: str) -> str | None:
    """Returns the first heading of a text, front matter and fenced code left aside; without one, its first line."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    if lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    fenced = False
    for line in lines:
        fenced ^= line.startswith(("```", "~~~"))
        found = None if fenced else re.match(_HEADING, line)
        if found:
            return found[1]
    return next((line.strip() for line in lines if line.strip() and not line.startswith(("```", "~~~"))), None)
