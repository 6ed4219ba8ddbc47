"""Recall: the notes that answer a question, each with what a reader needs to judge it."""

from collections.abc import Sequence

from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link
from gitmem.notes.shown import cut
from gitmem.notes.vocabulary import types_with
from gitmem.operations import caveats
from gitmem.operations.anchors import graded, is_drifted, ungraded
from gitmem.operations.filters import checked
from gitmem.operations.memory import Memory, Reading, config_faults, ready, shown_path
from gitmem.operations.origin import known_log, origin
from gitmem.operations.standing import Judge, shown, standing_as
from gitmem.search import rank
from gitmem.search.document import is_inert, status_of
from gitmem.search.index import Stored
from gitmem.search.query import Wanted
from gitmem.search.rank import Answer, Hit
from gitmem.search.snippet import snippet
from gitmem.search.view import View
from gitmem.storage import ledger
from gitmem.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.operations.past import Past

Reply = dict[str, Any]  # Any: the JSON of design section 14

LIMIT = 8
LEDGER = "recalls"
# The question from which on a view that did not change is worth working out ahead.
ASKED = 5


def recall(
    memory: Memory,
    query: str | None,
    wanted: Wanted,
    *,
    detail: str = "snippet",
    limit: int = LIMIT,
    budget: int | None = None,
    explain: bool = False,
    at: str | None = None,
    refs: str | None = None,
    changed: str | None = None,
    held: View | None = None,
) -> Reply:
    """Returns the notes that answer a question (reply of design section 14); without one, the checkpoints, newest first.

    detail is compact, snippet or full; limit 0 is no limit; budget bounds the characters of all texts together. `at` is
    a revision or a date: the memory as it was, and the reply says at which commit; `refs` a pattern: the notes of other
    branches and tags, too. `changed` leaves only notes about files that differ from that revision, from HEAD where it is
    empty; without a question, too.
    """
    # Past 40 lines, 33 of which are the signature, the words on it and the reply.
    wanted, question = checked(memory, wanted), (query or "").strip()
    found = _found(memory, at, refs) if at or refs else None
    reading = found.reading if found else ready(memory, held)
    judge = Judge.of_view(found.memory if found else memory, reading)
    if reading.view is held:
        _asked_again(judge, reading)
    wanted = _changed(memory, reading, standing_as(judge, wanted), changed)
    answer = _answer(judge, reading, question, wanted, limit, all=changed is not None)
    entries = [hit.entry for hit in answer.hits]
    touches = _touches(memory, found, entries)
    standings = judge.of(entries, {path for path, each in touches.items() if is_drifted(each)})
    links, origins = _links(reading, entries), _origins(memory, found, reading.view, entries)
    hits = [
        _hit(memory, reading, hit, answer, detail)
        | origins[hit.entry.path]
        | shown(standings[hit.entry.path])
        | {"touches": touches[hit.entry.path]}
        | {"links": links[hit.entry.path], "why": rank.explain(reading.view, hit, answer.weights) if explain else None}
        for hit in answer.hits
    ]
    _count(memory, len(hits))
    shown_hits = _within(hits, budget)
    cautions = caveats.contested(entries[: len(shown_hits)], standings, links, reading.maker.roles.contradiction)
    return {
        "query": query or None,
        "at": found.commit if found else None,
        "verdict": answer.verdict,
        "hits": shown_hits,
        "warnings": [
            *cautions,
            *caveats.suspected(entries[: len(shown_hits)]),
            *_buried(judge.memory, reading, question, answer),
            *caveats.broken(entries[: len(shown_hits)]),
            *_warnings(memory, reading),
            *(found.warnings if found else ()),
        ],
        "fresh": not (reading.view.files.unreadable or reading.view.files.unread),
    }


def _asked_again(judge: Judge, reading: Reading) -> None:
    """Settles a view that has been asked a few times while nothing changed."""
    reading.view.learnt.asked += 1
    if reading.view.learnt.asked == ASKED:
        settle(judge, reading)


def settle(judge: Judge, reading: Reading) -> None:
    """Works out ahead, once a view, what questions ask of its notes; of many notes little."""
    view = reading.view
    if view.learnt.known:
        return
    view.learnt.known = True
    view.load()
    log = view.learnt.log = known_log(judge.memory, view.learnt.log)
    if log:
        log.index()
    caveats.know_stones(view, reading.maker, types_with(judge.memory.config.vocabulary, "tombstone"))
    if not view.is_small:
        return
    items = view.unpack()
    entries = list(map(view.entry, items))
    rank.superseded_by(view, items, reading.maker.roles.supersession)
    _links(reading, entries)
    _origins(judge.memory, None, view, entries)
    if judge.keeps:
        judge.of(entries)
    view.learnt.ahead = True


