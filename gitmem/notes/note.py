"""A note: the values that its file holds."""

from gitmem.errors import Problem
from gitmem.notes.value import Value
from gitmem.values import NamedTuple


class Link(NamedTuple):
    """A typed claim about another note, which may not exist."""

    verb: str
    to: str
    note: str | None
    weight: float


class Approval(NamedTuple):
    """Who approved the note, when, and the `edit_digest` of what was approved."""

    by: str
    at: str
    of: str | None


class Note(NamedTuple):
    """What a note's file says; instants are normalised, words lower-cased, and unknown keys stand in `extra`."""

    title: str
    type: str
    summary: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    domain: str | None
    status: str | None
    durability: str | None
    source: str | None
    agent: str | None
    session: str | None
    confidence: float | None
    created: str | None
    confirmed: str | None
    confirmed_by: str | None
    approved: Approval | None
    pinned: float | None
    reviewed: str | None
    sensitive: bool
    links: tuple[Link, ...]
    touches: tuple[str, ...]
    buried: tuple[str, ...]
    suspects: tuple[str, ...]
    distinct: tuple[str, ...]
    extra: dict[str, Value]
    body: str


class Entry(NamedTuple):
    """A note and its file: path below `.memory` with `/`, name, SHA-256 of the bytes in hex, and what is wrong."""

    path: str
    name: str
    digest: str
    note: Note
    problems: tuple[Problem, ...]

    @property
    def is_readable(self) -> bool:
        """Whether what the note says can be trusted: its file has no error."""
        return not any(problem.severity == "error" for problem in self.problems)


def confirmed(note: Note) -> str | None:
    """Returns when a person last confirmed a note: the word of an agent, by whatever name it signs, is none."""
    return note.confirmed if (note.confirmed_by or "user").strip().lower() == "user" else None


def summary(note: Note) -> str | None:
    """Returns what lists show of a note: its summary, else the first sentence of a body that is not sensitive."""
    if note.summary or note.sensitive:
        return note.summary
    from gitmem.notes.prose import first_sentence

    return first_sentence(note.body) or None
