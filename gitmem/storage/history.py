"""History: which commit a revision or a date means, and which commits changed a folder, as git walks them."""

import os
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.storage import git
from gitmem.storage.config_file import options
from gitmem.storage.git import Repository, talk
from gitmem.values import NamedTuple

REFTABLE = "refs/heads/.invalid"  # what HEAD holds where the refs lie in tables
DEEPEST = 5  # symbolic refs that lead to one another, as git counts them
HEADER = "\x01"
# Each field of a commit ends in NUL, and so does each word of what it changed.
FORMAT = f"{HEADER}%H%x00%an%x00%ct%x00%s%x00%(trailers:key=Memory-Session,valueonly,separator=%x2C)"
# What a user's configuration must not change in what we parse.
PLAIN = ("-c", "log.showRoot=true", "-c", "log.follow=false", "-c", "core.quotePath=false")
LOG = (
    "log",
    "--no-show-signature",
    "--no-color",
    "--no-ext-diff",
    "--encoding=UTF-8",
    f"--format={FORMAT}",
    "-z",
    "--date-order",
    "--full-history",
    "--name-status",
    "--diff-merges=combined",
)


# Settings of a clone that may lack texts.
_LACKING = (("extensions", "partialclone"), ("remote", "promisor"), ("remote", "partialclonefilter"))
# How much of a file must be found again elsewhere for it to have moved. Git's own half is too little: short notes are
# alike by their front matter. An alias added to a note of 150 bytes leaves 85 percent.
LIKENESS, SAME = "--find-renames=75%", "--find-renames=100%"


class Change(NamedTuple):
    """What a commit did to a file: git's letter (A, M, D, R), its path below the folder, and where it lay before."""

    letter: str
    path: str
    old: str | None


class Commit(NamedTuple):
    """A commit that changed a folder; date is the committer's, in epoch seconds; session is its trailer's, or empty."""

    id: str
    author: str
    date: int
    title: str
    session: str
    changes: tuple[Change, ...]


def tip(repository: Repository, *, environment: Mapping[str, str]) -> str | None:
    """Returns the commit that HEAD names, None when unborn; read from the files of the refs, which takes no process."""
    return named(repository, "HEAD", environment=environment)


def named(repository: Repository, name: str, *, environment: Mapping[str, str]) -> str | None:
    """Returns what a ref stands at, by its full name, None where there is none; read as `tip` does."""
    place = name
    for _ in range(DEEPEST):
        text = _ref(repository, place)
        if not text.startswith("ref: "):
            return text or _in_tables(repository, name, environment)
        place = text[5:].strip()
    return None


def has_refs(repository: Repository, prefix: str) -> bool:
    """Returns whether a ref begins so, by the files of the refs; where they lie in tables, none is seen."""
    loose = os.path.join(repository.common_dir, prefix)
    return os.path.isdir(loose) or b" " + os.fsencode(prefix) in _read(
        os.path.join(repository.common_dir, "packed-refs")
    )


def _in_tables(repository: Repository, name: str, environment: Mapping[str, str]) -> str | None:
    """Returns what a ref stands at where the refs lie in tables, which git alone reads."""
    if _ref(repository, "HEAD") != f"ref: {REFTABLE}":
        return None
    out = git.ask(repository.top, ["rev-parse", "--verify", "--quiet", name], environment=environment)
    return (out or b"").decode().strip() or None


def _ref(repository: Repository, name: str) -> str:
    """Returns what a ref holds: that of the work tree, the shared one, or the packed one; empty where there is none."""
    own, shared = (os.path.join(folder, name) for folder in (repository.git_dir, repository.common_dir))
    text = _read(own).strip() or _read(shared).strip()
    if text:
        return text.decode("utf-8", "surrogateescape")
    packed = _read(os.path.join(repository.common_dir, "packed-refs"))
    end = packed.find(b" " + os.fsencode(name) + b"\n")
    return packed[packed.rfind(b"\n", 0, end) + 1 : end].decode() if end > 0 else ""


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def boundary(repository: Repository) -> bytes:
    """Returns the commits behind which a shallow clone has no history, one a line; empty in a whole clone."""
    return _read(os.path.join(repository.common_dir, "shallow"))


