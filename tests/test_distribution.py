"""Memory over machines is Git's own work: clones write, checkpoint, pull and push against a real server, all at once."""

import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, new_project, run, told
from hooked import around, gitted

from gitmem.notes.frontmatter import parse
from gitmem.operations.upkeep import check

SHARED = "how-we-work"
TRIES = 2 * 8 * 20  # a push is refused only while, or after, another one gets through: of these there are no more
SHORT = (3, 3)
FULL = (8, 20)


class Server:
    """A git daemon on a free port of the loopback, and the bare repository that it serves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repository = folder / "memory.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.repository], check=True)
        self.process, self.port = _daemon(folder)

    @property
    def url(self) -> str:
        return f"git://127.0.0.1:{self.port}/memory.git"


def _daemon(folder: Path) -> tuple["subprocess.Popen[str]", int]:
    """Returns a daemon that is ready, and its port; one that another process was faster to take is tried again."""
    for _ in range(10):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = ["--verbose", "--reuseaddr", "--export-all", "--enable=receive-pack", "--max-connections=0"]
        # Not `git daemon`: that would be a second process, which would outlive its parent.
        server = Path(subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip())
        process = subprocess.Popen(
            [server / "git-daemon", *words, "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}", folder],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr
        if any("Ready to rumble" in line for line in iter(process.stderr.readline, "")):
            threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
            return process, port
        process.wait()
    raise AssertionError("no port was free")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = tmp_path / "server"
    folder.mkdir()
    made = Server(folder)
    yield made
    made.process.kill()
    made.process.wait()


class Clone:
    """One machine: a clone with hooks and driver, an agent that writes, and a pull that rebases or merges."""

    def __init__(self, root: Path, number: int, bin: Path) -> None:
        self.root = root
        self.number = number
        self.bin = bin
        self.rebases = number % 2 == 0
        self.written: list[str] = []
        self.retries = 0

    def git(self, *words: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        return gitted(self.root, *words, bin=self.bin, check=check)

    def gitmem(self, *words: str, given: str = "") -> dict[str, Any]:
        done = run(self.root, *words, "--json", given=given, extra=around(self.bin, CLAUDECODE="1"))
        assert done.returncode == 0, done.stdout + done.stderr
        return told(done)

    def round(self, number: int) -> None:
        """Writes a note of its own, changes the note that all share, commits both, and shares them."""
        title = f"Finding {number} of machine {self.number}"
        self.written.append(
            self.gitmem("remember", title, "--type", "insight", "--body", f"Seen {number}.", "--allow-duplicate")[
                "name"
            ]
        )
        self.gitmem("link", SHARED, "builds-on", self.written[-1])
        lines = [f"Machine {self.number}: {number}." if self.is_mine(line) else line for line in self.shared_lines()]
        self.gitmem("revise", SHARED, "--add-tag", f"m{self.number}r{number}", "--body", "-", given="\n".join(lines))
        made = self.gitmem("checkpoint", f"Round {number} of machine {self.number}")
        assert made["commit"] and made["left"] == [] and SHARED in made["notes"]
        self.share()

    def shared_lines(self) -> list[str]:
        data = (self.root / ".memory" / "principle" / f"{SHARED}.md").read_bytes()
        return parse(data, SHARED).body.split("\n")

    def is_mine(self, line: str) -> bool:
        return line.startswith(f"Machine {self.number}:")

    def share(self) -> None:
        """Pushes, and pulls as long as another clone was faster."""
        for _ in range(TRIES):
            if self.git("push", "-q", "origin", "main", check=False).returncode == 0:
                return
            self.retries += 1
            self.git("pull", "-q", *(["--rebase"] if self.rebases else ["--no-rebase", "--no-edit"]))
        raise AssertionError(f"machine {self.number} was never fast enough")


@pytest.fixture
def cloned(server: Server, tmp_path: Path, bin: Path) -> Callable[[int], list[Clone]]:
    """Returns what makes clones of a memory that the server has, with the note that all of them change."""

    def clones(count: int) -> list[Clone]:
        first = new_project(tmp_path / "first")
        assert run(first.root, "init").returncode == 0
        machines = "\n\n".join(f"Machine {number}: nothing yet." for number in range(count))
        first.note(SHARED, f"Who found what.\n\n{machines}", type="principle", tags="[all]")
        gitted(first.root, "add", ".")
        gitted(first.root, "commit", "-qm", "A memory")
        gitted(first.root, "push", "-q", server.url, "main")
        return [one(number) for number in range(count)]

    def one(number: int) -> Clone:
        root = tmp_path / f"machine-{number}"
        gitted(tmp_path, "clone", "-q", server.url, str(root))
        for key, value in (("user.name", f"Machine {number}"), ("user.email", f"m{number}@example.org")):
            gitted(root, "config", key, value)
        assert run(root, "hooks", "install").returncode == 0
        return Clone(root, number, bin)

    return clones


def played(clones: list[Clone], rounds: int) -> None:
    """Plays all rounds on all clones, as many at once as there are."""

    def play(clone: Clone) -> None:
        for number in range(rounds):
            clone.round(number)

    with ThreadPoolExecutor(len(clones)) as pool:
        list(pool.map(play, clones))


def on_the_server(server: Server, tmp_path: Path) -> Project:
    gitted(tmp_path, "clone", "-q", server.url, "after")
    return Project(tmp_path / "after")


@pytest.mark.parametrize(
    ("count", "rounds"), [pytest.param(*SHORT, id="short"), pytest.param(*FULL, id="full", marks=pytest.mark.full)]
)
def test_every_note_arrives_and_no_person_is_needed(
    count: int, rounds: int, server: Server, cloned: Callable[[int], list[Clone]], tmp_path: Path
) -> None:
    clones = cloned(count)

    played(clones, rounds)  # a pull that conflicts fails its clone

    after = on_the_server(server, tmp_path)
    shared = parse((after.notes / "principle" / f"{SHARED}.md").read_bytes(), SHARED)
    written = {name for clone in clones for name in clone.written}
    assert len(written) == count * rounds
    assert written == {path.stem for path in (after.notes / "insight").iterdir()}
    assert set(shared.fields["builds-on"]) == written
    assert set(shared.fields["tags"]) == {"all"} | {f"m{one}r{at}" for one in range(count) for at in range(rounds)}
    assert [line for line in shared.body.split("\n") if line.startswith("Machine ")] == [
        f"Machine {number}: {rounds - 1}." for number in range(count)
    ]
    assert check(after.open())["problems"] == []
    assert gitted(after.root, "fsck", "--strict").returncode == 0
    print(f"{count} clones, {rounds} rounds: {sum(clone.retries for clone in clones)} pushes were refused and retried")


def test_case_53_a_refused_push_leaves_the_work_as_it_was(
    server: Server, cloned: Callable[[int], list[Clone]], tmp_path: Path
) -> None:
    (clone,) = cloned(1)
    refuse = server.repository / "hooks" / "pre-receive"
    refuse.write_text("#!/bin/sh\nexit 1\n")
    refuse.chmod(0o755)
    (clone.root / "code.py").write_text("staged\n")
    clone.git("add", "code.py")
    (clone.root / "code.py").write_text("dirty\n")
    (clone.root / ".env").write_text("untracked\n")
    clone.gitmem("remember", "A finding", "--type", "insight")
    made = clone.gitmem("checkpoint", "Where it stands")
    before = clone.git("status", "--porcelain=v2", "--branch").stdout

    pushed = clone.git("push", "-q", "origin", "main", check=False)
    again = clone.gitmem("checkpoint", "Where it stands")

    assert pushed.returncode != 0
    assert (again["commit"], again["name"]) == (None, made["name"])
    assert clone.git("status", "--porcelain=v2", "--branch").stdout == before
    assert (clone.root / "code.py").read_text() == "dirty\n" and (clone.root / ".env").read_text() == "untracked\n"
    assert "insight/a-finding.md" in clone.git("ls-tree", "-r", "--name-only", "HEAD").stdout


def test_two_machines_that_truly_disagree_are_told_where(
    server: Server, cloned: Callable[[int], list[Clone]], tmp_path: Path
) -> None:
    one, two = cloned(2)
    for clone in (one, two):
        clone.gitmem("revise", SHARED, "--summary", f"Machine {clone.number} is right.")
        clone.gitmem("checkpoint", f"Machine {clone.number} says so")
    one.share()

    pulled = two.git("pull", "-q", "--no-rebase", "--no-edit", check=False)
    left = run(two.root, "resolve-conflicts", "--json")

    assert pulled.returncode == 1
    assert left.returncode == 1
    assert [(each["code"], each["path"]) for each in told(left)["problems"]] == [
        ("unsettled", f".memory/principle/{SHARED}.md")
    ]
