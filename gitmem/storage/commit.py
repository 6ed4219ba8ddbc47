"""Commits: some paths and nothing else recorded on HEAD, with the user's index and files left as they are."""

import os
import time
from collections.abc import Collection, Iterator, Mapping

from gitmem.errors import GitmemError
from gitmem.storage import disk, git, history, verify
from gitmem.storage.git import TIME_OUT, Output, Repository, talk
from gitmem.storage.hooks import looked_in
from gitmem.storage.modes import PLAIN, mode_of
from gitmem.storage.plumbing import batches
from gitmem.storage.ref import Held
from gitmem.storage.trees import Leaf, Tip, TreeMaker, rebuilt
from gitmem.storage.verify import Warned
from gitmem.values import NamedTuple, Self

# Git's own commands hold the index for milliseconds; what holds it longer waits for a person, as an open editor does.
WAIT = 5.0
PAUSE = 0.02
TRIES = 50  # a moved tip is built upon anew; so many moves in a row mean that something is wrong
REFUSED_TRIES = 5  # a ref's own lock, held by a push or a fetch, is gone after milliseconds
UNFINISHED = "unfinished-operation"
COMMITTING = "GITMEM_COMMITTING"  # tells what git, its hooks and signers run which git directory is locked for them
_TRUE = ("true", "yes", "on")


class Committed(NamedTuple):
    """A commit's id, None where HEAD has the paths as they are already, and what its caller should hear."""

    commit: str | None
    warnings: tuple[Warned, ...]


class Rules(NamedTuple):
    """What the configuration says: are commits signed, do modes count, where are the hooks, the id of nothing."""

    sign: bool
    modes: bool
    hooks: str
    null: str


class _Work(NamedTuple):
    """One commit in the making; `wait` in seconds is how long Git's index lock may be held by another."""

    repository: Repository
    environment: Mapping[str, str]
    rules: Rules
    wait: float

    def git(self, *arguments: str, given: bytes = b"", time_out: float | None = TIME_OUT) -> Output:
        return talk(self.repository.top, arguments, environment=self.environment, given=given, time_out=time_out)


class _Inside(disk.Lock):
    """The lock as a hook of a commit meets it: what holds it waits for the hook, so that waiting for it never ends."""

    def __enter__(self) -> Self:
        if not self.take(0):
            message = "A commit of the memory is being made, and the hook that it runs cannot make another one."
            hint = (
                "Take the command out of the hook. To read, and to write notes for a later commit, works in hooks, too."
            )
            raise GitmemError("within-commit", message, hint)
        return self


def lock(repository: Repository, *, environment: Mapping[str, str]) -> disk.Lock:
    """Returns the lock that every commit of a work tree holds, from the first look at its files to the last.

    To enter it raises GitmemError: "busy", or "within-commit" at once in a hook of a commit that holds it.
    """
    inside = environment.get(COMMITTING) == repository.git_dir
    return (_Inside if inside else disk.Lock)(repository.git_dir)


def commit_paths(
    repository: Repository,
    changes: Mapping[str, bytes | None],
    message: str,
    *,
    environment: Mapping[str, str],
    modes: Mapping[str, str] | None = None,
    hooks: bool = True,
    wait: float = WAIT,
) -> Committed:
    """Records files (None: that they are gone) by path relative to the top level, on HEAD as it is. Call it under the lock.

    A file's mode is what `modes` says, else the disk's, or the index's where the repository does not believe the disk.
    Blobs pass the path's own filters, trees are rebuilt only where they lead to our paths, the repository's pre-commit
    and commit-msg hooks run unless `hooks` is false, and Git decides identity, dates and signing. Then Git locks the ref
    at the value that the commit was built on, our entries of the index move, and last the ref; a tip that has moved is
    built upon anew, without the hooks. Raises GitmemError if refused, with UNFINISHED where a Git operation was begun
    meanwhile: ref and index are then as before.
    """
    environment = {**environment, COMMITTING: repository.git_dir}
    work = _Work(repository, environment, _rules(repository, environment), wait)
    leaves = _leaves(work, changes, modes or {})
    warnings: list[Warned] = []
    found = verify.hooks(work.rules.hooks) if hooks else {}
    if found:
        try:
            verified = verify.run(repository, found, leaves, message, environment=environment, null=work.rules.null)
        finally:
            _put_back_files(work, {path: data for path, data in changes.items() if data is not None})
        leaves, message, warnings = verified.leaves, verified.message, verified.warnings
    commit = _recorded(work, leaves, message)
    return Committed(commit, (*warnings, *_detached(work)) if commit else ())


