"""The memory of one project, opened for one command: where it lies, its words, and what this clone decides."""

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.notes import config as configuration
from gitmem.notes import store as notes
from gitmem.notes.config import Config
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.store import FOLDER, Names, Store
from gitmem.search import cache as side
from gitmem.search.document import Maker, restored
from gitmem.search.refresh import Place, place, refresh
from gitmem.search.view import View
from gitmem.storage import disk, git

CONFIG = "config.toml"


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

    view: View
    maker: Maker


def find_root(directory: str) -> str | None:
    """Returns the nearest folder upward that holds .memory, no further than the Git top level, or None."""
    here = os.path.realpath(directory)
    repository = git.find(here)
    while True:
        if os.path.isdir(os.path.join(here, FOLDER)):
            return here
        above = os.path.dirname(here)
        if above == here or (repository and here == repository.top):
            return None
        here = above


def open_memory(directory: str, *, environment: Mapping[str, str], now: int) -> Memory:
    """Returns the memory that a directory belongs to; raises GitmemError("no-memory") where there is none."""
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
    config = _config(where)
    repository = git.find(root)
    settings = git.settings(root, environment=environment) if repository else {}
    store = Store(folder, tuple(config.vocabulary.verbs))
    return Memory(root, store, where, repository, config, settings, environment, now)


def _config(where: Place) -> Config:
    """Returns the configuration; the parsed form is kept in the cache, as reading TOML costs a bare interpreter's start."""
    try:
        data = disk.read(os.path.join(where.folder, CONFIG))
    except FileNotFoundError:
        return configuration.parse(None)
    except OSError as error:
        raise GitmemError("unreadable", f"{FOLDER}/{CONFIG} cannot be read: {error.strerror}.", None) from error
    kept = os.path.join(where.cache, "config") if where.cache else None
    digest = disk.digest(data).encode()
    parts = side.unseal(side.load(kept), 2) if kept else None
    if parts and parts[0] == digest:
        return configuration.from_json(json.loads(parts[1]))
    config = configuration.parse(data)
    if kept:
        side.write(kept, side.seal(digest, json.dumps(configuration.to_json(config)).encode()))
    return config


def ready(memory: Memory, held: View | None = None) -> Reading:
    """Returns the memory's notes as they are now, ready for finding; `held` is a view that a long-lived process has."""
    maker = Maker(memory.config.vocabulary, _model(memory))
    return Reading(refresh(memory.where, maker, now=memory.now, held=held), maker)


def _model(memory: Memory) -> str | None:
    chosen = memory.settings.get("model")
    return os.path.join(memory.root, os.path.expanduser(chosen)) if chosen else None


def shown_path(memory: Memory, path: str) -> str:
    """Returns a note's path relative to the Git top level, or to the root without Git."""
    top = memory.repository.top if memory.repository else memory.root
    return os.path.relpath(os.path.join(memory.store.folder, path), top).replace(os.sep, "/")


def locate(memory: Memory, word: str, known: Names | None = None) -> Entry:
    """Returns the note that a name, an alias or a path means; raises GitmemError, with a near miss, where none does."""
    known = known or notes.names(memory.store)
    path = notes.path_of(memory.store, word, known) or _path_by_alias(memory, word)
    if path is None:
        raise notes.unknown(word, known)
    return notes.load(memory.store, path)


def _path_by_alias(memory: Memory, word: str) -> str | None:
    found = ready(memory).view.having("alias", [fold(word)])
    return min((restored(item.note).path for item in found), default=None)
