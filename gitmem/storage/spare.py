"""Spare files: what may be lost at any moment, written whole but without a sync, and read only where it can be."""

import os
import stat

from gitmem.storage import disk

LARGEST = 1 << 30


def write(path: str, data: bytes) -> bool:
    """Writes a file whole, without a sync: what a crash tears is told by who reads it. False where the disk refuses."""
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "xb") as file:  # exclusive: never through a link that a repository brought along
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        disk.forget(temporary)
        return False
    return True


def load(path: str) -> bytes:
    """Returns a file's bytes, empty where there is none, or where it is a link, no file, or past all bounds."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            seen = os.fstat(handle)
            return file.read() if stat.S_ISREG(seen.st_mode) and seen.st_size <= LARGEST else b""
    except OSError:
        return b""