def _rules(repository: Repository, environment: Mapping[str, str]) -> Rules:
    pattern = r"^(commit\.gpgsign|core\.filemode|core\.hookspath|extensions\.objectformat)$"
    done = talk(repository.top, ["config", "-z", "--get-regexp", pattern], environment=environment)
    rows = (row.partition("\n") for row in done.out.decode("utf-8", "surrogateescape").split("\0") if row)
    found = {key: value if newline else "true" for key, newline, value in rows}
    hooks = os.path.join(repository.common_dir, "hooks")
    if "core.hookspath" in found:
        hooks = looked_in(repository, environment=environment)
    sign, modes = found.get("commit.gpgsign", "false"), found.get("core.filemode", "true")
    digits = 64 if found.get("extensions.objectformat", "").lower() == "sha256" else 40
    return Rules(_is_true(sign), _is_true(modes), hooks, "0" * digits)


def _is_true(value: str) -> bool:
    return value.lower() in _TRUE or (value.strip("+-").isdigit() and int(value) != 0)


def _detached(work: _Work) -> list[Warned]:
    with open(os.path.join(work.repository.git_dir, "HEAD"), "rb") as file:
        said = file.readline().strip()
    # With reftable the file is a stand-in, and git has to be asked.
    if said.startswith(b"ref: ") and said != b"ref: refs/heads/.invalid":
        return []
    if work.git("symbolic-ref", "--quiet", "HEAD").status == 0:
        return []
    return [
        Warned("detached", "HEAD is detached: no branch holds this commit, and the next checkout leaves it behind.")
    ]


# From files to blobs


def _leaves(work: _Work, changes: Mapping[str, bytes | None], wanted: Mapping[str, str]) -> dict[str, Leaf | None]:
    written = {path: data for path, data in changes.items() if data is not None}
    blobs = _blobs(work, written)
    kept = {} if work.rules.modes else {row.path: row.mode for row in _entries(work, written)}
    leaves: dict[str, Leaf | None] = dict.fromkeys(changes)
    for path, blob in blobs.items():
        there = mode_of(os.path.join(work.repository.top, path)) if work.rules.modes else PLAIN
        leaves[path] = Leaf(wanted.get(path) or kept.get(path, there), blob)
    return leaves


def _blobs(work: _Work, written: Mapping[str, bytes]) -> dict[str, str]:
    """Returns the blob of each file: all at once from the disk, and by themselves those that differ there."""
    together = [path for path, data in written.items() if _is_on_disk(work.repository, path, data)]
    given = _quoted(together)
    done = work.git("hash-object", "-w", "--stdin-paths", given=given) if together else Output(1, b"", b"")
    blobs = dict(zip(together, done.out.decode().split(), strict=True)) if done.status == 0 else {}
    sure = {path: blob for path, blob in blobs.items() if _is_on_disk(work.repository, path, written[path])}
    alone = {path: _blob(work, path, data) for path, data in written.items() if path not in sure}
    return {**sure, **alone}


def _quoted(paths: Collection[str]) -> bytes:
    """Returns paths as `--stdin-paths` reads them, one a line: in quotes, as one may hold a line end, or begin with one."""
    marks = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
    return os.fsencode("".join(f'"{path.translate(marks)}"\n' for path in paths))


def _blob(work: _Work, path: str, data: bytes) -> str:
    done = work.git("hash-object", "-w", "--stdin", "--path", path, given=data)
    if done.status:
        raise _said(done, f"{path} could not be stored")
    return done.out.decode().strip()


