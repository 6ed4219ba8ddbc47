"""A repository that means harm: what its files say is read, never run and never believed beyond the notes."""

import json
import os
import zlib
from pathlib import Path

import pytest

from gitmem import __version__
from gitmem.notes import config as configuration
from gitmem.operations.recall import recall
from gitmem.search.cache import unseal
from gitmem.search.query import Wanted
from tests.conftest import SETTLED, Project, run, told

NOTE = "---\ntitle: Plain files\ntype: decision\n---\n\nNo database.\n"


def sealed(*parts: bytes) -> bytes:
    """Returns what a cache file holds, as anybody can write it."""
    blob = b"".join(parts)
    return b" ".join([b"%08x" % zlib.adler32(blob), *(b"%d" % len(part) for part in parts)]) + b"\n" + blob


def bare_shape(folder: Path, config: str) -> None:
    """Gives a folder the shape of a bare repository whose config says something."""
    for name in ("objects", "refs"):
        (folder / name).mkdir()
        (folder / name / ".keep").touch()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(f"[core]\nrepositoryformatversion = 0\nbare = false\n{config}")


def shipped(project: Project, name: str, data: bytes) -> None:
    """Puts a file into the cache as a checkout of a committed one would."""
    project.cache.mkdir(exist_ok=True)
    (project.cache / ".gitignore").write_bytes(b"*\n")
    (project.cache / "made-here").write_bytes(b"1.2.3")
    (project.cache / name).write_bytes(data)


def test_a_shipped_log_forges_no_author(project: Project) -> None:
    project.write("decision/plain.md", NOTE)
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message=notes")
    row = "\x1f".join(["deadbeef" * 5, "Somebody Else", "1700000000", "", "Approved"])
    key = f"1 .memory {zlib.crc32(b''):08x}".encode()

    shipped(project, "log", sealed(key, b"full", b"HEAD", f"\n\x01{row}\nA\tdecision/plain.md\n".encode()))
    found = told(run(project.root, "recall", "plain files", "--json"))

    assert found["hits"][0]["author"] != "Somebody Else"
    assert found["hits"][0]["commit"] != "deadbeef" * 5


def test_a_shipped_configuration_is_not_believed(project: Project) -> None:
    text = "[policy]\nbody_limit = 100\n"
    project.write("config.toml", text)
    said = configuration.to_json(configuration.parse(text.encode()))
    lie = json.dumps(said).replace(": 100", ": 999999")

    shipped(project, "config", sealed(f"{__version__} {text.encode().hex()}".encode(), lie.encode()))
    done = run(project.root, "remember", "Long", "--type", "insight", "--body", "x" * 200)

    assert done.returncode == 3
    assert "100 are allowed" in done.stderr


@pytest.mark.parametrize("name", ["seen", "current", "config", "log"])
def test_links_in_a_shipped_cache_are_not_followed(project: Project, name: str) -> None:
    project.write("decision/plain.md", NOTE)
    project.write("config.toml", "[policy]\nbody_limit = 100\n")
    project.cache.mkdir()
    (project.cache / name).symlink_to("/dev/zero")

    done = run(project.root, "recall", "plain files")

    assert done.returncode == 0
    assert "plain" in done.stdout


def test_a_pipe_in_the_cache_hangs_nobody(project: Project) -> None:
    project.write("decision/plain.md", NOTE)
    run(project.root, "recall", "plain files")
    (project.cache / "current").unlink(missing_ok=True)
    os.mkfifo(project.cache / "current")

    done = run(project.root, "recall", "plain files")

    assert done.returncode == 0


@pytest.mark.parametrize("part", [b"", b"\xff", b"{", b"[]", b"{}", b"a\0b", b"5"])
@pytest.mark.parametrize("name", ["seen", "current", "config"])
def test_a_cache_file_that_is_sealed_but_ill_formed_is_made_anew(project: Project, name: str, part: bytes) -> None:
    project.write("decision/plain.md", NOTE)
    project.write("config.toml", "[policy]\nbody_limit = 100\n")
    assert [hit["name"] for hit in recall(project.open(SETTLED), "plain files", Wanted())["hits"]] == ["plain"]
    count = {"seen": 3, "current": 4, "config": 2}[name]
    parts = unseal((project.cache / name).read_bytes(), count)
    assert parts

    for at in range(count):
        (project.cache / name).write_bytes(sealed(*parts[:at], part, *parts[at + 1 :]))
        assert [hit["name"] for hit in recall(project.open(SETTLED), "plain files", Wanted())["hits"]] == ["plain"]


@pytest.mark.parametrize(
    "words", ["tags", "status", "vocabulary", "check", "check --staged", "check --rev HEAD", "check --fix --dry-run"]
)
def test_case_93_what_speaks_of_notes_says_first_that_nobody_has_vouched(project: Project, words: str) -> None:
    project.write("decision/plain.md", NOTE)
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message=notes")

    untrusted = run(project.root, *words.split())
    as_json = run(project.root, *words.split(), "--json")
    project.git("config", "gitmem.trusted", "true")
    trusted = run(project.root, *words.split())

    assert untrusted.stderr.startswith("untrusted clone: ") and untrusted.stderr.count("\n") == 1
    assert as_json.stderr == trusted.stderr == ""
    assert "vouched" not in untrusted.stdout + trusted.stdout


def test_a_memory_shaped_like_a_bare_repository_runs_nothing(project: Project, tmp_path: Path) -> None:
    project.write("decision/plain.md", NOTE)
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message=notes")
    bare_shape(project.notes, f'worktree = ..\nfsmonitor = "touch {tmp_path}/ran; false"\n')
    (project.root / ".git" / "rebase-merge").mkdir()

    done = run(project.root, "revise", "plain", "--add-tag", "x")

    assert not (tmp_path / "ran").exists()
    assert done.returncode == 3
    assert "rebase" in done.stderr


def test_a_folder_shaped_like_a_bare_repository_does_not_speak_for_the_clone(project: Project) -> None:
    inner = project.root / "pkg" / "a"
    (inner / ".memory" / "decision").mkdir(parents=True)
    (inner / ".memory" / "decision" / "plain.md").write_text(NOTE)
    bare_shape(inner, "worktree = .\n[gitmem]\ntrusted = true\nmodel = /nowhere\n")

    done = run(inner, "doctor", "--json")

    trust = next(check for check in told(done)["checks"] if check["name"] == "trust")
    assert trust["state"] == "warning"


def test_case_93_the_name_of_a_field_steers_no_terminal(project: Project) -> None:
    project.write("decision/plain.md", NOTE.replace("type:", '"ver\\e[5mb": ["to\\e[7m"]\ntype:'))

    shown = run(project.root, "show", "plain").stdout

    assert "\x1b" not in shown and "ver\\x1b[5mb" in shown
