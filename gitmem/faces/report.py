"""The report of a review: for a terminal, as a page for a pull request, and as annotations of a workflow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.faces import chronicle
from gitmem.faces.markdown import code, fenced
from gitmem.faces.render import Result, View, count, label, page, safe
from gitmem.notes.shown import harmless

MANY = 50  # notes, or risks, that a part of the page tells; a summary holds 1 MiB, a comment 65,536 characters
LINES, CHARACTERS = 8, 600  # of an added note's text
# What a workflow command must not hold as it is (docs.github.com, "Workflow commands").
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def text(result: Result, view: View) -> str:
    """Returns what changed, then each risk with its hint, then the verdict."""
    risks = [line for risk in result["risks"] for line in _risk(risk, view)]
    parts = [chronicle.diff(result, view).rstrip("\n"), "\n".join(risks), _verdict(result)]
    return page("\n\n".join(part for part in parts if part))


def _risk(risk: Result, view: View) -> list[str]:
    head = safe(f"{_place(risk)}: {risk['severity']} {risk['code']} {risk['message']}")
    return [head, label("hint", risk["hint"], view)] if risk["hint"] else [head]


def _place(risk: Result) -> str:
    return risk["path"] if risk["line"] is None else f"{risk['path']}:{risk['line']}"


def _verdict(result: Result) -> str:
    return f"{_counted(result)}: the branch {'passes' if result['passes'] else 'does not pass'}."


def _counted(result: Result) -> str:
    errors = sum(risk["severity"] == "error" for risk in result["risks"])
    warnings = len(result["risks"]) - errors
    return f"{count(errors, 'error')}, {count(warnings, 'warning')}"


# For a pull request


def markdown(result: Result) -> str:
    """Returns a page: what the project would newly believe, what no longer, what changed, and the risks.

    Whatever a note says stands in code, where nothing of it can do anything.
    """
    parts = (
        ("The project would newly believe", [_added(note) for note in result["added"]]),
        ("It would stop believing", list(_ended(result))),
        ("What changed", list(_changed(result))),
        ("Risks", [_risked(risk) for risk in result["risks"]]),
    )
    blocks = ["## Memory: what this branch would change", f"{_verdict(result)}"]
    blocks += [f"Note: {code(each['message'], 600)}" for each in result["warnings"]]
    blocks += ["The memory says the same."] if not any(items for _, items in parts[:3]) else []
    blocks += [block for title, items in parts for block in _part(title, items)]
    return page("\n\n".join(blocks))


def _part(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"### {title}"
        yield from items[:MANY]
    if len(items) > MANY:
        yield f"… and {len(items) - MANY} more, which `gitmem review` lists."


def _added(note: Result) -> str:
    said = [f"- {code(note['title'])}: {_kind(note)}"]
    body = (note["body"] or "").strip()
    shown = note["summary"] and not body.startswith(note["summary"])
    said += [f"  {code(note['summary'], 300)}"] if shown else []
    return "\n".join(said) + (f"\n\n{fenced(body, LINES, CHARACTERS)}" if body else "")


def _kind(note: Result) -> str:
    return f"{code(note['type'] or 'note')} {code(note['path'])}"


def _ended(result: Result) -> Iterator[str]:
    for note in result["superseded"]:
        by = f" {code(note['by'])} replaces it." if note["by"] else " It is marked as superseded."
        yield _line(note, by)
    for note in result["buried"]:
        yield _line(note, f" {code(note['by'])} buries it.")
    for note in result["removed"]:
        yield _line(note, " Its file is gone.")


def _line(note: Result, more: str) -> str:
    summary = f"\n  {code(note['summary'], 300)}" if note["summary"] else ""
    return f"- {code(note['title'])}: {_kind(note)}.{more}{summary}"


def _changed(result: Result) -> Iterator[str]:
    for note in result["revised"]:
        was = f" It was titled {code(note['old_title'])}." if note["old_title"] else ""
        yield f"- {code(note['title'])}: {_kind(note)}. Revised: {', '.join(map(code, note['fields']))}.{was}"
    for note in result["renamed"]:
        yield f"- {code(note['title'])}: {_kind(note)}. Renamed, it was {code(note['old'])}."
    for note in result["relinked"]:
        links = [f"+ {_link(link)}" for link in note["came"]] + [f"− {_link(link)}" for link in note["went"]]
        yield f"- {code(note['title'])}: {_kind(note)}. Links: {', '.join(links)}."
    for note in result["stale"]:
        yield f"- {code(note['title'])}: {_kind(note)}. It speaks of code that {_moved_on(note['touches'])}."


def _moved_on(touches: Iterable[Result]) -> str:
    """Returns what became of code, as the end of a sentence."""
    ends = {"is gone": "gone", "changed": "changed"}
    said = {end: [code(each["ref"]) for each in touches if each["state"] == state] for end, state in ends.items()}
    return ", and of code that ".join(f"{end}: {', '.join(refs)}" for end, refs in said.items() if refs)


def _link(link: Result) -> str:
    why = f" ({code(link['note'])})" if link["note"] else ""
    return f"{code(link['verb'])} {code(link['name'])}{why}"


def _risked(risk: Result) -> str:
    hint = f"\n  {code(risk['hint'], 400)}" if risk["hint"] else ""
    return f"- **{risk['severity']}** {risk['code']} {code(_place(risk))}: {code(risk['message'], 400)}{hint}"


# For a workflow


def annotations(result: Result) -> str:
    """Returns a workflow command for each risk, the errors first, for a forge shows only some of them; then the verdict.

    Nothing that a note says begins a line or ends a command.
    """
    lines = [_annotation(risk) for risk in result["risks"]]
    lines += [f"::notice title=gitmem::{_escaped(each['message'], _DATA)}" for each in result["warnings"]]
    return page("\n".join([*lines, _verdict(result)]))


def _annotation(risk: Result) -> str:
    words = {"file": risk["path"], "line": str(risk["line"] or 1), "title": f"gitmem: {risk['code']}"}
    said = "\n".join(part for part in (risk["message"], risk["hint"]) if part)
    return f"::{risk['severity']} {_properties(words)}::{_escaped(said, _DATA)}"


def _properties(words: Mapping[str, str]) -> str:
    return ",".join(f"{key}={_escaped(word, _PROPERTY)}" for key, word in words.items())


def _escaped(text: str, marks: Mapping[str, str]) -> str:
    shown: Iterable[str] = harmless(text)
    return "".join(marks.get(character, character) for character in shown)
