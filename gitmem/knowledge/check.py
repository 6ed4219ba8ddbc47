"""Checking: what is wrong with the notes, each by itself and all together."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitmem.errors import Problem, near_miss
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Graph
from gitmem.notes import secrets, shown
from gitmem.notes.config import Config
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.prose import mentions
from gitmem.notes.vocabulary import STATUSES, WORKLIST_STATUSES, types_with, verbs_with

KNOWN_FILES = ("config.toml",)


class Text(NamedTuple):
    """A note with the text of its file, as secrets are looked for in every byte."""

    entry: Entry
    text: str


def check(texts: Sequence[Text], strays: Sequence[tuple[str, str]], config: Config) -> list[Problem]:
    """Returns every problem of a folder of notes, by path and line; paths are relative to the folder."""
    graph = graphs.build([text.entry for text in texts])
    found: list[Problem] = []
    for text in texts:
        found += text.entry.problems
        found += _words(text.entry, config)
        found += _contents(text)
        found += _links(text.entry, graph, config)
    found += _names(graph)
    found += _rings(graph, config)
    found += _strays(strays)
    return sorted(found, key=lambda problem: (problem.path, problem.line or 0, problem.code, problem.message))


def _error(path: str, line: int | None, code: str, message: str, hint: str | None = None) -> Problem:
    return Problem(path, line, code, "error", message, hint)


def _warning(path: str, line: int | None, code: str, message: str, hint: str | None = None) -> Problem:
    return Problem(path, line, code, "warning", message, hint)


def _readable(entry: Entry) -> bool:
    return not any(problem.severity == "error" for problem in entry.problems)


def _words(entry: Entry, config: Config) -> Iterator[Problem]:
    """Yields what a note says in words that are not declared, and a folder that is not its type's."""
    note, vocabulary = entry.note, config.vocabulary
    folder = entry.path.rpartition("/")[0]
    if not _readable(entry):
        return
    if note.type not in vocabulary.types:
        yield _undeclared(entry, "type", note.type, list(vocabulary.types))
    elif folder != note.type:
        message = f"The note is a {note.type} but lies in {folder or 'the top folder'}."
        yield _warning(entry.path, None, "wrong-folder", message, "gitmem check --fix moves it.")
    if note.domain and note.domain not in vocabulary.domains:
        yield _undeclared(entry, "domain", note.domain, list(vocabulary.domains))
    if note.status and note.status not in _statuses(entry, config):
        yield _undeclared(entry, "status", note.status, list(_statuses(entry, config)))
    for key in note.extra:
        near = near_miss(key, list(vocabulary.verbs))
        if near:
            message = f"The field {key!r} is no declared verb, so its links do not count."
            yield _warning(entry.path, None, "unknown-verb", message, f"Did you mean {near}?")


def _statuses(entry: Entry, config: Config) -> tuple[str, ...]:
    worklist = entry.note.type in types_with(config.vocabulary, "worklist")
    return (*WORKLIST_STATUSES, *STATUSES) if worklist else STATUSES


def _undeclared(entry: Entry, kind: str, word: str, known: list[str]) -> Problem:
    near = near_miss(word, known)
    hint = f"Did you mean {near}?" if near else f"Declared: {', '.join(known) or 'none'}."
    return _warning(entry.path, None, f"unknown-{kind}", f"The {kind} {word!r} is not declared.", hint)


def _contents(text: Text) -> Iterator[Problem]:
    for secret in secrets.find(text.text):
        message = f"The line holds what looks like a secret ({secret.pattern})."
        hint = "Take it out and revoke it, or end the line with `gitmem: allow-secret` if it is none."
        yield _error(text.entry.path, secret.line, "secret", message, hint)
    if text.entry.note.source != "user":
        for line in shown.instruction_like(text.text):
            message = "The line reads like an instruction to an agent."
            yield _warning(
                text.entry.path,
                line,
                "instruction-like",
                message,
                "Notes are evidence: say what is so, not what to run.",
            )


def _links(entry: Entry, graph: Graph, config: Config) -> Iterator[Problem]:
    for edge in graph.out[entry.path]:
        verb = config.vocabulary.verbs.get(edge.link.verb)
        if edge.target is None:
            near = near_miss(fold(edge.link.to), list(graph.names))
            hint = (
                f"Did you mean {graph.names[near].name}?"
                if near
                else f"gitmem unlink {entry.name} {edge.link.verb} {edge.link.to}"
            )
            yield _error(
                entry.path,
                None,
                "dangling-link",
                f"{edge.link.verb} points to {edge.link.to!r}, which no note is named.",
                hint,
            )
        elif edge.target.path == entry.path:
            yield _warning(
                entry.path,
                None,
                "self-link",
                f"{edge.link.verb} points to the note itself.",
                f"gitmem unlink {entry.name} {edge.link.verb} {edge.link.to}",
            )
        elif verb and verb.to != "any" and edge.target.note.type not in types_with(config.vocabulary, verb.to):
            message = f"{edge.link.verb} points to {edge.target.name}, a {edge.target.note.type}, not a {verb.to} note."
            yield _warning(entry.path, None, "wrong-target", message, "gitmem vocabulary shows what each verb is for.")
    for name in mentions(entry.note.body):
        if graphs.resolve(graph, name) is None:
            yield _warning(entry.path, None, "dangling-mention", f"[[{name}]] is no note's name.", None)


def _names(graph: Graph) -> Iterator[Problem]:
    """Yields names that several files have, and aliases that cannot mean one note."""
    owners: dict[str, list[Entry]] = {}
    for entry in graph.entries:
        owners.setdefault(fold(entry.name), []).append(entry)
    for entries in owners.values():
        for entry in entries if len(entries) > 1 else ():
            others = ", ".join(other.path for other in entries if other is not entry)
            yield _error(
                entry.path, None, "duplicate-name", f"The name is also that of {others}.", "Rename one of the files."
            )
    claims: dict[str, list[Entry]] = {}
    for entry in graph.entries:
        for alias in entry.note.aliases:
            claims.setdefault(fold(alias), []).append(entry)
    for alias, entries in claims.items():
        named = [other for other in owners.get(alias, []) if other not in entries]
        for entry in entries if named or len(entries) > 1 else ():
            others = ", ".join(sorted({other.path for other in (*entries, *named)} - {entry.path}))
            yield _warning(
                entry.path,
                None,
                "duplicate-alias",
                f"The alias {alias!r} also means {others}.",
                "Take it out of one of them.",
            )


def _rings(graph: Graph, config: Config) -> Iterator[Problem]:
    replaced = graphs.replacements(graph, verbs_with(config.vocabulary, "supersession"))
    for ring in graphs.cycles(replaced):
        names = " → ".join(entry.name for entry in ring)
        yield _error(
            ring[0].path,
            None,
            "cycle",
            f"These notes replace one another: {names}.",
            "gitmem unlink takes a link back.",
        )


def _strays(strays: Sequence[tuple[str, str]]) -> Iterator[Problem]:
    told = {
        "link": ("symbolic-link", "A symbolic link is no note and is never followed.", "Put the file itself here."),
        "name": ("bad-name", "The file's name is not printable UTF-8, so it is not read.", "Rename the file."),
        "large": ("too-large", "The file is over 8 MiB and is not read.", "Keep the conclusion; put data elsewhere."),
        "other": ("not-a-note", "The file is no note: notes end in .md.", None),
    }
    for path, kind in strays:
        if path not in KNOWN_FILES:
            code, message, hint = told[kind]
            yield Problem(path, None, code, "error" if kind in ("large", "name") else "warning", message, hint)
