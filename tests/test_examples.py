"""Every example that a help shows is typed as it stands, in a project that holds what the examples speak of."""

import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.faces.cli import main
from gitmem.faces.commands import COMMANDS

EXAMPLES = [example for command in COMMANDS for example in command.examples]
# Where an example does not end with 0 in the project below, and why.
ENDS = {
    "gitmem guard HANDLE": 1,  # no handle of a brief
    "gitmem edit private-index": 3,  # nobody is at a terminal here
}
SESSION = "2026-11-30-a1f3"
NOTES = {
    "decision/plain-files": "Plain files over a database",
    "decision/private-index": "Commit through a private index, not update-index",
    "decision/wal": "Write-ahead log",
    "decision/journal": "Journal",
    "problem/index-lost-on-kill": "Index lost on kill",
    "resolution/fsync-before-rename": "fsync before rename",
    "intent/try-sqlite": "Try SQLite",
    "caution/fsync-is-slow": "fsync is slow",
}
CREATED = {"decision/wal": "2026-11-02T10:00:00Z"}
MORE = {
    "decision/journal": "tags: [release]\nstatus: superseded\n",
    "decision/plain-files": "touches: [src/parse.py]\n",
    "decision/wal": "replaces: [journal]\n",
    "problem/index-lost-on-kill": "status: open\n",
    "intent/try-sqlite": "status: open\n",
}


def git(folder: Path, *words: str, **more: str) -> str:
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull} | more
    command = ["git", "-c", "user.name=Jane", "-c", "user.email=jane@example.org", *words]
    return subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout.strip()


def note(folder: Path, path: str, body: str = "We measured it.") -> None:
    file = folder / ".memory" / f"{path}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    head = f"title: {NOTES[path]}\ntype: {path.partition('/')[0]}\ncreated: {CREATED.get(path, '2026-05-01')}\n{MORE.get(path, '')}"
    file.write_text(f"---\n{head}---\n\n{body}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with every note, file, branch, tag and commit that an example names."""
    folder = tmp_path_factory.mktemp("pattern") / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for path in NOTES:
        note(folder, path)
    (folder / "src").mkdir()
    (folder / "src" / "parse.py").write_text("def parse():\n    pass\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin", GIT_COMMITTER_DATE="2026-05-02T10:00:00Z")
    git(folder, "tag", "v1.0")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(folder, "config", "gitmem.trusted", "true")
    for number in range(3):
        note(folder, "decision/private-index", f"Measured {number} times.")
        git(folder, "commit", "-qam", f"Measure again\n\nMemory-Session: {SESSION}")
    git(folder, "branch", "feature")
    note(folder, "caution/fsync-is-slow", "Not yet committed.")
    (folder / "src" / "parse.py").write_text("def parse():\n    return 1\n")
    (folder / "why.md").write_text("Because.\n")
    (folder / "body.md").write_text("Because.\n")
    (folder / "notes.jsonl").write_text('{"title": "One", "type": "decision"}\n')
    return folder


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_a_help_does_what_it_says(
    example: str, pattern: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(pattern, tmp_path / "project", symlinks=True))
    words, given = typed(example, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))

    status = main(words)

    assert status == ENDS.get(example, 0), capsys.readouterr()


def typed(example: str, folder: Path) -> tuple[list[str], bytes]:
    """Returns the words after `gitmem` and standard input; a digest and a commit are this project's own."""
    command, _, file = example.partition(" < ")
    digest = hashlib.sha256((folder / ".memory/decision/private-index.md").read_bytes()).hexdigest()[:12]
    commit = git(folder, "rev-parse", "--short", "HEAD")
    command = re.sub(r"\b3fa9c1d2a7b4\b", digest, command)
    command = re.sub(r"\b3fa9c1d\b", commit, command)
    return shlex.split(command)[1:], (folder / file).read_bytes() if file else b""
