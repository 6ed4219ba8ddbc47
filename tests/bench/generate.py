"""Plausible projects of any size for the benchmark: a repository, and notes in it; the same for the same seed."""

import os
import random
import subprocess
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from gitmem.notes.entry import read, render
from gitmem.notes.instant import seconds
from gitmem.notes.name import fold, name_for
from gitmem.notes.note import Link, Note
from gitmem.notes.preset import preset, preset_text

FILES = 300
BODY = 1_500  # mean bytes of a body, as in this project's and two other projects' notes
# The newest note's day; notes lie ten hours apart at 1,000, an hour at 10,000.
NEWEST = "2026-11-01T12:00:00Z"
SPAN = 400 * 86_400

# Words are parted by spaces, and what is longer stands one a line; the earlier ones are drawn no oftener: each seed shuffles.
AREAS = """
api auth billing cache cli config core db export gateway graph hooks index ingest jobs metrics migrations notify
parser queue render replay router scheduler search session storage sync ui worker
"""
THINGS = """
request response cache key token session worker queue job lock index page record row field schema migration query
plan cursor batch stream buffer offset checkpoint snapshot segment shard replica leader follower lease heartbeat
timeout retry deadline budget limit quota counter gauge histogram trace span log event message topic partition
consumer producer broker handler route endpoint header payload body parser lexer grammar tree node edge graph path
walk rule policy role permission secret certificate signature digest hash salt nonce cookie client server proxy
gateway balancer pool connection socket frame packet channel thread process signal fork mutex semaphore barrier
fixture assertion mock test suite build artefact release version tag branch commit merge conflict hook script
template layout widget dialog menu theme font colour locale currency invoice ledger account payment refund tax
discount order basket customer tenant project workspace folder file archive backup restore dump import export report
dashboard alert incident runbook rollout rollback flag experiment
"""
QUALITIES = """
stale empty partial atomic idempotent cold warm slow fast nested flat signed unsigned encrypted plain binary sorted
unique missing duplicate orphaned shared private public remote local global default optional required deprecated
experimental stable flaky silent loud bounded unbounded lazy eager sparse dense mutable immutable concurrent
sequential monotonic random deterministic cheap expensive legacy internal external upstream
"""
ACTS = """
reads writes drops retries flushes locks releases parses renders merges splits sorts hashes signs verifies caches
evicts replays rejects accepts queues schedules cancels throttles rewrites truncates appends rotates compresses
indexes scans skips follows walks counts measures reports copies moves renames deletes restores invalidates
refreshes loads stores forwards blocks wakes polls batches streams buffers encodes decodes escapes
"""
REASONS = """
because the clock of one host went backwards
so that a crash leaves the old state
after the incident in March
which nobody noticed for a week
since two writers met there
and the profile showed it at once
although the manual says otherwise
before anything else may look at it
unless the caller asks for it
when the disk is full
on the second attempt only
as long as the tenant has no override
while the old release is still running
in the order in which they came
and never the other way round
"""
SHAPES = """
The {quality} {thing} {act} the {thing} {reason}.
{Act} the {thing} in `{identifier}` {reason}.
We measured {number} ms for a {quality} {thing} and {number} ms for a {quality} one.
`{path}` {act} every {thing}; the {thing} itself stays {quality}.
A {thing} without a {thing} is {quality}, {reason}.
Since {version} the {thing} {act} its {thing}.
{Name} had proposed a {quality} {thing}, but it {act} too many {thing}s.
See `{identifier}` and `{identifier}`: the first {act}, the second {act}.
The {area} team keeps the {thing} {quality} {reason}.
Do not trust a {quality} {thing} {reason}.
If the {thing} {act} the {quality} {thing}, `{identifier}` returns nothing.
It failed with `{Name}Error: {quality} {thing} at {number}` {reason}.
The {thing} of {name} and the {thing} of {name} {reason} are the same {thing}.
"""
TITLES = """
The {quality} {thing} {act} the {thing}
Keep the {thing} {quality} in {area}
{identifier} {act} a {quality} {thing}
{Area} {act} the {quality} {thing} of {name}
Why {name} {act} its {thing}
A {quality} {thing} breaks the {area} {thing}
Use a {quality} {thing} for every {thing} in {area}
{name}: {quality} {thing}, {quality} {thing}
"""
QUESTIONS = """
why is the {thing} {quality} in {area}
what {act} the {quality} {thing}
{identifier} {thing}
how do we keep the {thing} of {name} {quality}
{area} {thing} {reason}
which {thing} {act} {path}
"""
SYLLABLES = """
ka lor ven ti mar dos ull ber qui nex za pho rin sta wex jo
"""
# Share of every type, in thousandths; answers and resolutions come in the usual proportion.
TYPES = {"decision": 240, "caution": 190, "insight": 170, "problem": 120, "resolution": 90, "principle": 80}
TYPES |= {"intent": 60, "anchor": 30, "checkpoint": 15, "tombstone": 5}
LINKED = {"decision": "because", "resolution": "answers", "insight": "builds-on", "intent": "needs", "caution": "about"}
REPLACED = 0.04
VOCABULARY = preset("engram")


