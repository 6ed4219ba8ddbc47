"""A draft: what a writer gives for a note, checked word by word before anything is written."""

import json
from typing import Any, NamedTuple

from gitmem.errors import GitmemError, near_miss
from gitmem.notes import secrets
from gitmem.notes import vocabulary as words
from gitmem.notes.config import Config
from gitmem.notes.note import Link, Note, instant

TITLE_LIMIT = 200
SUMMARY_LIMIT = 300
DURABILITIES = ("stable", "episodic", "volatile")


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
    links: tuple[str, ...] | None = None
    domain: str | None = None
    status: str | None = None
    durability: str | None = None
    confidence: float | None = None
    created: str | None = None
    session: str | None = None
    sensitive: bool | None = None
    name: str | None = None


_TEXTS = ("title", "type", "body", "summary", "domain", "status", "durability", "created", "session", "name")
_LISTS = {"tag": "tags", "alias": "aliases", "touches": "touches", "link": "links"}
# Keys that tell where a nominated note was found; they are not the note's.
_IGNORED = ("file", "line", "marker")
BATCH_KEYS = (*_TEXTS, *_LISTS, "confidence", "sensitive")


def from_json(line: str) -> Draft:
    """Returns the draft of one JSON object whose keys are option names; raises GitmemError for any other."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise GitmemError(
            "bad-json", f"The line is not JSON: {error}.", "Give one JSON object a line.", status=2
        ) from error
    if not isinstance(item, dict):
        raise GitmemError("bad-json", "The line is not a JSON object.", "Give one JSON object a line.", status=2)
    given = {key: value for key, value in item.items() if key not in _IGNORED and value is not None}
    return Draft(**dict(_given(key, value) for key, value in given.items()))


def _given(key: str, value: Any) -> tuple[str, Any]:  # Any: json.loads gives nothing better
    if key in _TEXTS and isinstance(value, str):
        return key, value
    if key in _LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return _LISTS[key], tuple(value)
    if key == "confidence" and isinstance(value, int | float) and not isinstance(value, bool):
        return key, float(value)
    if key == "sensitive" and isinstance(value, bool):
        return key, value
    if key in BATCH_KEYS:
        raise GitmemError("bad-value", f"{key} has a value of the wrong kind.", _kind_hint(key), status=2)
    near = near_miss(key, list(BATCH_KEYS))
    hint = f"Did you mean {near}?" if near else f"Known keys: {', '.join(BATCH_KEYS)}."
    raise GitmemError("unknown-key", f"{key!r} is no key of a note.", hint, status=2)


def _kind_hint(key: str) -> str:
    if key in _LISTS:
        return f"Give {key} a list of texts."
    return {"confidence": "Give confidence a number from 0 to 1.", "sensitive": "Give sensitive true or false."}.get(
        key, f"Give {key} a text."
    )


def checked(draft: Draft, config: Config, note_type: str | None) -> Draft:
    """Returns the draft in its normal form; `note_type` is the type of the note it revises.

    Raises GitmemError for an undeclared word, a value out of bounds, or a secret: nothing of the note is written then.
    """
    vocabulary = config.vocabulary
    kind = words.type_named(vocabulary, draft.type) if draft.type is not None else note_type
    _check_title(draft.title)
    _check_length("summary", draft.summary, SUMMARY_LIMIT)
    _check_body(draft.body, config.policy.body_limit)
    _check_confidence(draft.confidence)
    _check_secrets(draft)
    return draft._replace(
        title=draft.title.strip() if draft.title is not None else None,
        type=kind if draft.type is not None else None,
        tags=normal_tags(draft.tags) if draft.tags is not None else None,
        add_tags=normal_tags(draft.add_tags),
        remove_tags=normal_tags(draft.remove_tags),
        domain=words.domain_named(vocabulary, draft.domain) if draft.domain else draft.domain,
        status=words.status_named(vocabulary, kind or "", draft.status) if draft.status else draft.status,
        durability=_durability(draft.durability),
        created=_instant(draft.created) if draft.created else None,
    )


def normal_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Returns tags in lower case, white space as `-`, without repeats or empty ones."""
    return tuple(dict.fromkeys("-".join(tag.lower().split()) for tag in tags if tag.strip()))


