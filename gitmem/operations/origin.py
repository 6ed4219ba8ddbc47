"""Origin: who wrote a note, and which commit changed it last, as the log of the memory tells."""

from gitmem.errors import GitmemError
from gitmem.operations.memory import Memory, shown_path
from gitmem.search import log as logs
from gitmem.search.log import Log
from gitmem.storage.git import Repository
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def folder_of(memory: Memory) -> str:
    """Returns the folder of notes relative to the Git top level."""
    return shown_path(memory, "").rstrip("/")


def whole_log(memory: Memory, repository: Repository) -> Log:
    """Returns every commit up to HEAD that changed the memory; raises GitmemError where git refuses."""
    return logs.read(logs.Place(repository, folder_of(memory), memory.where.cache, memory.environment))


def known_log(memory: Memory, held: Log | None = None) -> Log | None:
    """Returns what is known of those commits without a long wait, None where Git does not tell: no answer fails for that.

    `held` is a log that a long-lived process has.
    """
    if memory.repository is None:
        return None
    place = logs.Place(memory.repository, folder_of(memory), memory.where.cache, memory.environment)
    try:
        return logs.read(place, patience=logs.PATIENCE, held=held)
    except GitmemError:
        return None


def origin(log: Log | None, path: str) -> Reply:
    """Returns the author of the note at a path and the last commit that changed it, null where a log does not say."""
    touched = log.touched(path) if log else None
    return {"author": touched.author if touched else None, "commit": touched.commit if touched else None}
