"""Commits: what a checkpoint came to, and what a merge left to settle, as text for people and agents."""

from gitmem.faces.render import Result, View, label, page, safe

_EVENTS = {"verification": "verified"}  # the kinds of event that are longer than the column of their names
NAMED = 20  # notes of a commit that are named; the JSON names all
DIGITS = 12  # of a commit; enough for git to know it again


def checkpoint(result: Result, view: View) -> str:
    """Returns what was written and committed in this clone, what went along, and what was left for which reason."""
    name = f"{view.bold}{safe(result['name'])}{view.end}"
    if result["commit"] is None and not result["deferred"]:
        return page("\n".join([safe(result["reason"]), *_left(result, view)]))
    lines = [f"wrote {name}" if result["deferred"] else f"checkpoint {name}", label("path", result["path"], view)]
    lines += [label("commit", _commit(result), view)]
    lines += [label("with", _some(result["notes"]), view)] if result["notes"] else []
    lines += [label(_EVENTS.get(each["event"], each["event"]), _made(each), view) for each in result.get("made", ())]
    lines += [label("suspect", f"{each['newer']}: {each['reason']}", view) for each in result.get("suspects", ())]
    return page("\n".join([*lines, *_left(result, view)]))


def _some(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _made(each: Result) -> str:
    return str(each["name"]) if each["created"] else f"{each['name']}, which was there"


def _commit(result: Result) -> str:
    if result["deferred"]:
        return f"none yet. {result['reason']}"
    return f"{result['commit'][:DIGITS]}, in this clone alone until you push it"


def _left(result: Result, view: View) -> list[str]:
    """Returns a line for each path that stayed out, and the other warnings."""
    reasons = {each["name"]: each["message"] for each in result["warnings"] if each["name"] in result["left"]}
    lines = [label("left", reasons.get(path) or f"{path} waits, too.", view) for path in result["left"]]
    return lines + [safe(f"warning: {each['message']}") for each in result["warnings"] if each["name"] not in reasons]


def conflicts(result: Result, view: View) -> str:
    """Returns which notes were merged or parted, what a person has to settle, and what to type when that is done."""
    lines = [label("merged", path, view) for path in result["merged"]]
    for each in result["parted"]:
        lines.append(label("parted", f"{each['path']} > {each['title']}", view))
        lines.append(label("", f"{each['other']['path']} > {each['other']['title']}", view))
    for problem in result["problems"]:
        place = problem["path"] if problem["line"] is None else f"{problem['path']}:{problem['line']}"
        lines += [safe(f"{place}: {problem['message']}"), label("hint", problem["hint"] or "", view)]
    lines += [safe(f"warning: {each['message']}") for each in result["warnings"]]
    lines += [label("next", _staging(result["add"]), view)] if result["add"] else []
    return page("\n".join(lines or ["No note is in conflict."]))


def _staging(paths: list[str]) -> str:
    from gitmem.storage.unmerged import pathspec

    return "git add " + " ".join(map(pathspec, paths))
