"""Unfinished: a Git operation that stands half-way in the work tree, and what must not be written meanwhile."""

from collections.abc import Sequence

from gitmem.errors import GitmemError
from gitmem.operations.memory import Memory, shown_path
from gitmem.storage import git


def unfinished(memory: Memory) -> str | None:
    """Returns the Git operation that is unfinished around this memory, or None."""
    return git.operation(memory.repository) if memory.repository else None


def guard_tracked(memory: Memory, paths: Sequence[str]) -> None:
    """Refuses to change tracked notes while a rebase or an am is stopped: its `--abort` would erase the change."""
    operation, repository = unfinished(memory), memory.repository
    if repository is None or operation not in git.REWINDING or not paths:
        return
    from gitmem.storage.plumbing import tracked  # late: few writes find anything unfinished

    held = tracked(repository.top, [shown_path(memory, path) for path in paths], environment=memory.environment)
    if held:
        message = f"A Git {operation} is unfinished; its --abort would erase the change to {', '.join(sorted(held))}."
        hint = f"{git.FINISH[operation]}, then run the command again."
        raise GitmemError("unfinished-operation", message, hint)
