"""Folders and files: what lies there, read whole, written whole or not at all, under one lock."""

import errno
import fcntl
import os
import stat
import time
from types import TracebackType

from gitmem.errors import GitmemError
from gitmem.values import NamedTuple, Self

LARGEST = 8 * 1024 * 1024
LOCK_WAIT = 20.0
# Looks at a folder whose names come and go meanwhile: a note that moves could be missed in its old place and its new.
SCANS = 4
TEMPORARY = ".gitmem.tmp"
# A file changed within this many seconds before it was looked at may change again without its times moving
# (kernel ticks are 4 to 10 ms; network file systems and FAT count whole seconds).
DOUBT = 2.5


class Scan(NamedTuple):
    """One look at a folder of notes.

    rows: sorted `path NUL size.mtime.ctime.inode`, times in nanoseconds, paths relative with "/".
    strays: (path, kind) of what is no note: "link", "other", "name" (not printable UTF-8, or a backslash in it),
    "large" (over 8 MiB).
    unreadable: folders, as path prefixes ending in "/" ("" is the top), that could not be listed.
    """

    rows: list[str]
    strays: list[tuple[str, str]]
    unreadable: list[str]


# What a long-lived process remembers of files, by path: size, mtime, ctime and inode, and the row that they make.
Remembered = dict[str, tuple[tuple[int, int, int, int], str]]


def scan(folder: str, known: Remembered | None = None) -> Scan:
    """Returns what a folder of notes holds now. Symbolic links are never followed.

    `known`, where it is given, takes in what was seen, and spares a quarter of the next look.
    """
    for _ in range(SCANS):
        found, times = Scan([], [], []), dict[str, int]()
        _scan_into(found, folder, "", times, known)
        if all(_changed(path) == time for path, time in times.items()):
            break
    found.rows.sort()
    if known and len(known) > 2 * len(found.rows):
        known.clear()  # most of it is of files that are gone
    return found


def _changed(folder: str) -> int:
    """Returns when names in a folder last came or went, in nanoseconds; 0 where it is gone."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def _scan_into(found: Scan, folder: str, prefix: str, times: dict[str, int], known: Remembered | None) -> None:
    """Adds what a folder holds. One function, as calls a file cost as much as asking the kernel: 10,000 take 35 ms."""
    folders, add = [], found.rows.append
    try:
        # Entries of a folder's handle are asked without walking their whole path.
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        times[folder] = os.fstat(handle).st_mtime_ns
        try:
            with os.scandir(handle) as entries:
                for entry in entries:
                    name = entry.name
                    if name[-3:] == ".md" and name[0] != ".":
                        try:
                            seen = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:
                            continue
                        size, mtime, ctime, inode = seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino
                        before = known.get(prefix + name) if known else None
                        if before and before[0] == (size, mtime, ctime, inode):
                            add(before[1])
                            continue
                        plain = stat.S_ISREG(seen.st_mode) and name.isprintable() and "\\" not in name
                        if plain and size <= LARGEST and (len(name) != 9 or name.casefold() != "readme.md"):
                            row = f"{prefix}{name}\0{size}.{mtime}.{ctime}.{inode}"
                            add(row)
                            if known is not None:
                                known[prefix + name] = (size, mtime, ctime, inode), row
                            continue
                    if name[0] != "." and not _is_stray(found, entry, prefix + name):
                        folders.append(name)
        finally:
            os.close(handle)
    except OSError:
        found.unreadable.append(prefix)
    for name in folders:
        _scan_into(found, folder + "/" + name, prefix + name + "/", times, known)


def _is_stray(found: Scan, entry: "os.DirEntry[str]", path: str) -> bool:
    """Adds an entry that is no note to the strays; False for a folder."""
    plain = path.isprintable() and "\\" not in path
    if entry.is_dir(follow_symlinks=False) and plain:
        return False
    if path[-3:] != ".md" or not entry.is_file(follow_symlinks=False):
        found.strays.append((path, "link" if entry.is_symlink() else "other"))
    elif not plain:
        found.strays.append((path.encode("utf-8", "backslashreplace").decode(), "name"))
    elif entry.name.casefold() != "readme.md":
        found.strays.append((path, "large"))
    return True


def note_paths(folder: str, prefix: str = "") -> list[str]:
    """Returns the sorted paths of the notes of a folder, faster than a scan: nothing is asked of the files themselves."""
    found = []
    try:
        with os.scandir(os.path.join(folder, prefix)) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." or entry.is_symlink():
                    continue
                if name[-3:] == ".md" and entry.is_file(follow_symlinks=False):
                    if name.casefold() != "readme.md" and name.isprintable() and "\\" not in name:
                        found.append(prefix + name)
                elif entry.is_dir(follow_symlinks=False) and name.isprintable() and "\\" not in name:
                    found += note_paths(folder, prefix + name + "/")
    except OSError:
        return found
    return sorted(found) if not prefix else found


def row_of(seen: os.stat_result) -> str:
    """Returns all that changes with a file as one word, as a scan's rows have it."""
    return f"{seen.st_size}.{seen.st_mtime_ns}.{seen.st_ctime_ns}.{seen.st_ino}"