def _is_on_disk(repository: Repository, path: str, data: bytes) -> bool:
    try:
        return disk.read(os.path.join(repository.top, path)) == data
    except OSError:
        return False


def _put_back_files(work: _Work, written: Mapping[str, bytes]) -> None:
    """Writes what a hook took away and did not bring back, as a stash that it could not apply again, or a reset."""
    repository = work.repository
    other = [path for path, data in written.items() if not _is_on_disk(repository, path, data)]
    there = {path for path in other if os.path.lexists(os.path.join(repository.top, path))}
    lost = [path for path in other if path not in there]
    for path in (*lost, *as_committed(repository, there, environment=work.environment)):
        disk.save(repository.top, path, written[path])


def as_committed(repository: Repository, paths: Collection[str], *, environment: Mapping[str, str]) -> list[str]:
    """Returns those of some files on the disk that are as HEAD has them, once they have passed their filters."""
    plain = sorted(path for path in paths if _is_plain_file(repository, path))
    if not plain:
        return []
    asked = (["ls-tree", "-r", "-z", "HEAD", "--", *batch] for batch in batches(plain))
    listed = b"".join(talk(repository.top, each, environment=environment).out for each in asked)
    hashed = talk(repository.top, ["hash-object", "--stdin-paths"], environment=environment, given=_quoted(plain))
    if hashed.status:
        raise _said(hashed, "The notes could not be compared with HEAD")
    known = {path: front.split(" ")[2] for front, path in verify.rows(listed)}
    now = zip(plain, hashed.out.decode().split(), strict=True)
    return [path for path, id in now if known.get(path) == id]


def _is_plain_file(repository: Repository, path: str) -> bool:
    whole = os.path.join(repository.top, path)
    return os.path.isfile(whole) and not os.path.islink(whole)


# From blobs to a commit


def _recorded(work: _Work, leaves: Mapping[str, Leaf | None], message: str) -> str | None:
    """Returns the commit that HEAD names now, or None where it has the paths as they are to be."""
    refused = 0
    with TreeMaker(work.repository, environment=work.environment) as objects:
        for _ in range(TRIES):
            tip = objects.tip()
            tree = rebuilt(objects, tip.tree, leaves) or objects.make({})
            if tree == tip.tree or (tip.tree is None and not any(leaves.values())):
                return None
            commit = _commit(work, tree, tip, message)
            moved = _moved(work, leaves, tip, commit, message)
            if moved.status == 0:
                return commit
            refused += objects.tip() == tip
            if refused == REFUSED_TRIES:
                raise _said(moved, "HEAD could not be moved")
            time.sleep(PAUSE)
    raise GitmemError("ref-moving", "HEAD kept moving while the commit was made.", _AGAIN)


def _moved(work: _Work, leaves: Mapping[str, Leaf | None], tip: Tip, commit: str, message: str) -> Output:
    """Returns what git said to moving HEAD from the tip; the index is ours to change only while HEAD stays locked.

    Who commits in between would have our entries in a commit of their own, or take them out again with the next one.
    """
    lines, wait = verify.lines(leaves, work.rules.null), _Wait(work)
    while True:
        with Held(work.repository, _subject(message), environment=work.environment) as ref:
            held = ref.hold(commit, tip.commit or work.rules.null)
            if held.status:
                return held
            _check_finished(work)
            before = _restoring(work, leaves)
            done = _enter(work, lines)
            if done.status == 0:
                return _let_go(work, ref, before, commit)
        wait.after(done)  # with HEAD free: who holds the index may be about to move it


def _let_go(work: _Work, ref: Held, before: bytes, commit: str) -> Output:
    """Returns what git said to moving HEAD, which is locked; our entries are as before where it did not move."""
    try:
        moved = ref.move()
    except BaseException:  # interrupted: git may have moved it all the same, and says so in the ref alone
        ref.end()
        if history.tip(work.repository, environment=work.environment) != commit:
            _put_back(work, before)
        raise
    if moved.status:
        _put_back(work, before)
    return moved


