"""The memory of one project, opened for one command: where it lies, its words, and what this clone decides."""

import json
import os
from collections.abc import Mapping, Sequence

from gitmem import __version__
from gitmem.errors import GitmemError
from gitmem.notes import config as configuration
from gitmem.notes import store as notes
from gitmem.notes.config import Config
from gitmem.notes.name import fold, is_note_path
from gitmem.notes.note import Entry
from gitmem.notes.store import FOLDER, Store
from gitmem.search import cache as side
from gitmem.search.cache import Place, place
from gitmem.storage import disk, git, spare
from gitmem.storage import root as roots
from gitmem.storage.config_file import options
from gitmem.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # late at run time: writing must not pay for finding
    from gitmem.search.document import Maker
    from gitmem.search.view import View
    from gitmem.storage.settings import Settings

CONFIG = "config.toml"
find_root = roots.find_root


class Memory(NamedTuple):
    """What every verb needs to know; `root` is the absolute folder that holds .memory, `now` in epoch seconds."""

    root: str
    store: Store
    where: Place
    repository: git.Repository | None
    config: Config
    settings: Mapping[str, str]
    environment: Mapping[str, str]
    now: int

    @property
    def trusted(self) -> bool:
        """Whether somebody made this clone's memory theirs; without Git there is nobody to ask."""
        return self.repository is None or self.settings.get("trusted") == "true"


class Reading(NamedTuple):
    """A memory made ready for finding: the view of its notes, and the maker that cuts queries as it cut the notes."""

    view: "View"
    maker: "Maker"


def open_memory(
    directory: str, *, environment: Mapping[str, str], now: int, settings: "Settings | None" = None
) -> Memory:
    """Returns the memory that a directory belongs to; raises GitmemError("no-memory") where there is none.

    `settings` are those that a long-lived process keeps.
    """
    if not os.path.isdir(directory):
        raise GitmemError("no-folder", f"{directory} is not a folder.", "Give an existing folder to -C.", status=2)
    root = find_root(directory)
    if root is None:
        message = (
            f"{os.path.realpath(directory)} has no {FOLDER}/ folder, nor has any folder above it in the repository."
        )
        raise GitmemError("no-memory", message, "gitmem init makes one.")
    folder = os.path.join(root, FOLDER)
    if os.path.islink(folder):
        raise GitmemError("symbolic-link", f"{folder} is a symbolic link.", f"Make {FOLDER}/ a real folder.")
    where = place(folder, uid=os.geteuid())
    config = config_of(where)
    repository = git.find(root)
    store = Store(folder, tuple(config.vocabulary.verbs))
    said = _settings(repository, settings, environment, now) if repository else {}
    return Memory(root, store, where, repository, config, said, environment, now)


def _settings(
    repository: git.Repository, kept: "Settings | None", environment: Mapping[str, str], now: int
) -> dict[str, str]:
    found = kept.of(repository, now=now) if kept else git.settings(repository.top, environment=environment)
    return found or _restrictions(repository)


def _restrictions(repository: git.Repository) -> dict[str, str]:
    """Returns what narrows belief in a clone of which git says nothing, be it that git is not there or refuses it."""
    return {key: value for section, key, value in options(repository) if (section, key) == ("gitmem", "reviewbranch")}


def config_of(where: Place) -> Config:
    """Returns the configuration of a folder of notes; raises GitmemError("unreadable").

    The parsed form is kept in the cache, as reading TOML costs a bare interpreter's start.
    """
    try:
        data = disk.read(os.path.join(where.folder, CONFIG))
    except FileNotFoundError:
        return configuration.parse(None)
    except OSError as error:
        message = f"{FOLDER}/{CONFIG} cannot be read: {error.strerror}."
        raise GitmemError("unreadable", message, f"Make {FOLDER}/{CONFIG} a plain file that you can read.") from error
    kept = os.path.join(where.cache, "config") if where.cache else None
    text = f"{__version__} {data.hex()}".encode()
    parts = side.unseal(spare.load(kept), 2) if kept else None
    stored = _stored(parts[1]) if parts and parts[0] == text else None
    if stored:
        return stored
    config = configuration.parse(data)
    if kept:
        spare.write(kept, side.seal(text, json.dumps(configuration.to_json(config)).encode()))
    return config


def config_faults(memory: Memory) -> list[dict[str, str | None]]:
    """Returns a warning for each error in config.toml: what it meant to say does not hold."""
    errors = [problem for problem in memory.config.problems if problem.severity == "error"]
    path = f"{FOLDER}/{CONFIG}"
    return [
        {"code": "config", "name": path, "message": f"{path}: {each.message} The default holds instead."}
        for each in errors
    ]


def _stored(data: bytes) -> Config | None:
    """Returns the configuration that was kept, None where that is ill-formed."""
    try:
        return configuration.from_json(json.loads(data))
    except (ValueError, TypeError, KeyError):
        return None


def ready(memory: Memory, held: "View | None" = None) -> Reading:
    """Returns the memory's notes as they are now, ready for finding; `held` is a view that a long-lived process has."""
    from gitmem.search.refresh import refresh

    maker = held.maker if held else None
    if maker is None or maker.made_of != (memory.config.vocabulary, None) or _model(memory):
        maker = maker_of(memory)
    view = refresh(memory.where, maker, now=memory.now, held=held)
    view.maker = maker
    if held:
        maker.load_tables()
    return Reading(view, maker)


def maker_of(memory: Memory) -> "Maker":
    """Returns what makes documents of notes under the memory's vocabulary and model."""
    from gitmem.search.document import Maker

    return Maker(memory.config.vocabulary, _model(memory))


