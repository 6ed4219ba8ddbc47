"""Reviewed: the notes as the review branch holds them, which alone tells what is approved where a team names one."""

import os
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.notes.note import Entry, Note, confirmed
from gitmem.notes.touch import unhashed
from gitmem.operations.memory import CONFIG, Memory, shown_path
from gitmem.operations.origin import folder_of
from gitmem.search import cache as side
from gitmem.search import log as logs
from gitmem.storage import git, history, spare
from gitmem.storage.git import Repository
from gitmem.values import NamedTuple

REMOTE = "refs/remotes/origin/"
DEFAULT = "origin/HEAD"
DECLARED, NOTES, LOG, ALIKE = "review-branch", "review-notes", "review-log", "review-alike"
VERSION = 2  # of what is kept under these names
SAME, LIKE = "=", "~"
MOST = 4_000  # notes whose likeness is kept; where there are more, it begins anew


class Branch(NamedTuple):
    """The branch that alone approves: its name, and its commit, None where the clone has no such branch."""

    name: str
    commit: str | None


def lost(memory: Memory, review: Branch) -> tuple[str, str]:
    """Returns the sentence for a review branch that the clone has not, and what to do about it."""
    known = "git remote set-head origin --auto" if review.name == DEFAULT else f"git fetch origin {review.name}"
    hint = f"{known} brings it up; " if has_origin(memory) else ""
    said = f"This clone does not know {review.name}, which alone approves notes here: none of them is approved."
    return said, f"{hint}git config gitmem.reviewBranch NAME names another."


def unheard(memory: Memory) -> tuple[str, str]:
    """Returns the sentence for a review branch that config.toml names in vain here, and what to do about it."""
    named = memory.config.policy.review_branch
    own = f"git config gitmem.reviewBranch {named}"
    said = f"config.toml names the review branch {named}, which does not count here, so stamps approve:"
    if not has_origin(memory):
        return f"{said} there is no origin whose default branch says so, too.", f"{own} names it for this clone."
    hint = f"git remote set-head origin --auto, once that branch holds this config.toml; {own} names it for this clone."
    return f"{said} origin's default branch, as this clone knows it, does not say so.", hint


def has_origin(memory: Memory) -> bool:
    """Returns whether the clone has a remote of the name origin."""
    asked = ["config", "--get", "remote.origin.url"]
    return bool(memory.repository and git.ask(memory.repository.top, asked, environment=memory.environment))


class Held(NamedTuple):
    """A note that equals the branch's: since when, None where unknown, and whether it was confirmed there when it says."""

    since: int | None
    confirmed: bool


class _Row(NamedTuple):
    """A note as the branch holds it: its path, the SHA-256 of its bytes, its blob, and since when, None where unknown."""

    path: str
    digest: str
    blob: str
    since: int | None


def branch(memory: Memory) -> Branch | None:
    """Returns the review branch: this clone's own choice, else what config.toml says on origin's default branch, or None.

    No other config.toml counts, for a branch could name itself.
    """
    if memory.repository is None:
        return None
    own = memory.settings.get("reviewbranch")
    if own:
        commits = (
            history.named(memory.repository, place, environment=memory.environment) for place in _places(memory, own)
        )
        return Branch(own, next(filter(None, commits), None))
    tip = history.named(memory.repository, f"{REMOTE}HEAD", environment=memory.environment)
    try:
        name = _declared(memory, memory.repository, tip) if tip else None
    except GitmemError:  # what cannot be known approves nothing
        return Branch(DEFAULT, None)
    if tip is None and _is_lost(memory, memory.repository):
        return Branch(DEFAULT, None)
    if not name:
        return None
    return Branch(name, history.named(memory.repository, REMOTE + name, environment=memory.environment))


