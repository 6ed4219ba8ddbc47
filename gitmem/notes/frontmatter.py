"""Front matter: bytes to fields and back, the only place that knows YAML."""

import re
from collections.abc import Collection, Mapping
from functools import cache

from gitmem.errors import GitmemError, Problem
from gitmem.notes import source, subset, surgery
from gitmem.notes.literal import NULLS, SEPARATORS, entry
from gitmem.notes.value import Value
from gitmem.values import Any, NamedTuple, cast

_TAB_INDENT = re.compile(r"[ -]*\t")
_COLON = re.compile(r"[ \t]*:")
_SHARING = re.compile(r"[&*!]")
# Deeper than any field of ours by far, and far below Python's own limit.
_DEPTH = 16
_QUOTE = "Put a value in quotes when it holds ': ' or ' #' or starts with a sign such as * & ! % @ ` [ {."


class Document(NamedTuple):
    """A file's fields and body, with the 1-based lines of each top-level key and of the body's start.

    `body` has `\\n` line ends and is without the empty line below the fence and the file's last line end. Where the
    front matter cannot be trusted `fields` is empty and `body` the whole text, from line 1.
    """

    fields: dict[str, Value]
    body: str
    lines: dict[str, int]
    body_line: int
    problems: tuple[Problem, ...]


def parse(data: bytes, path: str) -> Document:
    """Returns the document in a file's bytes; whatever is wrong with them is a Problem of it, never an exception."""
    text, problems = source.decode(data, path)
    if problems and problems[0].code == "utf-16":
        return _untrusted(text, problems)
    fences = source.fences(text)
    if fences is None:
        return _untrusted(text, problems + source.conflicts(text, 1, path) + source.unclosed(text, path))
    front = text[fences.front : fences.front_end]
    marked = source.conflicts(front, fences.front_line, path, markdown=False)
    if marked or (problems and "\ufffd" in front):
        return _untrusted(text, problems + marked)
    body = text[fences.body :].removesuffix("\n")
    problems += source.leftovers(front, fences.front_line, path)
    problems += source.conflicts(body, fences.body_line, path)
    plain = subset.read(front, fences.front_line)
    if plain is not None:
        return Document(plain[0], body, plain[1], fences.body_line, tuple(problems))
    reading = _Reading(path, fences.front_line)
    fields = _load(front, reading)
    problems += reading.problems
    if not reading.trusted:
        return _untrusted(text, problems)
    return Document(fields, body, reading.lines, fences.body_line, tuple(problems))


def render(fields: Mapping[str, Value], body: str) -> bytes:
    """Returns a new file that parses to these fields, in this order, and this body; raises invalid-utf8."""
    rows = ["---", *(row for key, value in fields.items() for row in entry(key, value)), "---", ""]
    return source.encode("\n".join(rows) + (f"\n{source.normalised(body)}\n" if body else ""))


def rewrite(
    data: bytes, changes: Mapping[str, Value], *, removed: Collection[str] = (), body: str | None = None
) -> bytes:
    """Returns the file with only the asked keys and body changed and every other byte as it was.

    A new key follows the field that the usual order puts before it; a key both changed and removed is changed. Raises
    unparsable where the front matter cannot be trusted, and rewrite-aborted where the result would not read back as
    what was asked.
    """
    document = parse(data, "")
    _refuse_damage(document)
    wanted = {key: value for key, value in changes.items() if _differs(document, key, value)}
    gone = [key for key in removed if key in document.fields and key not in changes]
    new_body = None if body is None or source.normalised(body) == document.body else source.normalised(body)
    if not wanted and not gone and new_body is None:
        return data
    result = source.encode(_edited(data.decode("utf-8"), wanted, gone, new_body))
    fields = {key: value for key, value in {**document.fields, **wanted}.items() if key not in gone}
    _check_asked(parse(result, ""), fields, document.body if new_body is None else new_body)
    return result


def _untrusted(text: str, problems: list[Problem]) -> Document:
    return Document({}, text.removesuffix("\n"), {}, 1, tuple(problems))


