"""Headings: sections of a README or of the docs whose heading promises a principle, a choice or a limit."""

import re
from collections.abc import Collection, Iterator

from gitmem.notes import prose
from gitmem.operations.candidate import CAUTION, DECISION, PRINCIPLE, Candidate, fitting, heading, one_line, touchable
from gitmem.operations.sources import Sources

MARKER = "HEADING"
WORDS = 8  # of a heading; a longer one is a sentence about something else
SHORTEST = 60  # characters of a section that says anything
MOST = 20  # of one file
HEADINGS = 500  # of one file that are looked at
FEW = 3  # words; a heading of fewer says nothing without the file that it stands in
_ROOTS = r"(?:readme|contributing|architecture|design|hacking|development|principles|conventions|style[-_]?guide)"
_FILE = rf"(?:.*/)?{_ROOTS}\.(?:md|markdown)|(?:.*/)?(?:docs?|documentation)/.*\.(?:md|markdown)"
_PRINCIPLES = (
    r"(?:\w+ ){0,2}(?:principles?|conventions?|philosophy|tenets|invariants?|coding (?:standards?|style|rules)"
    r"|code style|style guide|ground rules|design goals|golden rules|values)"
)
_DECISIONS = (
    r"(?:\w+ ){0,2}(?:decisions?|rationale|trade-?offs?|non-?goals|alternatives considered|design choices)"
    r"|why\b.{2,}|rationale (?:for|behind) .+|decision to .+"
)
_CAUTIONS = (
    r"(?:\w+ ){0,2}(?:limits|limitations?|caveats?|gotchas?|pitfalls|known issues|known problems|warnings?|constraints?"
    r"|compatibility notes?)"
)
_KINDS = ((PRINCIPLE, _PRINCIPLES), (DECISION, _DECISIONS), (CAUTION, _CAUTIONS))


def candidates(sources: Sources, left_out: Collection[str]) -> Iterator[Candidate]:
    """Yields a candidate for each such section of the project's documents, but of those that are `left_out`."""
    for path in sources.paths:
        if path not in left_out and re.fullmatch(_FILE, path, re.IGNORECASE):
            text = sources.text(path)
            yield from list(found(path, text, sources.memory.config.policy.body_limit))[:MOST] if text else ()


def found(path: str, text: str, limit: int) -> Iterator[Candidate]:
    """Yields a candidate for each section of a text whose heading is of that kind, with what the section says."""
    rows = text.split("\n")
    heads = [(at, *found) for at, row in prose.lines(text) if (found := heading(row))][:HEADINGS]
    name = one_line(heads[0][2]) if heads and heads[0][1] == 1 else path
    for at, level, words in heads:
        title = one_line(words).rstrip(":")
        kind = _kind(title)
        end = next((other for other, each, _ in heads if other > at and each <= level), len(rows) + 1)
        said = "\n".join(rows[at : end - 1]).strip()
        if kind and len(said) >= SHORTEST and prose.first_sentence(said):
            yield _candidate(path, at, title, name, kind, fitting(said, limit, f"The rest is in {path}."))


def _kind(title: str) -> str | None:
    """Returns what kind of note a heading promises, None for most."""
    words = re.sub(r"^[\W\d_]+", "", title)
    if not words or len(words.split()) > WORDS:
        return None
    return next((kind for kind, form in _KINDS if re.fullmatch(form, words.rstrip("?! "), re.IGNORECASE)), None)


def _candidate(path: str, line: int, title: str, name: str, kind: str, body: str) -> Candidate:
    whole = title if len(title.split()) >= FEW or title == name else f"{title} ({name})"
    touches = (path,) if touchable(path) else ()
    return Candidate(one_line(whole), kind, MARKER, body, path, line, touches=touches, label=path)
