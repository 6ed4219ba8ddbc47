"""Status: what differs from HEAD in a work tree, as git sees it through its own filters and sparse patterns."""

import os
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.storage import git
from gitmem.storage.git import Output, Repository, talk
from gitmem.values import NamedTuple

_FIELDS = {"1": 8, "2": 9, "u": 10, "?": 1, "!": 1}  # of a porcelain-v2 row, up to its path


class Row(NamedTuple):
    """One path that differs, relative to the top level: "changed" (also unmerged), "untracked" or "ignored".

    A folder, which git names instead of what lies in it, ends in "/". split: what is staged is neither HEAD's nor the file.
    """

    path: str
    kind: str
    split: bool = False


class Status(NamedTuple):
    """HEAD's commit (None when unborn), its branch (None when detached), and the paths that differ."""

    head: str | None
    branch: str | None
    rows: tuple[Row, ...]


def inside(repository: Repository, folder: str, *, environment: Mapping[str, str]) -> Status:
    """Returns what differs in one folder, every untracked and ignored file named; raises GitmemError if git refuses."""
    options = ["--branch", "--untracked-files=all", "--ignored=matching"]
    return _status(repository, options, [folder], environment)


def outside(repository: Repository, folder: str, *, environment: Mapping[str, str]) -> Status:
    """Returns what differs everywhere but in one folder, untracked folders as one path; raises GitmemError if git refuses."""
    options = ["--untracked-files=normal", "--ignore-submodules=dirty"]
    return _status(repository, options, [".", f":(exclude,literal){folder}"], environment)


def _status(
    repository: Repository, options: Sequence[str], paths: Sequence[str], environment: Mapping[str, str]
) -> Status:
    arguments = ["status", "--porcelain=v2", "-z", "--no-renames", *options, "--", *paths]
    done = talk(repository.top, arguments, environment=environment, magic=len(paths) > 1)
    if done.status:
        raise refusal(repository, done, environment=environment)
    words = done.out.decode("utf-8", "surrogateescape").split("\0")
    heads = dict(word[2:].split(" ", 1) for word in words if word.startswith("# "))
    commit, branch = heads.get("branch.oid"), heads.get("branch.head")
    return Status(
        None if commit == "(initial)" else commit, None if branch == "(detached)" else branch, tuple(_rows(words))
    )


def _rows(words: Sequence[str]) -> Iterator[Row]:
    for word in words:
        sign = word[:1]
        if sign in _FIELDS:
            kind = {"?": "untracked", "!": "ignored"}.get(sign, "changed")
            split = sign == "1" and "." not in word[2:4]
            yield Row(word.split(" ", _FIELDS[sign])[-1], kind, split)


def pending(repository: Repository, folder: str, *, environment: Mapping[str, str]) -> list[str]:
    """Returns the files below a folder that differ from HEAD or are untracked, relative to the top level."""
    rows = _status(repository, ["--untracked-files=all"], [folder], environment).rows
    return sorted(row.path for row in rows)


def refusal(repository: Repository, done: Output, *, environment: Mapping[str, str]) -> GitmemError:
    """Returns why git will not work here at all: foreign owner, bare, or git's own words."""
    anyway = ["-c", "safe.directory=*", "rev-parse", "--is-bare-repository"]
    # Git takes safe.directory from the command line since 2.35.3, the version that looks at owners at all.
    trusted = talk(repository.top, anyway, environment=environment)
    plain = talk(repository.top, anyway[2:], environment=environment)
    if plain.status and not trusted.status:
        hint = f"If you trust its owner: git config --global --add safe.directory {repository.top}"
        return GitmemError("foreign-owner", f"{repository.top} belongs to another user, so git refuses it.", hint)
    if plain.out.strip() == b"true":
        return bare(repository.top)
    hint = f"git -C {repository.top} status says more."
    return GitmemError("git", f"git refuses {repository.top}: {git.words(done)}", hint)


def check(repository: Repository, *, environment: Mapping[str, str]) -> None:
    """Raises GitmemError where git will not work in a repository at all."""
    done = talk(repository.top, ["rev-parse", "--git-dir"], environment=environment)
    if done.status:
        raise refusal(repository, done, environment=environment)


def bare(directory: str) -> GitmemError:
    """Returns the refusal of a repository without a work tree."""
    return GitmemError(
        "bare", f"{directory} is a bare repository: it has no files to remember in.", "Work in a clone of it."
    )


def no_repository(root: str) -> GitmemError:
    """Returns the refusal of a folder that no repository's work tree holds."""
    if git.is_bare(root):
        return bare(root)
    return GitmemError("no-repository", f"{root} is not in a Git repository.", "git init makes one.")


def enclosing(directory: str) -> Repository:
    """Returns the repository around a folder; raises GitmemError where there is none."""
    found = git.find(directory)
    if found is None:
        raise no_repository(os.path.realpath(directory))
    return found


def ignoring(repository: Repository, path: str, *, environment: Mapping[str, str]) -> str | None:
    """Returns where the rule stands by which git ignores a path, as FILE:LINE:PATTERN, or None."""
    # check-ignore refuses --literal-pathspecs, and takes a path as it stands without it.
    done = talk(repository.top, ["check-ignore", "--verbose", "--", path], environment=environment, magic=True)
    if done.status > 1:
        raise refusal(repository, done, environment=environment)
    rule = done.out.decode("utf-8", "replace").partition("\t")[0]
    return rule.replace(repository.top + os.sep, "") if done.status == 0 else None
