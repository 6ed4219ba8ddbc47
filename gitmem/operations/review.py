"""Review: what a branch would have the project believe, and what is to be looked at before it is merged."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import Problem
from gitmem.knowledge import check as checks
from gitmem.knowledge import graph as graphs
from gitmem.knowledge import likeness, risk
from gitmem.knowledge.check import Text
from gitmem.knowledge.likeness import Sample
from gitmem.knowledge.retirement import retirements
from gitmem.notes import secrets
from gitmem.notes.config import Config
from gitmem.notes.entry import sound
from gitmem.notes.note import Entry, summary
from gitmem.notes.source import conflicts, decode
from gitmem.notes.touch import unhashed
from gitmem.notes.vocabulary import types_with
from gitmem.operations.history import compared
from gitmem.operations.memory import CONFIG, Memory, maker_of
from gitmem.operations.origin import folder_of
from gitmem.operations.past import repository_of
from gitmem.operations.retiring import HELD
from gitmem.operations.scope import SUBMODULE, Moment, Scope, moment, scope
from gitmem.operations.staged import LINK
from gitmem.operations.standing import of_all
from gitmem.operations.verdict import disagrees, reason
from gitmem.operations.whereabouts import GONE
from gitmem.storage import history as commits
from gitmem.storage.disk import LARGEST
from gitmem.storage.fork import fork
from gitmem.storage.objects import Objects
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

COMPARED = 100  # new notes at most that are compared with others, some 5 ms each
NEAR = 6
STRAYS = {LINK: "link", SUBMODULE: "other"}
FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}


class _Ends(NamedTuple):
    """The commits that are compared, the one that the base itself names, and what cannot be known."""

    old: str
    new: str
    base: str
    warnings: tuple[Reply, ...]


def review(memory: Memory, base: str) -> Reply:
    """Returns what HEAD says otherwise than where it left a base, and every risk of that (reply of design section 14).

    Only what is committed counts. `passes` is by the policy that the base has, for no branch judges itself. Notes have
    their `summary`, added ones their `body`, both null where sensitive or beside a secret; no value of a secret is
    repeated. Raises GitmemError("unknown-revision").
    """
    ends = _ends(memory, base)
    with Objects(repository_of(memory), environment=memory.environment) as objects:
        old, new, judge = (moment(memory, objects, commit) for commit in (ends.old, ends.new, ends.base))
        reply = compared(new.memory, ends.old, ends.new)
        prefix = folder_of(memory) + "/"
        seen = scope(old, new, {item["path"].removeprefix(prefix): item["old"] for item in reply["renamed"]})
        anchors = list(risk.gone(seen.branch, seen.code.has, seen.code.had))
        lost = _lost(new, reply["stale"], {problem.path for _, problem in anchors}, prefix)
        risks = [*_risks(seen), *(problem for _, problem in anchors), *lost]
    shown = [each._replace(path=prefix + each.path) for each in risks]
    found = sorted(map(secrets.untold, [*shown, *_config(seen)]), key=_order)
    told = {kind: [_told(seen, kind, item, prefix) for item in items] for kind, items in reply.items()}
    failing = FAILING[judge.memory.config.policy.review]
    return told | {
        "stale": _stale(seen, anchors, told["stale"], prefix),
        "base": ends.old,
        "head": ends.new,
        "passes": not any(each.severity in failing for each in found),
        "risks": [each._asdict() for each in found],
        "warnings": list(ends.warnings),
    }


def _order(problem: Problem) -> tuple[str, str, int, str]:
    return problem.severity, problem.path, problem.line or 0, problem.code


def _ends(memory: Memory, base: str) -> _Ends:
    repository, environment = repository_of(memory), memory.environment
    ref, head = (commits.resolve(repository, word, environment=environment) for word in (base, "HEAD"))
    left = fork(repository, ref, head, environment=environment)
    if left:
        return _Ends(left, head, ref, ())
    if commits.boundary(repository):
        message = (
            f"The clone is too shallow to know where HEAD left {base}, so it is compared with {base} itself:"
            f" what {base} gained since then looks taken away. git fetch --unshallow brings what is missing."
        )
        return _Ends(ref, head, ref, ({"code": "shallow", "name": None, "message": message},))
    message = f"HEAD and {base} have no common ancestor, so it is compared with {base} itself."
    return _Ends(ref, head, ref, ({"code": "unrelated", "name": None, "message": message},))


# Risks


def _risks(seen: Scope) -> Iterator[Problem]:
    """Yields every risk but that of anchors, paths below the notes' folder."""
    branch = seen.branch
    yield from risk.proofread(branch)
    yield from _beside(seen)
    yield from _never_read(seen)
    yield from risk.instructions(branch)
    yield from risk.contradictions(branch)
    yield from risk.canon(branch)
    if risk.fresh(branch):
        yield from risk.tombstoned(branch, [text.entry for text in seen.new.texts(_tombstones(seen))])
    yield from risk.duplicates(branch, _alike(seen), likeness.same_title)
    yield from risk.disputes(branch, _disputed(seen))
    gone = set(seen.old.notes) - set(seen.new.notes) - set(branch.was.values())
    yield from retirements(branch, gone, lambda entries: _stood(seen.old, entries))


