"""The name of a note: the stem of its file, made from its title, equal without regard to case or Unicode form."""

import os
import re
from collections.abc import Iterator, Mapping

from gitmem.errors import GitmemError
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

SLUG_CHARACTERS = 64
SLUG_BYTES = 180
STEM_BYTES = 252  # what a file system's 255 bytes leave beside ".md"
DIGITS = 6

# What a slug may drop in silence; every other character that goes counts as lost (design, section 1).
_COMMON = frozenset("-_.,;:!?'\"()[]{}/\\&…")

# Letters and marks that show nothing (fillers, variation selectors): kept, they would make two names look alike.
_INVISIBLE = r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"

_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [port + digit for port in ("com", "lpt") for digit in "0123456789¹²³"]
)


def nfc(text: str) -> str:
    """Returns the text in Unicode's composed form."""
    return text if text.isascii() else _normalised("NFC", text)


def _normalised(form: "Literal['NFC', 'NFD']", text: str) -> str:
    import unicodedata  # late: its tables cost half a millisecond that plain names never need

    return unicodedata.normalize(form, text)


def _category(character: str) -> str:
    import unicodedata

    return unicodedata.category(character)


def fold(name: str) -> str:
    """Returns the form under which two spellings of one name, or of one title, are equal (NFC, casefold)."""
    if name.isascii():
        return name.lower()
    return nfc(_normalised("NFD", name).casefold())


def slug(title: str) -> str:
    """Returns the bare slug of a title in NFC, maybe empty: lower-cased letters and digits, all other runs one `-`."""
    characters, _ = _slugged(title)
    return characters


def name_for(title: str, *, taken: Mapping[str, str], created: str | None) -> str:
    """Returns the name a note of this title gets; the same for the same arguments, and never one that is taken.

    `taken` maps the folded names in use to the titles of their notes. Raises GitmemError `duplicate-name` when one
    title and one `created` have used up every name they can have.
    """
    whole = nfc(title)
    for name in _names_of(title, whole):
        owner = taken.get(fold(name))
        if owner is None:
            return name
        if fold(owner) == fold(title):
            break
    for name in _numbered(slug(title), f"{whole}\n{created or ''}"):
        if fold(name) not in taken:
            return name
    raise GitmemError(
        "duplicate-name",
        f"Every name that the title {title!r} can have is taken.",
        "Give the note another title, or a name of its own with --name.",
    )


def check_name(text: str) -> str:
    """Returns the name in NFC when `text` may name a note, without looking whether one exists.

    Raises GitmemError `bad-name` for whatever could leave the folder, hide a file, or not be a file somewhere.
    """
    fault = _name_fault(text)
    if fault is not None:
        raise GitmemError("bad-name", f"{_quoted(text)} cannot be a note's name: {fault}.", _hint(text))
    return nfc(text)


def check_new_name(text: str) -> str:
    """Returns the name in NFC when `text` is what a slug could be, as `--name` and `rename` require.

    Raises GitmemError `bad-name`.
    """
    name = check_name(text)
    if name != slug(name):
        fault = "a new name is lower-case letters and digits with single hyphens between"
    elif len(name) > SLUG_CHARACTERS + DIGITS + 1 or len(name.encode()) > SLUG_BYTES:
        fault = f"it is longer than {SLUG_CHARACTERS} characters"
    else:
        return name
    raise GitmemError("bad-name", f"{_quoted(text)} cannot be a new note's name: {fault}.", _hint(text))


def is_note_path(path: str) -> bool:
    """Returns whether a path, relative to the memory folder and with `/`, is where a note may lie.

    README.md, dot-files, what lies in dot-folders, and files that do not end in `.md` are not notes; nor is what has a
    backslash in its path, which no path that is typed can mean on every system.
    """
    parts = path.split("/")
    if "\\" in path or any(not part or part.startswith(".") for part in parts):
        return False
    stem, extension = os.path.splitext(parts[-1])
    return extension == ".md" and fold(stem) != "readme"


def is_reserved(name: str) -> bool:
    """Returns whether a file or folder of this name cannot exist on Windows, or would be taken for the README."""
    stem = fold(name).split(".")[0].rstrip(" ")
    return stem in _RESERVED or fold(name) == "readme"


def _slugged(title: str) -> tuple[str, bool]:
    """Returns the bare slug, and whether it lost anything that tells titles apart."""
    kept: list[str] = []
    lost = False
    for character in nfc(nfc(title).lower()):
        if _is_kept(character, kept):
            kept.append(character)
            continue
        lost = lost or not (character.isspace() or character in _COMMON)
        if kept and kept[-1] != "-":
            kept.append("-")
    return nfc("".join(kept)).strip("-"), lost


def _is_kept(character: str, kept: list[str]) -> bool:
    if not character.isascii() and re.match(_INVISIBLE, character):
        return False
    if character.isalnum():
        return True
    # A mark is part of the letter before it (Thai and Indic vowels); without one it is a symbol.
    return _category(character) in ("Mn", "Mc") and bool(kept) and kept[-1] != "-"


def _names_of(title: str, whole: str) -> Iterator[str]:
    bare, lost = _slugged(title)
    if bare and not lost and not is_reserved(bare) and _fits(bare, SLUG_BYTES):
        yield bare
    yield from _numbered(bare, whole)


def _numbered(bare: str, seed: str) -> Iterator[str]:
    """Yields the slug with ever more digits of the seed's SHA-256; past the first only where digests collide."""
    import hashlib

    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
    for count in range(DIGITS, len(digest) + 1, 2):
        stem = _cut(bare, SLUG_BYTES - count - 1)
        yield f"{stem}-{digest[:count]}" if stem else digest[:count]


def _fits(bare: str, size: int) -> bool:
    return len(bare) <= SLUG_CHARACTERS and len(bare.encode()) <= size


def _cut(bare: str, size: int) -> str:
    """Returns the slug cut at a word to 64 characters and `size` bytes; inside a word only when there is one word."""
    if _fits(bare, size):
        return bare
    end = min(SLUG_CHARACTERS, len(bare.encode()[:size].decode("utf-8", "ignore")))
    while end and _category(bare[end : end + 1] or "-").startswith("M"):
        end -= 1
    at_word = end if bare[end : end + 1] == "-" else bare.rfind("-", 0, end)
    return bare[: at_word if at_word > 0 else end].rstrip("-")


def _name_fault(text: str) -> str | None:
    """Returns why `text` cannot name a note anywhere, as the end of a sentence, or None."""
    if not text.strip():
        return "it is empty"
    if "/" in text or "\\" in text:
        return "it holds a path separator"
    if re.search("%(2e|2f|5c|00)", text, re.IGNORECASE):
        return "it holds an encoded dot, separator or NUL"
    if text.startswith("."):
        return "it starts with a dot"
    if re.match("[A-Za-z]:", text):
        return "it starts with a drive letter"
    if any(_category(character) in ("Cc", "Cs") for character in text):
        return "it holds a control character or bytes that are no text"
    if len(nfc(text).encode()) > STEM_BYTES:
        return f"it is longer than {STEM_BYTES} bytes"
    return "it is reserved, by Windows or for the README" if is_reserved(text) else None


def _hint(text: str) -> str:
    bare = _cut(slug(text), SLUG_BYTES)
    if bare and not is_reserved(bare):
        return f"A name is a file's stem, such as {bare}."
    return "A name is a file's stem, such as plain-files-over-a-database."


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:80] + "…")
