"""Code: what git knows of the files outside memory: which there are, which hold a word, which changed, where they went."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.storage import git
from gitmem.storage.git import Repository, talk
from gitmem.storage.plumbing import batches

PATIENCE = 20.0  # seconds; what takes git longer is not known
_OTHERS = ("--others", "--exclude-standard")
_PLAIN = ("-c", "core.quotePath=false", "-c", "color.ui=never", "-c", "grep.patternType=default")
_RENAMES = ("--name-status", "-z", "--find-renames", "--diff-filter=R", "--no-ext-diff")


def listed(repository: Repository, *, environment: Mapping[str, str]) -> dict[str, bool]:
    """Returns every file that is tracked, or neither tracked nor ignored, each with whether git tracks it."""
    rows = _words(repository, ("ls-files", "-z", "-t", "--full-name", "--cached", *_OTHERS), environment)
    return {row[2:]: row[:1] != "?" for row in rows}


def holding(repository: Repository, words: Sequence[str], *, environment: Mapping[str, str]) -> list[str]:
    """Returns the files of the work tree that hold any of some words, whole and in this case; ignored files do not count."""
    found: set[str] = set()
    for batch in batches(words):
        asked = [part for word in batch for part in ("-e", word)]
        arguments = [*_PLAIN, "grep", "-lwzFI", "--full-name", "--untracked", *asked, "--"]
        found |= set(_words(repository, arguments, environment, no=1))
    return sorted(found)


def changed(repository: Repository, revision: str | None, *, environment: Mapping[str, str]) -> list[str]:
    """Returns the files of the work tree that differ from a commit, HEAD where none is given, untracked ones too.

    A file that moved is there under both of its paths.
    """
    if revision is None:
        out = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty")
        return sorted({word[3:] for word in _words(repository, out, environment)})
    arguments = (*_PLAIN, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty")
    differing = _words(repository, [*arguments, revision, "--"], environment)
    others = _words(repository, ("ls-files", "-z", "--full-name", *_OTHERS), environment)
    return sorted({*differing, *others})


def differing(
    repository: Repository, old: str, new: str, *, environment: Mapping[str, str]
) -> dict[str, tuple[str | None, str | None]]:
    """Returns, by path, the objects of the files that two commits have otherwise, None where one has no such file."""
    arguments = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", old, new]
    words = _words(repository, arguments, environment)
    heads = (word.split(" ") for word in words[::2])
    return {path: (_id(head[2]), _id(head[3])) for head, path in zip(heads, words[1::2], strict=True)}


def _id(object: str) -> str | None:
    return object if object.strip("0") else None


def naming(
    repository: Repository, commit: str, words: Sequence[str], folder: str, *, environment: Mapping[str, str]
) -> set[str]:
    """Returns the files of a commit below a folder, relative to it, that hold any of some texts."""
    found: set[str] = set()
    for batch in batches(words):
        asked = [part for word in batch for part in ("-e", word)]
        arguments = [*_PLAIN, "grep", "-lzF", "--full-name", *asked, commit, "--", folder]
        found |= set(_words(repository, arguments, environment, no=1))
    return {path.removeprefix(f"{commit}:{folder}/") for path in found}


def ignored(repository: Repository, paths: Sequence[str], *, environment: Mapping[str, str]) -> set[str]:
    """Returns which of some paths git ignores and does not track."""
    if not paths:
        return set()
    given = "\0".join(paths).encode("utf-8", "surrogateescape")
    arguments = ["check-ignore", "-z", "--stdin"]
    # check-ignore refuses --literal-pathspecs, and takes a path as it stands without it.
    done = talk(repository.top, arguments, environment=environment, given=given, magic=True, time_out=PATIENCE)
    if done.status > 1:  # 1 says that none is
        raise _refused(done, arguments)
    return set(git.items(done.out))


def left_out(repository: Repository, paths: Sequence[str], *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns, by path, the object of the files that the index holds and a sparse checkout leaves out of the work tree."""
    flagged = _listed(repository, "-t", paths, environment)
    rows = _listed(repository, "-s", [word[2:] for word in flagged if word[:1] == "S"], environment)
    return {path: head.split(" ")[1] for head, _, path in (row.partition("\t") for row in rows)}


def _listed(repository: Repository, form: str, paths: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    asked = ["ls-files", "-z", form, "--full-name", "--"]
    return [row for batch in batches(paths) for row in _words(repository, [*asked, *batch], environment)]


def renamed(repository: Repository, *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns, by old path, where git sees files that were moved since HEAD and are tracked in their new place."""
    return dict(git.renames(_words(repository, ("diff", *_RENAMES, "HEAD", "--"), environment, quiet=True)))


def taken(repository: Repository, paths: Sequence[str], *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns, by old path, where git sees files again that a commit before HEAD took away, by the last such commit."""
    arguments = ["log", "-z", "--format=%x01%H", "--diff-filter=D", "--no-renames", "--name-only", "--no-ext-diff"]
    found: dict[str, str] = {}
    commit = ""
    for batch in batches(paths):
        for word in _words(repository, [*arguments, "HEAD", "--", *batch], environment, quiet=True):
            path = word.strip("\n")
            if path.startswith("\1"):
                commit = path[1:]
            else:
                found.setdefault(path, commit)
    pairs = [pair for commit in sorted(set(found.values())) for pair in _renames(repository, commit, environment)]
    return {old: new for old, new in pairs if old in found}


def _renames(repository: Repository, commit: str, environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from git.renames(
        _words(repository, ("diff-tree", "-r", *_RENAMES, f"{commit}^", commit), environment, quiet=True)
    )


def _words(
    repository: Repository,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    no: int = 0,
    quiet: bool = False,
) -> list[str]:
    """Returns what git answers; `no` is the status that means none, and quiet takes every refusal for none."""
    done = talk(repository.top, arguments, environment=environment, time_out=PATIENCE)
    if done.status and done.status != no and not quiet:
        raise _refused(done, arguments)
    return git.items(done.out) if not done.status else []


def _refused(done: git.Output, arguments: Sequence[str]) -> GitmemError:
    return git.said(done, f"git {next(word for word in arguments if word.isalpha())} failed")
