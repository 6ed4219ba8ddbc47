"""The commands that put notes away, and how what became of them is shown."""

from collections.abc import Callable

from gitmem.faces.agents import check_person, writer
from gitmem.faces.call import Call, Outcome, usage
from gitmem.faces.fields import plain
from gitmem.faces.render import QUOTE, Result, View, count, label, page, safe, warnings


def bury(call: Call) -> Outcome:
    """Archives a note under a tombstone."""
    from gitmem.operations.burial import bury as buried

    if call.values["reason"] is None:
        raise usage("A tombstone needs a reason.", 'gitmem bury NAME --reason "why it must not come back"')
    memory = call.memory()
    result = buried(memory, call.note(), call.values["reason"], writer(call, memory))
    return Outcome(result, 0, lambda view: put_away(result, "buried", view))


def forget(call: Call) -> Outcome:
    """Deletes a note, for a person."""
    from gitmem.operations.burial import forget as forgotten

    memory, values = call.memory(), call.values
    check_person(call, memory, "forget")
    who, trace = writer(call, memory), not values["no_trace"]
    result = forgotten(memory, call.note(), who, reason=values["reason"], trace=trace)
    return Outcome(result, 0, lambda view: put_away(result, "forgot", view))


def merge(call: Call) -> Outcome:
    """Makes several notes one."""
    from gitmem.operations.merging import merge as merged

    if call.values["into"] is None or not call.values["names"]:
        raise usage("merge lacks the notes, or the note that they go into.", "gitmem merge NAME… --into NAME")
    names, into = [call.named(word) for word in call.values["names"]], call.named(call.values["into"])
    memory = call.memory()
    result = merged(memory, names, into, dry_run=call.values["dry_run"], author=writer(call, memory))
    return Outcome(result, 0, lambda view: united(result, view))


VERBS: dict[str, Callable[[Call], Outcome]] = {"bury": bury, "forget": forget, "merge": merge}


# As text


def put_away(result: Result, done: str, view: View) -> str:
    """Returns that a note was buried or forgotten, the files that changed, and the tombstone that says why."""
    lines = [safe(f"{done} {result['name']}") if result["changed"] else "Nothing to change."]
    lines += [label("changed", path, view) for path in result["changed"]]
    lines += [label("tombstone", result["tombstone"], view)] if result["tombstone"] else []
    return page("\n".join(lines + warnings(result["warnings"])))


def united(result: Result, view: View) -> str:
    """Returns that notes were merged, or would be, what the survivor gains, and what stays behind with the others."""
    done = "would merge" if result["dry_run"] else "merged"
    lines = [safe(f"{done} {' '.join(result['merged'])} into {result['name']}")]
    lines += [label("changed", path, view) for path in result["changed"]]
    lines += [label("gains", text, view) for text in _gains(result["gained"])]
    lines += [label("repointed", name, view) for name in result["repointed"]]
    for note in result["left"]:
        lines += _left(note, view, whole=result["dry_run"])
    lines += [] if result["changed"] else ["Nothing to change."]
    return page("\n".join(lines + warnings(result["warnings"])))


def _gains(gained: Result) -> list[str]:
    links = [f"{link['verb']} {link['to']}" for link in gained["links"]]
    lists = {key: gained[key] for key in ("tags", "touches", "aliases")} | {"links": links}
    return [f"{key} {', '.join(items)}" for key, items in lists.items() if items]


def _left(note: Result, view: View, *, whole: bool) -> list[str]:
    """Returns what a merged note still holds alone: its lines where all are asked for, else how many they are."""
    text = note["text"]
    rows = (text or "").splitlines()
    said = "a sensitive text" if text is None else count(len(rows), "line") if rows else "no text of its own"
    lines = [label("left", f"in {note['name']}: {said} {QUOTE}{note['title']}", view)]
    lines += [label("", f"{key}: {plain(value)}", view) for key, value in note["fields"].items()]
    return lines + ([label("", QUOTE + row, view) for row in rows] if whole else [])