def _found(memory: Memory, at: str | None, refs: str | None) -> "Past":
    """Returns the notes of another moment, or of other branches, or of both."""
    from gitmem.operations import past  # late: the present needs none of it

    found = past.at(memory, at) if at else past.present(memory)
    return past.with_refs(found, refs) if refs else found


def _origins(memory: Memory, found: "Past | None", view: View, entries: Sequence[Entry]) -> dict[str, Reply]:
    """Returns, by path, the author of each note and the last commit that changed it; null where no commit says."""
    if found:
        from gitmem.operations import past

        return past.origins(found, entries)
    if entries:
        view.learnt.log = known_log(memory, view.learnt.log)
    return {entry.path: origin(view.learnt.log, entry.path) for entry in entries}


def _touches(memory: Memory, found: "Past | None", entries: Sequence[Entry]) -> dict[str, list[Reply]]:
    """Returns, by path, the touches of each note, graded by the code here: of another moment or branch it says nothing."""
    here = [entry for entry in entries if not found or (not found.commit and entry.path not in found.labels)]
    return {entry.path: ungraded(entry) for entry in entries} | graded(memory, here)


def _changed(memory: Memory, reading: Reading, wanted: Wanted, revision: str | None) -> Wanted:
    """Returns the filters with the paths of the notes about what changed, where that is asked for."""
    if revision is None:
        return wanted
    from gitmem.operations.touching import about_changed  # late: it asks git

    paths = about_changed(memory, reading.view, revision)
    return wanted._replace(paths=tuple(sorted(paths if wanted.paths is None else paths.intersection(wanted.paths))))


def _answer(judge: Judge, reading: Reading, query: str, wanted: Wanted, limit: int, *, all: bool) -> Answer:
    if query:
        now, policy = judge.memory.now, judge.memory.config.policy
        bounds = policy.strong, policy.weak
        return rank.find(
            reading.view, reading.maker, query, wanted, limit=limit, now=now, lowered=judge.weak, bounds=bounds
        )
    return _latest(reading, wanted if all else _of_checkpoints(reading, wanted), limit)


def _of_checkpoints(reading: Reading, wanted: Wanted) -> Wanted:
    """Returns the filters of the thread back after a cleared context: checkpoints, unless other types are asked for."""
    types = tuple(reading.maker.roles.checkpoint)
    return wanted._replace(types=wanted.types or types, include=(*wanted.include, "checkpoint"))


def _latest(reading: Reading, wanted: Wanted, limit: int) -> Answer:
    """Returns the notes that pass the filters, newest first."""
    passing = reading.view.passing(wanted, len(reading.view.paths()))
    live = rank.unsuperseded(reading.view, passing, reading.maker.roles.supersession, wanted)
    found = [reading.view.entry(item) for item in live]
    found.sort(key=lambda entry: entry.name)
    found.sort(key=lambda entry: entry.note.created or "", reverse=True)
    hits = [Hit(entry, 1.0) for entry in found[: limit or None]]
    return Answer("strong" if hits else "none", hits)


def _hit(memory: Memory, reading: Reading, hit: Hit, answer: Answer, detail: str) -> Reply:
    entry, note, decoded = hit.entry, hit.entry.note, reading.view.learnt.decoded
    plain = detail == "compact" or note.sensitive
    shown = {
        "name": entry.name,
        "path": shown_path(memory, entry.path),
        "type": note.type,
        "title": note.title,
        "summary": reading.view.summary(entry),
        "snippet": None if plain else snippet(decoded.passages(entry), answer.weights.rarity),
        "score": hit.score,
        "status": status_of(note, reading.maker.roles),
        "created": note.created,
        "source": note.source,
        "agent": note.agent,
        "ref": None,
    }
    return shown | ({"body": None if note.sensitive else note.body} if detail == "full" else {})


def _links(reading: Reading, entries: Sequence[Entry]) -> dict[str, list[Reply]]:
    """Returns, by path, the links one hop away with the titles at their other ends; a view asks for each note's once.

    Those from checkpoints and archived notes are left out: such notes move no answer.
    """
    hops = reading.view.learnt.hops
    hops |= _hopped(reading, [entry for entry in entries if entry.path not in hops])
    return {entry.path: hops[entry.path] for entry in entries}


