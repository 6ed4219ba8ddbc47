"""Anchors: where the definitions of a source text stand, and what each of them says, in seven digits."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, count

from gitmem.knowledge.definitions import FUNCTIONS, LISTS, Grammar, Ways, ways_of
from gitmem.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

DIGITS = 7
# Columns that may be counted, about 3 ns each: the parser tells a place on a line by counting from the line's start, so
# that a megabyte on one line took it minutes. What passes this was made by a machine and defines nothing that is meant.
COLUMNS = 300_000_000
DEEPEST = 100  # definitions around another one; each asks for all of those around it
ENDLESS = 1 << 62
_NAME = re.compile(r"[^\s\[\](){},;:'\"`]+")
_AFTER_BRACE = re.compile(r"(\{[0-9]*(?:\.\.[0-9]*)?)[^\x00-\xff]")
_ARGUMENTS = re.compile(r"<[^<>]*>(?=::|\.|\\|$)")
_SEPARATORS = re.compile(r"::?|\\|(?<=\w)#(?=\w)|(?<=\w)\.prototype\.")
_EXPORTED = re.compile(r"^(module\.)?exports(\.|$)|^(window|globalThis|global|self)\.")


class Definition(NamedTuple):
    """What a text defines under one name, all its overloads together: line is the first one's, texts are theirs.

    name holds everything around it, namespaces too; local is without these. weak: it is declared only.
    """

    name: str
    local: str
    line: int
    texts: tuple[str, ...]
    weak: bool

    @property
    def hash(self) -> str:
        """The seven digits of its texts without white space."""
        said = "".join("".join(text.split()) for text in self.texts)
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


class _Part(NamedTuple):
    """One definition's own place in the text."""

    name: str
    local: str
    start: int
    end: int
    weak: bool


class _Open(NamedTuple):
    """A node around those that follow: where it ends, what it adds to their names, and whether they are local to it."""

    end: int
    name: str
    space: bool
    closed: bool


def digest(data: bytes) -> str:
    """Returns the seven digits of a file's bytes, line ends as LF."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()[:DIGITS]


def plain_symbol(symbol: str) -> str:
    """Returns a symbol with its parts joined by dots, however its language joins them."""
    return _SEPARATORS.sub(".", symbol.strip()).strip(".")


def definitions(text: str, grammar: Grammar) -> list[Definition]:
    """Returns what a text defines, in the order of the first lines; a declaration stands back behind a definition."""
    found: dict[str, list[_Part]] = {}
    for part in _parts(text, grammar):
        found.setdefault(part.name, []).append(part)
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    return [_definition(text, parts, starts) for parts in found.values()]


def _definition(text: str, parts: Sequence[_Part], starts: Sequence[int]) -> Definition:
    strong = [part for part in parts if not part.weak] or parts
    texts = tuple(text[part.start : part.end] for part in strong)
    first = strong[0]
    return Definition(first.name, first.local, bisect_right(starts, first.start), texts, first.weak)


def named(found: Iterable[Definition], symbol: str) -> list[Definition]:
    """Returns the definitions that a symbol may mean: of its whole name, else without namespaces, else its last parts."""
    wanted, every = plain_symbol(symbol), list(found)
    ways = (
        lambda each: each.name == wanted,
        lambda each: each.local == wanted,
        lambda each: f".{each.name}".endswith(f".{wanted}"),
    )
    return next((hits for way in ways if (hits := [each for each in every if way(each)])), [])


def meant(found: Iterable[Definition], symbol: str) -> Iterator[Definition]:
    """Yields every definition whose last parts are a symbol; a constructor of the class's own name is no second one."""
    wanted = f".{plain_symbol(symbol)}"
    for each in found:
        whole = f".{each.name}"
        if whole.endswith(wanted) and not whole.endswith(wanted + wanted):
            yield each


# The nodes of a text


def _parts(text: str, grammar: Grammar) -> Iterator[_Part]:
    if "\0" in text:
        return
    open: list[_Open] = []
    above, ways = _Above(text), ways_of(grammar)
    for node, kind, start, end in _nodes(text, grammar, ways):
        if kind in grammar.comments or kind in grammar.marks:
            above.add(start, end, is_comment=kind in grammar.comments)
            continue
        while open and open[-1].end <= start:
            open.pop()
        counts = kind in ways and len(open) < DEEPEST and _counts(node, kind, grammar, open)
        names = _names(node, kind, ways[kind], grammar.receivers.get(kind)) if counts else []
        if names and kind not in grammar.spaces and kind not in grammar.scopes and not _holds_only(node, kind):
            whole = _wrapped(node, grammar)
            first, last = (whole.range().start.index, whole.range().end.index) if whole else (start, end)
            weak = kind in grammar.weak or _is_declared(node, kind)
            for name in names:
                around = [each for each in open if each.name]
                local = ".".join([*(each.name for each in around if not each.space), name])
                yield _Part(".".join([*(each.name for each in around), name]), local, above.start(first), last, weak)
        open.append(_opened(node, kind, names, end, grammar))


