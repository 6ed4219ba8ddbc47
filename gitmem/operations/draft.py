"""A draft: what a writer gives for a note, checked word by word before anything is written."""

import json
from collections.abc import Sequence

from gitmem.errors import GitmemError, near_miss
from gitmem.notes import frontmatter, secrets
from gitmem.notes import vocabulary as words
from gitmem.notes.config import Config
from gitmem.notes.entry import fields
from gitmem.notes.instant import instant
from gitmem.notes.name import check_name, fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.touch import leaves, unhashed
from gitmem.notes.vocabulary import DURABILITIES
from gitmem.values import Any, NamedTuple

TITLE_LIMIT = 200
SUMMARY_LIMIT = 300


class Author(NamedTuple):
    """Who writes: "user" or "agent", and which agent where that is known."""

    source: str
    agent: str | None


class Draft(NamedTuple):
    """What was given for a note; None means not given, an empty text or list takes a field away."""

    title: str | None = None
    type: str | None = None
    body: str | None = None
    summary: str | None = None
    tags: tuple[str, ...] | None = None
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] | None = None
    touches: tuple[str, ...] | None = None
    add_touches: tuple[str, ...] = ()
    remove_touches: tuple[str, ...] = ()
    links: tuple[str, ...] | None = None
    domain: str | None = None
    status: str | None = None
    durability: str | None = None
    confidence: float | None = None
    created: str | None = None
    session: str | None = None
    sensitive: bool | None = None
    name: str | None = None


class Item(NamedTuple):
    """One note of a batch: its draft, and what its writer allows."""

    draft: Draft
    allow_duplicate: bool
    allow_tombstoned: bool


_TEXTS = ("title", "type", "body", "summary", "domain", "status", "durability", "created", "session", "name")
_LISTS = {"tag": "tags", "alias": "aliases", "touches": "touches", "link": "links"}
_ALLOWED = ("allow_duplicate", "allow_tombstoned")
# Keys that tell where a nominated note was found; they are not the note's.
_IGNORED = ("file", "line", "marker")
BATCH_KEYS = (*_TEXTS, *_LISTS, "confidence", "sensitive", *_ALLOWED)


def from_json(line: str) -> Item:
    """Returns the item of one JSON object whose keys are option names; raises GitmemError for any other."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f"The line is not JSON: {error}."
        raise GitmemError("bad-json", message, "Give one JSON object a line.", status=2) from error
    if not isinstance(item, dict):
        raise GitmemError("bad-json", "The line is not a JSON object.", "Give one JSON object a line.", status=2)
    named = {key.replace("-", "_"): value for key, value in item.items() if key not in _IGNORED}
    given = dict(_given(key, value) for key, value in named.items())
    allowed = [bool(given.pop(key, False)) for key in _ALLOWED]
    return Item(Draft(**{key: value for key, value in given.items() if value is not None}), *allowed)


def _given(key: str, value: Any) -> tuple[str, Any]:  # Any: json.loads gives nothing better
    if key not in BATCH_KEYS:
        near = near_miss(key, list(BATCH_KEYS))
        hint = f"Did you mean {near}?" if near else f"Known keys: {', '.join(BATCH_KEYS)}."
        raise GitmemError("unknown-key", f"{key!r} is no key of a note.", hint, status=2)
    if value is None:
        return _LISTS.get(key, key), None
    if key in _TEXTS and isinstance(value, str):
        return key, value
    if key in _LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return _LISTS[key], tuple(value)
    if key == "confidence" and isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return key, float(value)
    if key in ("sensitive", *_ALLOWED) and isinstance(value, bool):
        return key, value
    raise GitmemError("bad-value", f"{key} has a value of the wrong kind.", _kind_hint(key), status=2)


def _kind_hint(key: str) -> str:
    if key in _LISTS:
        return f"Give {key} a list of texts."
    if key == "confidence":
        return "Give confidence a number from 0 to 1."
    return f"Give {key} {'a text' if key in _TEXTS else 'true or false'}."


def checked(draft: Draft, config: Config, note_type: str | None) -> Draft:
    """Returns the draft in its normal form; `note_type` is the type of the note it revises.

    Raises GitmemError for an undeclared word, a value out of bounds, or a secret: nothing of the note is written then.
    """
    vocabulary = config.vocabulary
    kind = words.type_named(vocabulary, draft.type) if draft.type is not None else note_type
    check_title(draft.title)
    check_summary(draft.summary)
    check_body(draft.body, config.policy.body_limit)
    _check_confidence(draft.confidence)
    check_touches((*(draft.touches or ()), *draft.add_touches))
    _check_characters(draft)
    _check_secrets(draft)
    return draft._replace(
        title=draft.title.strip() if draft.title is not None else None,
        type=kind if draft.type is not None else None,
        body=draft.body.removesuffix("\n").removesuffix("\r") if draft.body is not None else None,
        summary=draft.summary.strip() if draft.summary is not None else None,
        tags=normal_tags(draft.tags) if draft.tags is not None else None,
        add_tags=normal_tags(draft.add_tags),
        remove_tags=normal_tags(draft.remove_tags),
        aliases=_aliases(draft.aliases) if draft.aliases is not None else None,
        domain=words.domain_named(vocabulary, draft.domain) if draft.domain else draft.domain,
        status=words.status_named(vocabulary, kind or "", draft.status) if draft.status else draft.status,
        durability=_durability(draft.durability),
        created=_instant(draft.created) if draft.created else None,
    )


def normal_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Returns tags in lower case, white space as `-`, without repeats or empty ones."""
    return tuple(dict.fromkeys("-".join(tag.lower().split()) for tag in tags if tag.strip()))


