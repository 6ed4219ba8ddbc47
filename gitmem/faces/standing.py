"""The commands of trust: what a person says of notes, what waits for one, and how both are shown."""

from gitmem.faces import render
from gitmem.faces.agents import check_person, writer
from gitmem.faces.call import Call, Outcome, usage
from gitmem.faces.render import Result, View, count, label, page, safe, warnings
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.operations.memory import Memory

READ = "Read each (gitmem show NAME), then approve, revise or bury it."
JUDGE = "gitmem conflicts judge NEWER OLDER conflict|replaces|distinct"
STAMP = "gitmem suspects --sweep --write stamps them on the newer notes."
TAKEN = "Read both, then approve what took its place, or gitmem undo COMMIT takes that back."
SECTIONS = (
    ("retired", "put away, though a person stood for them", TAKEN),
    ("unreviewed", "not reviewed", READ),
    ("stale", "stale", render.STILL_TRUE),
    ("drifted", "drifted", render.STILL_TRUE),
)
PAIRS = (("conflicts", "contradictions"), ("suspects", "suspects"))


def approve(call: Call) -> Outcome:
    """Stamps notes as approved."""
    from gitmem.operations import approval

    names, memory = _names(call), _for_a_person(call, "approve")
    return _stands(approval.approve(memory, names), "approved")


def unapprove(call: Call) -> Outcome:
    """Takes the approval of notes away."""
    from gitmem.operations import approval

    names, memory = _names(call), _for_a_person(call, "unapprove")
    return _stands(approval.unapprove(memory, names), "no longer approved")


def pin(call: Call) -> Outcome:
    """Holds a note's trust at a value."""
    from gitmem.operations import approval

    value = _share(call.values["value"])
    memory = _for_a_person(call, "pin")
    return _stands(approval.pin(memory, call.note(), value), "pinned")


def _share(word: str | None) -> float:
    try:
        return 1.0 if word is None else float(word)
    except ValueError as error:
        raise usage(f"{word} is no number.", "gitmem pin NAME 0.7; the value is 0 to 1.") from error


def unpin(call: Call) -> Outcome:
    """Lets a note's trust follow from its dates again."""
    from gitmem.operations import approval

    memory = _for_a_person(call, "unpin")
    return _stands(approval.unpin(memory, call.note()), "no longer pinned")


def confirm(call: Call) -> Outcome:
    """Says of notes that they are still true."""
    from gitmem.operations import approval

    memory = call.memory()
    by = writer(call, memory).source
    return _stands(
        approval.confirm(memory, _names(call), by=by), "confirmed" if by == "user" else "confirmed, on an agent's word:"
    )


def decay(call: Call) -> Outcome:
    """Lists what nobody will miss, or puts it away."""
    from gitmem.operations import waiting as lists

    apply = call.values["apply"]
    memory = _for_a_person(call, "decay --apply") if apply else call.memory()
    result = lists.decay(memory, apply=apply)
    return Outcome(result, 0, lambda view: decayed(result, view), memory.trusted)


def trust(call: Call) -> Outcome:
    """Makes this clone's notes the person's own."""
    from gitmem.operations.setup import trust as trusted

    result = trusted(_for_a_person(call, "trust"))
    return Outcome(result, 0, lambda view: page(f"This clone's notes count as yours: {safe(result['root'])}"))


def conflicts(call: Call) -> Outcome:
    """Lists the pairs that contradict each other, or settles one."""
    from gitmem.operations import judging

    memory, kind = call.memory(), call.values["kind"]
    if call.values["action"] is None:
        listed = judging.conflicts(memory)
        return Outcome(listed, 0, lambda view: paired(listed, "contradictions", view), memory.trusted)
    if kind is None:
        raise usage(
            "To judge takes two notes and what they are to each other.",
            JUDGE,
        )
    result = judging.judge(memory, call.note("newer"), call.note("older"), kind, author=writer(call, memory))
    said = f"judged {call.values['newer']} {call.values['older']} {kind}"
    return Outcome(result, 0, lambda view: render.changed(result, said, view))


def suspects(call: Call) -> Outcome:
    """Lists the pairs that seem to disagree, or looks for those that nobody has looked at."""
    from gitmem.operations import judging

    memory = call.memory()
    if call.values["sweep"]:
        return _sweep(memory, write=call.values["write"])
    if call.values["write"]:
        raise usage("--write stamps what --sweep finds.", "gitmem suspects --sweep --write")
    result = judging.suspects(memory)
    return Outcome(result, 0, lambda view: paired(result, "suspects", view), memory.trusted)