def _nodes(text: str, grammar: Grammar, ways: Ways) -> list[tuple["SgNode", str, int, int]]:
    """Returns the nodes that matter, in order, the outer one first, each with its kind and its place in the text."""
    from ast_grep_py import SgRoot  # late: 46 MB of parsers, needed only for a text that nobody has looked at

    kinds = sorted({*ways, *grammar.closed, *grammar.comments, *grammar.marks})
    asked: list[Rule] = [{"kind": kind} for kind in kinds]
    found = SgRoot(_harmless(text, grammar), grammar.parser).root().find_all(any=asked)
    rows, columns = [], 0
    for node in found:
        place = node.range()
        columns += place.start.column + place.end.column
        if columns > COLUMNS:
            return []
        rows.append((node, node.kind(), place.start.index, place.end.index))
    return sorted(rows, key=lambda row: (row[2], -row[3]))


def _harmless(text: str, grammar: Grammar) -> str:
    """Returns a text with other letters where the parser of shell scripts would end the process: it asks C's isdigit of them."""
    return _AFTER_BRACE.sub("\\1\xff", text) if grammar.parser == "bash" else text


def _opened(node: "SgNode", kind: str, names: Sequence[str], end: int, grammar: Grammar) -> _Open:
    space = kind in grammar.spaces
    until = ENDLESS if space and not _has_body(node) else end
    name = names[0] if names and kind != "type_definition" else ""
    return _Open(until, name, space, kind in grammar.closed)


def _has_body(node: "SgNode") -> bool:
    """Returns whether a namespace holds what it names in itself, and not all that follows in the file."""
    return node.field("body") is not None or "{" in node.text()


class _Above:
    """Comments and attributes, to be found by the definition that they stand directly above."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.by_end: dict[int, int] = {}

    def add(self, start: int, end: int, *, is_comment: bool) -> None:
        """Takes in one that stands by itself: a comment behind code on its line is about that code."""
        if not is_comment or not self._line(start).strip() or self._before(start) in self.by_end:
            self.by_end[self._before(end)] = start

    def start(self, at: int) -> int:
        """Returns where a definition begins, with all that stands directly above it, no blank line between."""
        while True:
            before = self._before(at)
            above = self.by_end.get(before)
            if above is None or self.text.count("\n", before, at) > 1 or not self._is_beside(above, at):
                return at
            at = above

    def _is_beside(self, above: int, at: int) -> bool:
        """Returns whether two lines are indented alike: what ends the body above stands further in."""
        one, other = self._line(above), self._line(at)
        return bool(one.strip()) or one == other[: len(other) - len(other.lstrip())]

    def _line(self, at: int) -> str:
        """Returns what stands before a place on its line."""
        return self.text[self.text.rfind("\n", 0, at) + 1 : at]

    def _before(self, at: int) -> int:
        """Returns the end of the text before a place, white space left aside."""
        while at and self.text[at - 1].isspace():
            at -= 1
        return at


# What a node is


def _counts(node: "SgNode", kind: str, grammar: Grammar, open: Sequence[_Open]) -> bool:
    """Returns whether a node gives a name: a value counts at top level, in a class, or as a function of its own."""
    if kind in ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier"):
        return node.field("body") is not None  # else it only speaks of one
    if kind == "method_definition":
        return _is_kept(node)
    if kind == "pair":
        return _is_kept(node) and _is_function(node, holding=True)
    if kind in grammar.values:
        return _is_function(node, holding=False) or not any(each.closed for each in open)
    return True


def _is_kept(node: "SgNode") -> bool:
    """Returns whether a member belongs to a class, or to an object that something names."""
    body = node.parent()
    around = body.parent() if body else None
    if body is None or around is None or body.kind() != "object":
        return True
    named = ("variable_declarator", "assignment_expression", "pair", "export_statement")
    if around.kind() in ("as_expression", "satisfies_expression", "parenthesized_expression"):
        around = around.parent()
    return around is not None and around.kind() in named


def _value(node: "SgNode") -> "SgNode | None":
    return node.field("value") or node.field("right")


def _is_function(node: "SgNode", *, holding: bool) -> bool:
    """Returns whether a node's value is a function or a class, or, where asked, an object that may hold some."""
    value = _value(node)
    return value is not None and (value.kind() in FUNCTIONS or (holding and value.kind() == "object"))