def changed_at(row: str) -> float:
    """Returns the later of a scanned row's modification and change times, in seconds since the epoch."""
    _, mtime, ctime, _ = row.rpartition("\0")[2].split(".")
    return max(int(mtime), int(ctime)) / 1e9


def read(path: str) -> bytes:
    """Returns a regular file's bytes; a symbolic link raises OSError, as does a file that is gone."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", path)
        return file.read()


def digest(data: bytes) -> str:
    """Returns the SHA-256 of bytes in hex."""
    import hashlib  # late: OpenSSL costs a quarter of a bare interpreter's start

    return hashlib.sha256(data).hexdigest()


def inside(folder: str, path: str) -> str:
    """Returns the absolute path of `path` in `folder`; raises GitmemError where it, or a link on the way, leaves it."""
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or "\0" in path or ".." in parts:
        raise GitmemError(
            "path-escapes", f"{path!r} leaves the memory folder.", "Name a note, or a path inside .memory/."
        )
    here = folder
    for part in parts:
        here = os.path.join(here, part)
        if os.path.islink(here):
            raise GitmemError(
                "symbolic-link", f"{path!r} passes through a symbolic link.", "Replace the link by a folder."
            )
    return here


def save(folder: str, path: str, data: bytes, mode: int | None = None) -> None:
    """Writes a file of a folder whole or not at all; without `mode` that of an existing file is kept. Call it under the Lock.

    Raises GitmemError("disk") when the disk refuses; the old file then stands untouched.
    """
    target = inside(folder, path)
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        replace(target, data, mode)
    except OSError as error:
        raise refused(error, os.path.join(folder, path)) from error


def replace(path: str, data: bytes, mode: int | None = None) -> None:
    """Writes a file whole or not at all, through no link; without `mode` that of an existing file is kept. Raises OSError."""
    temporary = os.path.join(os.path.dirname(path), TEMPORARY)
    try:
        _write(temporary, data, _mode(path) if mode is None else mode)
        os.replace(temporary, path)
        _sync_folder(os.path.dirname(path))
    except OSError:
        forget(temporary)
        raise


def remove(folder: str, path: str) -> None:
    """Removes a file of a folder for good; one that is gone already is no error. Raises GitmemError("disk")."""
    target = inside(folder, path)
    try:
        os.unlink(target)
        _sync_folder(os.path.dirname(target))
    except FileNotFoundError:
        return
    except OSError as error:
        raise refused(error, os.path.join(folder, path)) from error


def move(folder: str, old: str, new: str) -> None:
    """Moves a file inside a folder; raises GitmemError where the new place is taken. Call it under the Lock."""
    source, target = inside(folder, old), inside(folder, new)
    if os.path.lexists(target):
        raise GitmemError("name-taken", f"{os.path.join(folder, new)} exists already.", "Choose another name.")
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.rename(source, target)
        _sync_folder(os.path.dirname(target))
    except OSError as error:
        raise refused(error, os.path.join(folder, new)) from error


def prune(folder: str, path: str) -> None:
    """Removes a folder inside a folder with the folders in it, as far as they are empty."""
    for here, _, _ in os.walk(inside(folder, path), topdown=False):
        try:
            os.rmdir(here)
        except OSError:  # something lies in it
            continue


def refused(error: OSError, path: str) -> GitmemError:
    """Returns the refusal that tells what the disk said about a path, which is as it was; what came before may not be."""
    reason = error.strerror or str(error)
    hint = "It is as it was. Free space or mend the permissions, then run the command again: it goes on from here."
    return GitmemError("disk", f"{path} cannot be written: {reason}.", hint)


def _write(path: str, data: bytes, mode: int) -> None:
    forget(path)  # what a killed writer left, or a link that a repository brought along
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with open(handle, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def forget(path: str) -> None:
    """Removes a file where that is possible."""
    try:
        os.unlink(path)
    except OSError:
        return


class Lock:
    """The one writer of a folder: an advisory lock on the folder itself, so that no lock file can be left behind."""

    def __init__(self, folder: str, wait: float = LOCK_WAIT) -> None:
        self.folder = folder
        self.wait = wait
        self.handle = -1

    def __enter__(self) -> Self:
        if not self.take(self.wait):
            message = f"{self.folder} is being written by another process for over {self.wait:.0f} seconds."
            raise GitmemError("busy", message, "Run the command again when the other one is done.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def take(self, wait: float) -> bool:
        """Returns whether the lock was had within `wait` seconds; raises GitmemError("disk") for a folder that cannot be opened."""
        try:
            self.handle = os.open(self.folder, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise refused(error, self.folder) from error
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if time.monotonic() >= end:
                    self.release()
                    return False
                time.sleep(0.005)

    def release(self) -> None:
        """Gives the lock back; twice is once."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