class Project(NamedTuple):
    """A generated project: its root, and the paths of its notes below .memory."""

    root: str
    notes: list[str]


class Zipf:
    """Draws from a list so that the nth is drawn 1/n as often as the first, as words of a language are."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def draw(self, dice: random.Random) -> str:
        """Returns one of the words."""
        return dice.choices(self.words, cum_weights=self._weights)[0]


class Prose:
    """Writes English-like sentences about one project's files and identifiers."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        areas, things, qualities, acts = (words.split() for words in (AREAS, THINGS, QUALITIES, ACTS))
        self.files = self._files(areas, things)
        slots = {
            "thing": things,
            "quality": qualities,
            "act": acts,
            "area": areas,
            "reason": REASONS.strip().split("\n"),
        }
        slots |= {"name": _names(), "path": self.files, "identifier": _identifiers(things, qualities, acts)}
        self._slots = {slot: Zipf(self.dice.sample(words, len(words))) for slot, words in slots.items()}

    def _files(self, areas: Sequence[str], things: Sequence[str]) -> list[str]:
        stems = [f"{area}/{thing}" for area in areas for thing in self.dice.sample(things, FILES // len(areas) + 1)]
        return [f"src/{stem}.py" for stem in self.dice.sample(stems, FILES)]

    def filled(self, shape: str) -> str:
        """Returns a shape with every slot filled."""
        return "".join(self._part(part) for part in shape.replace("}", "{").split("{"))

    def _part(self, part: str) -> str:
        if part == "number":
            return str(self.dice.randrange(2, 4_000))
        if part == "version":
            return f"v{self.dice.randrange(5)}.{self.dice.randrange(20)}.{self.dice.randrange(9)}"
        slot = self._slots.get(part.lower())
        if slot is None:
            return part
        word = slot.draw(self.dice)
        return word.capitalize() if part[0].isupper() else word

    def one_of(self, shapes: str) -> str:
        """Returns one of the lines of `shapes`, filled."""
        return self.filled(self.dice.choice(shapes.strip().split("\n")))

    def body(self) -> str:
        """Returns paragraphs of about BODY bytes together."""
        size = self.dice.randrange(BODY // 3, BODY * 5 // 3)
        text = ""
        while len(text) < size:
            sentences = [self.one_of(SHAPES) for _ in range(self.dice.randrange(2, 6))]
            text += " ".join(sentences) + "\n\n"
        return text.rstrip() + "\n"


def _names() -> list[str]:
    parts = SYLLABLES.split()
    return [f"{a}{b}{c}" for a in parts for b in parts for c in parts]


def _identifiers(things: Sequence[str], qualities: Sequence[str], acts: Sequence[str]) -> list[str]:
    pairs = [(act, thing) for act in acts for thing in things]
    snakes = [f"{act}_{thing}" for act, thing in pairs]
    camels = [f"{act}{thing.title()}" for act, thing in pairs]
    classes = [f"{quality.title()}{thing.title()}" for quality in qualities for thing in things]
    return snakes + camels + classes


def project(root: str, notes: int, *, seed: int = 1) -> Project:
    """Makes a project in an empty folder: a repository of 300 files without hooks, and its notes, all committed."""
    prose = Prose(seed)
    for path in prose.files:
        write(os.path.join(root, path), prose.body().encode())
    memory = os.path.join(root, ".memory")
    write(os.path.join(memory, "config.toml"), preset_text("engram").encode())
    paths = []
    for path, data in written(prose, notes):
        write(os.path.join(memory, path), data)
        paths.append(path)
    commit_all(root)
    return Project(root, paths)


def commit_all(root: str) -> None:
    """Makes a folder a repository with one commit, a clone that somebody vouched for."""
    identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false"]
    for words in (
        ["init", "-q"],
        ["config", "gitmem.trusted", "true"],
        ["config", "gc.auto", "0"],  # it would go on in the background, under the copies that are made next
        ["add", "-A"],
        [*identity, "commit", "-qm", "All"],
    ):
        subprocess.run(["git", "-C", root, "-c", "core.hooksPath=/dev/null", *words], check=True)


def write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def written(prose: Prose, count: int) -> Iterator[tuple[str, bytes]]:
    """Yields the path and the bytes of every note, the oldest first; a note links to older ones only."""
    taken: dict[str, str] = {}
    older: dict[str, list[str]] = {kind: [] for kind in TYPES}
    first = seconds(NEWEST) - SPAN
    for number in range(count):
        created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(first + SPAN * number // count))
        note = _note(prose, created, older)
        name = name_for(note.title, taken=taken, created=created)
        taken[fold(name)] = note.title
        older[note.type].append(name)
        yield f"{note.type}/{name}.md", render(note, verbs=tuple(VOCABULARY.verbs))


def _note(prose: Prose, created: str, older: dict[str, list[str]]) -> Note:
    dice = prose.dice
    kind = dice.choices(list(TYPES), weights=list(TYPES.values()))[0]
    values: dict[str, Any] = {  # Any: fields of many types
        "title": prose.one_of(TITLES),
        "type": kind,
        "summary": prose.one_of(SHAPES) if dice.random() < 0.5 else None,
        "tags": tuple(dict.fromkeys(prose.filled("{area}") for _ in range(dice.randrange(4)))),
        "source": dice.choice(("human", "agent", "agent")),
        "created": created,
        "links": tuple(_links(dice, kind, older)),
        "touches": tuple(dict.fromkeys(prose.filled("{path}") for _ in range(dice.randrange(3)))),
        "status": _status(dice, kind),
        "body": prose.body(),
    }
    return read("note.md", b"", verbs=()).note._replace(**values)


def _status(dice: random.Random, kind: str) -> str | None:
    if kind in ("problem", "intent"):
        return dice.choice(("open", "resolved", "resolved"))
    return "archived" if dice.random() < 0.01 else None


def _links(dice: random.Random, kind: str, older: dict[str, list[str]]) -> Iterator[Link]:
    """Yields up to four links: replacements of the same type, the type's own verb, and what is about an anchor."""
    same, anchors = older[kind], older["anchor"]
    if same and dice.random() < REPLACED:
        yield Link("replaces", same[dice.randrange(max(0, len(same) - 50), len(same))], None, 1.0)
    verb = LINKED.get(kind)
    goals = {"because": "principle", "answers": "problem", "needs": "intent", "builds-on": "insight"}
    names = older[goals[verb]] if verb in goals else anchors
    if verb and names:
        yield from (
            Link(verb, name, None, 1.0) for name in sorted({dice.choice(names) for _ in range(dice.randrange(3))})
        )
    if anchors and verb != "about" and dice.random() < 0.3:
        yield Link("about", dice.choice(anchors), None, 1.0)


def questions(count: int, *, seed: int = 1) -> list[str]:
    """Returns different questions, in words and about files that the project of this seed has."""
    prose = Prose(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[prose.one_of(QUESTIONS)] = None
    return list(found)
