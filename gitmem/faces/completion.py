"""Completion: what a shell may offer where a command line wants one of the memory's own words."""

from collections.abc import Iterable, Mapping

from gitmem.faces.table import Argument, Option
from gitmem.values import Any

KINDS = ("type", "verb", "domain", "status", "tag")
NAMING = ("--by", "--include")  # the options whose value is a note that is there

Offer = tuple[str, str]  # a word, and what it stands for


def offers(item: Option | Argument, prefix: str, directory: str, before: Mapping[str, Any]) -> list[Offer]:
    """Returns the words that begin with a prefix and fit an option or argument; `before` is what was typed already."""
    if item.choices:
        return _beginning(((word, "") for word in item.choices), prefix)
    if item.metavar == "VERB=NAME":
        return _link(prefix, directory)
    if isinstance(item, Argument) and item.key == "words":
        return _vocabulary(prefix, directory, before)
    if item.note if isinstance(item, Argument) else item.flag in NAMING:
        return _names(prefix, directory)
    kind = item.metavar.lower()
    return _words(kind, prefix, directory) if kind in KINDS else []


def _beginning(offered: Iterable[Offer], prefix: str) -> list[Offer]:
    return [(word, meaning) for word, meaning in offered if word.startswith(prefix)]


def _names(prefix: str, directory: str) -> list[Offer]:
    from gitmem.operations.read import complete

    return complete(directory, prefix)


def _words(kind: str, prefix: str, directory: str) -> list[Offer]:
    from gitmem.operations.read import complete_words

    return _beginning(complete_words(directory, kind), prefix)


def _link(prefix: str, directory: str) -> list[Offer]:
    """Returns `verb=` for every verb, and once the verb stands, the notes that it may lead to."""
    verb, equals, name = prefix.partition("=")
    if equals:
        return [(f"{verb}={found}", title) for found, title in _names(name, directory)]
    return [(f"{word}=", reads) for word, reads in _words("verb", prefix, directory)]


def _vocabulary(prefix: str, directory: str, before: Mapping[str, Any]) -> list[Offer]:
    """Returns the first word after `vocabulary add`, a kind, or after `vocabulary rename`, the word to rename."""
    from gitmem.notes.vocabulary import KINDS as DECLARED

    if before.get("words"):
        return []
    if before.get("action") == "add":
        return _beginning(((kind, "") for kind in DECLARED), prefix)
    return [offer for kind in DECLARED for offer in _words(kind, prefix, directory)]
