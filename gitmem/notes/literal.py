"""How a value is written in front matter: plain where it reads back as the same text everywhere, quoted otherwise."""

import re

from gitmem.notes.value import Value

FIELDS = (
    "title", "type", "summary", "tags", "aliases", "domain", "status", "durability", "source", "agent", "session",
    "confidence", "created", "confirmed", "confirmed_by", "approved", "pinned", "reviewed", "sensitive",
    "touches", "buried", "suspects", "distinct",
)  # fmt: skip

NULLS = frozenset(("", "~", "null", "Null", "NULL"))
INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
# What libyaml's reader refuses, and the byte-order mark, which is better seen than hidden. Listing what it takes
# instead costs 5 ms of compilation in every process.
UNPRINTABLE = re.compile("[\0-\t\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
# Read as a line end by YAML 1.1 and as ordinary text by YAML 1.2 and by us.
SEPARATORS = re.compile("[\x85\u2028\u2029]")

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# What a YAML 1.1 or 1.2 parser takes for something else than text. Only writing needs it, so re compiles it then.
_TYPED = (
    r"(?i:y|n|yes|no|on|off|true|false|null|~|=|<<|[-+]?\.inf|\.nan"
    r"|[-+]?(?:0x[0-9a-f_]+|0o?[0-7_]+|0b[01_]+|\.[0-9_]+(?:e[-+]?[0-9]+)?"
    r"|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:t|[ \t]+)[0-9][-+:.0-9 z]*)?)"
)
_TYPED_KEYS = frozenset(("confidence", "created", "confirmed", "pinned", "reviewed", "sensitive", "at", "weight"))
_FLOW_KEYS = frozenset(("tags", "aliases"))
_FLOW_WIDTH = 100
_FLOW_ODD = re.compile(r"[,\[\]{}?#]|:(?![\w/])")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile('[\\\\"\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')


def entry(key: str, value: Value) -> list[str]:
    """Returns the lines, without line ends, of one key and its value."""
    head = key_text(key) + ":"
    if value is None:
        return [head]
    if isinstance(value, list) and value and not _flows(key, value):
        return [head, *(f"  {row}" for element in value for row in item(element))]
    if isinstance(value, str) and _is_block(value):
        rows = value.removesuffix("\n").split("\n")
        return [f"{head} {'|' if value.endswith(chr(10)) else '|-'}", *(f"  {row}" if row else "" for row in rows)]
    return [f"{head} {inline(value, key)}"]


def item(value: Value) -> list[str]:
    """Returns the lines of one element of a block list, from its dash on."""
    if not isinstance(value, dict) or not value:
        return [f"- {inline(value)}"]
    rows = [f"{key_text(key)}: {inline(inner, key)}" for key, inner in value.items()]
    return [f"{'  ' if number else '- '}{row}" for number, row in enumerate(rows)]


def inline(value: Value, key: str = "", *, flow: bool = False) -> str:
    """Returns the value on one line; `flow` says that it stands inside brackets."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return "[" + ", ".join(inline(element, flow=True) for element in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{key_text(name)}: {inline(inner, name, flow=True)}" for name, inner in value.items())
        return "{" + ", ".join(pairs) + "}"
    return value if _is_plain(value, key, flow) else quoted(value)


def quoted(value: str, quote: str = '"') -> str:
    """Returns the text in quotes: the asked ones if it can stand in them without escapes, else what it needs."""
    if _ESCAPED.search(value) is None:
        return f"{quote}{value}{quote}" if quote == '"' or "'" not in value else f'"{value}"'
    if UNPRINTABLE.search(value) is None and SEPARATORS.search(value) is None and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def key_text(key: str) -> str:
    """Returns a key as it is written before its colon."""
    return key if _KEY.fullmatch(key) and not re.fullmatch(_TYPED, key) else quoted(key)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if char in _ESCAPES:
        return _ESCAPES[char]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _is_plain(value: str, key: str, flow: bool) -> bool:
    if not value or value[0] in INDICATORS or value[-1] == ":" or value != value.strip():
        return False
    if ": " in value or " #" in value or "\n" in value or value.startswith("..."):
        return False
    if UNPRINTABLE.search(value) or SEPARATORS.search(value) or (flow and _FLOW_ODD.search(value)):
        return False
    return value not in NULLS and (key in _TYPED_KEYS or not re.fullmatch(_TYPED, value))


def _is_block(value: str) -> bool:
    """Returns whether a text of several lines can stand as a literal block."""
    if "\n" not in value.removesuffix("\n") or value[0] in " \n" or value.endswith("\n\n"):
        return False
    odd = UNPRINTABLE.search(value) or SEPARATORS.search(value) or " \n" in value or value.endswith(" ")
    return not odd


def _flows(key: str, value: list[Value]) -> bool:
    if key not in _FLOW_KEYS or not all(isinstance(element, str) for element in value):
        return False
    return len(key) + len(inline(value)) <= _FLOW_WIDTH
