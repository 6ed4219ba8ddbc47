"""Unmerged: the paths that a merge has left open in the index, both sides of each, and what Git's own merge makes of them."""

import os
from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.storage import disk
from gitmem.storage.checkout import contents
from gitmem.storage.git import talk
from gitmem.storage.staged import REGULAR
from gitmem.values import NamedTuple


class Sides(NamedTuple):
    """The bytes of one path in the merge base, ours and theirs; None where it is not there, or is no regular file."""

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


def sides(top: str, folder: str, *, environment: Mapping[str, str]) -> dict[str, Sides]:
    """Returns both sides of each open path below a folder, paths relative to the top level."""
    done = talk(top, ["ls-files", "--unmerged", "-z", "--full-name", "--", folder], environment=environment)
    if done.status:
        words = done.err.decode("utf-8", "replace").strip()
        raise GitmemError("git", f"The index could not be read: {words}", None)
    objects: dict[str, dict[str, str]] = {}
    for row in done.out.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, path = row.partition("\t")
        mode, name, stage = head.split(" ")
        objects.setdefault(path, {}).update({stage: name} if mode in REGULAR else {})
    read = {key: _stage(top, objects, key, environment) for key in "123"}
    return {path: Sides(*(read[key].get(path) for key in "123")) for path in objects}


def _stage(
    top: str, objects: Mapping[str, Mapping[str, str]], key: str, environment: Mapping[str, str]
) -> dict[str, bytes | None]:
    """Returns the bytes of one side of each path, as a checkout would write them."""
    names = {path: stages[key] for path, stages in objects.items() if key in stages}
    found = contents(top, names, most=disk.LARGEST, environment=environment)
    return {path: content.data for path, content in found}


def pathspec(path: str) -> str:
    """Returns a path from the top level as git takes it when it is typed in any folder, quoted for a shell."""
    from shlex import quote

    magic = ":(top,literal)" if any(sign in path for sign in "*?[\\") else ":/"
    return quote(magic + path)


def merged_text(top: str, files: Sides, *, environment: Mapping[str, str]) -> bytes:
    """Returns what Git's merge by lines makes of the three files, with conflict markers."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, key) for key in ("ours", "base", "theirs")]
        for path, data in zip(paths, (files.ours, files.base, files.theirs), strict=True):
            with open(path, "wb") as file:
                file.write(data or b"")
        return talk(top, ["merge-file", "-p", *paths], environment=environment).out