def _stood(old: Moment, entries: Sequence[Entry]) -> dict[str, list[str]]:
    """Returns, by path, the marks by which a person stood for notes where the branch began."""
    sounded = [entry._replace(note=sound(entry.note)) for entry in entries]
    found = of_all(old.memory, graphs.build(sounded))
    return {path: [mark for mark in standing.marks if mark in HELD] for path, standing in found.items()}


def _beside(seen: Scope) -> Iterator[Problem]:
    """Yields what is wrong with the files of the branch that are no notes, or would be if their names could be read."""
    for path, leaf in seen.new.files.items():
        if path not in seen.new.notes and seen.old.files.get(path) != leaf:
            old = _lines(seen.old, path)
            now = _lines(seen.new, path)
            found = [*secrets.problems(path, "\n".join(now)), *_unnamed(path, now)]
            yield from (each for each in found if each.line is None or now[each.line - 1] not in old)


def _never_read(seen: Scope) -> Iterator[Problem]:
    """Yields what the branch puts among the notes that is no file: symbolic links and submodules."""
    prefix = folder_of(seen.new.memory) + "/"
    for path, mode in seen.code.now.items():
        if mode in STRAYS and path.startswith(prefix) and seen.code.then.get(path) != mode:
            code, severity, message, hint = checks.STRAYS[STRAYS[mode]]
            yield Problem(path.removeprefix(prefix), None, code, severity, message, hint)


def _unnamed(path: str, lines: list[str]) -> Iterator[Problem]:
    if path.endswith(".md") and not (path.isprintable() and "\\" not in path):
        code, severity, message, hint = checks.STRAYS["name"]
        yield Problem(path, None, code, severity, message, hint)
        yield from conflicts("\n".join(lines), 1, path)


def _lines(moment: Moment, path: str) -> list[str]:
    """Returns the lines of a file at a moment; none where it was not there, or is too large to be read."""
    leaf = moment.files.get(path)
    data = moment.objects.text(f"{folder_of(moment.memory)}/{path}", leaf.id) if leaf else b""
    return decode(data, path)[0].split("\n") if len(data) <= LARGEST else []


def _tombstones(seen: Scope) -> list[str]:
    """Returns the paths of the notes that may be tombstones."""
    types = types_with(seen.new.memory.config.vocabulary, "tombstone")
    return [
        path
        for path, each in seen.glances.items()
        if path.partition("/")[0].lower() in types or any(word.lower() in types for word in each.words)
    ]


def _alike(seen: Scope) -> dict[str, list[Entry]]:
    """Returns, by the path of each note that says something new, the notes that say much the same since."""
    new = [_sample(text) for text in risk.compared_anew(seen.branch)]
    others = [Sample(path, each.title, each.body) for path, each in seen.glances.items()] if new else []
    found = likeness.alike(new, others)
    texts = {text.entry.path: text for text in seen.new.texts(other for paths in found.values() for other in paths)}
    return {
        path: [texts[other].entry for other in paths if other in texts and not _were_alike(seen, path, other)]
        for path, paths in found.items()
    }


def _disputed(seen: Scope) -> dict[str, list[tuple[Entry, str]]]:
    """Returns, by the path of each note that says something new, those near to it that it seems to disagree with."""
    new = {text.entry.path: text for text in risk.compared_anew(seen.branch)[:COMPARED]}
    if not new:
        return {}
    from gitmem.operations.near import Comparer  # late: most branches say nothing new

    samples = [Sample(path, each.title, each.body) for path, each in seen.glances.items()]
    near = likeness.near([_sample(text) for text in new.values()], samples, NEAR)
    comparer = Comparer(maker_of(seen.new.memory), {})
    texts = {
        text.entry.path: text.entry for text in seen.new.texts({each for paths in near.values() for each in paths})
    }
    found: dict[str, list[tuple[Entry, str]]] = {}
    for path, text in new.items():
        others = [texts[other] for other in near[path] if other in texts and not (other in new and other > path)]
        for other in others:
            comparison = comparer.compared(text.entry, other)
            if disagrees(comparison, seen.new.memory.config.policy.suspect):
                found.setdefault(path, []).append((other, reason(comparison, other.name)))
    return found


