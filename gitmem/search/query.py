"""What a reader asks for beside words: the filters, applied before anything is ranked."""

from gitmem.values import NamedTuple

HIDDEN = ("superseded", "archived", "checkpoint")
TOMBSTONES = 2_000  # at most are looked through


class Wanted(NamedTuple):
    """Filters of a recall or a list; within one field any value will do, between fields all must hold.

    since and until are normalised instants (until is exclusive); where holds `key=value` of unknown fields; paths are
    those of the notes that have one of the standings, None until somebody has worked that out;
    include names what is otherwise left out: "superseded", "archived", "checkpoint".
    """

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()
    paths: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None
    include: tuple[str, ...] = ()


def is_filtered(wanted: Wanted) -> bool:
    """Returns whether any filter is set."""
    return any(wanted[:-1]) or wanted.paths is not None