def _check_finished(work: _Work) -> None:
    """Raises GitmemError where a hook, or a person meanwhile, has begun a Git operation: giving it up would take our commit."""
    operation = git.operation(work.repository)
    if operation:
        hint = f"The notes are written. {git.FINISH[operation]}, then run the command again."
        raise GitmemError(UNFINISHED, f"A Git {operation} was begun while the commit was made.", hint)


def _subject(message: str) -> str:
    return f"checkpoint: {message.partition(chr(10))[0]}"


_AGAIN = "The notes are written; run the command again to commit them."


def _commit(work: _Work, tree: str, tip: Tip, message: str) -> str:
    parent = ["-p", tip.commit] if tip.commit else []
    sign = ["-S"] if work.rules.sign else []
    arguments = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, *parent, *sign, "-F", "-"]
    done = work.git(*arguments, given=message.encode(), time_out=None)
    if done.status == 0:
        return done.out.decode().strip()
    for identity in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        asked = work.git("var", identity)
        if asked.status:
            _check_date(work, identity, asked)
            raise GitmemError("no-identity", f"Git does not know who commits. {git.words(asked)}", _AGAIN)
    if work.rules.sign:
        hint = (
            "Mend the signing key or git config commit.gpgsign; the notes are written and wait for the next checkpoint."
        )
        raise GitmemError("not-signed", f"The commit could not be signed: {git.words(done)}", hint)
    raise _said(done, "The commit could not be made")


def _check_date(work: _Work, identity: str, asked: Output) -> None:
    """Raises GitmemError where git knows who commits, but not when: it reads the date of each from a variable."""
    date = identity.replace("IDENT", "DATE")
    dateless = {key: value for key, value in work.environment.items() if key != date}
    if talk(work.repository.top, ["var", identity], environment=dateless).status == 0:
        raise GitmemError("bad-date", f"Git cannot read {date}. {git.words(asked)}", f"Run the command without {date}.")


# Our entries in the user's index


class _Entry(NamedTuple):
    path: str
    mode: str
    id: str
    stage: str


def _entries(work: _Work, paths: Collection[str]) -> Iterator[_Entry]:
    """Yields what the index holds of some paths."""
    for batch in batches(paths):
        done = work.git("ls-files", "-s", "-z", "--", *batch)
        if done.status:
            raise _said(done, "The index could not be read")
        yield from (_Entry(path, *front.split(" ")) for front, path in verify.rows(done.out))


def _restoring(work: _Work, leaves: Mapping[str, Leaf | None]) -> bytes:
    """Returns the lines that give our paths the entries they have now."""
    found = list(_entries(work, leaves))
    return verify.lines(dict.fromkeys(leaves), work.rules.null) + os.fsencode(
        "".join(f"{row.mode} {row.id} {row.stage}\t{row.path}\0" for row in found)
    )


def _enter(work: _Work, lines: bytes) -> Output:
    """Returns what git said to changing our entries of the index."""
    return work.git("update-index", "-z", "--index-info", given=lines)


def _put_back(work: _Work, lines: bytes) -> None:
    wait = _Wait(work)
    while (done := _enter(work, lines)).status:
        wait.after(done)


class _Wait:
    """The patience with an index that cannot be changed."""

    def __init__(self, work: _Work) -> None:
        self.work, self.end, self.failures = work, time.monotonic() + work.wait, 0

    def after(self, done: Output) -> None:
        """Waits for the next try; raises GitmemError where another process keeps the index for too long."""
        held = os.path.join(self.work.repository.git_dir, "index.lock")
        locked = os.path.exists(held)
        self.failures += not locked
        if self.failures == REFUSED_TRIES:
            raise _said(done, "The index could not be changed")
        if locked and time.monotonic() >= self.end:
            message = f"Another process has kept Git's index locked for over {self.work.wait:.0f} seconds."
            hint = f"The notes are written. If no git command is running, remove {held}; then run the command again."
            raise GitmemError("index-locked", message, hint)
        time.sleep(PAUSE)


def _said(done: Output, what: str) -> GitmemError:
    return GitmemError("git", f"{what}: {git.words(done)}", _AGAIN)