def _were_alike(seen: Scope, path: str, other: str) -> bool:
    """Returns whether two notes said much the same already where the branch began."""
    before = seen.branch.before(path)
    if before is None or (other in seen.branch.was and seen.branch.was[other] is None):
        return False
    glance = seen.glances[other]
    return bool(likeness.alike([_sample(before)._replace(path=path)], [Sample(other, glance.title, glance.body)]))


def _sample(text: Text) -> Sample:
    return Sample(text.entry.path, text.entry.note.title, text.entry.note.body)


def _config(seen: Scope) -> tuple[Problem, ...]:
    """Returns the problems of the configuration where the branch changed it."""
    if seen.old.files.get(CONFIG) == seen.new.files.get(CONFIG):
        return ()
    return tuple(each._replace(path=seen.code.above + each.path) for each in _problems(seen.new.memory.config))


def _problems(config: Config) -> tuple[Problem, ...]:
    return tuple(each._replace(line=each.line or 1) for each in config.problems)


def _lost(new: Moment, stale: list[Reply], known: set[str], prefix: str) -> list[Problem]:
    """Returns the risks of symbols that are gone from files that are still there."""
    gone = {
        item["path"].removeprefix(prefix): [each["ref"] for each in item["touches"] if each["state"] == GONE]
        for item in stale
    }
    texts = new.texts(path for path, refs in gone.items() if refs and path not in known)
    return [risk.gone_anchor(text, ref, ref) for text in texts for ref in gone[text.entry.path]]


# The difference, told


def _told(seen: Scope, kind: str, item: Reply, prefix: str) -> Reply:
    """Returns a note of the difference with what a reader of it wants to know."""
    text = _text(seen, item["path"].removeprefix(prefix), kind)
    entry = text.entry if text else None
    more: Reply = {"summary": _summary(text)}
    if kind == "added":
        more["body"] = text.entry.note.body if text and _is_open(text) else None
    if kind == "revised":
        before = seen.branch.before(entry.path) if entry and "title" in item["fields"] else None
        more["old_title"] = before.entry.note.title if before else None
    return _untold(item | more)


def _text(seen: Scope, path: str, kind: str) -> Text | None:
    now, then = seen.branch.new.texts, seen.branch.old.texts
    found = (texts[path] for texts in ((then, now) if kind == "removed" else (now, then)) if path in texts)
    return next(found, None)


def _summary(text: Text | None) -> str | None:
    return summary(text.entry.note) if text and _is_open(text) else None


def _is_open(text: Text) -> bool:
    """Returns whether what a note says may be repeated: a secret may go on in the lines that follow."""
    return not (text.entry.note.sensitive or secrets.find(text.text))


def _untold(item: Reply) -> Reply:
    """Returns a note of the difference without the texts that hold a secret; its file is named as it is."""
    return {key: value if key in ("name", "path", "old") else _open(value) for key, value in item.items()}


def _open(value: Any) -> Any:  # Any: a value of JSON
    if isinstance(value, dict):
        return {key: _open(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_open(each) for each in value]
    found = secrets.find(value) if isinstance(value, str) else []
    return f"(not repeated: it looks like a secret, {found[0].pattern})" if found else value


def _stale(seen: Scope, anchors: list[tuple[str, Problem]], told: list[Reply], prefix: str) -> list[Reply]:
    """Returns the notes that speak of code which is not there, or changed while they did not, with what they touch of it."""
    gone: dict[str, list[str]] = {}
    for touch, problem in anchors:
        gone.setdefault(prefix + problem.path, []).append(unhashed(touch))
    notes = {item["path"]: item for item in told}
    for path, refs in gone.items():
        known = notes.get(path) or _stale_note(seen.branch.new.texts[path.removeprefix(prefix)], prefix)
        more = [{"ref": ref, "state": GONE} for ref in refs]
        notes[path] = known | _untold(
            {"touches": [*more, *(each for each in known["touches"] if each["ref"] not in refs)]}
        )
    return [notes[path] for path in sorted(notes)]


def _stale_note(text: Text, prefix: str) -> Reply:
    entry = text.entry
    note: Mapping[str, Any] = {"name": entry.name, "path": prefix + entry.path, "title": entry.note.title}
    return _untold({**note, "type": entry.note.type, "touches": [], "summary": _summary(text)})
