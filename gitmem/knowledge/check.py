"""Checking: what is wrong with the notes, each by itself and all together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from shlex import quote

from gitmem.errors import GitmemError, Problem, near_miss
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Edge, Graph
from gitmem.notes import frontmatter, secrets, shown
from gitmem.notes.config import Config
from gitmem.notes.name import check_name, fold
from gitmem.notes.note import Entry
from gitmem.notes.prose import mentions
from gitmem.notes.touch import leaves
from gitmem.notes.value import Value
from gitmem.notes.vocabulary import DURABILITIES, note_with, statuses_of, types_with, verbs_with
from gitmem.values import NamedTuple

KNOWN_FILES = ("config.toml",)
RETIRED = ("superseded", "archived")

STRAYS = {
    "link": (
        "symbolic-link",
        "warning",
        "A symbolic link is no note and is never followed.",
        "Put the file itself in its place.",
    ),
    "name": (
        "bad-name",
        "error",
        "The file's name is not printable UTF-8, or has a backslash, so it is not read.",
        "Give the file a name of letters and digits.",
    ),
    "large": (
        "too-large",
        "error",
        "The file is over 8 MiB and is not read.",
        "Keep the conclusion in the note and the data elsewhere.",
    ),
    "other": (
        "not-a-note",
        "warning",
        "The file is no note: notes end in .md.",
        "Move it out of .memory/, or rename it to end in .md.",
    ),
}


# Links of one note, and mentions in it, that are told of at once: the next ones follow when these are mended.
MOST = 100


class Text(NamedTuple):
    """A note with the text of its file, line ends as newlines: secrets are looked for in every line of it."""

    entry: Entry
    text: str


def check(texts: Sequence[Text], strays: Sequence[tuple[str, str]], config: Config) -> list[Problem]:
    """Returns every problem of a folder of notes, by path and line; paths are relative to the folder."""
    graph = graphs.build([text.entry for text in texts])
    found: list[Problem] = [*_names(graph), *_aliases(graph), *_rings(graph, config), *_strays(strays)]
    found += _unanswered(texts, graph, config)
    for text in texts:
        found += text.entry.problems
        found += _contents(text)
        found += _first(_mentions(text, graph), text, "mentions")
        if text.entry.is_readable:
            found += _words(text, config)
            found += _verbs(text, graph, config)
        links = (problem for edge in graph.out[text.entry.path] for problem in _link(text, edge, graph, config))
        found += _first(links, text, "links")
    return sorted(_untold(found), key=lambda problem: (problem.path, problem.line or 0, problem.code, problem.message))


def _first(problems: Iterator[Problem], text: Text, what: str) -> Iterator[Problem]:
    """Yields the first problems with a note's links or mentions, and that there are more of them."""
    yield from islice(problems, MOST)
    if next(problems, None):
        message = f"More than {MOST} of its {what} have problems; the next ones are named when these are mended."
        yield warning(text.entry.path, None, f"many-{what}", message, "Mend those that are named first.")


def _untold(found: Sequence[Problem]) -> Iterator[Problem]:
    """Yields problems that repeat no secret, nor in another spelling what stands in the line of one."""
    leaks = {(problem.path, problem.line) for problem in found if problem.code == "secret"}
    for problem in found:
        near = problem.code != "secret" and (problem.path, problem.line) in leaks
        yield secrets.untold(problem, sure=near)


def warning(path: str, line: int | None, code: str, message: str, hint: str) -> Problem:
    """Returns a problem that stops nothing."""
    return Problem(path, line, code, "warning", message, hint)


def line_of(text: Text, key: str, word: str = "") -> int | None:
    """Returns the line of a field of a note's file, or below it the first that holds a word of it, None without one."""
    start = _lines(text.text).get(key)
    if start is None or not word:
        return start
    rows = text.text.split("\n")[start - 1 :]
    return next((start + at for at, row in enumerate(rows) if word in row), start)


@lru_cache(1)
def _lines(text: str) -> Mapping[str, int]:
    """Returns the line of each field: of one note they are asked for one after another."""
    return frontmatter.parse(text.encode("utf-8", "replace"), "").lines