# Reading what the subset leaves to YAML; a node is Any, as the stubs of yaml know nothing of its kind


class _Reading:
    """Gathers lines and problems while nodes become values; `trusted` is false once no field may be believed."""

    def __init__(self, path: str, first_line: int) -> None:
        self.path = path
        self.first_line = first_line
        self.lines: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.trusted = True

    def distrust(self, row: int, code: str, message: str) -> None:
        """Records what makes the whole front matter unreadable."""
        self.trusted = False
        self.report(row, code, message, _QUOTE)

    def report(self, row: int, code: str, message: str, hint: str) -> None:
        """Records a problem at a row of the front matter, the first being 0."""
        self.problems.append(Problem(self.path, self.first_line + row, code, "error", message, hint))

    def fields(self, front: str) -> dict[str, Value]:
        """Returns the fields; a key whose value is not sound is left out. Raises yaml.YAMLError."""
        self.distrust_sharing(front)
        root = _compose(front) if self.trusted else None
        if root is None:
            return {}
        if root.id != "mapping":
            self.distrust(0, "not-a-mapping", "The front matter is not made of `key: value` lines.")
            return {}
        pairs = self.pairs(root, 0)
        for key, _ in root.value if self.trusted else ():
            self.lines.setdefault(key.value, self.first_line + key.start_mark.line)
        return pairs

    def distrust_sharing(self, front: str) -> None:
        """Distrusts anchors, aliases and tags: what they stand for is not what is written, and may have no bound."""
        import yaml

        if not _SHARING.search(front):
            return
        event: Any
        for event in yaml.parse(_masked(front)[0], Loader=_loader()):
            if getattr(event, "anchor", None) or getattr(event, "tag", None):
                message = "The front matter uses a YAML anchor, alias or tag, which notes do not have."
                self.distrust(event.start_mark.line, "unsupported-yaml", message)
                return

    def value(self, node: Any, depth: int) -> Value:
        """Returns the value of a composed node."""
        if depth > _DEPTH:
            self.distrust(node.start_mark.line, "unparsable", "A value is nested too deeply.")
            return None
        if node.id == "mapping":
            return self.pairs(node, depth)
        if node.id == "sequence":
            return [self.value(element, depth + 1) for element in node.value]
        text: str = node.value
        return None if not node.style and text in NULLS else text

    def pairs(self, node: Any, depth: int) -> dict[str, Value]:
        """Returns the pairs of a mapping, without the keys that stand twice or hold something unsound."""
        pairs: dict[str, Value] = {}
        unsound: set[str] = set()
        for key, inner in node.value:
            if not self.is_key(key):
                return {}
            if key.value in pairs and key.value not in unsound:
                message = f"The key {key.value} stands twice, so neither is read."
                self.report(key.start_mark.line, "duplicate-key", message, "Keep one of the two lines.")
                unsound.add(key.value)
            before = len(self.problems)
            pairs[key.value] = self.value(inner, depth + 1)
            if len(self.problems) > before:
                unsound.add(key.value)
        return {key: value for key, value in pairs.items() if key not in unsound}

    def is_key(self, key: Any) -> bool:
        """Returns whether a node can be a key, and distrusts the front matter if not."""
        if key.id != "scalar":
            self.distrust(key.start_mark.line, "unparsable", "A key is a list or a mapping.")
        elif key.value == "<<" and not key.style:
            message = "The front matter uses a YAML merge key, which notes do not have."
            self.distrust(key.start_mark.line, "unsupported-yaml", message)
        return self.trusted