def resolve(repository: Repository, revision: str, *, environment: Mapping[str, str]) -> str:
    """Returns the commit that a revision means; raises GitmemError("unknown-revision") where it means none."""
    found = _resolved(repository, revision, environment)
    if found is None:
        raise unknown(repository, f"{revision!r} is no commit of this repository.")
    return found


def unknown(repository: Repository, message: str) -> GitmemError:
    """Returns the refusal of a revision that means nothing here."""
    hint = "git log --oneline shows what there is."
    if boundary(repository):
        hint = "The clone is shallow, so older commits are not here: git fetch --unshallow brings them."
    return GitmemError("unknown-revision", message, hint)


def _resolved(repository: Repository, revision: str, environment: Mapping[str, str]) -> str | None:
    arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    if "\0" in revision or revision != revision.strip() or not revision or revision.startswith("^"):
        return None  # ^REV means all commits but those of REV
    done = talk(repository.top, arguments, environment=environment)
    if done.status == 0:
        return done.out.decode().strip()
    works = talk(repository.top, ["rev-parse", "--git-dir"], environment=environment)
    if works.status:
        raise _refusal(repository, works, environment)
    return None


def moment(repository: Repository, word: str, until: int | None, *, environment: Mapping[str, str]) -> str:
    """Returns the commit that a revision means, else the last one on HEAD of an instant, in epoch seconds, or before.

    `until` is that instant where the word can be read as one. Raises GitmemError("unknown-revision").
    """
    found = _resolved(repository, word, environment)
    if found is None and until is not None:
        found = _last(repository, until, environment)
        if found is None:
            raise unknown(repository, f"No commit is as old as {word}.")
    if found is None:
        raise unknown(repository, f"{word!r} is neither a commit of this repository nor a date.")
    return found


def _last(repository: Repository, until: int, environment: Mapping[str, str]) -> str | None:
    arguments = ["rev-list", "--max-count=1", f"--before=@{max(0, until)} +0000", "HEAD", "--"]
    done = talk(repository.top, arguments, environment=environment)
    return done.out.decode().strip() or None if done.status == 0 else None


def descends(repository: Repository, new: str, old: str, *, environment: Mapping[str, str]) -> bool:
    """Returns whether a commit has another one, which need not exist any more, among its ancestors."""
    return talk(repository.top, ["merge-base", "--is-ancestor", old, new], environment=environment).status == 0


def parents(repository: Repository, commit: str, *, environment: Mapping[str, str]) -> list[str]:
    """Returns the parents of a commit, as far as a shallow clone has them."""
    done = talk(repository.top, ["rev-parse", f"{commit}^@"], environment=environment)
    return done.out.decode().split()


def walk(
    repository: Repository,
    span: Sequence[str],
    folder: str,
    *,
    environment: Mapping[str, str],
    time_out: float = git.TIME_OUT,
) -> list[Commit]:
    """Returns the commits of a span that changed a folder, children first, then newest first; renames are followed.

    Every one of them, whatever a merge made of it later, so that the commits of two spans are those of both together.
    A merge counts where it changed a file itself. Raises GitmemError("git-slow") past `time_out` seconds.
    """
    arguments = [*PLAIN, *LOG, _likeness(repository), *span, "--", folder]
    done = talk(repository.top, arguments, environment=environment, time_out=time_out)
    if done.status:
        raise _refusal(repository, done, environment)
    return list(_parsed(done.out, folder + "/"))


def _refusal(repository: Repository, done: git.Output, environment: Mapping[str, str]) -> GitmemError:
    from gitmem.storage.status import refusal

    return refusal(repository, done, environment=environment)


def _likeness(repository: Repository) -> str:
    """Returns how git is to know moved files: in a partial clone by their ids alone, for it may lack their texts."""
    return SAME if is_partial(repository) else LIKENESS


