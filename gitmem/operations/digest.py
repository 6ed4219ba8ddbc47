"""A digest: what a project's records, history and comments hold that its memory should, nominated and not yet written."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from gitmem.notes import preset, secrets
from gitmem.notes import vocabulary as words
from gitmem.notes.instant import instant_of
from gitmem.notes.name import fold, name_for
from gitmem.notes.vocabulary import Vocabulary
from gitmem.operations import changelog, decisions, headings, markers, reasons
from gitmem.operations.candidate import BUILDS_ON, CAUTION, DECISION, INTENT, PROBLEM, REPLACES, Candidate
from gitmem.operations.draft import Author
from gitmem.operations.memory import Memory, ready
from gitmem.operations.sources import Sources
from gitmem.operations.write import BATCH_LIMIT, remember_batch
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

LIMIT = BATCH_LIMIT  # what `remember --batch` takes at once
MOST = 500
LOOKED = 5_000  # candidates; a project with more of them has no use for the last ones
# By whom notes are written that nobody has read yet: they count as an agent's, whoever asked for them.
AUTHOR = Author("agent", "digest")


def digest(memory: Memory, *, limit: int = LIMIT) -> Reply:
    """Returns what might be remembered: {candidates, known, secrets, more}, and writes nothing.

    Each candidate has the keys of `remember --batch`, and file, line and marker. known counts those whose title a note
    has already, secrets those that hold one, more those past `limit`, which is at most 500.
    """
    found = list(_named_apart(islice(_found(Sources(memory)), LOOKED)))
    clean = [each for each in found if not _holds_secret(each)]
    titles = {fold(entry.note.title): entry.name for entry in ready(memory).view.everything()}
    names = _names(memory, clean, titles)
    fresh = [each for each in clean if fold(each.title) not in titles]
    session = _session(memory)
    rows = [_row(memory.config.vocabulary, each, names, session) for each in fresh[: min(limit, MOST)]]
    return {
        "candidates": rows,
        "known": len(clean) - len(fresh),
        "secrets": len(found) - len(clean),
        "more": len(fresh) - len(rows),
    }


def write(memory: Memory, *, limit: int = MOST) -> Reply:
    """Remembers what `digest` returns, with all the checks of `remember`: {results, session, known, secrets, more}.

    Nothing of it counts as read by a person. Call it for a person only.
    """
    found = digest(memory, limit=limit)
    lines = [json.dumps(row) for row in found.pop("candidates")]
    parts = [lines[at : at + BATCH_LIMIT] for at in range(0, len(lines), BATCH_LIMIT)]
    results = [result for part in parts for result in remember_batch(memory, "\n".join(part), AUTHOR)["results"]]
    return {"results": results, "session": _session(memory), **found}


def _session(memory: Memory) -> str:
    return f"digest-{instant_of(memory.now)[:10]}"


def _found(sources: Sources) -> Iterator[Candidate]:
    """Yields every candidate: records of decisions first, then what history, changelogs, documents and comments say."""
    yield from decisions.candidates(sources)
    yield from reasons.candidates(sources)
    yield from changelog.candidates(sources)
    yield from headings.candidates(sources, decisions.paths(sources))
    yield from markers.candidates(sources)


def _named_apart(candidates: Iterator[Candidate]) -> Iterator[Candidate]:
    """Yields the candidates, those of a title that another one has with their place behind it."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    for each in candidates:
        title, apart = each.title, f"{each.title} ({each.label})"
        while fold(title) in taken:
            counts[apart] = counts.get(apart, 0) + 1
            title = apart if counts[apart] == 1 else f"{apart[:-1]}, {counts[apart]})"
        taken.add(fold(title))
        yield each._replace(title=title)


def _holds_secret(each: Candidate) -> bool:
    return bool(secrets.find("\n".join([each.title, each.summary or "", each.body, each.file or "", *each.tags])))


def _names(memory: Memory, candidates: Sequence[Candidate], titles: Mapping[str, str]) -> dict[str, str]:
    """Returns, by file, the name of each record's note: of the one that is there, or of the one that will be."""
    entries = ready(memory).view.everything()
    taken = {fold(alias): entry.note.title for entry in entries for alias in entry.note.aliases}
    taken |= {fold(entry.name): entry.note.title for entry in entries}
    names: dict[str, str] = {}
    for each in candidates:
        if each.whole and each.file:
            known = titles.get(fold(each.title))
            name = known or name_for(each.title, taken=taken, created=each.created)
            names[each.file] = name
            taken[fold(name)] = each.title
    return names


def _row(vocabulary: Vocabulary, each: Candidate, names: Mapping[str, str], session: str) -> Reply:
    links = [link for link in (_link(vocabulary, link, names) for link in each.links) if link]
    row: Reply = {"title": each.title, "type": nearest(vocabulary, each.kind)}
    if each.whole and each.file:
        row |= {"name": names[each.file], "allow_duplicate": True}
    more = {
        "summary": each.summary,
        "body": each.body,
        "tag": list(each.tags),
        "touches": list(each.touches),
        "link": links,
        "status": each.status,
        "created": each.created,
    }
    place = {"file": each.file, "line": each.line, "marker": each.marker}
    return row | {key: value for key, value in more.items() if value} | {"session": session} | place


def _link(vocabulary: Vocabulary, link: tuple[str, str], names: Mapping[str, str]) -> str | None:
    """Returns a link as a batch takes it; None where its target is no candidate, or no verb says so much."""
    relation, path = link
    if path not in names:
        return None
    if relation == REPLACES:
        return f"{words.verb_with(vocabulary, 'supersession')}={names[path]}"
    return f"{BUILDS_ON}={names[path]}" if BUILDS_ON in vocabulary.verbs else None


def nearest(vocabulary: Vocabulary, kind: str) -> str:
    """Returns the declared type for a shipped one: of its name, of what it holds, else the nearest by role."""
    if kind in vocabulary.types:
        return kind
    holds = preset.preset("engram").types[kind].holds
    open_ones = words.types_with(vocabulary, "worklist")
    plain = [each.name for each in vocabulary.types.values() if each.role is None]
    renamed = [each.name for each in vocabulary.types.values() if each.holds == holds]
    tasks = [each.name for each in vocabulary.types.values() if each.name in open_ones]
    lasting = [name for name in plain if vocabulary.types[name].durability == "stable"]
    near = {INTENT: tasks[::-1], PROBLEM: tasks, DECISION: lasting, CAUTION: lasting}.get(kind, lasting)
    return [*renamed, *near, *plain, *vocabulary.types][0]
