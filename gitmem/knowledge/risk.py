"""Risk: what is to be looked at before a branch's notes become what the project believes."""

# Only what the branch brings counts: what a note had before, where the branch began, is no risk of the branch.

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from shlex import quote

from gitmem.errors import Problem
from gitmem.knowledge import check as checks
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.check import Text, line_of
from gitmem.knowledge.graph import Graph
from gitmem.notes import shown
from gitmem.notes.config import Config
from gitmem.notes.entry import edit_digest
from gitmem.notes.name import fold, slug
from gitmem.notes.note import Entry, Link
from gitmem.notes.touch import unhashed
from gitmem.notes.vocabulary import types_with, verbs_with
from gitmem.values import NamedTuple

# What check finds and review takes over, as it is; every other error of a note itself is "unparsable".
TAKEN = ("secret", "conflict-markers", "duplicate-name", "dangling-link", "too-large")
MANY = 3  # names in one message


class Side(NamedTuple):
    """The notes of one moment that have a say, by path, with what links them and what check finds in them."""

    texts: Mapping[str, Text]
    graph: Graph
    config: Config
    problems: tuple[Problem, ...]


class Branch(NamedTuple):
    """Both moments, and the notes that the branch has to do with.

    `was` gives, by its path now, where a note that differs lay before, None for one that was not there; `bereft` are
    the paths of notes that do not differ and speak of others that went.
    """

    old: Side
    new: Side
    was: Mapping[str, str | None]
    bereft: Collection[str]

    def before(self, path: str) -> Text | None:
        """Returns the note at a path as it was before the branch."""
        old = self.was.get(path, path)
        return self.old.texts.get(old) if old else None

    def changed(self) -> list[Text]:
        """Returns the notes that the branch changed, by path."""
        return [self.new.texts[path] for path in sorted(self.was) if path in self.new.texts]


def side(texts: Sequence[Text], config: Config) -> Side:
    """Returns one moment of these notes."""
    graph = graphs.build([text.entry for text in texts])
    return Side({text.entry.path: text for text in texts}, graph, config, tuple(checks.check(texts, (), config)))


def is_live(entry: Entry, config: Config) -> bool:
    """Returns whether a note claims something now: it can be read, is no checkpoint, neither replaced nor put away."""
    current = entry.note.status not in checks.RETIRED and entry.note.type not in types_with(
        config.vocabulary, "checkpoint"
    )
    return current and entry.is_readable


def _at(text: Text, key: str, word: str = "") -> int:
    return line_of(text, key, word) or 1


# What check finds


def proofread(branch: Branch) -> Iterator[Problem]:
    """Yields the errors of the notes, and the links that lead nowhere since."""
    known: dict[str, set[tuple[str, str]]] = {}
    for problem in branch.old.problems:
        known.setdefault(problem.path, set()).add(_key(problem, branch.old.texts[problem.path]))
    for problem in branch.new.problems:
        text = branch.new.texts[problem.path]
        before = branch.before(problem.path)
        there = known.get(before.entry.path, set()) if before else set()
        if _is_taken(branch, problem, text) and _key(problem, text) not in there:
            yield _mended(problem, text)


def _is_taken(branch: Branch, problem: Problem, text: Text) -> bool:
    if problem.path in branch.was:
        return problem.code in TAKEN or (problem.severity == "error" and problem in text.entry.problems)
    return problem.code == "dangling-link" and problem.path in branch.bereft


def _key(problem: Problem, text: Text) -> tuple[str, str]:
    """Returns what makes a problem the one that was there before, on whatever line that was."""
    if problem.code in ("secret", "conflict-markers"):
        return problem.code, _row(text, problem.line)
    if problem.code in ("dangling-link", "duplicate-name"):
        return problem.code, problem.message
    return problem.code if problem.code in TAKEN else "unparsable", ""


def _row(text: Text, line: int | None) -> str:
    rows = text.text.split("\n")
    return rows[line - 1].strip() if line and line <= len(rows) else ""


def _mended(problem: Problem, text: Text) -> Problem:
    """Returns a problem under the code that review gives it, its hint with a command to go on from."""
    code = problem.code if problem.code in TAKEN else "unparsable"
    line = problem.line or 1
    if code in ("secret", "unparsable"):
        hint = f"{problem.hint} gitmem edit {quote(text.entry.name)}".strip()
        return problem._replace(code=code, line=line, severity="error", hint=hint)
    return problem._replace(line=line)


