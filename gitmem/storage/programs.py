"""Programs of the user: a repository's own hooks, and an editor, run as git runs them."""

from collections.abc import Mapping, Sequence
from errno import ENOEXEC

from gitmem.storage.git import LOCATING, with_setting

# With patterns of its own a sparse checkout would decide anew what an index says is to be skipped.
SKIPPING = ("core.sparseCheckout", "false")


def run_hook(
    top: str, path: str, arguments: Sequence[str], *, environment: Mapping[str, str], index: str
) -> tuple[int, bytes]:
    """Returns the exit status of a repository's own hook, run as `git commit` runs it, and what it printed.

    It may take as long as it likes. What it prints goes through a file, since a daemon that it leaves behind would
    hold a pipe open.
    """
    import subprocess
    import tempfile

    kept = {key: value for key, value in environment.items() if key not in LOCATING}
    told = {"GIT_INDEX_FILE": index, "GIT_EDITOR": ":", "GIT_PREFIX": ""}
    variables = with_setting(kept | told, *SKIPPING)
    with tempfile.TemporaryFile() as printed:
        for command in ([path, *arguments], ["/bin/sh", path, *arguments]):
            try:
                done = subprocess.run(
                    command,
                    cwd=top,
                    env=variables,
                    check=False,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=printed,
                )
            except OSError as error:
                if error.errno == ENOEXEC:  # a script that does not name its interpreter: git falls back to sh, too
                    continue
                return 127, f"{path}: {error.strerror}".encode()
            printed.seek(0)
            return done.returncode, printed.read()
    return 127, b""


def run_editor(command: str, path: str) -> int:
    """Returns the exit status of the user's editor, opened on a file; the command is the user's own words for a shell."""
    import subprocess

    return subprocess.run(["/bin/sh", "-c", f'{command} "$@"', command, path], check=False).returncode