def _aliases(aliases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple({fold(alias): check_name(alias.strip()) for alias in aliases if alias.strip()}.values())


def check_title(title: str | None) -> None:
    """Raises GitmemError for a title that is empty, too long, or not one plain line."""
    if title is None:
        return
    if not title.strip():
        raise GitmemError("empty-title", "The title is empty.", "Say in one line what the note holds.")
    if len(title) > TITLE_LIMIT:
        message = f"The title has {len(title)} characters; {TITLE_LIMIT} are allowed."
        raise GitmemError("long-title", message, "Say the rest in --summary or --body.")
    if any(ord(character) < 32 or character in "\x7f\x85\u2028\u2029" for character in title.strip()):
        raise GitmemError("bad-title", "The title holds a line break or a control character.", "Give one plain line.")


def check_summary(summary: str | None) -> None:
    """Raises GitmemError for a summary that is too long."""
    if summary and len(summary) > SUMMARY_LIMIT:
        message = f"The summary has {len(summary)} characters; {SUMMARY_LIMIT} are allowed."
        raise GitmemError("long-summary", message, "Say the rest in --body.")


def check_body(body: str | None, limit: int) -> None:
    """Raises GitmemError for a body over the limit of bytes that the policy sets."""
    size = len(body.encode("utf-8", "surrogatepass")) if body else 0
    if size > limit:
        message = f"The body has {size:,} bytes; {limit:,} are allowed."
        hint = "Keep the conclusion and split the rest into notes that link to each other."
        raise GitmemError("long-body", message, hint)


def _check_confidence(value: float | None) -> None:
    if value is not None and not 0 <= value <= 1:
        raise GitmemError("bad-value", f"The confidence {value} is not between 0 and 1.", "Give a number such as 0.7.")


def check_touches(touches: Sequence[str]) -> None:
    """Raises GitmemError for a touch that leads out of the repository."""
    for touch in touches:
        if leaves(touch):
            message = f"{touch!r} leads out of the repository."
            raise GitmemError("outside", message, "Give the path from its top, such as src/store.py::save.")


def _texts_of(draft: Draft) -> list[tuple[str, str]]:
    """Returns every text of a draft with the name of its field."""
    pairs = [(field, value) for field, value in zip(Draft._fields, draft, strict=True) if value]
    joined = [(field, "\n".join(value) if isinstance(value, tuple) else value) for field, value in pairs]
    return [(field, value) for field, value in joined if isinstance(value, str)]


def _check_characters(draft: Draft) -> None:
    for field, text in _texts_of(draft):
        if "\0" in text:
            raise GitmemError("nul", f"The {field} holds a NUL character.", "Give plain text.")


def _check_secrets(draft: Draft) -> None:
    for field, text in _texts_of(draft):
        secrets.check(text, f"the {field}")


def _durability(word: str | None) -> str | None:
    wanted = fold(word.strip()) if word else word
    if not wanted or wanted in DURABILITIES:
        return wanted
    raise GitmemError("unknown-durability", f"{word!r} is no durability.", f"Use one of {', '.join(DURABILITIES)}.")


def _instant(text: str) -> str:
    found = instant(text.strip())
    if found is None:
        raise GitmemError("bad-date", f"{text!r} is no date.", "Write 2026-11-30 or 2026-11-30T11:29:00Z.")
    return found


def parsed_links(links: tuple[str, ...], config: Config) -> list[Link]:
    """Returns the links of `VERB=NAME` texts, verbs normalised, names as given."""
    found = []
    for text in links:
        verb, _, name = text.partition("=")
        if not name.strip():
            hint = "Write VERB=NAME, such as because=plain-files."
            raise GitmemError("bad-link", f"{text!r} is no link.", hint, status=2)
        found.append(Link(words.verb_named(config.vocabulary, verb), name.strip(), None, 1.0))
    return found


def applied(note: Note, draft: Draft, config: Config) -> Note:
    """Returns a note with a checked draft applied to it, links and name left aside."""
    tags = note.tags if draft.tags is None else draft.tags
    tags = tuple(tag for tag in dict.fromkeys((*tags, *draft.add_tags)) if tag not in draft.remove_tags)
    changes: dict[str, Any] = {}  # Any: one value a field of the note
    for field in ("title", "type", "body", "confidence", "created", "sensitive"):
        if getattr(draft, field) is not None:
            changes[field] = getattr(draft, field)
    for field in ("summary", "domain", "status", "durability", "session"):
        if getattr(draft, field) is not None:
            changes[field] = getattr(draft, field) or None
    if draft.aliases is not None:
        changes["aliases"] = tuple(dict.fromkeys(alias for alias in draft.aliases if alias))
    return _typed(note, note._replace(tags=tags, touches=_touched(note, draft), **changes), draft, config)


def _touched(note: Note, draft: Draft) -> tuple[str, ...]:
    """Returns the touches that a draft leaves: what is added stands in for the same place, whatever its hash was.

    Raises GitmemError for one to be taken away that is not there.
    """
    kept = note.touches if draft.touches is None else tuple(touch for touch in draft.touches if touch)
    lost = [touch for touch in draft.remove_touches if _place(touch) not in set(map(_place, kept))]
    if lost:
        there = ", ".join(map(unhashed, kept)) or "none"
        raise GitmemError("no-touch", f"The note does not touch {lost[0]}.", f"Its touches: {there}.")
    gone = set(map(_place, (*draft.remove_touches, *draft.add_touches)))
    return tuple(dict.fromkeys((*(touch for touch in kept if _place(touch) not in gone), *draft.add_touches)))


def _place(touch: str) -> str:
    """Returns what a touch names, in one spelling."""
    return unhashed(touch.strip()).removeprefix("./").rstrip("/")


def _typed(old: Note, note: Note, draft: Draft, config: Config) -> Note:
    """Returns a note with what its type asks for: no durability that says the same, and a status it can have."""
    declared = config.vocabulary.types.get(note.type)
    if draft.durability and declared and note.durability == declared.durability:
        note = note._replace(durability=None)
    if note.type == old.type or draft.status is not None:
        return note
    worklist = note.type in words.types_with(config.vocabulary, "worklist")
    if not worklist and note.status in words.WORKLIST_STATUSES:
        return note._replace(status=None)
    return note._replace(status="open") if worklist and note.status is None else note


def rewritten(old: Entry, data: bytes, new: Note, verbs: Sequence[str]) -> bytes:
    """Returns a file's bytes with what differs between its note and a new one changed, and nothing else.

    Raises GitmemError, naming the note, where the file cannot be trusted or would lose what it says.
    """
    before, after = fields(old.note, verbs=verbs), fields(new, verbs=verbs)
    changes = {key: value for key, value in after.items() if key not in before or before[key] != value}
    removed = [key for key in before if key not in after]
    body = new.body if new.body != old.note.body else None
    if not changes and not removed and body is None:
        return data
    _check_whole(old, data, {*changes, *removed})
    try:
        return frontmatter.rewrite(data, changes, removed=removed, body=body)
    except GitmemError as error:
        message = f"{old.path}: {error.message.removesuffix('.')}."
        raise GitmemError(error.code, message, error.hint or f"gitmem edit {old.name}") from error


def _check_whole(old: Entry, data: bytes, keys: set[str]) -> None:
    """Refuses to write a list or mapping of which a part could not be read: that part would be lost."""
    bad = {problem.line for problem in old.problems if problem.code == "bad-value"}
    document = frontmatter.parse(data, old.path) if bad else None
    for key in sorted(keys) if document else ():
        if document and document.lines.get(key) in bad and isinstance(document.fields.get(key), list | dict):
            message = f"{old.path}: the field {key} on line {document.lines[key]} holds what would be lost."
            raise GitmemError("bad-value", message, f"Mend it first: gitmem edit {old.name}")


def check_values(old: Note, new: Note, config: Config) -> None:
    """Refuses undeclared words and values out of bounds, where the edit brought them in."""
    vocabulary = config.vocabulary
    if new.type != old.type:
        words.type_named(vocabulary, new.type)
    if new.domain and new.domain != old.domain:
        words.domain_named(vocabulary, new.domain)
    if new.status and (new.status, new.type) != (old.status, old.type):
        words.status_named(vocabulary, new.type, new.status)
    if new.title != old.title:
        check_title(new.title)
    if new.summary != old.summary:
        check_summary(new.summary)
    if len(new.body) > len(old.body):
        check_body(new.body, config.policy.body_limit)