def instructions(branch: Branch) -> Iterator[Problem]:
    """Yields the lines that read like an instruction, whoever is said to have written them: a file can claim anything."""
    for text in branch.changed():
        before = branch.before(text.entry.path)
        old = {_row(before, line) for line in shown.instruction_like(before.text)} if before else set()
        for line in shown.instruction_like(text.text):
            if _row(text, line) not in old:
                message = "The line reads like an instruction to an agent."
                hint = f"Notes are evidence: say what is so, not what to do. gitmem edit {quote(text.entry.name)}"
                yield checks.warning(text.entry.path, line, "instruction-like", message, hint)


# What notes say of each other


def contradictions(branch: Branch) -> Iterator[Problem]:
    """Yields the links by which the branch contests a note."""
    verbs = verbs_with(branch.new.config.vocabulary, "contradiction")
    for text in branch.changed():
        before = branch.before(text.entry.path)
        old = {_claim(link) for link in before.entry.note.links} if before else set()
        for link in text.entry.note.links:
            if link.verb in verbs and _claim(link) not in old:
                yield _contradiction(branch, text, link)


def _claim(link: Link) -> tuple[str, str]:
    return link.verb, fold(link.to)


def _contradiction(branch: Branch, text: Text, link: Link) -> Problem:
    name = text.entry.name
    target = graphs.resolve(branch.new.graph, link.to)
    title = f" ({target.note.title})" if target else ""
    message = f"{name} {link.verb} {link.to}{title}: once merged, both are contested."
    replaces = next(iter(verbs_with(branch.new.config.vocabulary, "supersession")), "replaces")
    hint = f"Where one of them holds: gitmem link {quote(name)} {replaces} {quote(link.to)}"
    return checks.warning(text.entry.path, _at(text, link.verb, link.to), "contradiction", message, hint)


def disputes(branch: Branch, found: Mapping[str, Sequence[tuple[Entry, str]]]) -> Iterator[Problem]:
    """Yields the notes that seem to disagree with others; `found` gives these by path, each with the reason."""
    for path, others in sorted(found.items()):
        text = branch.new.texts[path]
        for other, reason in others:
            if is_live(other, branch.new.config) and not (
                _speaks_of(text.entry, other) or _speaks_of(other, text.entry)
            ):
                name, against = quote(text.entry.name), quote(other.name)
                message = f"It seems to disagree with {other.name} ({other.note.title}): {reason}"
                hint = f"Settle it: gitmem conflicts judge {name} {against} conflict, replaces or distinct"
                yield checks.warning(path, _at(text, "title"), "contradiction", message, hint)


def tombstoned(branch: Branch, tombstones: Sequence[Entry]) -> Iterator[Problem]:
    """Yields the new notes whose name or title is that of a subject that was buried."""
    kinds = types_with(branch.new.config.vocabulary, "tombstone")
    buried: dict[str, Entry] = {}
    for entry in tombstones:
        if entry.note.type in kinds and is_live(entry, branch.new.config):
            for key in (*map(fold, entry.note.buried), *_subjects(entry)):
                buried.setdefault(key, entry)
    for text in fresh(branch):
        stone = next((buried[key] for key in _subjects(text.entry) if key in buried), None)
        if stone and text.entry.note.type not in kinds:
            message = f"The subject was removed on purpose: {stone.name} ({stone.note.title}) says why."
            hint = f"Take the note out, or let the subject live: gitmem revise {quote(stone.name)} --status archived"
            yield Problem(text.entry.path, _at(text, "title"), "tombstoned", "error", message, hint)


def _subjects(entry: Entry) -> tuple[str, ...]:
    return fold(entry.name), fold(" ".join(entry.note.title.split())), fold(slug(entry.note.title)) or fold(entry.name)


def fresh(branch: Branch) -> list[Text]:
    """Returns the live notes that the branch adds, or gives another name or title."""
    return [text for text in branch.changed() if is_live(text.entry, branch.new.config) and _is_fresh(branch, text)]


def _is_fresh(branch: Branch, text: Text) -> bool:
    before = branch.before(text.entry.path)
    return before is None or not set(_subjects(text.entry)) <= set(_subjects(before.entry))


def compared_anew(branch: Branch) -> list[Text]:
    """Returns the live notes whose title or body is new, so that another note may say the same."""
    live = (text for text in branch.changed() if is_live(text.entry, branch.new.config))
    return [text for text in live if _said(branch.before(text.entry.path)) != _said(text)]


def _said(text: Text | None) -> tuple[str, str] | None:
    return (text.entry.note.title, text.entry.note.body) if text else None