def _holds_only(node: "SgNode", kind: str) -> bool:
    """Returns whether a node names what is in it and is no definition itself."""
    if kind == "pair":
        return not _is_function(node, holding=False)
    word = node.field("declaration_kind")
    return word is not None and word.text() == "extension"


def _is_declared(node: "SgNode", kind: str) -> bool:
    """Returns whether a declaration of C is that of a function, or of a variable that lies elsewhere."""
    if kind != "declaration":
        return False
    inner = node.field("declarator")
    while inner and inner.kind() in ("pointer_declarator", "reference_declarator"):
        inner = _inner(inner)
    return bool(inner and inner.kind() == "function_declarator") or node.text().startswith("extern")


def _wrapped(node: "SgNode", grammar: Grammar) -> "SgNode | None":
    """Returns the outermost parent that belongs to a definition: of a statement of several, each is one by itself."""
    whole, parent = None, node.parent()
    while parent and parent.kind() in grammar.wrappers:
        kind = (whole or node).kind()
        if sum(each.kind() == kind for each in parent.children()) > 1:
            break
        whole, parent = parent, parent.parent()
    return whole


# What it is called


def _names(node: "SgNode", kind: str, way: str, receiver: str | None) -> list[str]:
    if kind == "export_statement":
        return ["default"] if _is_default(node) else []
    if way.startswith("="):
        return [way[1:]]
    ends = _declared(node, kind) if way == "declarator" else _reached(node, way)
    if kind == "impl_item":
        ends = [each.find(kind="type_identifier") or each for each in ends]
    owner = _receiver(node, receiver) if receiver else ""
    return [f"{owner}{name}" for name in map(_name, ends) if name]


def _is_default(node: "SgNode") -> bool:
    """Returns whether an export has no name but that of the default."""
    value = node.field("value") or node.field("declaration")
    if value is None or not any(child.kind() == "default" for child in node.children()):
        return False
    return value.kind() != "identifier" and value.field("name") is None


def _reached(node: "SgNode", way: str) -> list["SgNode"]:
    """Returns the nodes at the end of a way: a step is a field, or the kind of children."""
    here = [node]
    for step in way.split("/") if way else ():
        here = [end for each in here for end in (each.field_children(step) or _of_kind(each, step))]
        here = here if node.kind() in LISTS else here[:1]  # the return type of a function of Swift is a name, too
    return here if way else []


def _of_kind(node: "SgNode", kind: str) -> list["SgNode"]:
    return [child for child in node.children() if child.kind() == kind]


def _receiver(node: "SgNode", way: str) -> str:
    """Returns the type that a method is declared for, with a dot."""
    for end in _reached(node, way):
        kind = end.find(kind="type_identifier")
        if kind:
            return f"{kind.text()}."
    return ""


def _declared(node: "SgNode", kind: str) -> list["SgNode"]:
    """Returns the names in the declarators of C, however deep they lie."""
    found = []
    for declarator in node.field_children("declarator"):
        functions = 0
        for _ in count():
            functions += declarator.kind() == "function_declarator"
            inner = _inner(declarator)
            if inner is None:
                break
            declarator = inner
        if kind != "field_declaration" or functions:
            found.append(declarator)
    return found


def _inner(declarator: "SgNode") -> "SgNode | None":
    inner = declarator.field("declarator")
    if inner is None and declarator.kind() in ("reference_declarator", "parenthesized_declarator"):
        return next((child for child in declarator.children() if child.is_named()), None)
    return inner


def _name(node: "SgNode") -> str:
    """Returns a name with its parts joined by dots; empty for what is none, as a pattern or a computed one."""
    text = node.text()
    if text.isidentifier():
        return text
    text = text.strip("'\"")
    before, operator, after = text.partition("operator")
    if operator and not re.match(r"\w", after) and not re.search(r"\w$", before):
        return ".".join(part for part in (plain_symbol(_cut(before)), operator + "".join(after.split())) if part)
    text = _EXPORTED.sub("", _cut(text.partition("[")[0] if node.kind() == "type" else text))
    return plain_symbol(text) if _NAME.fullmatch(_SEPARATORS.sub(".", text)) else ""


def _cut(text: str) -> str:
    """Returns a text without the arguments of types."""
    while (less := _ARGUMENTS.sub("", text)) != text:
        text = less
    return text
