"""What a markdown body says outside its code: headings, mentions, the first sentence."""

import re
from collections.abc import Iterator

LONGEST = 300  # characters of a first sentence, those that a summary may have
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}#[ \t]")
# Not compiled here: reading a note needs none of these, and compiling them all costs a millisecond.
_CODE_OR_MENTION = r"\n[ \t]*\n|`+|\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]"
_SILENT = r"[ \t]*(?:#{1,6}(?:[ \t]|$)|\||<|[-*_=](?:[ \t]*[-*_=]){2,}[ \t]*$)"
_MARKER = r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?"
_UNDERLINE = r" {0,3}(?:=+|-+)[ \t]*"
_SENTENCE = r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?][\"')\]*_]*(?=\s+[^\sa-z]|\s*$)|[。！？]"


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields number and text of each line outside fenced code, the first line being 1; fences are left out, too."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        match = _FENCE.match(line)
        if not fence and match is None:
            yield number, line
        elif not fence and match is not None:
            fence = match[1]
        elif match is not None and match[1].startswith(fence) and not line[match.end() :].strip():
            fence = ""


def heading(text: str) -> str | None:
    """Returns the text of the first `# heading`, or None."""
    if "#" not in text:
        return None
    for _, line in lines(text):
        title = _heading_text(line) if _HEADING.match(line) else ""
        if title:
            return title
    return None


def mentions(body: str) -> tuple[str, ...]:
    """Returns the names in `[[name]]`, `[[name|text]]` and `[[name#part]]` outside code, each once, in order."""
    if "[[" not in body:
        return ()
    tokens = list(re.finditer(_CODE_OR_MENTION, "\n".join(line for _, line in _blanked(body))))
    closing = _closing_runs(tokens)
    names: dict[str, None] = {}
    at = 0
    while at < len(tokens):
        name = (tokens[at][1] or "").strip()
        if name[:1].isalnum() or name[:1] > "\x7f":
            names[name] = None
        at = closing.get(at, at) + 1
    return tuple(names)


def first_sentence(body: str) -> str:
    """Returns the first sentence of the first prose paragraph, at most 300 characters, cut at a word."""
    paragraph = _first_paragraph(body)
    match = re.search(_SENTENCE, paragraph)
    sentence = paragraph[: match.end()] if match else paragraph
    if len(sentence) <= LONGEST:
        return sentence
    cut = sentence[: LONGEST - 1]
    word_end = cut.rfind(" ")
    return (cut[:word_end] if word_end > LONGEST // 2 else cut).rstrip(" ,;:") + "…"


def _heading_text(line: str) -> str:
    text = line.strip(" \t")[1:].strip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text


def _blanked(body: str) -> Iterator[tuple[int, str]]:
    """Yields the lines outside fences, with an empty one where fenced code stood, so that it parts paragraphs."""
    last = 0
    for number, line in lines(body):
        if number != last + 1:
            yield number, ""
        last = number
        yield number, line


def _closing_runs(tokens: list[re.Match[str]]) -> dict[int, int]:
    """Returns, for each run of backticks, the next run as long in the same paragraph; linear, whatever the text."""
    closing: dict[int, int] = {}
    following: dict[int, int] = {}
    for at in range(len(tokens) - 1, -1, -1):
        text = tokens[at].group()
        if text[0] == "\n":
            following.clear()
        elif text[0] == "`":
            if len(text) in following:
                closing[at] = following[len(text)]
            following[len(text)] = at
    return closing


def _first_paragraph(body: str) -> str:
    rows: list[str] = []
    last = 0
    for number, line in lines(body):
        if rows and re.fullmatch(_UNDERLINE, line):
            rows = []
        elif not line.strip() or re.match(_SILENT, line) or (rows and number != last + 1):
            if rows:
                break
        elif rows and _starts_item(line):
            break
        else:
            rows.append(line[_marker_end(line) :].strip() if not rows else line.strip().lstrip("> "))
        last = number
    return " ".join(rows)


def _starts_item(line: str) -> bool:
    return line.lstrip().startswith(("- ", "* ", "+ "))


def _marker_end(line: str) -> int:
    match = re.match(_MARKER, line)
    return match.end() if match else 0
