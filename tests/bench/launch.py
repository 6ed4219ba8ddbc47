"""Runs commands as whole processes, in turn, and prints what each took; small, as no child's peak reads below its parent's.

Reads {runs, environment, cases: [{command, folder, append, remove}]} as JSON; `{run}` in a word becomes the run's number.
Prints, for each case, [CPU seconds, wall seconds, peak MB, exit status] of every run. CPU is user and system, children
included; before a run, a line is added to the file `append`, or the folder `remove` is removed.
"""

import json
import os
import sys
import time
from typing import Any


def main() -> None:
    """Does what standard input asks for."""
    asked = json.load(sys.stdin)
    cases = asked["cases"]
    taken: list[list[list[float]]] = [[] for _ in cases]
    for run in range(asked["runs"]):
        for case, rows in zip(cases, taken, strict=True):
            _prepare(case, run)
            rows.append(_run(case, run, asked["environment"]))
    json.dump(taken, sys.stdout)


def _prepare(case: dict[str, Any], run: int) -> None:
    """Changes a file as an editor does, by a new one in its place, and removes a folder."""
    os.chdir(case["folder"])
    if case["append"]:
        with open(case["append"], "rb") as file:
            data = file.read()
        with open(case["append"] + ".new", "wb") as file:
            file.write(data + f"\nEdited for run {run}.\n".encode())
        os.replace(case["append"] + ".new", case["append"])
    if case["remove"]:
        import shutil

        shutil.rmtree(case["remove"])


def _run(case: dict[str, Any], run: int, environment: dict[str, str]) -> list[float]:
    command = [word.replace("{run}", str(run)) for word in case["command"]]
    silent = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in (0, 1, 2)]
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=silent)
    _, status, used = os.wait4(process, 0)
    wall = time.perf_counter() - start
    return [used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)]


if __name__ == "__main__":
    main()
