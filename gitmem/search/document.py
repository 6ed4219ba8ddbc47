"""A note as the index takes it: terms, facets, links, vector, and the JSON that it comes back as."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from gitmem.errors import Problem
from gitmem.notes.instant import seconds
from gitmem.notes.name import fold
from gitmem.notes.note import Approval, Entry, Link, Note, summary
from gitmem.notes.touch import unhashed
from gitmem.notes.value import Value
from gitmem.notes.vocabulary import Vocabulary, types_with, verbs_with
from gitmem.search import bm25
from gitmem.search.embed import Model, UserModel, load_user_model
from gitmem.search.index import LIVE, NOTE, SCHEMA, Record
from gitmem.search.tokens import Tokenizer
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gitmem.knowledge.sense import Sense


class NoModel:
    """A model that knows no word: every vector is zero, so that words alone speak."""

    def __init__(self, model: Model | UserModel) -> None:
        """It takes the place of a model whose vectors would take too long."""
        self.fingerprint = model.fingerprint
        self.dims = model.dims

    def vector(self, text: str) -> bytes:
        """Returns the vector of a question."""
        return bytes(self.dims)

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Returns the vectors of notes."""
        return [bytes(self.dims)] * len(texts)


class Document(NamedTuple):
    """A note ready for the index; inert ones (checkpoints, archived) move no other note's rank."""

    record: Record
    digest: str
    inert: bool
    vector: bytes


class Roles(NamedTuple):
    """What the index must know of a vocabulary: which words are verbs, and which words have which role."""

    verbs: tuple[str, ...]
    supersession: frozenset[str]
    contradiction: frozenset[str]
    worklist: frozenset[str]
    checkpoint: frozenset[str]


def roles_of(vocabulary: Vocabulary) -> Roles:
    """Returns the roles that a vocabulary gives its words."""
    return Roles(
        tuple(sorted(vocabulary.verbs)),
        verbs_with(vocabulary, "supersession"),
        verbs_with(vocabulary, "contradiction"),
        types_with(vocabulary, "worklist"),
        types_with(vocabulary, "checkpoint"),
    )


class Maker:
    """Makes documents of notes; owns the model and the tokenizer, which are opened when first needed."""

    def __init__(self, vocabulary: Vocabulary, model: str | None) -> None:
        """`model` is the folder of a user's own model2vec model, None for the one that is shipped."""
        self.made_of = (vocabulary, model)
        self.roles = roles_of(vocabulary)
        self.model: Model | UserModel | NoModel = load_user_model(model) if model else Model.open(shipped_model())
        self.tokenizer = Tokenizer()
        self.fingerprint = self._fingerprint()
        self._sense: Sense | None = None
        self._loaded = False

    @property
    def sense(self) -> "Sense":
        """What a comparison of two notes must know of words, from the shipped model whatever vectors are made with."""
        if self._sense is None:
            from gitmem.knowledge.sense import Sense  # late: finding compares nothing

            model = self.model if isinstance(self.model, Model) else Model.open(shipped_model())
            stem, pieces = self.tokenizer.stem, model.pieces
            self._sense = Sense(stem, model.weight, lambda word: len(pieces(word)), model.vector)
        return self._sense

    def load_tables(self) -> None:
        """Loads what a long-lived process looks up faster in whole tables, which one command would not earn back."""
        if not self._loaded:
            self._loaded = True
            self.tokenizer.synonyms.load()
            if isinstance(self.model, Model):
                self.model.pieces.load()

    def _fingerprint(self) -> str:
        return json.dumps([SCHEMA, self.model.fingerprint, [sorted(part) for part in self.roles]])

    def lexical(self) -> "Maker":
        """Returns a maker that cuts words as this one does, and gives nothing a vector."""
        import copy

        made = copy.copy(self)
        made.model = self.model if isinstance(self.model, NoModel) else NoModel(self.model)
        return made

    def documents(self, texts: Sequence[tuple[str, bytes]]) -> list[Document]:
        """Returns one document for each (path, file's bytes)."""
        from gitmem.notes.entry import read  # late: an index that is up to date reads no note

        entries = [read(path, data, verbs=self.roles.verbs) for path, data in texts]
        vectors = self.model.passages([embedded_text(entry.note) for entry in entries])
        return [self._document(entry, vector) for entry, vector in zip(entries, vectors, strict=True)]

    def document(self, entry: Entry) -> Document:
        """Returns the document of a note as it is, which need not have a file."""
        return self._document(entry, self.model.passages([embedded_text(entry.note)])[0])

    def _document(self, entry: Entry, vector: bytes) -> Document:
        note, roles = entry.note, self.roles
        bag = bm25.bag(_fields(entry, self.tokenizer.terms))
        inert = is_inert(note, roles)
        record = Record(
            path=entry.path,
            key=fold(entry.name),
            aliases=tuple(map(fold, note.aliases)),
            to=targets(note, None),
            supersedes=targets(note, roles.supersession),
            contradicts=targets(note, roles.contradiction),
            facets=tuple(facets(note, roles, inert=inert)),
            created=seconds(note.created) if note.created else None,
            terms=bag.counts,
            length=bag.length,
            stored=stored(entry),
        )
        return Document(record, entry.digest, inert, vector)


