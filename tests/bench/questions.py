"""How sure recall is of questions that five stores can and cannot answer: hedging beside false confidence, never one alone."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gitmem.notes.entry import read, render
from gitmem.notes.preset import preset, preset_text
from gitmem.operations.memory import open_memory, ready
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted
from gitmem.search.tokens import STOP_WORDS

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "verdict")
NOW = 1_796_000_000
COLUMNS = ("answerable", "hedging", "none", "first", "in five", "hits", "aspect", "foreign", "confidence", "none")
# Questions in a note's own words, made of its title.
DIRECT: dict[str, Callable[[str], str]] = {
    "title": lambda title: title,
    "why": lambda title: f"why {title}?",
    "four words": lambda title: _words(title, 4),
    "two words": lambda title: _words(title, 2),
}
HEAD = (
    "hedging: answerable, not strong; confidence: not answerable, yet strong (aspect: the subject is known, not what is\n"
    "asked of it; foreign: the subject is unknown); first, in five: where the right note is; hits: how many, where strong\n"
)


class Asked(NamedTuple):
    """A question of a store, and what recall made of it: the verdict, and the names of the hits."""

    store: str
    half: int
    kind: str
    answer: str | None
    verdict: str
    hits: list[str]


def main(halves: Sequence[int] = (0, 1)) -> None:
    """Prints the figures by store, for each half."""
    asked = list(measured(halves))
    stores = list(dict.fromkeys(each.store for each in asked))
    print(HEAD)
    print(f"{'store':<10}{'half':>5}" + "".join(f"{column:>12}" for column in COLUMNS))
    for half in halves:
        for store in (*stores, "all"):
            print(f"{store:<10}{half:>5}" + _figures([each for each in asked if _of(each, store, half)]))
    print(f"\n{'direct':<10}{'questions':>10}" + "".join(f"{column:>12}" for column in COLUMNS[1:5]))
    for form, direct in DIRECT.items():
        found = list(directly(direct))
        print(f"{form:<10}{len(found):>10}" + "".join(f"{share:>12.3f}" for share in _known(found)))


def measured(halves: Sequence[int]) -> Iterator[Asked]:
    """Yields what recall makes of every question of these halves."""
    return _asked([row for row in rows("questions") if row["half"] in halves])


def directly(form: Callable[[str], str]) -> Iterator[Asked]:
    """Yields what recall makes of a question made of each note's title."""
    known = {"half": 0, "kind": "answerable"}
    return _asked(
        [
            known | {"store": row["store"], "answer": row["name"], "question": form(row["title"])}
            for row in rows("notes")
        ]
    )


def _words(title: str, count: int) -> str:
    telling = [word for word in title.split() if word.lower().strip(",.:") not in STOP_WORDS]
    return " ".join(reversed(telling[:count]))


def _asked(questions: Sequence[dict[str, Any]]) -> Iterator[Asked]:
    for store in dict.fromkeys(row["store"] for row in rows("notes")):
        with tempfile.TemporaryDirectory() as root:
            _write([row for row in rows("notes") if row["store"] == store], root)
            memory = open_memory(root, environment=os.environ, now=NOW)
            view = ready(memory).view
            for row in questions:
                if row["store"] == store:
                    reply = recall(memory, row["question"], Wanted(), held=view)
                    hits = [hit["name"] for hit in reply["hits"]]
                    yield Asked(store, row["half"], row["kind"], row["answer"], reply["verdict"], hits)


def rows(name: str) -> Iterator[dict[str, Any]]:  # Any: half is a number, tags are a list
    """Yields the notes or the questions of all stores."""
    with open(os.path.join(DATA, f"{name}.jsonl"), encoding="utf-8") as file:
        yield from map(json.loads, file)


def _write(notes: Sequence[dict[str, Any]], root: str) -> None:
    verbs = tuple(preset("engram").verbs)
    for row in notes:
        folder = os.path.join(root, ".memory", row["type"])
        os.makedirs(folder, exist_ok=True)
        fields = {"title": row["title"], "summary": row["summary"], "tags": tuple(row["tags"]), "body": row["body"]}
        note = read(f"{row['type']}/{row['name']}.md", b"", verbs=()).note._replace(**fields)
        with open(os.path.join(folder, f"{row['name']}.md"), "wb") as file:
            file.write(render(note, verbs=verbs))
    with open(os.path.join(root, ".memory", "config.toml"), "w", encoding="utf-8") as file:
        file.write(preset_text("engram"))


def _of(each: Asked, store: str, half: int) -> bool:
    return store in (each.store, "all") and each.half == half


def _figures(asked: Sequence[Asked]) -> str:
    known = [each for each in asked if each.kind == "answerable"]
    unknown = [each for each in asked if each.kind != "answerable"]
    strong = [len(each.hits) for each in known if each.verdict == "strong"]
    shares = [
        *_known(known),
        sum(strong) / len(strong) if strong else 0.0,
        *(_share(each.verdict == "strong" for each in unknown if each.kind == kind) for kind in ("aspect", "foreign")),
        _share(each.verdict == "strong" for each in unknown),
        _share(each.verdict == "none" for each in unknown if each.kind == "foreign"),
    ]
    return f"{len(known):>6}/{len(unknown):<5}" + "".join(f"{share:>12.3f}" for share in shares)


def _known(known: Sequence[Asked]) -> list[float]:
    """Returns how many of these are not strong, are none, have the right note first, and have it among five."""
    return [
        _share(each.verdict != "strong" for each in known),
        _share(each.verdict == "none" for each in known),
        _share(each.answer in each.hits[:1] for each in known),
        _share(each.answer in each.hits[:5] for each in known),
    ]


def _share(values: Iterator[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