def _load(front: str, reading: _Reading) -> dict[str, Value]:
    """Returns the fields that python-frontmatter reads with our handler, in a frame set anew."""
    import frontmatter
    import yaml

    try:
        fields, _ = frontmatter.parse(f"---\n{front}---\n", handler=_handler_class()(reading))
    except yaml.YAMLError as error:
        rows = front.split("\n")
        row, problem = _yaml_problem(error, rows)
        if _TAB_INDENT.match(rows[row]):
            reading.distrust(row, "tab-indent", "The line is indented with a tab, which YAML does not allow.")
        else:
            reading.distrust(row, "unparsable", f"The front matter is not valid YAML: {problem}.")
        return {}
    return cast("dict[str, Value]", fields)  # the handler returns nothing else


def _yaml_problem(error: Exception, rows: list[str]) -> tuple[int, str]:
    """Returns the row to look at, and the parser's words: of what was opened and not closed, the row of its opening."""
    words = getattr(error, "problem", None) or getattr(error, "context", None) or "it does not parse"
    mark, opening = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if opening is not None and rows[opening.line][opening.column : opening.column + 1] in ('"', "'", "[", "{"):
        return opening.line, words
    if mark is not None:
        return min(mark.line, len(rows) - 1), words
    before = "\n".join(rows)[: getattr(error, "position", None) or 0]
    return before.count("\n"), str(getattr(error, "reason", words))


def _compose(front: str) -> Any:
    """Returns the root node, or None."""
    import yaml

    masked, original = _masked(front)
    root: Any = yaml.compose(masked, Loader=_loader())
    nodes = [root] if root is not None and original else []
    while nodes:
        node = nodes.pop()
        if node.id == "scalar":
            node.value = node.value.translate(original)
        else:
            nodes.extend(inner for pair in node.value for inner in (pair if node.id == "mapping" else (pair,)))
    return root


def _masked(front: str) -> tuple[str, dict[int, str]]:
    """Returns the text with U+0085, U+2028 and U+2029 exchanged for private characters, and the way back.

    YAML 1.1, which libyaml speaks, takes them for line ends.
    """
    found = sorted(set(SEPARATORS.findall(front)))
    free = (chr(code) for code in range(0xE000, 0xF900) if chr(code) not in front)
    masks = dict(zip(found, free, strict=False))
    for char, mask in masks.items():
        front = front.replace(char, mask)
    return front, {ord(mask): char for char, mask in masks.items()}


@cache
def _loader() -> Any:  # Any: a class of a library that is imported late
    import yaml

    class TextLoader(yaml.CSafeLoader):
        """Reads every scalar as text."""

        yaml_implicit_resolvers = {}  # noqa: RUF012 - the attribute yaml looks for

    return TextLoader


@cache
def _handler_class() -> Any:  # Any: a class of a library that is imported late
    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):
        """Loads front matter through our own reading; the library's would guess types and lose duplicates."""

        FM_BOUNDARY = re.compile(r"^---$", re.MULTILINE)

        def __init__(self, reading: _Reading) -> None:
            super().__init__()
            self.reading = reading

        def load(self, fm: str) -> dict[str, Any]:
            return dict(self.reading.fields(fm.removeprefix("\n")))

    return Handler


# Writing into a file that exists


def _refuse_damage(document: Document) -> None:
    for problem in document.problems:
        in_body = problem.code == "conflict-markers" and document.body_line > 1
        if problem.severity == "error" and not in_body:
            message = f"The file is left as it is, since its front matter cannot be trusted. {problem.message}"
            raise GitmemError("unparsable", f"{message} (line {problem.line})", problem.hint)


def _differs(document: Document, key: str, value: Value) -> bool:
    if key in document.fields:
        return document.fields[key] != value
    return value is not None and value != []


def _edited(text: str, wanted: Mapping[str, Value], gone: list[str], body: str | None) -> str:
    head, front, tail = _cut(text, framed=bool(wanted or gone))
    for key in gone:
        front = surgery.remove(front, _parts(front)[key])
    for key, value in wanted.items():
        parts = _parts(front)
        if key in parts:
            front = surgery.replace(front, parts[key], value)
        else:
            front = surgery.insert(front, list(parts.values()), key, value, surgery.line_end(head[-1]))
    return "".join([*head, *front, *(tail if body is None else surgery.replace_body(tail, body))])