def _hopped(reading: Reading, entries: Sequence[Entry]) -> dict[str, list[Reply]]:
    view = reading.view
    keys = sorted({fold(name) for entry in entries for name in (entry.name, *entry.note.aliases)})
    found = sorted(map(view.entry, view.having("to", keys)), key=lambda entry: entry.path)
    sources = [entry for entry in found if not is_inert(entry.note, reading.maker.roles)]
    meant = rank.owners(view, sorted({fold(link.to) for entry in (*entries, *sources) for link in entry.note.links}))
    items = view.having("path", sorted({*meant.values(), *(entry.path for entry in sources)}))
    rank.superseded_by(view, items, reading.maker.roles.supersession)  # all at once: one by one they are known then
    ends = {item.path: _end(reading, item) for item in items}
    names = {item.path: view.entry(item).name for item in items}
    into: dict[str, list[_Hop]] = {}
    for source in sources:
        for link in source.note.links:
            hop = (link.verb, "in", source.name, *ends[source.path])
            into.setdefault(meant.get(fold(link.to), ""), []).append(hop)

    def hop_of(link: Link) -> _Hop:
        path = meant.get(fold(link.to), "")
        return link.verb, "out", names.get(path, link.to), *ends.get(path, _NOWHERE)

    out: dict[str, list[_Hop]] = {entry.path: [hop_of(link) for link in entry.note.links] for entry in entries}
    return {path: _hops(reading, [*hops, *into.get(path, ())]) for path, hops in out.items()}


# What is told of the note at the end of a link: its title, what has retired it, and what holds in its place.
_End = tuple[str | None, tuple[str, ...], str | None]
_Hop = tuple[str, str, str, str | None, tuple[str, ...], str | None]
_NOWHERE: _End = (None, (), None)


def _end(reading: Reading, item: Stored) -> _End:
    note = reading.view.entry(item).note
    newer = _newest(reading, item)
    superseded = newer is not None or note.status == "superseded"
    marks = [mark for mark, holds in (("superseded", superseded), ("archived", note.status == "archived")) if holds]
    return note.title, tuple(marks), newer


def _newest(reading: Reading, item: Stored) -> str | None:
    """Returns the name of the note at which the replacements of one end, None where nothing replaces it, or a ring does."""
    view, supersession, seen = reading.view, reading.maker.roles.supersession, {item.path}
    name = None
    while newer := rank.superseded_by(view, [item], supersession).get(item.path):
        path = rank.owners(view, [fold(newer)])[fold(newer)]
        if path in seen:
            return None
        seen.add(path)
        name, item = newer, view.having("path", [path])[0]
    return name


def _hops(reading: Reading, hops: Sequence[_Hop]) -> list[Reply]:
    """Returns the links from and to a note as replies: contradictions first, then replacements."""
    roles = reading.maker.roles
    links = [
        {"verb": verb, "direction": direction, "name": name, "title": title, "marks": list(marks), "now": now}
        for verb, direction, name, title, marks, now in dict.fromkeys(hops)  # once, where a note lies on branches, too
    ]
    return sorted(
        links, key=lambda link: (link["verb"] not in roles.contradiction, link["verb"] not in roles.supersession)
    )


def _within(hits: list[Reply], budget: int | None) -> list[Reply]:
    """Returns the first hits whose texts fit a budget of characters; the last one's text is cut at a word."""
    if budget is None:
        return hits
    kept, left = [], budget
    for hit in hits:
        left -= len(hit["title"])
        if left < 0:
            break
        for field in ("summary", "snippet", "body"):
            text = hit.get(field)
            if text:
                hit[field] = cut(text, left) if left > 0 else None
                left -= min(left, len(text))
        kept.append(hit)
    return kept


def _buried(memory: Memory, reading: Reading, query: str, answer: Answer) -> list[Reply]:
    """Returns which subjects that a question is about were removed on purpose."""
    types = types_with(memory.config.vocabulary, "tombstone")
    return caveats.tombstoned(reading.view, reading.maker, query, answer.weights.rarity, types) if query else []


def _warnings(memory: Memory, reading: Reading) -> list[Reply]:
    """Returns what could not be read, notes and what the project decides: an answer without it must say so."""
    files = reading.view.files
    folders = [
        {
            "code": "unreadable-folder",
            "name": prefix or ".",
            "message": f"The folder .memory/{prefix} cannot be read; its last known notes are used.",
        }
        for prefix in files.unreadable
    ]
    lost = [
        {
            "code": "unreadable",
            "name": path,
            "message": f"{shown_path(memory, path)} cannot be read; what was known of it is used.",
        }
        for path in files.unread
    ]
    return [*folders, *lost, *config_faults(memory)]


def _count(memory: Memory, hits: int) -> None:
    """Adds this recall, and by which agent, to the clone's own counters, beside Git's data."""
    if memory.repository is None or memory.where.cache is None:
        return
    from gitmem.operations.running import counted_as

    ledger.count(memory.repository, LEDGER, f"{memory.now} {hits} {counted_as(memory.environment)}".rstrip())


def counted(memory: Memory) -> tuple[int, int, int | None]:
    """Returns how many recalls this clone has seen, how many found nothing, and when the last was."""
    if memory.repository is None:
        return 0, 0, None
    rows = [row for row in ledger.counts(memory.repository, LEDGER) if len(row) in (2, 3) and row[1].isdigit()]
    return len(rows), sum(row[1] == "0" for row in rows), int(rows[-1][0]) if rows else None
