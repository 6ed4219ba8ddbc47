"""Commands on a disk that is full: run as a program, it prints what each came to and what it left, a JSON line each.

Arguments: the folder to work in, "space" or "limit", and how many bytes are left for each round.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOTE = "---\ntitle: Note {0}\ntype: decision\ncreated: 2026-05-01T00:00:00Z\n---\n\nThe quokka {0} digs.\n"
SIZE = "4m"  # of the disk
PAGE = 4096  # bytes that a file on it takes at least


def main(folder: str, way: str, *left: str) -> None:
    """Runs each verb in each round, and a checkpoint once there is space again."""
    if way == "space":
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
    os.chdir(folder)
    begin()
    run = {"space": on_a_full_disk, "limit": with_short_files}[way]
    for bytes_left in map(int, left):
        for words in verbs(bytes_left):
            print(json.dumps(row(words, bytes_left, run)), flush=True)
    print(json.dumps(row(["checkpoint", "In the end"], 0, lambda left, act: act(None))))


def begin() -> None:
    """Makes a repository with notes, an index of them, and a user's work half staged."""
    git("init", "--quiet", "--initial-branch=main")
    git("config", "user.name", "T")
    git("config", "user.email", "t@example.org")
    for number in range(9):
        path = Path(f".memory/decision/note-{number}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NOTE.format(number))
    Path(".memory/.gitignore").write_text(".cache/\n")
    Path("code.py").write_text("value = 1\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=Begin")
    Path(".memory/decision/note-8.md").write_text(NOTE.format(8).replace("digs", "dugs"))
    git("commit", "--quiet", "--message=Worse", "--", ".memory")
    gitmem(None, "recall", "quokka")
    Path("code.py").write_text("value = 2\n")
    git("add", "code.py")
    Path("code.py").write_text("value = 3\n")


def verbs(left: int) -> list[list[str]]:
    """Returns the commands of one round; what they write is longer than what is left in most of them."""
    return [
        ["remember", f"Wombats of {left}", "--type", "decision", "--body", f"They dig {left}. " * 600],
        ["revise", "note-1", "--body", f"It digs {left}. " * 600],
        ["checkpoint", f"Left {left}", "--body", "Half done. " * 300],
        ["undo", git("rev-list", "--max-count=1", "--grep=Worse", "HEAD").strip()],
    ]


Limit = Callable[[], None] | None
Run = Callable[[int, Callable[[Limit], Any]], Any]


def on_a_full_disk(left: int, act: Callable[[Limit], Any]) -> Any:
    """Returns what an act comes to while a file takes all the disk but so many bytes."""
    filler = Path("filler")
    with open(filler, "wb", buffering=0) as file:
        try:
            while file.write(b"x" * PAGE):
                pass
        except OSError:
            pass
    os.truncate(filler, max(filler.stat().st_size - left, 0))
    try:
        return act(None)
    finally:
        filler.unlink()


def with_short_files(left: int, act: Callable[[Limit], Any]) -> Any:
    """Returns what an act comes to while no file may grow past so many bytes."""
    return act(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (left, left)))


def row(words: list[str], left: int, run: Run) -> dict[str, Any]:
    """Returns what a command and a recall after it came to, and what there was before and is afterwards."""
    before = seen()
    done, recalled = run(left, lambda limit: [gitmem(limit, *words), gitmem(limit, "recall", "quokka")])
    return {
        "verb": words[0],
        "left": left,
        "done": done,
        "recalled": recalled,
        "before": before,
        "after": seen(),
        "litter": [str(path) for path in Path().rglob("*") if path.suffix in (".lock", ".tmp") and not is_cache(path)],
        "fsck": git("fsck", "--no-dangling", "--connectivity-only"),
    }


def is_cache(path: Path) -> bool:
    return ".cache" in path.parts


def seen() -> dict[str, Any]:
    """Returns HEAD, the user's work, and every note."""
    return {
        "head": git("rev-parse", "HEAD"),
        "work": git("diff", "HEAD", "--", "code.py") + git("ls-files", "--stage", "code.py"),
        "notes": {str(path): path.read_text() for path in sorted(Path(".memory").rglob("*.md"))},
        "pending": git("--no-optional-locks", "status", "--porcelain", "--", ".memory"),
    }


def git(*words: str) -> str:
    """Returns all that git said; its status stands for itself in what comes after."""
    done = subprocess.run(["git", *words], check=False, capture_output=True, text=True)
    return done.stdout + done.stderr


def gitmem(limit: Limit, *words: str) -> tuple[int, str, str]:
    """Returns status, output and errors of a command with --json."""
    command = [sys.executable, "-m", "gitmem", *words, "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, preexec_fn=limit)
    return done.returncode, done.stdout, done.stderr


if __name__ == "__main__":
    main(*sys.argv[1:])