def _cut(text: str, *, framed: bool) -> tuple[list[str], list[str], list[str]]:
    """Returns the lines up to the front matter, its own, and those from the closing fence on.

    A text without front matter gains an empty one where `framed`.
    """
    bare = text.removeprefix("\ufeff")
    mark = text[: len(text) - len(bare)]
    lines = surgery.split_lines(bare)
    fences = source.fences(source.normalised(bare))
    if fences is not None:
        first = fences.front_line - 1
        last = first + source.normalised(bare).count("\n", fences.front, fences.front_end)
        return [mark, *lines[:first]], lines[first:last], lines[last:]
    if not framed:
        return [mark], [], lines
    end = (surgery.line_end(lines[0]) if lines else "") or "\n"
    return [mark, f"---{end}"], [], [f"---{end}", *([end, *lines] if lines else [])]


def _parts(front: list[str]) -> dict[str, surgery.Part]:
    """Returns each entry of the front matter as it stands in these lines."""
    import yaml

    text = source.normalised("".join(front))
    try:
        root = _compose(text)
    except yaml.YAMLError as error:  # an edit before this one met a form that it did not expect
        raise _aborted("The edit would have left a front matter that does not parse.") from error
    if root is None:
        return {}
    if root.id != "mapping" or root.flow_style:
        raise _aborted("The front matter is one mapping in braces.")
    rows = text.split("\n")
    return {key.value: _part(key, value, rows, root.start_mark.column) for key, value in root.value}


def _part(key: Any, node: Any, rows: list[str], indent: int) -> surgery.Part:
    colon = _COLON.match(rows[key.end_mark.line], key.end_mark.column)
    if colon is None or key.start_mark.column != indent or key.start_mark.line != key.end_mark.line:
        raise _aborted(f"The front matter does not write {key.value} as a line `{key.value}: value`.")
    start = node.start_mark
    last, end = _end(node, rows)
    form = (node.style or "plain") if node.id == "scalar" else "flow" if node.flow_style else "block"
    form = "block" if form in ("|", ">") else form
    elements = _elements(node, rows) if node.id == "sequence" and form == "block" else ()
    return surgery.Part(
        key.value, key.start_mark.line, indent, colon.end(), form, start.line, start.column, last, end, elements
    )


def _end(node: Any, rows: list[str]) -> tuple[int, int]:
    """Returns line and column where a node's text ends; a block's own mark lies behind the comments below it."""
    if node.id != "scalar" and not node.flow_style:
        inner = node.value[-1]
        return _end(inner[1] if node.id == "mapping" else inner, rows)
    line, column = node.end_mark.line, node.end_mark.column
    if node.id != "scalar" or node.style not in ("|", ">"):
        return line, column
    line -= column == 0
    keeps = "+" in rows[node.start_mark.line][node.start_mark.column :][:3]  # |+: the empty lines below are content
    while not keeps and line > node.start_mark.line and not rows[line].strip(" "):
        line -= 1
    return line, len(rows[line])


def _elements(node: Any, rows: list[str]) -> tuple[surgery.Element, ...]:
    """Returns the elements of a block list, or none where one does not begin beside its dash."""
    reading = _Reading("", 1)
    elements: list[surgery.Element] = []
    for inner in node.value:
        line = inner.start_mark.line
        if not rows[line].startswith(" " * node.start_mark.column + "-"):
            return ()
        first = elements[-1].last + 1 if elements else line
        elements.append(surgery.Element(reading.value(inner, 1), first, _end(inner, rows)[0]))
    return tuple(elements)


def _check_asked(result: Document, fields: Mapping[str, Value], body: str) -> None:
    if result.fields != fields or result.body != body:
        raise _aborted("The edit would have changed more than was asked.")


def _aborted(reason: str) -> GitmemError:
    hint = "Write the front matter as one `key: value` a line, or edit the file by hand."
    return GitmemError("rewrite-aborted", f"The file is left as it is. {reason}", hint)
