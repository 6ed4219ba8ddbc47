"""The workflow: what has GitHub check and review the notes of every pull request, put into a project and taken out."""

import difflib
import hashlib
import json
import os
import re
from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.operations.memory import find_root
from gitmem.storage import disk, git
from gitmem.storage.status import enclosing
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

PATH = ".github/workflows/gitmem.yml"
# The digits tell a file that somebody has changed since from one that an older gitmem wrote.
HEAD = "# Written by gitmem setup github ({digits}); gitmem setup github --remove takes it away.\n"
# The base's name is the only word of an event that a shell sees, and it sees a variable. All of the history is fetched
# since the review starts where the branch left its base; the token can read and is not kept.
STEPS = """\
name: gitmem

on:
  pull_request:

permissions:
  contents: read

jobs:
  review:
    name: What the project would come to believe
    runs-on: ubuntu-latest
    timeout-minutes: 10
{place}    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-python@v6
        with:
          python-version: "3.13"
      - id: install
        run: pip install gitmem-notes
      - run: gitmem check
      - if: ${{{{ !cancelled() && steps.install.outcome == 'success' }}}}
        run: gitmem review --base "origin/$BASE" --format github
        env:
          BASE: ${{{{ github.base_ref }}}}
"""
PLACE = """\
    defaults:
      run:
        working-directory: {folder}
"""


def setup_github(
    directory: str, *, environment: Mapping[str, str], dry_run: bool = False, trusting: bool = True
) -> Reply:
    """Writes the workflow that reviews the notes of pull requests, and makes this clone trusted; twice is once.

    `trusting` says that a person does it: an agent trusts nothing. Returns {name, path, changed: [paths], diff, dry_run}. Raises GitmemError, with nothing written, where there is no
    repository or no memory, and where a file is in the way that gitmem did not write or that was changed since.
    """
    repository = enclosing(directory)
    root = find_root(directory)
    if root is None:
        raise GitmemError("no-memory", f"{repository.top} has no memory to review.", "gitmem init makes one.")
    old, new = _read(repository.top), text(os.path.relpath(root, repository.top).replace(os.sep, "/"))
    if old is not None and not is_ours(old):
        raise _in_the_way(old)
    if not dry_run:
        if old is None or _plain(old) != new:
            with disk.Lock(repository.top):
                disk.save(repository.top, PATH, new.encode())
        if trusting:
            git.set_setting(repository.top, "trusted", "true", environment=environment)
    return _reply(old, new, dry_run=dry_run)


def remove_github(directory: str, *, environment: Mapping[str, str], dry_run: bool = False) -> Reply:
    """Takes the workflow away, with the folders that nothing is left in; trust stays.

    Returns the reply of `setup_github`. Raises GitmemError where the file is not as gitmem wrote it.
    """
    top = enclosing(directory).top
    old = _read(top)
    if old is not None and not is_ours(old):
        raise _in_the_way(old)
    if old is not None and not dry_run:
        with disk.Lock(top):
            disk.remove(top, PATH)
            _drop_folders(top)
    return _reply(old, None, dry_run=dry_run)


def text(root: str) -> str:
    """Returns the workflow for a memory in a folder of the repository, `.` for its top."""
    place = "" if root == os.curdir else PLACE.format(folder=json.dumps(root, ensure_ascii=False))
    steps = STEPS.format(place=place)
    return HEAD.format(digits=_digits(steps)) + "\n" + steps


def is_ours(data: bytes) -> bool:
    """Returns whether a workflow is one that some gitmem wrote and nobody changed; line ends may be the checkout's."""
    head, _, steps = _plain(data).partition("\n\n")
    digits = re.search(r"\(([0-9a-f]{7})\)", head)
    return digits is not None and head + "\n" == HEAD.format(digits=digits[1]) and digits[1] == _digits(steps)


def _digits(steps: str) -> str:
    return hashlib.sha256(steps.encode()).hexdigest()[:7]


def _plain(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _read(top: str) -> bytes | None:
    """Returns the workflow that is there, or None; one behind a symbolic link is refused, as it may lie anywhere."""
    try:
        return disk.read(disk.inside(top, PATH))
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{PATH} cannot be read: {error.strerror}."
        raise GitmemError("unreadable", message, "Make it a plain file that you can read.") from error


def _in_the_way(old: bytes) -> GitmemError:
    if _plain(old).startswith(HEAD.partition("(")[0]):
        message = f"{PATH} was changed since gitmem wrote it."
        return GitmemError(
            "workflow-changed", message, f"Keep it as it is, or delete {PATH} and run the command again."
        )
    message = f"{PATH} is there already, and gitmem did not write it."
    return GitmemError("workflow-exists", message, "Give that file another name, then run gitmem setup github again.")


def _drop_folders(top: str) -> None:
    """Takes the folders away that are empty now: git does not know them."""
    for folder in (os.path.dirname(PATH), os.path.dirname(os.path.dirname(PATH))):
        try:
            os.rmdir(os.path.join(top, folder))
        except OSError:
            return


def _reply(old: bytes | None, new: str | None, *, dry_run: bool) -> Reply:
    before, after = _plain(old) if old is not None else "", new or ""
    name_before = f"a/{PATH}" if old is not None else os.devnull
    name_after = f"b/{PATH}" if new is not None else os.devnull
    diff = "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), name_before, name_after))
    return {"name": "github", "path": PATH, "changed": [PATH] if diff else [], "diff": diff, "dry_run": dry_run}
