"""Markers: what FIXME and TODO in comments say is broken or left to do."""

import os
import re
from collections.abc import Iterator, Sequence

from gitmem.notes.shown import cut
from gitmem.operations.candidate import INTENT, PROBLEM, TITLE, Candidate, one_line, touchable
from gitmem.operations.sources import Sources

KINDS = {"FIXME": PROBLEM, "TODO": INTENT}
FEW = 3  # words; a text of fewer says nothing without the file that it stands in
LINES = 8  # of one comment
LONG = 1_000  # characters of a line that are looked at
_WORD = r"(?<![\w-])(?P<marker>FIXME|TODO)(?![\w-])"
# What comments begin with in any language, and in those whose files end so.
_LEADERS = r'(?:#+(?!!)|//+!?|/\*+!?|<!--|\{#|\(\*|\{-|"""|\'\'\'|REM\b)'
_OWN = (
    (frozenset(("sql", "hs", "lua", "ads", "adb", "elm", "vhd", "vhdl", "agda")), r"--+"),
    (frozenset(("lisp", "lsp", "el", "clj", "cljs", "scm", "rkt", "asm", "s", "ini", "cfg", "ahk")), r";+"),
    (frozenset(("tex", "sty", "cls", "bib", "erl", "hrl", "mat", "pro")), r"%+"),
    (frozenset(("vb", "vbs", "bas")), r"'"),
)
_PROSE = frozenset(("md", "markdown", "mdx", "rst", "txt", "adoc", "asciidoc", "org", "html", "htm", "xml", "vue"))
# In these a line is a value where no comment begins.
_DATA = frozenset(("yml", "yaml", "toml", "json", "json5", "jsonc", "jsonl", "ini", "cfg", "csv", "tsv", "conf", "env"))
_CLOSERS = r'[ \t]*(?:\*+/|-->|#\}|\*\)|-\}|"""|\'\'\')[ \t]*$'


def candidates(sources: Sources) -> Iterator[Candidate]:
    """Yields a candidate for each marker, by path and line."""
    for path in sources.holding(tuple(KINDS)):
        text = sources.text(path)
        if text and any(word in text for word in KINDS):
            yield from found(path, text)


def found(path: str, text: str) -> Iterator[Candidate]:
    """Yields a candidate for each line of a file's text on which a comment says FIXME or TODO, in capitals, as a word."""
    ending = os.path.splitext(path)[1][1:].lower()
    rows = text.split("\n")
    for at, row in enumerate(rows):
        if "TODO" in row or "FIXME" in row:
            match = _marked(row, ending)
            if match:
                yield _candidate(path, at + 1, match["marker"], _said(match, rows, at))


def _marked(row: str, ending: str) -> re.Match[str] | None:
    """Returns how a comment on this line is marked: at its start, or anywhere with a colon or a name after the word."""
    leaders = r"<!--" if ending in _PROSE else "|".join([_LEADERS, *(sign for known, sign in _OWN if ending in known)])
    bare = "" if ending in _PROSE else r"|^[ \t]*\*+(?=[ \t])"
    if ending not in _PROSE | _DATA:
        bare += r"|^(?=[ \t]*(?:TODO|FIXME)(?:\([^()]*\))?:)"
    start = rf"(?P<leader>(?:(?:^|(?<=\s))(?:{leaders}){bare}))"
    form = rf"{start}(?P<before>.*?){_WORD}(?P<who>[ ]?\([^()]*\))?(?P<sign>[ \t]*(?::|-|–|—))?[ \t]*(?P<text>.*)$"
    match = re.search(form, row[:LONG])
    if match is None or any(row[: match.start()].count(quote) % 2 for quote in "\"'`"):
        return None
    leading = re.fullmatch(r"[\s@*!\[\]>:#/-]*", match["before"])
    return match if leading or match["who"] or ":" in (match["sign"] or "") else None


def _said(match: re.Match[str], rows: Sequence[str], at: int) -> str:
    """Returns what follows the marker, on its line and on those below that go on with the same comment."""
    said = [re.sub(_CLOSERS, "", match["text"]).strip()]
    row, leader = match.string, match["leader"].strip()
    if row[: match.start("leader")].strip() or re.search(_CLOSERS, match["text"]) or not leader:
        return said[0]
    following = r"\*(?!/)" if leader.startswith(("/*", "*")) else re.escape(leader) + r"(?![#/!;%-])"
    for below in rows[at + 1 : at + LINES]:
        more = re.match(rf"[ \t]*{following}[ \t]*(\S.*)$", below[:LONG])
        if more is None or re.search(_WORD, below):
            break
        said.append(re.sub(_CLOSERS, "", more[1]).strip())
    return "\n".join(line for line in said if line)


def _candidate(path: str, line: int, marker: str, text: str) -> Candidate:
    words = one_line(text, 4 * TITLE)
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z])", words)[0].rstrip(".") if words else ""
    title = cut(sentence, TITLE)
    if len(title.split()) < FEW:
        title = f"{title} ({path})" if title else f"{marker} in {path}"
    place = f"{marker} in `{path}`."
    body = place if words.rstrip(".") == title else f"{text}\n\n{place}" if words else place
    touches = (path,) if touchable(path) else ()
    return Candidate(one_line(title), KINDS[marker], marker, body, path, line, touches=touches, label=path)
