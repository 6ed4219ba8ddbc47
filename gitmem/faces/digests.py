"""The command that nominates: candidates as JSON lines, or, for a person, what became of them as notes."""

from gitmem.faces import render
from gitmem.faces.call import Call, Outcome
from gitmem.faces.render import Result, count


def digest(call: Call) -> Outcome:
    """Answers `gitmem digest`."""
    from gitmem.operations import digest as operation

    memory, limit = call.memory(), call.values["limit"]
    if not call.values["write"]:
        found = operation.digest(memory, limit=limit or operation.LIMIT)
        return Outcome(found, 0, lambda view: _lines(found), aside=_beside(found), as_lines=True)
    from gitmem.faces.agents import check_person

    check_person(call, memory, "digest --write")
    result = operation.write(memory, limit=limit or operation.MOST)
    done = all(item.get("created") for item in result["results"])
    aside = _aside(result, "gitmem digest --write once more takes the next.") + _onward(result)
    return Outcome(result, int(not done), lambda view: render.batch(result), aside=aside)


def _lines(found: Result) -> str:
    import json

    from gitmem.notes.shown import escaped

    return "".join(f"{escaped(json.dumps(row, ensure_ascii=False))}\n" for row in found["candidates"])


def _aside(found: Result, more: str) -> str:
    """Returns what to say beside the candidates: how many of them are not there, and why."""
    lines = []
    if found["secrets"]:
        lines.append(f"{count(found['secrets'], 'candidate')} left out: what looks like a secret is in them.")
    if found["more"]:
        lines.append(f"{count(found['more'], 'candidate')} past the limit: {more}")
    return render.page("\n".join(lines))


def _onward(result: Result) -> str:
    """Returns how what was written is committed so that it can be taken back as a whole; nothing where nothing was."""
    if not any(item.get("created") for item in result["results"]):
        return ""
    session = f"--session {result['session']}"
    kept = f"gitmem checkpoint Digest {session} commits them"
    return render.page(f"Read what was written; {kept}, and gitmem undo {session} takes that commit back.")


def _beside(found: Result) -> str:
    """Returns what to say beside the candidates that were told, of which there may be none."""
    from gitmem.operations.digest import MOST

    shown = len(found["candidates"])
    wider = f"gitmem digest --limit {min(shown + found['more'], MOST)} shows more; " if shown < MOST else ""
    said = _aside(found, f"{wider}those that are remembered make room for them.")
    if shown or said:
        return said
    known = f" {count(found['known'], 'candidate')} are remembered already." if found["known"] else ""
    return render.page(f"Nothing to nominate.{known}")
