"""Git as a person runs it, with hooks that find one gitmem or none."""

import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

from conftest import Project, environment

from gitmem.operations import hooks


def script(path: Path, text: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def around(bin: Path | None, **more: str) -> dict[str, str]:
    """Returns the environment of a command whose hooks find the gitmem of `bin`, or none."""
    found = shutil.which("gitmem", path=os.environ["PATH"])
    clean = [part for part in os.environ["PATH"].split(os.pathsep) if not found or part != os.path.dirname(found)]
    path = os.pathsep.join([*([str(bin)] if bin else []), *clean])
    who = {f"GIT_{role}_{key}": "t" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    kept = {key: value for key, value in environment().items() if key != "PYTHONPATH"}
    return kept | who | {"PATH": path, "GIT_CONFIG_GLOBAL": os.devnull} | more


def gitted(
    root: Path, *words: str, bin: Path | None = None, check: bool = True, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Returns what a git command came to whose hooks find the gitmem of `bin`, or none."""
    done = subprocess.run(
        ["git", *words], cwd=root, env=around(bin, **more), check=False, capture_output=True, text=True
    )
    assert done.returncode == 0 or not check, done.stderr
    return done


def install(root: Path) -> dict[str, Any]:
    return hooks.install(str(root), environment=environment())


def uninstall(root: Path) -> dict[str, Any]:
    return hooks.uninstall(str(root), environment=environment())


def state(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Returns mode and bytes of everything in a folder, and where links point."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        held = os.readlink(path) if path.is_symlink() else b"" if path.is_dir() else path.read_bytes()
        found[str(path.relative_to(folder))] = (stat.S_IMODE(path.lstat().st_mode), held)
    return found


def committed(project: Project, *names: str, message: str = "notes") -> None:
    for name in names:
        project.note(name)
    gitted(project.root, "add", ".")
    gitted(project.root, "commit", "-qm", message, "--allow-empty")
