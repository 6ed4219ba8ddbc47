"""The table of design section 15: what a command costs on a generated project, beside its target."""

import compileall
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import gitmem
from gitmem.operations import hooks
from gitmem.operations.draft import Author, Draft
from gitmem.operations.memory import open_memory, ready
from gitmem.operations.recall import recall
from gitmem.operations.write import remember
from gitmem.search.query import Wanted
from tests.bench import generate

RUNS = 21
REBUILDS = 4
WARM, COUNTED = 8, 48  # questions asked in one process
SETTLING = 3.0  # seconds; younger files are hashed again by every look, by design
QUESTION = "why is the template sequential in jobs"
TITLE = "The heartbeat of run {run} outlives its lease"


class Target(NamedTuple):
    """What a row may cost, by number of notes; unit is "x" (of a bare interpreter), "ms", "s" or "MB"."""

    what: str
    unit: str
    at: dict[int, float]


COLD = Target("recall, cold, nothing changed", "x", {1000: 6, 10000: 10})
EDITED = Target("recall, cold, after one edited note", "x", {1000: 9, 10000: 13})
BRIEF = Target("brief, cold process", "x", {1000: 9, 10000: 14})
PEAK = Target("resident memory of a cold recall", "MB", {1000: 40, 10000: 64})
REBUILT = Target("rebuild from nothing", "s", {1000: 1.2, 10000: 9})
SCANNED = Target("recall in process, with the scan, p50", "ms", {1000: 12, 10000: 100})
HELD = Target("recall in process, without, p50", "ms", {1000: 3, 10000: 8})
WRITTEN = Target("remember in process, without, p50", "ms", {1000: 15, 10000: 40})
CHECKPOINT = Target("checkpoint of one note, cold process", "x", {1000: 12, 10000: 16})
CHECKOUT = Target("post-checkout hook, nothing changed", "x", {1000: 4, 10000: 9})
REMEMBER = Target("remember, cold", "x", {1000: 12})
# For information: commands that have no target.
OTHERS = ("show {note}", "list", "list --type caution --limit 20", "check", "search heartbeat", "--help")


class Case(NamedTuple):
    """A command to run in a folder; `append` names a file to edit before each run, `remove` a folder to remove."""

    command: list[str]
    folder: str
    append: str | None = None
    remove: str | None = None


class Taken(NamedTuple):
    """What the runs of one case took: CPU and wall seconds, peak MB."""

    cpu: list[float]
    wall: list[float]
    peak: list[float]


class Row(NamedTuple):
    """One line of the table: the figure is the minimum (of ratios: of the minima), beside it the median."""

    target: Target
    notes: int
    figure: float
    median: float
    remark: str = ""


def main(sizes: Sequence[int]) -> None:
    """Prints the table for projects of these numbers of notes."""
    compileall.compile_dir(os.path.dirname(gitmem.__file__), quiet=1)
    print(f"command: {' '.join(_command())}; Python {sys.version.split()[0]}; {RUNS} runs in turn with python -c pass")
    print(
        f"x is CPU (user and system, children included) over that of python -c pass, minimum by minimum; {QUESTION!r}\n"
    )
    print(_line("what", "notes", "target", "figure", "median", "", ""))
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for row in _rows(os.path.join(folder, "project"), size):
                print(shown(row), flush=True)


def _command() -> list[str]:
    """Returns the console script beside this interpreter, or else the module."""
    script = os.path.join(os.path.dirname(sys.executable), "gitmem")
    return [script] if os.path.exists(script) else [sys.executable, "-m", "gitmem"]