def _model(memory: Memory) -> str | None:
    chosen = memory.settings.get("model")
    home = memory.environment.get("HOME")
    if chosen and home and chosen.startswith("~/"):
        return os.path.join(home, chosen[2:])
    return os.path.join(memory.root, os.path.expanduser(chosen)) if chosen else None


def shown_path(memory: Memory, path: str) -> str:
    """Returns a note's path relative to the Git top level, or to the root without Git."""
    top, folder = memory.repository.top if memory.repository else memory.root, memory.store.folder
    if folder.startswith(f"{top}/"):  # every hit's path: a tenth of what the general way takes
        return f"{folder[len(top) + 1 :]}/{path}".rstrip("/")
    return os.path.relpath(os.path.join(folder, path), top).replace(os.sep, "/")


def locate(memory: Memory, word: str) -> Entry:
    """Returns the note that a name, an alias or a path means; raises GitmemError, with a near miss, where none does."""
    return Finder(memory).entry(word)


class Finder:
    """Finds notes for one command; the index is opened once, and only where an alias, a claim or a held view asks for it.

    What the command itself writes is found, too, once it is added.
    """

    def __init__(self, memory: Memory, held: "View | None" = None) -> None:
        """`held` is a view that a long-lived process has: what it saw of the folder is not looked at again."""
        self.memory = memory
        self._held = held
        self._written: dict[str, Entry] = {}
        self._view: View | None = None
        self.names = notes.Names(self.view.files.paths()) if held else notes.names(memory.store)

    @property
    def view(self) -> "View":
        """The notes as they were when the command first asked."""
        if self._view is None:
            self._view = ready(self.memory, self._held).view
        return self._view

    def entry(self, word: str) -> Entry:
        """Returns the note that a name, an alias or a path means; raises GitmemError where none does."""
        path = self.path(word)
        if path is None:
            raise notes.unknown(word, self.names)
        return self.load(path)

    def path(self, word: str) -> str | None:
        """Returns the path of the note that a name, an alias or a path means, or None.

        Raises GitmemError for a word that cannot be one, that leaves the folder, or that several files are named.
        """
        if "/" in word or word.endswith(".md"):
            found = self.file(_inside(self.memory, word))
            return found if found and is_note_path(found) else self.alias(word)
        return notes.path_of(self.memory.store, word, self.names) or self.alias(word)

    def file(self, path: str) -> str | None:
        """Returns the path of the file that a path inside the folder means, with or without its ending, or None."""
        return notes.path_of(self.memory.store, path, self.names)

    def target(self, word: str) -> str | None:
        """Returns the path of the note that a link's word means, the first by path of several, or None."""
        paths = self.names.paths(word)
        return min(paths) if paths else self.alias(word)

    def alias(self, word: str) -> str | None:
        """Returns the first path of the notes that have an alias, or None."""
        return min((entry.path for entry in self.holding("alias", [word])), default=None)

    def load(self, path: str) -> Entry:
        """Returns the note at a path as it is now."""
        return self._written.get(path) or notes.load(self.memory.store, path)

    def holding(self, field: str, names: Sequence[str]) -> list[Entry]:
        """Returns the notes that have one of the names in a field of the index: alias, key or to."""
        keys = [fold(name) for name in names]
        stored = map(self.view.entry, self.view.having(field, keys))
        kept = [entry for entry in stored if entry.path not in self._written]
        return kept + [entry for entry in self._written.values() if _has(entry, field, set(keys))]

    def titles(self, words: Sequence[str]) -> dict[str, str]:
        """Returns the titles of the notes that names or aliases mean, by folded word; a name beats an alias."""
        return {word: entry.note.title for word, entry in self.meant(words).items()}

    def meant(self, words: Sequence[str]) -> dict[str, Entry]:
        """Returns the notes that names or aliases mean, by folded word; a name beats an alias, then the first by path."""
        found: dict[str, Entry] = {}
        for entry in sorted(self.holding("alias", words), key=_path, reverse=True):
            found |= {fold(alias): entry for alias in entry.note.aliases}
        for entry in sorted(self.holding("key", words), key=_path, reverse=True):
            found[fold(entry.name)] = entry
        return found

    def spellings(self, entry: Entry) -> list[str]:
        """Returns the words that mean a note in a link: its name, and its aliases that are no other note's name."""
        return [entry.name, *(alias for alias in entry.note.aliases if not self.names.paths(alias))]

    def add(self, entry: Entry) -> None:
        """Takes in a note that the command has just written."""
        self.names.add(entry.path)
        self._written[entry.path] = entry


def _path(entry: Entry) -> str:
    return entry.path


def _has(entry: Entry, field: str, keys: set[str]) -> bool:
    said = {
        "key": [entry.name],
        "alias": entry.note.aliases,
        "to": [link.to for link in entry.note.links],
    }
    return any(fold(word) in keys for word in said[field])


def _inside(memory: Memory, word: str) -> str:
    """Returns the path inside .memory that a path from there, from the root, the Git top level or / stands for."""
    if os.path.isabs(word):
        folder, name = os.path.split(word)
        inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), memory.store.folder)
        if not inside.startswith(os.pardir):
            return inside.replace(os.sep, "/")
        raise _elsewhere(memory, word)
    parts = [part for part in word.split("/") if part != "."]
    if FOLDER not in parts:
        return word
    at = parts.index(FOLDER)
    if at and "/".join(parts[: at + 1]) != shown_path(memory, ""):
        raise _elsewhere(memory, word)
    return "/".join(parts[at + 1 :])


def _elsewhere(memory: Memory, word: str) -> GitmemError:
    message = f"{word!r} lies outside {memory.store.folder}."
    return GitmemError("path-escapes", message, "Name a note of this memory, or another project with -C.")