def duplicates(
    branch: Branch, alike: Mapping[str, Sequence[Entry]], is_same: Callable[[str, str], bool]
) -> Iterator[Problem]:
    """Yields the notes that say much the same as others; `alike` gives these by path, `is_same` compares titles."""
    for path, others in sorted(alike.items()):
        text = branch.new.texts[path]
        names = [other.name for other in others if _doubles(branch, text.entry, other, is_same)]
        if names:
            more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
            message = f"It says much the same as {', '.join(names[:MANY])}{more}."
            hint = f"Keep one, or say what parts them: gitmem link {quote(text.entry.name)} VERB {quote(names[0])}"
            yield checks.warning(path, _at(text, "title"), "near-duplicate", message, hint)


def _doubles(branch: Branch, new: Entry, other: Entry, is_same: Callable[[str, str], bool]) -> bool:
    """Returns whether two alike notes are one too many: of one type or title, both live, and not told apart.

    A tombstone may well have the title of what it buries.
    """
    if not is_live(other, branch.new.config) or other.path in graphs.replacements(branch.new.graph, _replacing(branch)):
        return False
    if types_with(branch.new.config.vocabulary, "tombstone").intersection((new.note.type, other.note.type)):
        return False
    if other.note.type != new.note.type and not is_same(other.note.title, new.note.title):
        return False
    return not (_speaks_of(new, other) or _speaks_of(other, new))


def _replacing(branch: Branch) -> Collection[str]:
    return verbs_with(branch.new.config.vocabulary, "supersession")


def _speaks_of(one: Entry, other: Entry) -> bool:
    said = {fold(word) for word in (*(link.to for link in one.note.links), *one.note.distinct, *one.note.suspects)}
    return bool(said & {fold(other.name), *map(fold, other.note.aliases)})


# What notes say of the code, and who says it


def anchor_path(touch: str) -> str | None:
    """Returns the path in a touch, None for a bare symbol; a word without a slash may be either."""
    path, double, _ = touch.partition("::")
    if not double:
        head, at, digits = path.rpartition("@")
        path = head if at and len(digits) == 7 and all(digit in "0123456789abcdef" for digit in digits) else path
    return path.rstrip("/") or None


def gone(branch: Branch, now: Callable[[str], bool], then: Callable[[str], bool]) -> Iterator[tuple[str, Problem]]:
    """Yields (touch, problem) for each path that a live note touches and that is not there any more.

    `now` and `then` tell whether the code had a path. Of a changed note it may never have been there; a word without a
    slash must have been, as else it may be a symbol.
    """
    for path, text in sorted(branch.new.texts.items()):
        before = branch.before(path)
        old = before.entry.note.touches if before else ()
        for touch in text.entry.note.touches if is_live(text.entry, branch.new.config) else ():
            place = anchor_path(touch)
            if place is None or now(place):
                continue
            came = path in branch.was and touch not in old and ("/" in touch or "::" in touch)
            if came or then(place):
                yield touch, gone_anchor(text, touch, place)


def gone_anchor(text: Text, touch: str, place: str) -> Problem:
    """Returns the risk of a note that touches what is not there any more."""
    message = f"It touches {place}, which is not there."
    gone = quote(unhashed(touch))
    hint = f"gitmem revise {quote(text.entry.name)} --remove-touches {gone} --add-touches PATH names where it went."
    return checks.warning(text.entry.path, _at(text, "touches", touch), "gone-anchor", message, hint)


def canon(branch: Branch) -> Iterator[Problem]:
    """Yields what an agent, or nobody who says so, wrote into the notes of stable types, anchors aside."""
    declared = branch.new.config.vocabulary.types
    types = {name for name, each in declared.items() if each.durability == "stable" and each.role != "anchor"}
    for text in branch.changed():
        note = text.entry.note
        if note.type in types and is_live(text.entry, branch.new.config) and _is_unread(branch, text):
            wrote = f"{note.agent or 'An agent'} wrote" if note.source else "Nobody says who wrote"
            message = f"{wrote} this {note.type}, and no person has approved it."
            hint = f"Read it; to merge it is to believe it. gitmem show {quote(text.entry.name)}"
            yield checks.warning(text.entry.path, _at(text, "title"), "unreviewed-canon", message, hint)


def _is_unread(branch: Branch, text: Text) -> bool:
    """Returns whether what a note says is neither a person's, nor approved, nor what it said before."""
    before = branch.before(text.entry.path)
    if _is_reviewed(text):
        return False
    return before is None or _is_reviewed(before) or edit_digest(before.entry.note) != edit_digest(text.entry.note)


def _is_reviewed(text: Text) -> bool:
    note = text.entry.note
    return note.source == "user" or bool(note.approved and note.approved.of == edit_digest(note))