def _rows(root: str, size: int) -> Iterator[Row]:
    notes = generate.project(root, size).notes
    edited, written, warm = (shutil.copytree(root, root + suffix) for suffix in ("-edited", "-written", "-warm"))
    time.sleep(SETTLING)
    yield from _cold_rows(root, edited, notes, size)
    yield from _process_rows(root, size)
    yield _write_row(warm, size)
    yield _rebuild_row(root, size)
    bare, taken = _timed([Case([*_command(), "remember", TITLE, "--type", "decision", "--body", "Why."], written)])
    yield _ratio(REMEMBER, size, bare, taken)
    yield _checkpoint_row(edited, notes[size // 3], size)
    yield _checkout_row(written, size)
    yield from _other_rows(root, notes, size)


def _cold_rows(root: str, edited: str, notes: Sequence[str], size: int) -> Iterator[Row]:
    command = [*_command(), "recall", QUESTION]
    _git(root, "config", "gitmem.trusted", "true")
    edits = Case(command, edited, append=os.path.join(".memory", notes[size // 2]))
    bare, cold, after, brief = _timed([Case(command, root), edits, Case([*_command(), "brief"], root)])
    yield _ratio(COLD, size, bare, cold)
    yield _ratio(BRIEF, size, bare, brief)
    yield _ratio(EDITED, size, bare, after)
    yield Row(PEAK, size, max(cold.peak), statistics.median(cold.peak))


def _process_rows(root: str, size: int) -> Iterator[Row]:
    """Yields what a recall costs a process that holds a view; without the scan is less what bringing it up to date took."""
    memory = open_memory(root, environment=os.environ, now=int(time.time()))
    held = ready(memory).view
    whole, scan = [], []
    for question in generate.questions(WARM + COUNTED):
        start = time.process_time()
        ready(memory, held)
        middle = time.process_time()
        recall(memory, question, Wanted(), held=held)
        scan.append(middle - start)
        whole.append(time.process_time() - middle)
    less = [both - one for both, one in zip(whole, scan, strict=True)]
    for target, seconds in ((SCANNED, whole[WARM:]), (HELD, less[WARM:])):
        middle = statistics.median(seconds) * 1000
        worst = sorted(seconds)[len(seconds) * 9 // 10] * 1000
        yield Row(target, size, middle, middle, f"CPU, {len(seconds)} questions, p90 {worst:.1f} ms")


def _write_row(root: str, size: int) -> Row:
    """Returns what a new note costs, with all checks, a process that holds a view, without bringing that up to date."""
    prose, held, taken = generate.Prose(size), None, []
    for number, question in enumerate(generate.questions(WARM + COUNTED)):
        memory = open_memory(root, environment=os.environ, now=int(time.time()))
        held = ready(memory, held).view
        start = time.process_time()
        ready(memory, held)
        middle = time.process_time()
        draft = Draft(title=f"{question.rstrip('?')} {number}", type="decision", body=prose.body())
        assert remember(memory, draft, Author("agent", "bench"), allow_duplicate=True, held=held)["created"]
        taken.append(time.process_time() - middle - (middle - start))
    median, worst = statistics.median(taken[WARM:]) * 1000, sorted(taken[WARM:])[COUNTED * 9 // 10] * 1000
    return Row(WRITTEN, size, median, median, f"CPU, {COUNTED} notes, each written, p90 {worst:.1f} ms")


def _rebuild_row(root: str, size: int) -> Row:
    """Returns what a recall costs that finds no cache at all: the better of CPU and wall, the whole process."""
    case = Case([*_command(), "recall", QUESTION], root, remove=os.path.join(root, ".memory", ".cache"))
    _, taken = _timed([case], runs=REBUILDS)
    best = [min(pair) for pair in zip(taken.cpu, taken.wall, strict=True)]
    return Row(REBUILT, size, min(best), statistics.median(best), f"peak {max(taken.peak):.0f} MB")


def _checkpoint_row(root: str, note: str, size: int) -> Row:
    """Returns what a checkpoint of one edited note costs, in a repository without hooks."""
    _git(root, "config", "user.name", "Bench")
    _git(root, "config", "user.email", "bench@example.org")
    _git(root, "config", "gitmem.source", "user")
    _git(root, "commit", "-qam", "What the rows above edited")
    command = [*_command(), "checkpoint", "Run {run}", "--body", "Where it stands."]
    bare, taken = _timed([Case(command, root, append=os.path.join(".memory", note))])
    return _ratio(CHECKPOINT, size, bare, taken)


def _checkout_row(root: str, size: int) -> Row:
    """Returns what the installed hook costs, run as git does after a checkout of a commit with the same notes."""
    hooks.install(root, environment=os.environ)
    _git(root, "-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "-qm", "Same", "--allow-empty")
    command = [os.path.join(root, ".git", "hooks", "post-checkout"), "HEAD~1", "HEAD", "1"]
    bare, taken = _timed([Case(command, root)])
    return _ratio(CHECKOUT, size, bare, taken)


def _git(root: str, *words: str) -> None:
    """Runs git in a copied project; the commit renews its index, whose times are those of the files it was copied from."""
    subprocess.run(["git", "-C", root, "-c", "core.hooksPath=/dev/null", *words], check=True)


def _other_rows(root: str, notes: Sequence[str], size: int) -> Iterator[Row]:
    name = os.path.basename(notes[size // 3])[:-3]
    lines = [line.format(note=name) for line in OTHERS]
    bare, *taken = _timed([Case([*_command(), *line.split()], root) for line in lines], runs=RUNS // 2)
    for line, each in zip(OTHERS, taken, strict=True):
        yield _ratio(Target(f"{line.format(note='NAME')}, cold", "x", {}), size, bare, each)


def _ratio(target: Target, size: int, bare: Taken, taken: Taken) -> Row:
    figure = min(taken.cpu) / min(bare.cpu)
    median = statistics.median(taken.cpu) / statistics.median(bare.cpu)
    return Row(target, size, figure, median, f"{min(taken.cpu) * 1000:.0f} ms of {min(bare.cpu) * 1000:.1f}")


def _timed(cases: Sequence[Case], *, runs: int = RUNS) -> list[Taken]:
    """Returns what a bare interpreter and each case took, run in turn; the first run of all is not counted."""
    bare = Case([sys.executable, "-c", "pass"], os.getcwd())
    asked = {"runs": runs + 1, "environment": environment(), "cases": [case._asdict() for case in (bare, *cases)]}
    launcher = [sys.executable, "-I", os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")]
    done = subprocess.run(launcher, input=json.dumps(asked), capture_output=True, text=True, check=True)
    return [_taken(case, rows) for case, rows in zip((bare, *cases), json.loads(done.stdout), strict=True)]


def _taken(case: Case, rows: list[tuple[float, float, float, int]]) -> Taken:
    """Returns the counted runs; raises where one did not end with 0, as a traceback ends with 1."""
    if any(row[3] for row in rows):
        raise SystemExit(f"{' '.join(case.command)} failed with {sorted({row[3] for row in rows})} in {case.folder}")
    counted = rows[1:]
    return Taken([row[0] for row in counted], [row[1] for row in counted], [row[2] for row in counted])


def environment() -> dict[str, str]:
    """Returns an environment in which bytecode is kept and this gitmem is found first, whatever is installed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return kept | {"PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(gitmem.__file__)))}


def shown(row: Row) -> str:
    target = row.target.at.get(row.notes)
    verdict = "" if target is None else "ok" if row.figure <= target else "OVER"
    unit = row.target.unit
    wanted = "" if target is None else f"<= {target:g} {unit}"
    return _line(
        row.target.what, f"{row.notes:,}", wanted, f"{row.figure:.2f} {unit}", f"{row.median:.2f}", verdict, row.remark
    )


def _line(what: str, notes: str, target: str, figure: str, median: str, verdict: str, remark: str) -> str:
    return f"{what:<42}{notes:>7}{target:>11}{figure:>11}{median:>9}  {verdict:<5} {remark}".rstrip()