def _sweep(memory: "Memory", *, write: bool) -> Outcome:
    from gitmem.operations.sweep import sweep

    result = sweep(memory, write=write)
    hint = None if write else STAMP
    return Outcome(result, 0, lambda view: paired(result, "new suspects", view, hint), memory.trusted)


def review(call: Call) -> Outcome:
    """Lists what waits for a person."""
    from gitmem.operations import waiting as lists

    memory = call.memory()
    result = lists.waiting(memory)
    return Outcome(result, 0, lambda view: waiting(result, view), memory.trusted)


def _for_a_person(call: Call, act: str) -> "Memory":
    memory = call.memory()
    check_person(call, memory, act)
    return memory


def _names(call: Call) -> list[str]:
    if not call.values["names"]:
        raise usage("No note is named.", "Name notes as gitmem list shows them.")
    return [call.named(word) for word in call.values["names"]]


# As text


def _stands(result: Result, done: str) -> Outcome:
    return Outcome(dict(result), 0, lambda view: changed(result, done, view))


def changed(result: Result, done: str, view: View) -> str:
    """Returns what was done to notes, the files that it changed, and how the notes stand now."""
    names = " ".join(note["name"] for note in result["notes"])
    lines = [safe(f"{done} {names}") if result["changed"] else "Nothing to change."]
    lines += [label("changed", path, view) for path in result["changed"]]
    lines += [label("stands", _stand(note), view) for note in result["notes"]]
    return page("\n".join(lines + warnings(result["warnings"])))


def _stand(note: Result) -> str:
    return f"{note['name']} {', '.join(note['marks'])}, trust {note['trust']:.2f}"


def decayed(result: Result, view: View) -> str:
    """Returns the notes that nobody will miss, weakest trust and since when in front, and what was put away."""
    rows = [(f"{note['trust']:.2f}", f"since {note['stale_since'][:10]}", *_row(note)) for note in result["notes"]]
    lines = render.table(rows, view) if rows else ["Nothing has been stale for 14 days."]
    if result["applied"]:
        lines += [label("archived", path, view) for path in result["changed"]]
    elif rows:
        lines.append(label("hint", "gitmem decay --apply archives them; gitmem confirm NAME keeps one.", view))
    return page("\n".join([*lines, *warnings(result["warnings"])]))


def _row(note: Result) -> tuple[str, str, str]:
    kind = f"now {note['by']}" if "by" in note else note["type"]
    return note["name"], kind, render.QUOTE + note["title"]


def waiting(result: Result, view: View) -> str:
    """Returns what waits for a person: notes by what is against them, then pairs."""
    blocks = [_section(result[key], words, hint, view) for key, words, hint in SECTIONS if result[key]]
    blocks += [
        [f"{view.dim}{words}{view.end}", *_pairs(result[key], JUDGE, view)] for key, words in PAIRS if result[key]
    ]
    return page("\n\n".join("\n".join(block) for block in blocks) or "Nothing waits for a person.")


def _section(notes: list[Result], words: str, hint: str, view: View) -> list[str]:
    rows = [(f"{note['trust']:.2f}", *_row(note)) for note in notes]
    head = f"{view.dim}{words}: {count(len(notes), 'note')}{view.end}"
    return [head, *render.table(rows, view), label("hint", hint, view)]


def paired(result: Result, words: str, view: View, hint: str | None = JUDGE) -> str:
    """Returns each pair of notes, the newer first, the notes that were stamped, and what settles a pair."""
    lines = _pairs(result["pairs"], hint, view) or [f"no {words}"]
    return page("\n".join([*lines, *(label("changed", path, view) for path in result.get("changed", ()))]))


def _pairs(pairs: list[Result], hint: str | None, view: View) -> list[str]:
    lines = []
    for pair in pairs:
        lines.append(f"{safe(pair['newer'])} {render.QUOTE}{safe(pair['newer_title'])}")
        lines.append(label("against", f"{pair['older']} {render.QUOTE}{pair['older_title']}", view))
        lines += [label("reason", pair["reason"], view)] if pair["reason"] else []
    return lines + ([label("hint", hint, view)] if lines and hint else [])
