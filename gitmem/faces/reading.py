"""The commands that read: each one operation called, its answer's exit status and its text."""

from collections.abc import Callable

from gitmem.errors import GitmemError
from gitmem.faces import render
from gitmem.faces.call import Call, Outcome, usage
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.operations.memory import Memory
    from gitmem.search.query import Wanted


def _wanted(call: Call) -> "Wanted":
    from gitmem.search.query import Wanted

    values = call.values
    lists = {"types": "type", "tags": "tag", "domains": "domain", "sources": "source", "agents": "agent"}
    lists |= {"statuses": "status", "standings": "standing", "touches": "touches", "where": "where"}
    for pair in values["where"]:
        if "=" not in pair:
            raise usage(f"--where {pair} has no value.", "--where takes KEY=VALUE.")
    return Wanted(
        since=_instant(values["since"], "--since"),
        until=_end(values["until"]),
        include=values.get("include", ()),
        **{field: values[key] for field, key in lists.items()} | {"touches": call.places(values["touches"])},
    )


def _instant(word: str | None, flag: str) -> str | None:
    from gitmem.notes.instant import instant

    if word is None:
        return None
    found = instant(word)
    if found is None:
        raise usage(f"{flag} {word} is no date.", f"{flag} takes 2026-11-30 or 2026-11-30T12:00:00Z, in UTC.")
    return found


def _end(word: str | None) -> str | None:
    """Returns the instant that --until ends before: of a bare date, the start of the next day."""
    found = _instant(word, "--until")
    if found is None or len(word or "") > len("2026-11-30"):
        return found
    from gitmem.notes.instant import DAY, instant_of, seconds

    return instant_of(seconds(found) + DAY)


def _recall(call: Call) -> Outcome:
    from gitmem.operations.recall import LIMIT, recall

    values, wanted = call.values, _wanted(call)
    try:
        memory = call.memory()
    except GitmemError as error:
        if error.code == "no-memory":
            return _nothing(values["query"], error)
        raise
    detail, limit = values["detail"] or "snippet", values["limit"] or LIMIT
    for flag in ("at", "refs"):
        if values[flag] == "":  # a script's unset variable must not get the present for the past
            raise usage(f"--{flag} is empty.", f"gitmem recall --help says what --{flag} takes.")
    options = {key: values[key] for key in ("budget", "explain", "at", "refs", "changed")}
    options["held"] = call.served.held if call.served else None
    result = recall(memory, values["query"], wanted, detail=detail, limit=limit, **options)
    no = result["verdict"] == "none"
    return Outcome(result, int(no), lambda view: render.recall(result, view), memory.trusted)


def _nothing(query: str | None, error: GitmemError) -> Outcome:
    """Returns what a recall says where there is no memory at all: nothing is known."""
    warning = {"code": error.code, "name": None, "message": f"{error.message} {error.hint or ''}".strip()}
    result = {"query": query, "at": None, "verdict": "none", "hits": [], "warnings": [warning], "fresh": True}
    return Outcome(result, 1, lambda view: render.recall(result, view))


def _search(call: Call) -> Outcome:
    from gitmem.operations.read import search

    memory = call.memory()
    result = search(memory, call.values["text"], regex=call.values["regex"])
    return Outcome(result, int(not result["total"]), lambda view: render.search(result, view), memory.trusted)


def _show(call: Call) -> Outcome:
    from gitmem.operations.read import show, show_raw

    memory = call.memory()
    then = _named_revision(memory, call.values["name"]) if "@" in call.values["name"] else None
    if then:
        return _show_at(call, memory, *then)
    result = show(memory, call.note(), body=call.values["body"])
    if call.values["raw"]:
        data = show_raw(memory, call.note(), body=call.values["body"])
        return Outcome(result, 0, lambda view: data, memory.trusted)
    return Outcome(result, 0, lambda view: render.show(result, view), memory.trusted)


def _named_revision(memory: "Memory", word: str) -> tuple[str, str] | None:
    from gitmem.operations.history import named_revision

    return named_revision(memory, word)


def _show_at(call: Call, memory: "Memory", name: str, revision: str) -> Outcome:
    from gitmem.operations.history import show_at, show_raw_at

    named = call._replace(values=call.values | {"name": name}).note()
    result = show_at(memory, named, revision, body=call.values["body"])
    if call.values["raw"]:
        data = show_raw_at(memory, named, revision, body=call.values["body"])
        return Outcome(result, 0, lambda view: data, memory.trusted)
    return Outcome(result, 0, lambda view: render.show(result, view), memory.trusted)


def _list(call: Call) -> Outcome:
    from gitmem.operations.read import list_notes
    from gitmem.search.query import is_filtered

    memory, wanted = call.memory(), _wanted(call)
    result = list_notes(memory, wanted, limit=call.values["limit"] or 0)
    no = is_filtered(wanted) and not result["total"]
    return Outcome(result, int(no), lambda view: render.listing(result, view), memory.trusted)


def _walk(call: Call) -> Outcome:
    from gitmem.faces import graphs
    from gitmem.operations.read import walk

    memory, values = call.memory(), call.values
    depth = 2 if values["depth"] is None else values["depth"]
    weight, direction = values["min_weight"] or 0.0, values["direction"] or "both"
    result = walk(memory, call.note(), depth=depth, verbs=values["verb"], min_weight=weight, direction=direction)
    drawn = {"dot": graphs.dot, "mermaid": graphs.mermaid}.get(values["format"], graphs.tree)
    return Outcome(result, 0, lambda view: drawn(result, view), memory.trusted)


def _timeline(call: Call) -> Outcome:
    from gitmem.operations.read import timeline

    memory = call.memory()
    result = timeline(memory, call.note())
    return Outcome(result, 0, lambda view: render.timeline(result, view), memory.trusted)


def _tags(call: Call) -> Outcome:
    from gitmem.operations.read import tags

    memory = call.memory()
    result = tags(memory)
    return Outcome(result, 0, lambda view: render.tags(result), memory.trusted)


def _drift(call: Call) -> Outcome:
    from gitmem.operations.anchors import drift

    memory = call.memory()
    result = drift(memory)
    return Outcome(result, 0, lambda view: render.drift(result, view), memory.trusted)


def _of_session(name: str) -> Callable[[Call], Outcome]:
    """Returns the command of this name, imported when it is called."""

    def answer(call: Call) -> Outcome:
        from gitmem.faces import sessions

        return sessions.VERBS[name](call)

    return answer


VERBS: dict[str, Callable[[Call], Outcome]] = {
    **{name: _of_session(name) for name in ("brief", "guard", "views")},
    "recall": _recall,
    "search": _search,
    "show": _show,
    "list": _list,
    "walk": _walk,
    "timeline": _timeline,
    "tags": _tags,
    "drift": _drift,
}
