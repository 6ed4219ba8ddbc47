"""State: how a memory and this clone stand, and what setting up did, as text for people and agents."""

from collections.abc import Sequence

from gitmem.faces.fields import plain
from gitmem.faces.render import DIGITS, Result, View, count, label, page, safe, table, warnings

# What `status` calls what it counts, in the order in which it is shown.
WAITING = {
    "unreviewed": "not reviewed",
    "stale": "stale",
    "drifted": "drifted",
    "conflicts": "contradictions",
    "suspects": "suspects",
    "problems": "unreadable notes",
}
KEPT = {
    "checkpoint_count": "checkpoints",
    "last_checkpoint_at": "last checkpoint",
    "recall_count": "recalls",
    "recall_zero_hits": "recalls unanswered",
    "last_recall_at": "last recall",
}
SHOWN_PATHS = 5  # of what is uncommitted


def begun(result: Result, view: View) -> str:
    """Returns what `init` made and what was there."""
    lines = [f"The memory is in {safe(result['root'])}/.memory"]
    lines += [label("created", path, view) for path in result["created"]]
    lines += [label("kept", path, view) for path in result["existing"]]
    lines += [label("hook", name, view) for name in result["hooks"]]
    lines += [label("merges", "Git merges notes by field in this clone.", view)] if result["merge_driver"] else []
    lines += [label("trust", "This clone's notes count as yours.", view)] if result["trusted"] else []
    lines += (
        [label("next", 'gitmem remember "…" --type decision; gitmem setup AGENT', view)] if result["created"] else []
    )
    return page("\n".join(lines + warnings(result.get("warnings", ()))))


def hooks(result: Result, view: View) -> str:
    """Returns how each hook and the merge driver stand, and what to know about the folder."""
    rows = [(row["name"], _hook_state(row)) for row in result["hooks"]]
    rows.append(("merge driver", "registered" if result["merge_driver"] else "not registered"))
    lines = [f"Hooks in {safe(result['folder'])}", *table(rows, view), *warnings(result["warnings"])]
    return page("\n".join(lines))


def _hook_state(row: Result) -> str:
    if not row["installed"]:
        return "not installed"
    return "installed, after what was there before" if row["chained"] else "installed"


def status(result: Result, view: View) -> str:
    """Returns what the memory holds and what waits, leaving out what is unknown."""
    notes = ", ".join(f"{count} {safe(word)}" for word, count in result["notes"].items()) or "none yet"
    rows = [
        ("root", result["root"]),
        ("branch", result["branch"] or "none"),
        ("head", (result["head"] or "none")[:DIGITS]),
    ]
    rows += [("trusted", plain(result["trusted"])), ("notes", notes)]
    rows += [(word, str(result[key])) for key, word in WAITING.items() if result[key] is not None]
    index, kept = result["index"], result["memory"]
    rows.append(("index", f"{count(index['notes'], 'note')}, {_size(index['bytes'])}"))
    rows += [(word, str(kept[key])) for key, word in KEPT.items() if kept.get(key) is not None]
    rows += _uncommitted(result["pending"])
    wide = max(len(key) for key, _ in rows)
    return page("\n".join(f"{view.dim}{key:{wide}}{view.end}  {safe(value)}" for key, value in rows))


def _uncommitted(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Returns how many files wait for a commit, and the first of them by name."""
    if not paths:
        return []
    left = len(paths) - SHOWN_PATHS
    rows = [("", path) for path in paths[:SHOWN_PATHS]] + ([("", f"and {left} more")] if left > 0 else [])
    return [("uncommitted", count(len(paths), "file")), *rows]


def _size(size: int) -> str:
    if size < 1024:
        return count(size, "byte")
    return f"{size / 1024:.0f} KiB" if size < 1024 * 1024 else f"{size / 1024 / 1024:.1f} MiB"


def doctor(result: Result, view: View) -> str:
    """Returns each check with its state, and what to do about it."""
    lines = []
    wide = max(len(row["name"]) for row in result["checks"])
    for row in result["checks"]:
        lines.append(f"{row['state']:8} {row['name']:{wide}}  {safe(row['message'])}")
        lines += [label("hint", row["hint"], view)] if row["hint"] else []
    return page("\n".join(lines))