def _words(text: Text, config: Config) -> Iterator[Problem]:
    """Yields what a note says in words that are not declared, and a folder that is not its type's."""
    note, vocabulary, path = text.entry.note, config.vocabulary, text.entry.path
    folder = path.rpartition("/")[0]
    if not note.type:
        yield warning(path, None, "unknown-type", "The note has no type.", f"gitmem revise {path} --type TYPE")
    elif note.type not in vocabulary.types:
        yield _undeclared(text, "type", note.type, list(vocabulary.types))
    elif folder != note.type:
        message = f"The note is of type {note.type!r} but lies in {folder + '/' if folder else 'the top folder'}."
        yield warning(path, line_of(text, "type"), "wrong-folder", message, "gitmem check --fix moves it.")
    if note.domain and note.domain not in vocabulary.domains:
        yield _undeclared(text, "domain", note.domain, list(vocabulary.domains))
    statuses = statuses_of(vocabulary, note.type)
    if note.status and note.status not in statuses:
        yield _undeclared(text, "status", note.status, list(statuses))
    for touch in filter(leaves, note.touches):
        message = f"The touch {touch!r} leads out of the repository."
        hint = f"Give the path from its top: gitmem revise {path} --remove-touches {quote(touch)} --add-touches PATH"
        yield warning(path, line_of(text, "touches", touch), "outside", message, hint)
    if note.durability and note.durability not in DURABILITIES:
        yield _undeclared(text, "durability", note.durability, list(DURABILITIES))


def _undeclared(text: Text, kind: str, word: str, known: list[str]) -> Problem:
    near = near_miss(word, known)
    hint = f"Did you mean {near}?" if near else f"Declared: {', '.join(known) or 'none'}."
    message = f"The {kind} {word!r} is not declared."
    return warning(text.entry.path, line_of(text, kind), f"unknown-{kind}", message, hint)


def _verbs(text: Text, graph: Graph, config: Config) -> Iterator[Problem]:
    """Yields the fields that look like links but are no declared verbs: their name is near to one, or they name a note."""
    known = list(config.vocabulary.verbs)
    for key, value in text.entry.note.extra.items():
        names = _named(value)
        near = near_miss(key, known) if names else None
        if near or (isinstance(value, list) and any(graphs.resolve(graph, name) for name in names)):
            message = f"The field {key!r} is no declared verb, so its links do not count."
            hint = f"Did you mean {near}?" if near else f"gitmem vocabulary add verb {key} declares it."
            yield warning(text.entry.path, line_of(text, key), "unknown-verb", message, hint)


def _named(value: Value) -> list[str]:
    """Returns what would be names of notes if the value were that of a verb."""
    items = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
    names = [item.get("to") if isinstance(item, dict) else item for item in items]
    return [name.strip().removeprefix("[[").removesuffix("]]") for name in names if isinstance(name, str)]


def _contents(text: Text) -> Iterator[Problem]:
    yield from secrets.problems(text.entry.path, text.text)
    for line in shown.instruction_like(text.text) if text.entry.note.source != "user" else ():
        message = "The line reads like an instruction to an agent."
        hint = "Notes are evidence: say what is so, not what to do."
        yield warning(text.entry.path, line, "instruction-like", message, hint)


def _link(text: Text, edge: Edge, graph: Graph, config: Config) -> Iterator[Problem]:
    entry, link = text.entry, edge.link
    verb = config.vocabulary.verbs.get(link.verb)
    undo = f"gitmem unlink {quote(entry.name)} {link.verb} {quote(link.to)}"
    if edge.target is None:
        near = _near(link.to, graph, but=entry)
        hint = f"Did you mean {near}? {undo} takes the link away." if near else undo
        message = f"{link.verb} points to {link.to!r}, which no note is named."
        yield Problem(entry.path, line_of(text, link.verb, link.to), "dangling-link", "error", message, hint)
    elif edge.target.path == entry.path:
        line, message = line_of(text, link.verb, link.to), f"{link.verb} points to the note itself."
        yield warning(entry.path, line, "self-link", message, undo)
    elif verb and verb.to != "any" and edge.target.note.type not in types_with(config.vocabulary, verb.to):
        wanted = note_with(config.vocabulary, verb.to)
        message = f"{link.verb} needs {wanted}; {edge.target.name} is of type {edge.target.note.type!r}."
        yield warning(entry.path, line_of(text, link.verb, link.to), "wrong-target", message, undo)


def _near(word: str, graph: Graph, *, but: Entry) -> str | None:
    """Returns the name most likely meant, never the note's own: of the same first letter, for all of 10,000 take 0.1 s."""
    key = fold(word)
    near = near_miss(key, [name for name, note in graph.names.items() if name[:1] == key[:1] and note.path != but.path])
    return graph.names[near].name if near else None


