"""The fork: where a branch left another one, also where a clone is too shallow for git to see it."""

from collections.abc import Mapping

from gitmem.storage import history
from gitmem.storage.git import Repository, talk


def fork(repository: Repository, base: str, head: str, *, environment: Mapping[str, str]) -> str | None:
    """Returns the best common ancestor of two commits, None where there is none or the clone does not have it.

    In a shallow clone git takes its oldest commits for roots, but these still name their parents. A parent that is
    there and is part of `base` is where the branch left it: so with the merge commit of a pull request at depth one.
    """
    done = talk(repository.top, ["merge-base", base, head], environment=environment)
    if done.status == 0:
        return done.out.decode().split()[0]
    oldest = set(history.boundary(repository).decode().split()) & set(_roots(repository, head, environment))
    parents = {parent for commit in sorted(oldest) for parent in _parents(repository, commit, environment)}
    found = [each for each in sorted(parents) if history.descends(repository, base, each, environment=environment)]
    newest = (each for each in found if _is_newest(repository, each, found, environment))
    return next(newest, found[0] if found else None)


def _roots(repository: Repository, head: str, environment: Mapping[str, str]) -> list[str]:
    done = talk(repository.top, ["rev-list", "--max-parents=0", head], environment=environment)
    return done.out.decode().split()


def _parents(repository: Repository, commit: str, environment: Mapping[str, str]) -> list[str]:
    """Returns the parents that a commit names, whether the clone has them or not."""
    head = talk(repository.top, ["cat-file", "commit", commit], environment=environment).out.partition(b"\n\n")[0]
    rows = (row.split(b" ") for row in head.split(b"\n"))
    return [row[1].decode() for row in rows if row[0] == b"parent"]


def _is_newest(repository: Repository, commit: str, among: list[str], environment: Mapping[str, str]) -> bool:
    return all(history.descends(repository, commit, other, environment=environment) for other in among)
