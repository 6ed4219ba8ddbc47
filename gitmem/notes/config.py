"""What `.memory/config.toml` may set, words and numbers only: the vocabulary and the policy of one memory."""

import re
from collections.abc import Callable, Iterator, Mapping

from gitmem.errors import Problem, near_miss
from gitmem.notes import vocabulary as words
from gitmem.notes.name import fold
from gitmem.notes.vocabulary import KINDS, Declared, Domain, Type, Verb, Vocabulary
from gitmem.values import Any, NamedTuple

PATH = ".memory/config.toml"
SIZE_LIMIT = 32_768  # tomllib takes 2 s for one dotted key of this length, and four times that for twice


class Policy(NamedTuple):
    """The numbers and words of [policy], [guard], [review] and [thresholds].

    body_limit in bytes, guard_idle in seconds; `review` is the least severity that makes a review fail; a threshold
    is 0..1, and None where the measured one in the code holds.
    """

    body_limit: int = 16_384
    keep_checkpoints: int = 50
    documents: tuple[str, ...] = ("AGENTS.md", "CLAUDE.md", "README.md", "docs/adr/**")
    review: str = "error"
    guard_idle: int = 7_200
    guard_required: bool = False
    review_branch: str | None = None
    duplicate: float | None = None
    suspect: float | None = None
    warning: float | None = None
    related: float | None = None
    strong: float | None = None
    weak: float | None = None


class Config(NamedTuple):
    """What config.toml says, the defaults where it says nothing usable, and what is wrong with it."""

    vocabulary: Vocabulary
    policy: Policy
    problems: tuple[Problem, ...]


_Reader = Callable[[object], object]  # returns the value, or raises ValueError with what the value must be
_Report = Callable[[tuple[str, ...], str, str], None]


def parse(data: bytes | None) -> Config:
    """Returns the configuration of a config.toml's bytes; None stands for a missing file and gives the defaults.

    What cannot be used is named in `problems`, and the default holds in its place.
    """
    from gitmem.notes import secrets  # late, as all that only a changed file needs
    from gitmem.notes.preset import preset

    if data is None:
        return Config(preset("engram"), Policy(), ())
    loaded = load(data)
    leaks = secrets.problems(PATH, data.decode("utf-8", "replace"))
    if isinstance(loaded, Problem):
        return Config(preset("engram"), Policy(), (*leaks, secrets.untold(loaded)))
    text, tables = loaded
    problems: list[Problem] = []
    keys = reversed(list(keys_of(text)))  # the first line of each path, and of each table, wins
    lines = {key.path[:size]: key.line for key in keys for size in range(1, min(len(key.path), 3) + 1)}

    def report(path: tuple[str, ...], code: str, message: str) -> None:
        line = next((lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in lines), None)
        hint = "Mend or remove it; until then the default holds."
        problems.append(secrets.untold(Problem(PATH, line, code, "warning", message, hint)))

    vocabulary = Vocabulary(_types(tables, report), _verbs(tables, report), _domains(tables, report))
    policy = _policy(tables, report)
    return Config(vocabulary, policy, (*leaks, *problems))


def to_json(config: Config) -> dict[str, object]:
    """Returns the configuration as plain lists, dicts, words and numbers."""
    return {
        "types": [list(each) for each in config.vocabulary.types.values()],
        "verbs": [list(each) for each in config.vocabulary.verbs.values()],
        "domains": dict(config.vocabulary.domains),
        "policy": {**config.policy._asdict(), "documents": list(config.policy.documents)},
        "problems": [list(each) for each in config.problems],
    }


def from_json(stored: Mapping[str, Any]) -> Config:  # Any: json.loads gives nothing better
    """Returns the configuration that `to_json` of this version gave."""
    types = [Type(*each) for each in stored["types"]]
    verbs = [Verb(*each) for each in stored["verbs"]]
    policy = Policy(**stored["policy"])
    return Config(
        Vocabulary({each.name: each for each in types}, {each.name: each for each in verbs}, dict(stored["domains"])),
        policy._replace(documents=tuple(policy.documents)),
        tuple(Problem(*each) for each in stored["problems"]),
    )


class Key(NamedTuple):
    """A table's header or a key in the text: its full path, and where in the text its own last parts stand."""

    line: int
    path: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def span_of(self, table: str, word: str) -> tuple[int, int] | None:
        """Returns where a word of a table (types, verbs, domains) is named here, or None where it is not."""
        own = 1 - (len(self.path) - len(self.spans))
        return self.spans[own] if self.path[:2] == (table, word) and own >= 0 else None


