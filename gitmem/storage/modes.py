"""Modes: whether a file is one that can be run, as git's entries say it and as the disk has it."""

import os
import stat

PLAIN, EXECUTABLE = "100644", "100755"


def mode_of(path: str) -> str:
    """Returns the mode that git would give a file; a file that is gone is a plain one."""
    try:
        return EXECUTABLE if os.lstat(path).st_mode & 0o100 else PLAIN
    except OSError:
        return PLAIN


def set_mode(path: str, mode: str) -> None:
    """Lets those run a file who may read it, or nobody, as git's checkout does; raises OSError."""
    now = stat.S_IMODE(os.lstat(path).st_mode)
    wanted = now | (now & 0o444) >> 2 if mode == EXECUTABLE else now & ~0o111
    if wanted != now:
        os.chmod(path, wanted)
