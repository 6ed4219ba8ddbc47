"""Guidance: what agents are told of the memory, in the file that they read first and in skills; the mode changes nothing else."""

import os

from gitmem.storage import disk
from gitmem.values import NamedTuple

MODES = ("relaxed", "normal", "aggressive")
SKILLS = ("gitmem-capture", "gitmem-digest", "gitmem-review")
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "skills")


class Mode(NamedTuple):
    """How much is captured: a sentence for the file that is read first, and a paragraph for the skill."""

    brief: str
    full: str


_MODES = {
    "relaxed": Mode(
        "Write few notes, and durable ones: decisions with their reasons always, and what bit you.",
        "Relaxed: few notes, and durable ones. Write every decision with its reason, a principle that the user states, a"
        " caution that cost time, a problem that stays open, and what was removed and must not come back. Leave out what"
        " the next reader of the code would see by themselves. Two or three notes a session are usual; none is fine.",
    ),
    "normal": Mode(
        "Write decisions with their reasons always, cautions, open problems, and insights that others would need again.",
        "Normal: what relaxed mode writes (decisions with their reasons, principles, cautions, open problems, what must"
        " not come back), and beside it smaller decisions, cautions that have not bitten yet, how a problem was solved,"
        " and insights that were not obvious from the code.",
    ),
    "aggressive": Mode(
        "Write whatever a later session could want: every decision, caution, problem, resolution, insight and intent.",
        "Aggressive: whatever a later session could want. Every decision down to small ones, every caution, problem and"
        " resolution, every insight, and every intent that is put off. What turns out not to matter fades by itself;"
        " rather one note too many than one too few.",
    ),
}


def instructions(mode: str) -> str:
    """Returns the lines for the file that an agent reads first."""
    return _template("instructions").replace("{mode}", _MODES[mode].brief)


def skill(name: str, mode: str) -> str:
    """Returns a skill as the text of its SKILL.md."""
    return _template(name).replace("{mode}", _MODES[mode].full)


def _template(name: str) -> str:
    return disk.read(os.path.join(_FOLDER, f"{name}.md")).decode()