def refs(memory: Memory, found: Branch | None) -> list[str]:
    """Returns the refs, by their full names, on which it hangs which the review branch is and where it stands."""
    own = memory.settings.get("reviewbranch")
    return [f"{REMOTE}HEAD", *(_places(memory, own) if own else [REMOTE + found.name] if found else [])]


def _is_lost(memory: Memory, repository: Repository) -> bool:
    """Returns whether origin's default branch is named and gone, as after a rename there, where a config.toml counts on it."""
    place = os.path.join(repository.common_dir, f"{REMOTE}HEAD")
    return memory.config.policy.review_branch is not None and os.path.lexists(place)


def _places(memory: Memory, own: str) -> Iterator[str]:
    """Yields the refs that this clone's choice may mean; a local branch, which anybody here moves, only without a remote."""
    if own.startswith("refs/"):
        yield own
        return
    yield from (REMOTE + own, f"refs/remotes/{own}")
    if memory.repository and not history.has_refs(memory.repository, "refs/remotes/"):
        yield f"refs/heads/{own}"


def _declared(memory: Memory, repository: Repository, commit: str) -> str:
    """Returns the review branch that a commit's config.toml names, empty where it names none."""
    kept = os.path.join(memory.where.cache, DECLARED) if memory.where.cache else None
    key = f"{VERSION} {folder_of(memory)} {commit}".encode()
    parts = side.unseal(spare.load(kept), 2) if kept else None
    if parts and parts[0] == key:
        return parts[1].decode("utf-8", "replace")
    name = _named_at(memory, repository, commit)
    if kept:
        spare.write(kept, side.seal(key, name.encode()))
    return name


def _named_at(memory: Memory, repository: Repository, commit: str) -> str:
    from gitmem.notes.config import parse

    path = f"{folder_of(memory)}/{CONFIG}"
    leaf = next(_files(memory, repository, commit, path), None)
    if leaf is None:
        return ""
    return parse(_blobs(memory, repository, [leaf[1]])[0]).policy.review_branch or ""


def approvals(memory: Memory, review: Branch, entries: Sequence[Entry]) -> dict[str, Held]:
    """Returns, by path, how the branch holds each note that equals its own, and so approves it.

    It equals it by what it says, whatever its line ends, and whatever it says of: confirmed, reviewed, aliases, that it
    is superseded, and the hashes of its touches. Where git does not tell, nothing is approved.
    """
    if memory.repository is None or review.commit is None:
        return {}
    try:
        return dict(_approved(memory, memory.repository, _rows(memory, memory.repository, review.commit), entries))
    except GitmemError:
        return {}


def _approved(
    memory: Memory, repository: Repository, rows: bytes, entries: Sequence[Entry]
) -> Iterator[tuple[str, Held]]:
    unlike: list[tuple[Entry, _Row]] = []
    lowered = b""
    for entry in entries:
        row = _row(rows, rows, entry)
        if row is None:  # names are equal in any case
            lowered = lowered or rows.lower()
            row = _row(rows, lowered, entry)
        if row and row.digest == entry.digest and _folder(row.path) == _folder(entry.path):
            yield entry.path, Held(row.since, True)
        elif row:
            unlike.append((entry, row))
    if unlike:
        yield from _alike(memory, repository, unlike)


def _folder(path: str) -> str:
    """Returns the folder of a note, which may tell its type: the same bytes in another one may say something else."""
    return path.rpartition("/")[0]


def _row(rows: bytes, seen: bytes, entry: Entry) -> _Row | None:
    """Returns the branch's note at an entry's path, else the one of its name, else the one of a name that it had.

    `seen` are the rows as they are looked through: as they are, or in lower case.
    """
    names = [f"{name}.md\t" for name in (entry.name, *entry.note.aliases)]
    for word in (f"\n{entry.path}\t", *(mark + name for name in names for mark in "/\n")):
        sign = word.encode("utf-8", "surrogatepass")
        at = seen.find(sign if seen is rows else sign.lower())
        if at >= 0:
            start = rows.rfind(b"\n", 0, at + 1) + 1
            path, digest, blob, since = rows[start : rows.index(b"\n", start)].decode().split("\t")
            return _Row(path, digest, blob, int(since) if since else None)
    return None


