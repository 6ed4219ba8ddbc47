"""Touches as a writer gives them: each resolved to a place in the code as it is, and anchored there by its hash."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.notes.touch import parsed, unhashed
from gitmem.operations.draft import Draft
from gitmem.operations.memory import Memory
from gitmem.operations.whereabouts import findings_of, place_of
from gitmem.search.findings import Findings
from gitmem.storage.worktree import FOLDER
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gitmem.knowledge.anchors import Definition

Reply = dict[str, Any]  # Any: the JSON of design section 14

# Files that are parsed for one symbol without a path; one that so many hold is no name to find anything by.
PARSED = 400
NAMED = 3  # places in one message


class Resolved(NamedTuple):
    """The touches that mean nothing in the code, as written, and what to say of all.

    by_ref gives, by what was given, the anchor that it became, None where it became none.
    """

    unresolved: tuple[str, ...]
    warnings: tuple[Reply, ...]
    by_ref: Mapping[str, str | None]


class _Place(NamedTuple):
    """A definition and the file that holds it."""

    path: str
    definition: "Definition"


def resolved(memory: Memory, refs: Sequence[str]) -> Resolved:
    """Returns touches resolved against the work tree; nothing outside of it is looked at.

    What does not resolve is kept as written, without a hash: a path that is not there or that git ignores, a symbol
    that is not defined, one without a path that is defined more than once.
    """
    given = [ref for ref in dict.fromkeys(refs) if ref.strip()]
    if not given:
        return Resolved((), (), {})
    findings = findings_of(memory)
    warnings: list[Reply] = []
    found = {ref: _resolved(memory, findings, unhashed(ref.strip()), warnings) for ref in given}
    for ref, path in _ignored(memory, found):
        message = f"{path} is ignored by Git, so no other clone has it; the touch is kept without a hash."
        warnings.append({"code": "ignored-anchor", "name": ref, "message": message})
        found[ref] = None
    findings.save()
    lost = tuple(unhashed(ref.strip()) for ref, anchor in found.items() if anchor is None)
    return Resolved(lost, tuple(warnings), found)


def _ignored(memory: Memory, found: Mapping[str, str | None]) -> list[tuple[str, str]]:
    """Returns the touches that resolve to what git ignores, each with its path."""
    if memory.repository is None:
        return []
    from gitmem.storage import code  # late, as all that only a touch needs

    paths = {ref: parsed(anchor).path for ref, anchor in found.items() if anchor}
    try:
        ignored = code.ignored(memory.repository, sorted(set(paths.values())), environment=memory.environment)
    except GitmemError:  # without git nothing is ignored
        return []
    return [(ref, path) for ref, path in paths.items() if path in ignored]


def _resolved(memory: Memory, findings: Findings, ref: str, warnings: list[Reply]) -> str | None:
    """Returns a touch with its hash, None for one that does not resolve."""
    place = parsed(ref)
    path = place_of(memory.root, findings, place.path)
    if path is None:
        bare = ref and "/" not in place.path
        return _only(ref, _everywhere(memory, findings, ref), warnings) if bare else None
    if place.symbol:
        return _symbol(findings, path, place.symbol, ref, warnings)
    seen = findings.tree.look(path)
    if seen and seen.kind == FOLDER:
        return path + "/"
    digest = findings.digest(path)
    return f"{path}@{digest}" if digest else path


def _symbol(findings: Findings, path: str, symbol: str, ref: str, warnings: list[Reply]) -> str | None:
    from gitmem.knowledge.anchors import named

    found = [_Place(path, each) for each in named(findings.defined(path) or (), symbol)]
    anchor = _only(ref, found, warnings)
    return f"{path}::{symbol}@{found[0].definition.hash}" if anchor else None


def _only(ref: str, found: Sequence[_Place], warnings: list[Reply]) -> str | None:
    """Returns the anchor of the one place that there is; where there are more, a warning names them."""
    if len(found) == 1:
        path, definition = found[0]
        return f"{path}::{definition.local}@{definition.hash}"
    if found:
        places = [f"{place.path}::{place.definition.local} (line {place.definition.line})" for place in found]
        more = " and more" if len(places) > NAMED else ""
        message = f"{ref!r} is defined in more than one place, {' and '.join(places[:NAMED])}{more}: name one of them."
        warnings.append({"code": "ambiguous-anchor", "name": ref, "message": message})
    return None


def _everywhere(memory: Memory, findings: Findings, symbol: str) -> list[_Place]:
    """Returns where a symbol without a path is defined, declared where it is defined nowhere; no more than need be named."""
    from gitmem.operations.moves import last_word, sources

    word = last_word(symbol)
    try:
        paths = sources(memory, findings, [word]) if word else []
    except GitmemError:  # without git nothing can be found
        return []
    strong: list[_Place] = []
    weak: list[_Place] = []
    for place in _meant(findings, paths[:PARSED], symbol):
        (weak if place.definition.weak else strong).append(place)
        if len(strong) > NAMED:
            break
    return strong or weak


def _meant(findings: Findings, paths: Sequence[str], symbol: str) -> Iterator[_Place]:
    from gitmem.knowledge.anchors import meant

    for path in paths:
        for definition in meant(findings.defined(path) or (), symbol):
            yield _Place(path, definition)


def anchored(memory: Memory, draft: Draft) -> tuple[Draft, Resolved]:
    """Returns a draft whose touches are anchored, where it says any, and what came of them."""
    found = resolved(memory, (*(draft.touches or ()), *draft.add_touches))
    touches = None if draft.touches is None else _kept(found, draft.touches)
    return draft._replace(touches=touches, add_touches=_kept(found, draft.add_touches)), found


def _kept(found: Resolved, refs: Sequence[str]) -> tuple[str, ...]:
    """Returns touches as they are stored: an anchor, or as written."""
    given = [ref for ref in refs if ref.strip()]
    return tuple(dict.fromkeys(found.by_ref[ref] or unhashed(ref.strip()) for ref in given))


def told(reply: Reply, found: Resolved) -> Reply:
    """Returns the reply of a write with what came of its touches."""
    return reply | {"unresolved": list(found.unresolved), "warnings": [*reply["warnings"], *found.warnings]}
