"""Text on its way to a reader: harmless to a terminal, short enough, and marked where it speaks like an instruction."""

import json
import re

from gitmem.values import NamedTuple

# C0 and C1 controls but tab and newline (a carriage return may only end a line), DEL, line and paragraph separators,
# bidi embeddings, overrides and isolates with the deprecated controls beside them, tag characters, lone surrogates.
_UNSAFE = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ud800-\udfff\U000e0000-\U000e007f]|\r(?!\n)"

_GAP = r"[ \t]{1,8}"
_FETCHERS = ("curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod")
_FETCH = rf"(?:{'|'.join(_FETCHERS)})\b"
_SHELL = r"(?:sudo[ \t]+)?(?:ba|z|da|k|fi)?sh\b|python3?\b|node\b|perl\b|ruby\b|iex\b"


class _Sign(NamedTuple):
    """An expression, and words of which it needs one: to look for those takes a twentieth of what the expressions do."""

    words: tuple[str, ...]
    pattern: str


_INSTRUCTIONS = (
    # Setting earlier instructions aside.
    _Sign(
        ("ignore", "disregard", "forget", "override"),
        rf"\b(?:ignore|disregard|forget|override){_GAP}(?:(?:all|any|the|your|these|those|of|every){_GAP}){{0,4}}"
        rf"(?:previous|prior|earlier|above|preceding|system){_GAP}"
        r"(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?)\b",
    ),
    _Sign(
        ("instruction", "prompt"),
        rf"\b(?:new|updated|revised){_GAP}(?:system{_GAP})?(?:instructions?|prompt)[ \t]{{0,8}}:",
    ),
    # Speaking as the system, or handing out a role.
    _Sign(
        ("system", "developer"),
        r"^[ \t]{0,8}[#*]{0,6}[ \t]{0,8}(?:system|developer)[ \t]{1,8}(?:prompt|message|override|instructions?)\b.{0,4}:",
    ),
    _Sign(
        ("<", "inst]"),
        r"</?(?:system|assistant|instructions?|system-reminder)>|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]",
    ),
    _Sign(
        ("you",),
        rf"\byou{_GAP}are{_GAP}now{_GAP}(?:DAN\b|acting{_GAP}as\b|in{_GAP}(?:developer|admin|god|jailbreak){_GAP}mode)",
    ),
    # Orders to the reader.
    _Sign(
        ("you",),
        rf"\byou{_GAP}(?:must|shall|have{_GAP}to|are{_GAP}required{_GAP}to){_GAP}"
        rf"(?:now|immediately|obey|comply|ignore|disregard|reveal|(?:always|never){_GAP}obey)\b",
    ),
    _Sign(
        ("tell", "inform", "alert", "notify", "mention"),
        rf"\b(?:do{_GAP}not|don't|don’t|never){_GAP}(?:tell|inform|alert|notify|mention{_GAP}this{_GAP}to){_GAP}"
        rf"(?:the{_GAP}|your{_GAP})?(?:users?|humans?|developers?|maintainers?|reviewers?|operator)\b",
    ),
    # Running what comes over the network, or what destroys.
    _Sign(_FETCHERS, rf"\b{_FETCH}[^|\n]{{0,300}}\|[ \t]{{0,8}}(?:{_SHELL})"),
    _Sign(_FETCHERS, rf"\b(?:{_SHELL})[ \t]{{0,8}}(?:-c[ \t]{{0,8}})?[\"']?[<$]\([ \t]{{0,8}}{_FETCH}"),
    _Sign(_FETCHERS, rf"\beval[ \t]{{0,8}}[\"']?[$`]\(?[ \t]{{0,8}}{_FETCH}"),
    _Sign(
        ("run", "execute", "invoke"),
        rf"\b(?:run|execute|invoke)(?:{_GAP}this|{_GAP}the{_GAP}command)?:?{_GAP}[`\"'$(]{{0,3}}"
        rf"(?:sudo{_GAP})?(?:{_FETCH}|rm{_GAP}-[rf]{{1,2}}\b|(?:ba)?sh{_GAP}-c\b|eval\b)",
    ),
    # Sending secrets away.
    _Sign(
        ("http",),
        rf"\b(?:send|post|upload|forward|e-?mail|exfiltrate|leak){_GAP}"
        rf"(?:(?:all|any|the|your|its|every|of|contents){_GAP}){{0,4}}"
        r"(?:secrets?|credentials?|tokens?|api[ _-]?keys?|\.env\b|(?:ssh|private)[ _-]?keys?|environment variables?)\b"
        r"[^\n]{0,80}?https?://",
    ),
)


def harmless(text: str) -> str:
    """Returns the text with everything that could steer a terminal or mislead a reader escaped, as in `\\x1b`.

    Tab and newline stay, and so do the joiners and the LRM and RLM marks that ordinary scripts need.
    """
    if text.isprintable():
        return text
    return re.sub(_UNSAFE, _escaped, text)


def escaped(text: str) -> str:
    """Returns a JSON text, the same one to a parser, in which what `harmless` escapes stands as `\\u009b`."""
    if text.isprintable():
        return text
    return re.sub(_UNSAFE, lambda match: json.dumps(match[0])[1:-1], text)


def instruction_like(text: str) -> list[int]:
    """Returns the lines, from 1, that read like an instruction to an agent; conservative, so a warning at most."""
    plain = _as_matched(text)
    flags = re.IGNORECASE | re.MULTILINE
    patterns = [each.pattern for each in _INSTRUCTIONS if any(word in plain for word in each.words)]
    found: list[int] = []
    line, last = 1, 0
    for start in sorted(match.start() for pattern in patterns for match in re.finditer(pattern, text, flags)):
        line, last = line + text.count("\n", last, start), start
        if found[-1:] != [line]:
            found.append(line)
    return found


def _as_matched(text: str) -> str:
    """Returns a text in the small letters that an expression takes its letters for, whatever their case."""
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i")


def cut(text: str, width: int) -> str:
    """Returns the text in at most `width` characters, cut at a word and ended by `…` where something went."""
    if len(text) <= width:
        return text
    if width < 2:
        return "…"[:width]
    end = width - 1
    if not text[end].isspace():
        space = max(text.rfind(" ", 0, end), text.rfind("\n", 0, end), text.rfind("\t", 0, end))
        # One long word, or a script without spaces, is cut inside, between two characters as readers see them.
        end = space if space >= width // 2 else _before_mark(text, end)
    return text[:end].rstrip(" \t\r\n,;:-") + "…"


def _before_mark(text: str, end: int) -> int:
    """Returns where to cut so that no mark loses its letter and no joined emoji its parts."""
    if text[max(0, end - 1) : end + 1].isascii():
        return end
    from unicodedata import category  # late: its tables cost half a millisecond

    joined = end
    while joined and (category(text[joined]) in ("Mn", "Mc", "Me") or "\u200d" in text[joined - 1 : joined + 1]):
        joined -= 1
    return joined or end


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