def _mentions(text: Text, graph: Graph) -> Iterator[Problem]:
    """Yields the mentions that mean no note; of a sensitive body only that there is one."""
    note, path = text.entry.note, text.entry.path
    rows = text.text.split("\n") if "[[" in note.body else []
    for name in mentions(note.body):
        if graphs.resolve(graph, name) is None:
            line = next((at for at, row in enumerate(rows, 1) if "[[" in row and name in row), None)
            near = None if note.sensitive else _near(name, graph, but=text.entry)
            hint = f"Did you mean [[{near}]]?" if near else "Put it in backquotes if it names no note."
            message = f"{'A mention' if note.sensitive else f'[[{name}]]'} is no note's name."
            yield warning(path, line, "dangling-mention", message, hint)


def _names(graph: Graph) -> Iterator[Problem]:
    """Yields names that several files have, and names that cannot be typed."""
    owners: dict[str, list[Entry]] = {}
    for entry in graph.entries:
        owners.setdefault(fold(entry.name), []).append(entry)
    for entries in owners.values():
        for entry in entries if len(entries) > 1 else ():
            others = ", ".join(other.path for other in entries if other is not entry)
            message, hint = f"The name is also that of {others}.", f"gitmem rename {quote(entry.path)} NEW-NAME"
            yield Problem(entry.path, None, "duplicate-name", "error", message, hint)
    for entry in graph.entries:
        try:
            check_name(entry.name)
        except GitmemError as error:
            yield warning(entry.path, None, "bad-name", error.message, f"gitmem rename {entry.path} NEW-NAME")


def _aliases(graph: Graph) -> Iterator[Problem]:
    """Yields aliases that cannot mean one note."""
    claims: dict[str, list[Entry]] = {}
    for entry in graph.entries:
        for key in {fold(alias) for alias in entry.note.aliases} - {fold(entry.name)}:
            claims.setdefault(key, []).append(entry)
    for alias, entries in claims.items():
        named = graph.names.get(alias)
        for entry in entries if named or len(entries) > 1 else ():
            others = ", ".join(sorted({other.path for other in (*entries, *([named] if named else []))} - {entry.path}))
            message = f"The alias {alias!r} also means {others}."
            hint = f"gitmem revise {entry.name} --alias … names the aliases it shall have."
            yield warning(entry.path, None, "duplicate-alias", message, hint)


def _rings(graph: Graph, config: Config) -> Iterator[Problem]:
    verbs = verbs_with(config.vocabulary, "supersession")
    for ring in graphs.cycles(graph, verbs):
        names = " → ".join(entry.name for entry in (*ring, ring[0]))
        hint = f"gitmem unlink {ring[0].name} {next(iter(verbs))} {ring[-1].name}"
        message = f"These notes replace one another: {names}."
        yield Problem(ring[0].path, None, "cycle", "error", message, hint)


def _unanswered(texts: Sequence[Text], graph: Graph, config: Config) -> Iterator[Problem]:
    """Yields the resolved worklist notes whose answers were all replaced or put away."""
    vocabulary = config.vocabulary
    worklist, verbs = types_with(vocabulary, "worklist"), verbs_with(vocabulary, "answer")
    gone = _retired(graph, config)
    for text in texts:
        note, edges = text.entry.note, graph.into.get(text.entry.path, ())
        answers = [edge.source for edge in edges if edge.link.verb in verbs]
        resolved = note.type in worklist and note.status == "resolved"
        if resolved and answers and all(answer.path in gone for answer in answers):
            name, names = quote(text.entry.name), ", ".join(dict.fromkeys(answer.name for answer in answers))
            message = f"The note is resolved, but what answers it holds no more: {names}."
            hint = f"gitmem revise {name} --status open reopens it; gitmem resolve {name} --by NAME answers it anew."
            yield warning(text.entry.path, line_of(text, "status"), "answer-gone", message, hint)


def _retired(graph: Graph, config: Config) -> set[str]:
    """Returns the paths of the notes that were replaced, archived or buried."""
    stones = types_with(config.vocabulary, "tombstone")
    live = (entry for entry in graph.entries if entry.note.type in stones and entry.note.status not in RETIRED)
    buried = (graphs.resolve(graph, name) for entry in live for name in entry.note.buried)
    own = {entry.path for entry in graph.entries if entry.note.status in RETIRED}
    replaced = graphs.replacements(graph, verbs_with(config.vocabulary, "supersession")).keys()
    return own | replaced | {entry.path for entry in buried if entry}


def _strays(strays: Sequence[tuple[str, str]]) -> Iterator[Problem]:
    for path, kind in strays:
        if path not in KNOWN_FILES:
            code, severity, message, hint = STRAYS[kind]
            yield Problem(path, None, code, severity, message, hint)