def is_partial(repository: Repository) -> bool:
    """Returns whether a clone may lack texts, which git would then fetch."""
    return any((section, key) in _LACKING for section, key, _ in options(repository))


def _parsed(out: bytes, prefix: str) -> Iterator[Commit]:
    words = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    fields: list[str] = []
    changes: list[Change] = []
    for word in words:
        word = word.lstrip("\n")
        if word.startswith(HEADER):
            yield from _commit(fields, changes)
            fields, changes = [word[1:], next(words), next(words), next(words), next(words)], []
        elif word:
            changes += _changes(word, words, prefix)
    yield from _commit(fields, changes)


def _commit(fields: list[str], changes: list[Change]) -> Iterator[Commit]:
    if fields:
        id, author, date, title, session = fields
        yield Commit(id, author, int(date), title, session.strip(), tuple(changes))


def _changes(letters: str, words: Iterator[str], prefix: str) -> Iterator[Change]:
    """Yields what one entry says of files below the folder; a merge has a letter for each parent."""
    path = next(words)
    if letters[0] in "RC" and letters[1:].isdigit():
        old, path = path, next(words)
        if letters[0] == "R" and old.startswith(prefix):
            yield Change("R", path.removeprefix(prefix), old.removeprefix(prefix))
            return
        letters = "A"
    letter = letters[0] if len(set(letters)) == 1 and letters[0] in "AD" else "M"
    yield Change(letter, path.removeprefix(prefix), None)


def ids(repository: Repository, span: Sequence[str], folder: str, *, environment: Mapping[str, str]) -> set[str]:
    """Returns the commits of a span that changed a folder; raises GitmemError where git refuses."""
    done = talk(repository.top, ["rev-list", "--full-history", *span, "--", folder], environment=environment)
    if done.status:
        raise _refusal(repository, done, environment)
    return set(done.out.decode().split())


def moved(repository: Repository, old: str, new: str, folder: str, *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the files of a folder that were renamed between two commits: their new paths by their old ones."""
    options = ["-r", "-z", "--name-status", _likeness(repository), "--diff-filter=R"]
    arguments = ["diff-tree", *options, old, new, "--", folder]
    return {
        old.removeprefix(folder + "/"): new.removeprefix(folder + "/")
        for old, new in _renames(repository, arguments, environment)
    }


def past_moves(repository: Repository, folder: str, *, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns (old, new) paths below a folder that commits moved, newest first, relative to the top level."""
    if tip(repository, environment=environment) is None:  # git log refuses to speak of no commit at all
        return []
    arguments = ["log", "--format=", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--", folder]
    return _renames(repository, arguments, environment)


def staged_moves(repository: Repository, folder: str, *, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns (old, new) paths below a folder that the index moved since HEAD, relative to the top level."""
    arguments = ["diff", "--cached", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--", folder]
    return _renames(repository, arguments, environment)


def _renames(repository: Repository, arguments: Sequence[str], environment: Mapping[str, str]) -> list[tuple[str, str]]:
    done = talk(repository.top, arguments, environment=environment)
    if done.status:
        raise _refusal(repository, done, environment)
    return git.renames(git.items(done.out))


def refs(repository: Repository, glob: str, *, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns (short name, commit) of the branches and tags that a pattern means by short or full name, by full name.

    Raises GitmemError where git refuses.
    """
    from fnmatch import fnmatchcase

    form = "%(refname)%00%(refname:short)%00%(objectname)%00%(*objectname)%00%(symref)"
    arguments = ["for-each-ref", f"--format={form}", "refs/heads", "refs/remotes", "refs/tags"]
    done = talk(repository.top, arguments, environment=environment)
    if done.status:
        raise _refusal(repository, done, environment)
    rows = (row.split("\0") for row in done.out.decode("utf-8", "surrogateescape").splitlines())
    return [
        (short, peeled or id)
        for full, short, id, peeled, symbolic in rows
        if not symbolic and (fnmatchcase(short, glob) or fnmatchcase(full, glob))
    ]
