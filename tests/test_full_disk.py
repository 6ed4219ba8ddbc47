"""A full disk: a note is old or new, a commit is made or not, a sentence says which, and recall goes on answering."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import SOURCE, environment

PROGRAM = str(Path(SOURCE, "tests", "full_disk.py"))
PAGE = 4096
# Bytes left: none; for a note, not for its object; for objects, and perhaps for index and ref.
SPACES = (0, 2 * PAGE, 11 * PAGE)
LIMITS = (0, 1000, 12_000)


def rows(folder: Path, way: str, *left: int) -> list[dict[str, Any]]:
    """Returns what each command came to on a disk that is full in one way, the last one on a disk with space again."""
    alone = ["unshare", "--mount", "--map-root-user"] if way == "space" else []
    command = [*alone, sys.executable, PROGRAM, str(folder), way, *map(str, left)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment(), timeout=300)
    if done.returncode and done.stderr.startswith("unshare"):
        pytest.skip(f"no mount of one's own here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(row: dict[str, Any]) -> None:
    """Fails where a command did something else than all or nothing, or did not say what it did."""
    (status, out, _), before, after = row["done"], row["before"], row["after"]
    reply = json.loads(out)
    touched = {path for path, _ in before["notes"].items() ^ after["notes"].items()}
    assert after["work"] == before["work"] and not row["litter"] and not row["fsck"], row
    assert row["recalled"][0] == 0 and json.loads(row["recalled"][1])["verdict"] == "strong", row
    assert (after["head"] != before["head"]) == bool(reply.get("commit")), row
    if status:
        assert status == 3 and reply["error"]["code"] in ("disk", "git"), row
        assert reply["error"]["message"] and reply["error"]["hint"], row
    if row["verb"] in ("remember", "revise"):
        assert len(touched) == (status == 0) and all("dig" in after["notes"][path] for path in touched), row
    elif row["verb"] == "checkpoint":
        assert len(touched) <= 1 and all("/checkpoint/" in path for path in touched), row
    elif status:  # undone and not to be put back: then it is said
        assert all(path in reply["error"]["message"] for path in touched), row


def check_end(row: dict[str, Any]) -> None:
    """Fails where a checkpoint with space again does not take all that waited, or name it: a full ledger knows no author."""
    check(row)
    reply = json.loads(row["done"][1])
    assert reply["commit"] and [line[3:] for line in row["after"]["pending"].splitlines()] == reply["left"]


@pytest.mark.parametrize(("way", "left"), [("space", SPACES), ("limit", LIMITS)])
def test_case_34_on_a_full_disk_it_is_all_or_nothing_and_said(tmp_path: Path, way: str, left: tuple[int, ...]) -> None:
    *tight, last = rows(tmp_path, way, *left)

    for row in tight:
        check(row)
    assert {row["done"][0] for row in tight} == {0, 3}
    check_end(last)


@pytest.mark.full
@pytest.mark.parametrize(("way", "step"), [("space", PAGE), ("limit", 900)])
def test_case_34_with_ever_more_space(tmp_path: Path, way: str, step: int) -> None:
    *tight, last = rows(tmp_path, way, *range(0, 18 * step, step))

    for row in tight:
        check(row)
    check_end(last)