# What the branch holds, kept by commit


def _rows(memory: Memory, repository: Repository, commit: str) -> bytes:
    """Returns a line for each note of a commit; kept, and brought up from what was known when the branch moves on."""
    kept = os.path.join(memory.where.cache, NOTES) if memory.where.cache else None
    key = f"{VERSION} {folder_of(memory)} {commit}".encode()
    parts = side.unseal(spare.load(kept), 2) if kept else None
    if parts and parts[0] == key:
        return parts[1]
    rows = _listed(memory, repository, commit, _digests(parts[1] if parts else b""))
    if kept:
        spare.write(kept, side.seal(key, rows))
    return rows


def _digests(rows: bytes) -> dict[str, str]:
    """Returns the digests of blobs that are known, by blob; what is ill-formed is not known."""
    fields = (line.split("\t") for line in rows.decode("utf-8", "replace").split("\n"))
    return {each[2]: each[1] for each in fields if len(each) == 4}


def _listed(memory: Memory, repository: Repository, commit: str, known: Mapping[str, str]) -> bytes:
    from gitmem.storage.disk import digest

    folder = folder_of(memory)
    files = dict(_files(memory, repository, commit, f"{folder}/"))
    new = [blob for blob in dict.fromkeys(files.values()) if blob not in known]
    digests = {**known, **dict(zip(new, map(digest, _blobs(memory, repository, new)), strict=True))}
    dates = _dates(memory, repository, commit)
    rows = ((path, digests[blob], blob, str(dates.get(path, ""))) for path, blob in files.items())
    return "".join(f"\n{line}" for line in map("\t".join, rows)).encode() + b"\n"


def _dates(memory: Memory, repository: Repository, commit: str) -> dict[str, int]:
    """Returns when each path was last changed by a commit up to this one; empty where git does not tell in time."""
    place = logs.Place(repository, folder_of(memory), memory.where.cache, memory.environment)
    try:
        log = logs.read_to(place, commit, LOG, patience=logs.PATIENCE)
    except GitmemError:
        return {}
    dates: dict[str, int] = {}
    for each in log.commits():
        for change in each.changes:
            dates.setdefault(change.path, each.date)
    return dates


def _files(memory: Memory, repository: Repository, commit: str, path: str) -> Iterator[tuple[str, str]]:
    """Yields path, below the notes' folder, and blob of the regular files of a commit at or below a path."""
    from gitmem.storage.git import talk
    from gitmem.storage.objects import REGULAR

    arguments = ["ls-tree", "-r", "-z", "--full-tree", commit, "--", path]
    done = talk(repository.top, arguments, environment=memory.environment)
    if done.status:
        raise git.said(done, f"git cannot tell what the review branch holds at {commit[:12]}")
    prefix = folder_of(memory) + "/"
    for item in done.out.decode("utf-8", "surrogateescape").split("\0"):
        leaf, _, name = item.partition("\t")
        if leaf[:6] in REGULAR and name.isprintable():
            yield name.removeprefix(prefix), leaf.split(" ")[2]


def _blobs(memory: Memory, repository: Repository, ids: Sequence[str]) -> list[bytes]:
    """Returns the bytes of blobs; raises GitmemError where the repository lacks one."""
    from gitmem.storage.plumbing import Batch

    found = []
    with Batch(repository.top, ["cat-file", "--batch"], environment=memory.environment) as batch:
        for id in ids:
            batch.say(id.encode() + b"\n")
            head = batch.line().split(" ")
            if len(head) != 3 or not head[2].isdigit():
                raise GitmemError("missing-object", f"The repository lacks the object {id}.", "git fetch may bring it.")
            found.append(batch.read(int(head[2])))
            batch.read(1)
    return found