def shipped_model() -> str:
    """Returns the folder of the model that is shipped in the package."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "model")


def embedded_text(note: Note) -> str:
    """Returns what a note's vector stands for: title, summary and tags as the first paragraph, then the body."""
    parts = (note.title, note.summary, " ".join(note.tags))
    return "\n".join(part for part in parts if part) + "\n\n" + note.body


def targets(note: Note, verbs: frozenset[str] | None) -> tuple[str, ...]:
    """Returns the folded names that a note's links of these verbs (None: all) point to."""
    return tuple(dict.fromkeys(fold(link.to) for link in note.links if verbs is None or link.verb in verbs))


def _fields(entry: Entry, terms: Callable[[str], list[str]]) -> dict[str, list[str]]:
    note = entry.note
    return {
        "title": terms(note.title),
        "summary": terms(note.summary or ""),
        "tags": terms(" ".join(note.tags)),
        "name": terms(" ".join((entry.name, *note.aliases))),
        "body": terms("\n".join((note.body, *_texts(note.extra.values())))),
        "touches": terms(" ".join(note.touches)),
    }


def _texts(values: Iterable[Value]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from _texts(value.values())
        elif value is not None:
            yield from _texts(value)


def facets(note: Note, roles: Roles, *, inert: bool) -> Iterator[str]:
    """Yields `kind NUL value`, in lower case, for everything a note can be filtered by."""
    yield NOTE
    if not inert:
        yield LIVE
    status = status_of(note, roles)
    single = (
        ("type", note.type),
        ("domain", note.domain),
        ("source", note.source),
        ("agent", note.agent),
        ("status", status),
    )
    yield from (f"{kind}\0{value.casefold()}" for kind, value in single if value)
    yield from (f"tag\0{tag.casefold()}" for tag in note.tags)
    yield from (f"touch\0{place}" for touch in note.touches for place in touched_places(touch))
    yield from (f"where\0{key}={value}".casefold() for key, value in _attributes(note))
    if note.type in roles.checkpoint:
        yield "hidden\0checkpoint"
    if note.status in ("superseded", "archived"):
        yield f"hidden\0{note.status}"


def is_inert(note: Note, roles: Roles) -> bool:
    """Returns whether a note moves no other one: a checkpoint, or one that is archived."""
    return note.type in roles.checkpoint or note.status == "archived"


def status_of(note: Note, roles: Roles) -> str | None:
    """Returns a note's status; worklist notes that have none are open."""
    return note.status or ("open" if note.type in roles.worklist else None)


def _attributes(note: Note) -> Iterator[tuple[str, str]]:
    known = (("session", note.session), ("durability", note.durability))
    yield from ((key, value) for key, value in known if value)
    for key, value in note.extra.items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield key, text


# Folders around one place that it is found by: a path of 50,000 took five gigabytes, and no project is so deep.
DEEPEST = 64


def touched_places(touch: str) -> list[str]:
    """Returns every place that holds an anchor: `a/b.py::f@1234567` is in `a/b.py::f`, `a/b.py` and `a/`."""
    whole = unhashed(touch).casefold()
    path, symbol, _ = whole.partition("::")
    steps = path.split("/")
    folders = ["/".join(steps[:count]) + "/" for count in range(1, min(len(steps), DEEPEST))]
    return list(dict.fromkeys([whole, path, *folders] if symbol else [path, *folders]))


def stored(entry: Entry) -> bytes:
    """Returns an entry as JSON, its approval only where that holds, with the summary that is shown of it.

    Finding must neither cut sentences again nor digest them.
    """
    from gitmem.notes.entry import sound  # late, as in documents

    parts = [*entry._replace(note=sound(entry.note)), summary(entry.note)]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def restored(data: bytes) -> tuple[Entry, str | None]:
    """Returns the entry that `stored` wrote, and the summary that is shown of it."""
    path, name, digest, note, problems, shown = json.loads(data)
    return Entry(path, name, digest, _note(note), tuple(Problem(*problem) for problem in problems)), shown


def _note(values: list[Any]) -> Note:  # Any: json.loads gives nothing better
    for at in _TUPLES:
        values[at] = tuple(values[at])
    values[_LINKS] = tuple(Link(*link) for link in values[_LINKS])
    values[_APPROVED] = Approval(*values[_APPROVED]) if values[_APPROVED] else None
    return Note(*values)


# Places of what JSON has as lists: looked up once, as a recall of many notes restores a hundred.
_TUPLES = tuple(map(Note._fields.index, ("tags", "aliases", "touches", "buried", "suspects", "distinct")))
_LINKS, _APPROVED = map(Note._fields.index, ("links", "approved"))
