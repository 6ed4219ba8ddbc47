"""Guard: a handle names where work began, so that a writer learns when the ground has moved; no sandbox."""

import re
import zlib

from gitmem.errors import GitmemError
from gitmem.operations.memory import Memory
from gitmem.storage import history
from gitmem.storage.head import Head, head
from gitmem.values import NamedTuple

UNBORN = "0"
SLACK = 60  # seconds by which another machine's clock may be ahead of ours
# Project, branch, commit, moment, and the digits that tell a mistyped handle; nothing in it is a secret.
_HANDLE = r"gm-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{40}|[0-9a-f]{64}|0)-([0-9a-f]{1,16})-([0-9a-f]{8})"
_BRIEF = "gitmem brief issues a new one."


class Answer(NamedTuple):
    """Whether a handle holds, and where it does not, why not, as a sentence."""

    valid: bool
    reason: str | None


def issue(memory: Memory) -> str:
    """Returns a handle for the memory as it stands: it names project, branch, HEAD and the moment of `memory.now`."""
    at = _stand(memory)
    said = f"gm-{_digits(memory.root)}-{_digits(at.branch or '')}-{at.commit or UNBORN}-{max(0, memory.now):x}"
    return f"{said}-{_digits(said)}"


def check(memory: Memory, handle: str) -> Answer:
    """Returns whether a handle still holds: of this project, this branch, a HEAD that descends from its own, and not idle."""
    found = re.fullmatch(_HANDLE, handle.strip())
    if found is None or _digits(handle.strip().rpartition("-")[0]) != found[5]:
        return Answer(False, f"This is no handle that gitmem issued. {_BRIEF}")
    reason = _moved(memory, *found.group(1, 2, 3)) or _expired(memory, int(found[4], 16))
    return Answer(reason is None, f"{reason} {_BRIEF}" if reason else None)


def _stand(memory: Memory) -> Head:
    if memory.repository is None:
        return Head(None, None)
    return head(memory.repository, environment=memory.environment)


def _moved(memory: Memory, project: str, branch: str, commit: str) -> str | None:
    """Returns why a handle is not of the place that work is at now, or None."""
    at = _stand(memory)
    if project != _digits(memory.root):
        return "The handle is of another project."
    if branch != _digits(at.branch or ""):
        return f"The handle is of another branch; this is {at.branch or 'a detached HEAD'}."
    if commit == UNBORN or commit == at.commit or _descends(memory, at.commit, commit):
        return None
    return (
        f"HEAD no longer descends from {commit[:12]}, at which the handle was issued: a reset or rebase took it away."
    )


def _descends(memory: Memory, commit: str | None, old: str) -> bool:
    if memory.repository is None or commit is None:
        return False
    try:
        return history.descends(memory.repository, commit, old, environment=memory.environment)
    except GitmemError:  # without git nothing can be said for it
        return False


def _expired(memory: Memory, issued: int) -> str | None:
    idle, age = memory.config.policy.guard_idle, memory.now - issued
    if age < -SLACK:
        return "The handle was issued at a moment yet to come."
    return f"The handle is older than the {_spell(idle)} for which it holds." if age > idle else None


def _spell(seconds: int) -> str:
    """Returns a span in the largest unit that it is a whole number of."""
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    word, size = next(unit for unit in units if seconds % unit[1] == 0)
    return f"{seconds // size} {word}" + ("s" if seconds != size else "")


def _digits(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogateescape')):08x}"