def _check_title(title: str | None) -> None:
    if title is None:
        return
    if not title.strip():
        raise GitmemError("empty-title", "The title is empty.", "Say in one line what the note holds.")
    if len(title) > TITLE_LIMIT:
        message = f"The title has {len(title)} characters; {TITLE_LIMIT} are allowed."
        raise GitmemError("long-title", message, "Say the rest in --summary or --body.")
    if any(ord(character) < 32 or character in "\x7f\x85\u2028\u2029" for character in title.strip()):
        raise GitmemError("bad-title", "The title holds a line break or a control character.", "Give one plain line.")


def _check_length(field: str, text: str | None, limit: int) -> None:
    if text and len(text) > limit:
        message = f"The {field} has {len(text)} characters; {limit} are allowed."
        raise GitmemError(f"long-{field}", message, "Say the rest in --body.")


def _check_body(body: str | None, limit: int) -> None:
    size = len(body.encode("utf-8", "surrogatepass")) if body else 0
    if size > limit:
        message = f"The body has {size} bytes; {limit} are allowed."
        raise GitmemError(
            "long-body", message, "Keep the conclusion and split the rest into notes that link to each other."
        )
    if body and "\0" in body:
        raise GitmemError("nul", "The body holds a NUL character.", "Give plain text.")


def _check_confidence(value: float | None) -> None:
    if value is not None and not 0 <= value <= 1:
        raise GitmemError("bad-value", f"The confidence {value} is not between 0 and 1.", "Give a number such as 0.7.")


def _check_secrets(draft: Draft) -> None:
    for field, value in zip(Draft._fields, draft, strict=True):
        text = "\n".join(value) if isinstance(value, tuple) else value
        found = secrets.find(text) if isinstance(text, str) else []
        if found:
            message = f"Line {found[0].line} of the {field} holds what looks like a secret ({found[0].pattern})."
            hint = "Keep the secret out of memory, or end that line with `gitmem: allow-secret` if it is none."
            raise GitmemError("secret", message, hint)


def _durability(word: str | None) -> str | None:
    if not word or word in DURABILITIES:
        return word
    hint = f"Declared: {', '.join(DURABILITIES)}."
    raise GitmemError("unknown-durability", f"{word!r} is no durability.", hint)


def _instant(text: str) -> str:
    found = instant(text)
    if found is None:
        raise GitmemError("bad-date", f"{text!r} is no date.", "Write 2026-11-30 or 2026-11-30T11:29:00Z.")
    return found


def parsed_links(links: tuple[str, ...], config: Config) -> list[Link]:
    """Returns the links of `VERB=NAME` texts, verbs normalised, names as given."""
    found = []
    for text in links:
        verb, equals, name = text.partition("=")
        if not equals or not name.strip():
            raise GitmemError(
                "bad-link", f"{text!r} is no link.", "Write VERB=NAME, such as because=plain-files.", status=2
            )
        found.append(Link(words.verb_named(config.vocabulary, verb), name.strip(), None, 1.0))
    return found


def applied(note: Note, draft: Draft, config: Config) -> Note:
    """Returns a note with a checked draft applied to it, links and name left aside."""
    tags = note.tags if draft.tags is None else draft.tags
    tags = tuple(tag for tag in dict.fromkeys((*tags, *draft.add_tags)) if tag not in draft.remove_tags)
    kind = draft.type or note.type
    changes: dict[str, Any] = {  # Any: one value a field of the note
        field: getattr(draft, field) or None
        for field in ("summary", "domain", "status", "durability", "session")
        if getattr(draft, field) is not None
    }
    if (
        changes.get("durability") == config.vocabulary.types[kind].durability
        if kind in config.vocabulary.types
        else False
    ):
        changes["durability"] = None
    for field in ("title", "type", "body", "confidence", "created", "sensitive"):
        if getattr(draft, field) is not None:
            changes[field] = getattr(draft, field)
    for field in ("aliases", "touches"):
        if getattr(draft, field) is not None:
            changes[field] = tuple(dict.fromkeys(item for item in getattr(draft, field) if item))
    return note._replace(tags=tags, **changes)
