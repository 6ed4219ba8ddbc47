"""Refresh: brings what is known up to what lies on disk, and returns one consistent view of it."""

import os
from collections.abc import Iterable

from gitmem.search import cache as side
from gitmem.search import snapshot as snapshots
from gitmem.search.cache import Place
from gitmem.search.document import Document, Maker
from gitmem.search.snapshot import Rows, Snapshot
from gitmem.search.view import View
from gitmem.storage import disk

# Changed notes that are laid over the index in memory at every read; more are written into it. A write costs
# 30 to 100 ms, a note laid over it under 1 ms.
OVERLAID = 64


def refresh(where: Place, maker: Maker, *, now: float, held: View | None = None) -> View:
    """Returns a view of the notes as they are now; never waits for another process and never fails for the cache's sake.

    `held` is a view a long-lived process still has: it is returned where nothing changed, neither notes nor fingerprint,
    nor the files that it reads.
    """
    held = held if held and held.stands() else None
    files = side.look(where.folder, where.cache, now=now, before=held.files if held else None)
    if held and held.fingerprint == maker.fingerprint and held.files.same(files):
        held.files = files if files.settled else held.files  # settled ones are not looked up the next time
        return held
    alike = held if held and held.fingerprint == maker.fingerprint else None
    view = _anew(where, maker, files, alike)
    if alike:
        view.succeed(alike)
    return view


def _anew(where: Place, maker: Maker, files: side.Files, held: View | None) -> View:
    snapshot = snapshots.open_current(where.cache, maker.fingerprint) if where.cache else None
    if snapshot is None:
        return _from_nothing(where, maker, files)
    if snapshot.rows.tree == files.tree:
        return View(snapshot, (), frozenset(), files, maker.fingerprint)
    return _caught_up(where, maker, files, snapshot, held)


def _from_nothing(where: Place, maker: Maker, files: side.Files) -> View:
    documents = _documents(where, maker, files.digests())
    if where.cache:
        snapshot = snapshots.build(where.cache, maker.fingerprint, documents)
        if snapshot:
            return View(snapshot, (), frozenset(), files, maker.fingerprint)
    return View(None, documents, frozenset(), files, maker.fingerprint)


def _caught_up(where: Place, maker: Maker, files: side.Files, old: Snapshot, held: View | None) -> View:
    differing = _differing(files, old.rows)
    gone = {path for path, digest in differing.items() if not digest and not _unread(path, files)}
    changed = sorted(path for path, digest in differing.items() if digest)
    shadow = frozenset(gone.union(path for path in changed if old.rows.digest(path)))
    many = len(changed) + len(gone) > OVERLAID
    if many and where.cache and not files.unread and not files.unreadable and snapshots.is_worn(old, shadow):
        return _from_nothing(where, maker, files)
    over = {document.record.path: document for document in held.layers()[2]} if held else {}
    kept = [over[path] for path in changed if path in over and over[path].digest == differing[path]]
    known = {document.record.path for document in kept}
    documents = kept + _documents(where, maker, (path for path in changed if path not in known))
    documents.sort(key=lambda document: document.record.path)
    if many and where.cache:
        snapshot = snapshots.extend(where.cache, maker.fingerprint, old, documents, shadow)
        if snapshot:
            return View(snapshot, (), frozenset(), files, maker.fingerprint)
    return View(old, documents, shadow, files, maker.fingerprint)


def _differing(files: side.Files, rows: Rows) -> dict[str, str]:
    """Returns what differs from a snapshot's rows: by path the digest now, empty where it is gone."""
    if files.since == rows.tree:  # then what was looked at again is all that can differ: no note else is touched
        return {path: digest for path, digest in files.differing.items() if digest != rows.digest(path)}
    before, here = rows.digests(), files.digests()
    return dict.fromkeys(before.keys() - here.keys(), "") | dict(here.items() - before.items())


def _unread(path: str, files: side.Files) -> bool:
    """Returns whether a path is only missing because it, or a folder above it, cannot be read now."""
    return path in files.unread or any(path.startswith(prefix) for prefix in files.unreadable)


def _documents(where: Place, maker: Maker, paths: Iterable[str]) -> list[Document]:
    """Returns the documents of the files that are still there."""
    texts = []
    for path in paths:
        try:
            texts.append((path, disk.read(os.path.join(where.folder, path))))
        except OSError:
            continue
    return maker.documents(texts)
