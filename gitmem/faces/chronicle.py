"""Chronicle: history as text for people and agents, the words of commits and notes quoted."""

from collections.abc import Iterable

from gitmem.faces.render import DIGITS, QUOTE, Result, View, label, page, safe
from gitmem.values import Any

KINDS = ("added", "revised", "superseded", "buried", "renamed", "removed", "relinked", "stale")


def log(result: Result, view: View) -> str:
    """Returns each commit with its day, its author and its title, and under it what it did to which note."""
    blocks = ["\n".join(_commit(commit, view)) for commit in result["commits"]]
    return page("\n\n".join([*(blocks or ["No commit has changed the memory yet."]), *_warnings(result)]))


def _commit(commit: Result, view: View) -> list[str]:
    head = f"{view.bold}{commit['commit'][:DIGITS]}{view.end}  {commit['date'][:10]}  {safe(commit['author'])}"
    changes: dict[str, list[str]] = {}
    for note in commit["notes"]:
        changes.setdefault(note["change"], []).append(note["name"])
    return [
        head,
        QUOTE + safe(commit["title"]),
        *(label(word, ", ".join(names), view) for word, names in changes.items()),
    ]


def diff(result: Result, view: View) -> str:
    """Returns what changed, a block for each kind of change that there is."""
    blocks = [_kind(kind, result[kind], view) for kind in KINDS if result[kind]]
    said = ["\n".join(lines) for lines in blocks] or ["The memory says the same."]
    return page("\n\n".join([*said, *_warnings(result)]))


def _kind(kind: str, notes: Iterable[Any], view: View) -> list[str]:  # Any: the JSON of design section 14
    lines = [f"{view.bold}{kind}{view.end}"]
    for note in notes:
        lines.append(f"  {safe(note['name'])}{_how(note)} {QUOTE}{safe(note['title'])}")
        lines += [label(touch["state"], touch["ref"], view) for touch in note.get("touches", ())]
        lines += [label("+", _link(link), view) for link in note.get("came", ())]
        lines += [label("-", _link(link), view) for link in note.get("went", ())]
    return lines


def _how(note: Result) -> str:
    if note.get("fields"):
        return safe(f" ({', '.join(note['fields'])})")
    if note.get("by"):
        return safe(f" (by {note['by']})")
    return safe(f" (was {note['old']})") if note.get("old") else ""


def _link(link: Result) -> str:
    return f"{link['verb']} {link['name']}" + (f" ({link['note']})" if link["note"] else "")


def undone(result: Result, view: View, *, dry_run: bool) -> str:
    """Returns what was taken back, or would be, and what was left for which reason."""
    names = result["reversed"]
    done = "would take back" if dry_run else "took back"
    lines = [safe(f"{done} {', '.join(names)}")] if names else ["Nothing to take back."]
    lines += [label("commit", result["commit"][:DIGITS], view)] if result["commit"] else []
    lines += [label("left", f"{each['name']}: {each['reason']}", view) for each in result["skipped"]]
    return page("\n".join([*lines, *_warnings(result)]))


def _warnings(result: Result) -> list[str]:
    return [safe(f"warning: {each['message']}") for each in result["warnings"]]