def load(data: bytes) -> tuple[str, dict[str, object]] | Problem:
    """Returns the text and its TOML tables, or the one Problem that keeps the file from being read."""
    import tomllib

    if len(data) > SIZE_LIMIT:
        return _unparsable(None, f"it is larger than {SIZE_LIMIT} bytes")
    try:
        text = data.decode("utf-8-sig")
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        return _unparsable(data.count(b"\n", 0, error.start) + 1, "it is not UTF-8")
    except ValueError as error:
        # Before Python 3.14 the line stands in the sentence only.
        found = re.search(r"at line (\d+)", str(error))
        return _unparsable(int(found[1]) if found else None, f"it is not TOML: {error}")
    except RecursionError:
        return _unparsable(None, "it is nested too deeply")


def _unparsable(line: int | None, reason: str) -> Problem:
    message = f"It cannot be read, so the defaults hold: {reason}."
    return Problem(PATH, line, "unparsable", "error", message, f"Mend {PATH}, or restore it from Git.")


def keys_of(text: str) -> Iterator[Key]:
    """Yields the table headers and keys of a TOML text, line by line; a multi-line string may look like one."""
    part = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)"""
    path = rf"{part}(?:[ \t]*\.[ \t]*{part})*"
    table: tuple[str, ...] = ()
    line, last = 1, 0
    for match in re.finditer(rf"^[ \t]*(?:\[{{1,2}}[ \t]*({path})[ \t]*\]|({path})[ \t]*=)", text, re.MULTILINE):
        group = 1 if match[1] is not None else 2
        spans = tuple(found.span() for found in re.compile(part).finditer(text, *match.span(group)))
        own = tuple(text[start:end].strip("\"'") for start, end in spans)
        table = own if group == 1 else table
        line, last = line + text.count("\n", last, match.start()), match.start()
        yield Key(line, own if group == 1 else table + own, spans)


def _policy(tables: Mapping[str, object], report: _Report) -> Policy:
    """Returns the policy, and reports every table, and every key of a table, that is not one of ours."""
    values: dict[str, Any] = {}  # Any: each value has the type of the field it is read for
    for table in tables:
        if table in _SETTINGS:
            prefix = f"{table}_" if table in ("guard", "review") else ""
            read = _values((table,), _section(tables, table, report), _SETTINGS[table], report)
            values.update((prefix + key, value) for key, value in read)
        elif table not in KINDS.values():
            report((table,), "unknown-key", _unknown(table, "a table", [*_SETTINGS, *KINDS.values()]))
    return Policy()._replace(**values)


def _types(tables: Mapping[str, object], report: _Report) -> dict[str, Type]:
    from gitmem.notes.declaration import type_faults
    from gitmem.notes.preset import preset

    types = [each for each in _declarations("type", tables, report) if isinstance(each, Type)]
    if not any(each.role == "checkpoint" for each in types):
        types = [each for each in types if fold(each.name) != words.CHECKPOINT.name]
        types = [*types, words.CHECKPOINT] if types else []
    for fault in type_faults(types) if types else ():
        report(("types",), "bad-vocabulary", fault)
        types = []
    return {each.name: each for each in types} or preset("engram").types


def _verbs(tables: Mapping[str, object], report: _Report) -> dict[str, Verb]:
    from gitmem.notes.declaration import verb_faults
    from gitmem.notes.preset import preset

    verbs = [each for each in _declarations("verb", tables, report) if isinstance(each, Verb)]
    for fault in verb_faults(verbs) if verbs else ():
        report(("verbs",), "bad-vocabulary", fault)
        verbs = []
    return {each.name: each for each in verbs} or preset("engram").verbs


def _domains(tables: Mapping[str, object], report: _Report) -> dict[str, str]:
    domains = [each for each in _declarations("domain", tables, report) if isinstance(each, Domain)]
    return {each.name: each.holds for each in domains}


def _declarations(kind: str, tables: Mapping[str, object], report: _Report) -> Iterator[Declared]:
    for word, body in _section(tables, KINDS[kind], report).items():
        declared = declaration(kind, word, body, report)
        if declared is not None:
            yield declared


def declaration(kind: str, word: str, body: object, report: _Report) -> Declared | None:
    """Returns one declared word; None, and a report of (path, code, message), where it cannot be used at all."""
    from gitmem.notes.declaration import faults, key

    path = (KINDS[kind], word)
    if kind == "domain" and isinstance(body, str):
        body = {"holds": body}
    if not isinstance(body, Mapping):
        report(path, "bad-value", f"{path[0]}.{word} must be a table, such as [{path[0]}.{key(word)}].")
        return None
    make, readers = _DECLARATIONS[kind]
    declared = make(word, **dict(_values(path, body, readers, report)))
    found = faults(declared)
    for fault in found:
        report(path, "bad-vocabulary", fault)
    return None if found else declared


def _values(
    path: tuple[str, ...], body: Mapping[str, object], readers: Mapping[str, _Reader], report: _Report
) -> Iterator[tuple[str, Any]]:  # Any: each value has the type of the field it is read for
    for key, value in body.items():
        if key not in readers:
            report((*path, key), "unknown-key", _unknown(".".join((*path, key)), "a key here", list(readers)))
            continue
        try:
            yield key, readers[key](value)
        except ValueError as wanted:
            report((*path, key), "bad-value", f"{'.'.join((*path, key))} must be {wanted}.")


def _section(tables: Mapping[str, object], table: str, report: _Report) -> Mapping[str, object]:
    section = tables.get(table, {})
    if isinstance(section, Mapping):
        return section
    report((table,), "bad-value", f"{table} must be a table, [{table}].")
    return {}


def _unknown(name: str, what: str, known: list[str]) -> str:
    near = near_miss(name.rpartition(".")[2], known)
    meant = f"did you mean {near}?" if near else f"known are {', '.join(known)}."
    return f"{name[:80]} is not {what}; {meant}"


def _is_number(value: object, low: float, high: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _whole(low: int, high: int) -> _Reader:
    def accepts(value: object) -> bool:
        return isinstance(value, int) and _is_number(value, low, high)

    return _when(accepts, f"a whole number from {low} to {high}")


def _one_of(known: tuple[str, ...]) -> _Reader:
    return _when(lambda value: isinstance(value, str) and value in known, f"one of {', '.join(known)}")


def _when(accepts: Callable[[object], bool], wanted: str) -> _Reader:
    """Returns a reader that gives back what it accepts, and raises ValueError with what it wanted."""

    def read(value: object) -> object:
        if not accepts(value):
            raise ValueError(wanted)
        return value

    return read


def _is_line(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 200 and value.isprintable()


def _is_branch(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\w[\w./@+#-]{0,199}", value) is not None and ".." not in value


def _seconds(value: object) -> object:
    """Returns the seconds that a number, or a text such as "2h", "90m" or "1h30m", stands for."""
    if isinstance(value, str) and re.fullmatch(r"(?:\d{1,9} ?[smhd]? ?){1,4}", value, re.ASCII):
        units = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
        value = sum(int(count) * units[unit] for count, unit in re.findall(r"(\d+) ?([smhd]?)", value))
    if not isinstance(value, int | float) or not _is_number(value, 1, 31_536_000):
        raise ValueError('a number of seconds or a text such as "2h", at most a year')
    return int(value)


def _documents(value: object) -> object:
    """Returns the patterns, none of which leads out of the repository or into Git's own folder."""
    outside = re.compile(r"^[/~!-]|[\\:]|(?:^|/)(?:\.\.|\.git)(?:/|$)")
    patterns = value if isinstance(value, list) and len(value) <= 50 else [None]
    if not all(isinstance(each, str) and each and _is_line(each) and not outside.search(each) for each in patterns):
        raise ValueError('at most 50 paths or patterns inside the repository, such as ["README.md", "docs/adr/**"]')
    return tuple(patterns)


_line = _when(_is_line, "one line of text, at most 200 characters")
_share = _when(lambda value: _is_number(value, 0, 1), "a number from 0 to 1")
_SETTINGS: dict[str, dict[str, _Reader]] = {
    "policy": {
        "body_limit": _whole(1, 1_048_576),
        "keep_checkpoints": _whole(1, 100_000),
        "documents": _documents,
        "review": _one_of(("error", "warning", "never")),
    },
    "guard": {"idle": _seconds, "required": _when(lambda value: isinstance(value, bool), "true or false")},
    "review": {"branch": _when(_is_branch, "the name of a branch")},
    "thresholds": dict.fromkeys(("duplicate", "suspect", "warning", "related", "strong", "weak"), _share),
}
_durability, _target = _one_of(words.DURABILITIES), _one_of(words.TARGETS)
_DECLARATIONS: dict[str, tuple[Callable[..., Declared], dict[str, _Reader]]] = {
    "type": (
        Type,
        {"holds": _line, "durability": _durability, "role": _one_of(words.TYPE_ROLES), "brief": _whole(0, 100)},
    ),
    "verb": (Verb, {"reads": _line, "role": _one_of(words.VERB_ROLES), "to": _target}),
    "domain": (Domain, {"holds": _line}),
}