# Notes that are not the branch's byte for byte


def _alike(memory: Memory, repository: Repository, pairs: Sequence[tuple[Entry, _Row]]) -> Iterator[tuple[str, Held]]:
    """Yields path and approval of the notes that say what the branch's say; what was compared before is known."""
    kept = os.path.join(memory.where.cache, ALIKE) if memory.where.cache else None
    key = f"{VERSION} {' '.join(memory.store.verbs)}".encode()
    parts = side.unseal(spare.load(kept), 2) if kept else None
    lines = side.lines(parts[1]) if parts and parts[0] == key else []
    known = dict(line.split("\t") for line in lines if line.count("\t") == 1)
    new = [(entry, row) for entry, row in pairs if _pair(entry, row) not in known]
    if new:
        same = dict(_same(memory, repository, new))
        found = {_pair(entry, row): same.get(entry.path, "") for entry, row in new}
        known = found if len(known) > MOST else known | found
        if kept:
            spare.write(kept, side.seal(key, side.blob(f"{pair}\t{sign}" for pair, sign in known.items())))
    signs = ((entry.path, row.since, known.get(_pair(entry, row))) for entry, row in pairs)
    yield from ((path, Held(since, sign == SAME)) for path, since, sign in signs if sign)


def _pair(entry: Entry, row: _Row) -> str:
    return f"{entry.digest} {row.blob} {entry.path}"


def _same(memory: Memory, repository: Repository, pairs: Sequence[tuple[Entry, _Row]]) -> Iterator[tuple[str, str]]:
    """Yields path and SAME of the notes that say what the branch's say, or are its very blob once git has cleaned them.

    LIKE stands in for SAME where a note says that it was confirmed at another time, or by somebody else.
    """
    from gitmem.notes.entry import read, sound

    unlike: list[tuple[Entry, _Row]] = []
    for (entry, row), data in zip(pairs, _blobs(memory, repository, [row.blob for _, row in pairs]), strict=True):
        note = sound(read(row.path, data, verbs=memory.store.verbs).note)
        if _says(entry.note, note) == _says(note, entry.note):
            yield entry.path, SAME if confirmed(entry.note) == confirmed(note) else LIKE
        elif _folder(entry.path) == _folder(row.path):
            unlike.append((entry, row))
    cleaned = _cleaned(memory, repository, [entry for entry, _ in unlike])
    yield from ((entry.path, SAME) for entry, row in unlike if cleaned.get(entry.path) == row.blob)


def _says(note: Note, other: Note) -> Note:
    """Returns what counts of a note beside another one."""
    superseded = "superseded" in (note.status, other.status)
    return note._replace(
        confirmed=None,
        confirmed_by=None,
        reviewed=None,
        aliases=(),
        status=None if superseded else note.status,
        touches=tuple(map(unhashed, note.touches)),
    )


def _cleaned(memory: Memory, repository: Repository, entries: Sequence[Entry]) -> dict[str, str]:
    """Returns, by path, the blob that git would make of each note's file, of those that are their files' as they are."""
    from gitmem.storage.git import talk

    own = [entry for entry in entries if _digest(memory, entry) == entry.digest]
    paths = [shown_path(memory, entry.path) for entry in own]
    given = "".join(f"{path}\n" for path in paths).encode("utf-8", "surrogateescape")
    done = talk(repository.top, ["hash-object", "--stdin-paths"], environment=memory.environment, given=given)
    return dict(zip((entry.path for entry in own), done.out.decode().split(), strict=False)) if own else {}


def _digest(memory: Memory, entry: Entry) -> str | None:
    """Returns the digest of the file at a note's path, None where none can be read: a note of another branch has none."""
    from gitmem.notes import store as notes
    from gitmem.storage.disk import digest

    try:
        return digest(notes.raw(memory.store, entry.path))
    except GitmemError:
        return None
