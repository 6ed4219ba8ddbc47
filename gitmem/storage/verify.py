"""Verifying: the repository's own hooks before a commit, on an index of their own that shows them our paths alone."""

import os
from collections.abc import Iterator, Mapping

from gitmem.errors import GitmemError
from gitmem.storage import git
from gitmem.storage.git import Output, Repository, talk
from gitmem.storage.programs import SKIPPING, run_hook
from gitmem.storage.trees import Leaf
from gitmem.values import NamedTuple

HOOKS = ("pre-commit", "commit-msg")
SAID_LIMIT = 2_000  # characters of what a refusing hook printed: its end, where linters say what is wrong


class Warned(NamedTuple):
    """Something that a commit went through with and its caller should hear."""

    code: str
    message: str


class Verified(NamedTuple):
    """What the hooks let pass: our paths, the message, and what else they did."""

    leaves: dict[str, Leaf | None]
    message: str
    warnings: list[Warned]


class _Index(NamedTuple):
    """A private index file of a repository."""

    repository: Repository
    environment: Mapping[str, str]
    path: str
    null: str

    def git(self, *arguments: str, given: bytes = b"") -> Output:
        # A split index would be shared with the user's own, and a monitor started for it.
        plain = ["-c", "core.splitIndex=false", "-c", "core.fsmonitor=false", "-c", "index.sparse=false"]
        plain += ["-c", "=".join(SKIPPING)]
        done = talk(
            self.repository.top, [*plain, *arguments], environment=self.environment, given=given, index=self.path
        )
        if done.status:
            raise git.said(done, "The index for the hooks could not be made")
        return done


def hooks(folder: str) -> dict[str, str]:
    """Returns the hooks that a folder has, those git would run, by name."""
    paths = {name: os.path.join(folder, name) for name in HOOKS}
    return {name: path for name, path in paths.items() if os.path.isfile(path) and os.access(path, os.X_OK)}


def rows(out: bytes) -> Iterator[tuple[str, str]]:
    """Yields (what stands before the tab, path) of a `-z` listing."""
    for row in os.fsdecode(out).split("\0"):
        front, tab, path = row.partition("\t")
        if tab:
            yield front, path


def run(
    repository: Repository,
    found: Mapping[str, str],
    leaves: Mapping[str, Leaf | None],
    message: str,
    *,
    environment: Mapping[str, str],
    null: str,
) -> Verified:
    """Returns our paths and the message as the hooks left them; raises GitmemError("hook-refused") where one refuses.

    `null` is the id of no object, in the repository's own length.

    The index they see is HEAD with our paths. All others are assumed unchanged, so that a hook which puts away what
    is unstaged finds nothing, and skipped in the work tree: assumed alone, `reset` and `checkout` would write them.
    """
    folder = os.path.join(repository.git_dir, "gitmem")
    os.makedirs(folder, exist_ok=True)
    _sweep(folder)
    index = _Index(repository, environment, os.path.join(folder, f"index.{os.getpid()}"), null)
    text = os.path.join(folder, f"message.{os.getpid()}")
    try:
        return _run(index, found, dict(leaves), message, text)
    finally:
        for path in (index.path, index.path + ".lock", text):
            _remove(path)


def _run(index: _Index, found: Mapping[str, str], leaves: dict[str, Leaf | None], message: str, text: str) -> Verified:
    head, before = _filled(index, leaves)
    if "pre-commit" in found:
        _call(index, found["pre-commit"])
    if "commit-msg" in found:
        message = _judged(index, found["commit-msg"], message, text)
    after = _listed(index)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    _check_kept({path: after.get(path) for path in changed & leaves.keys()}, head)
    strays = [
        Warned("hook-staged", f"A hook staged {path}; the commit leaves it out.")
        for path in sorted(changed - leaves.keys())
    ]
    return Verified({path: after.get(path) for path in leaves}, message, strays)


def _check_kept(changed: Mapping[str, Leaf | None], head: Mapping[str, Leaf]) -> None:
    """Raises GitmemError where hooks made of ours, in the index, what HEAD has, or took it out."""
    gone = sorted(path for path, leaf in changed.items() if leaf is None or leaf == head.get(path))
    if gone:
        others = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        message = f"A hook took {gone[0]}{others} out of the commit, so it was not made."
        hint = "Mend the hook, then run the command again; --no-verify passes it by."
        raise GitmemError("hook-refused", message, hint)


def _filled(index: _Index, leaves: Mapping[str, Leaf | None]) -> tuple[dict[str, Leaf], dict[str, Leaf]]:
    """Returns what HEAD has, and what the private index lists with our paths in it, all others hidden from hooks."""
    unborn = talk(
        index.repository.top, ["rev-parse", "--verify", "--quiet", "HEAD"], environment=index.environment
    ).status
    index.git("read-tree", "--empty" if unborn else "HEAD")
    head = _listed(index)
    others = os.fsencode("".join(path + "\0" for path in head if path not in leaves))
    index.git("update-index", "-z", "--assume-unchanged", "--stdin", given=others)
    index.git("update-index", "-z", "--skip-worktree", "--stdin", given=others)
    index.git("update-index", "-z", "--index-info", given=lines(leaves, index.null))
    index.git("update-index", "-q", "--refresh")
    return head, _listed(index)


def lines(leaves: Mapping[str, Leaf | None], null: str) -> bytes:
    """Returns what `update-index --index-info` reads to set these paths, or to drop them where None."""
    said = [f"{leaf.mode} {leaf.id}" if leaf else f"0 {null}" for leaf in leaves.values()]
    return os.fsencode("".join(f"{row}\t{path}\0" for row, path in zip(said, leaves, strict=True)))


def _listed(index: _Index) -> dict[str, Leaf]:
    found = rows(index.git("ls-files", "-s", "-z").out)
    return {path: Leaf(*front.split(" ")[:2]) for front, path in found}


def _call(index: _Index, path: str, *arguments: str) -> None:
    status, printed = run_hook(index.repository.top, path, arguments, environment=index.environment, index=index.path)
    if status:
        said = printed.decode("utf-8", "replace").strip()[-SAID_LIMIT:] or f"exit status {status}"
        hint = "The notes are written. Mend what it names, then run the command again; --no-verify passes it by."
        raise GitmemError("hook-refused", f"The {os.path.basename(path)} hook refused the commit: {said}", hint)


def _judged(index: _Index, path: str, message: str, text: str) -> str:
    """Returns the message as the commit-msg hook left it, without trailing white space."""
    with open(text, "w", encoding="utf-8") as file:
        file.write(message)
    _call(index, path, text)
    with open(text, encoding="utf-8", errors="replace") as file:
        kept = "\n".join(line.rstrip() for line in file).strip()
    if not kept:
        raise GitmemError(
            "hook-refused", "The commit-msg hook left the message empty.", "Mend the hook, or --no-verify."
        )
    return kept + "\n"


def _sweep(folder: str) -> None:
    """Removes what processes that were killed in the middle have left in our own folder."""
    for name in os.listdir(folder):
        kind, _, number = name.removesuffix(".lock").partition(".")
        if kind in ("index", "message") and number.isdigit() and not _runs(int(number)):
            _remove(os.path.join(folder, name))


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
