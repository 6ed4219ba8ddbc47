"""Reasons: what commits say of why they were made, and what was tried and taken back."""

import re
from collections.abc import Iterator, Sequence

from gitmem.notes.instant import instant_of
from gitmem.operations.candidate import CAUTION, DECISION, Candidate, fitting, one_line, touchable
from gitmem.operations.sources import Sources
from gitmem.storage.messages import Message, messages

REVERT, COMMIT = "REVERT", "COMMIT"
LOOKED = 2_000  # commits before HEAD
MOST = 100  # that give a reason, the newest: a digest is read by somebody
TOUCHES, WIDE = 5, 12  # files that are told; a commit of more than so many is about none of them
LONG = 2_000  # characters of a subject that are looked at
SHORTEST = 40  # characters of a body that can hold a reason
_REVERTS = r"This reverts commits?[ \n]+([0-9a-f]{7,64})\b[^\n]*(?:\n(?!\n)[^\n]*)*"
_SUBJECT = r'(?:Revert|Reverts|Back out|Rollback)[ :]+"?(.+?)"?$'
_REASON = (
    r"\b(?:because|instead of|rather than|so that|in order to|to avoid|to prevent|to keep|due to|the reason|otherwise"
    r"|as opposed to|trade-?offs?|we (?:chose|decided|need|want|prefer))\b"
)
_TYPE = r"(?:feat|fix|refactor|perf|docs?|chore|build|ci|tests?|style|revert)(?:\([^)]*\))?!?:[ ]*"
_TRAILER = r"(?:[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+|Fixes|Closes|Refs|See|Cc|Link|Bug|Issue|PR)[ ]?[:=#].*|\(cherry picked from .*\)"
_BOT = (
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|pyup-bot|snyk-bot|mergify|semantic-release-bot|pre-commit-ci"
    r"|github-actions|allcontributors|weblate|imgbot|codecov-io)\b|-bot@"
)


def candidates(sources: Sources) -> Iterator[Candidate]:
    """Yields what was taken back, a caution each, then the commits that give a reason, a decision each; newest first.

    Merges, bots, checkpoints of a memory, and what was taken back are no decisions.
    """
    repository, environment = sources.memory.repository, sources.memory.environment
    if repository is None:
        return
    read = messages(repository, LOOKED, environment=environment)
    own = [each for each in read if not _is_bot(each) and "\nMemory-Checkpoint:" not in f"\n{each.body}"]
    reverts = [(each, match[1]) for each in own if (match := re.search(_REVERTS, each.body))]
    ids = [each.id for each in read]
    taken = {_whole(id, ids) for _, id in reverts}
    for commit, id in reverts:
        if commit.id not in taken and not _is_revert(_whole(id, ids), reverts):
            yield _reverted(sources, commit, next((each for each in read if each.id == _whole(id, ids)), None), id)
    plain = (each for each in own if each.id not in taken and not _is_revert(each.id, reverts))
    reasoned = [each for each in plain if _has_reason(_prose(each.body))]
    for commit in reasoned[:MOST]:
        yield _decided(sources, commit)


def _whole(id: str, ids: Sequence[str]) -> str:
    """Returns the whole id of a commit that is known, else the id as it is given."""
    return next((each for each in ids if each.startswith(id)), id)


def _is_revert(id: str, reverts: Sequence[tuple[Message, str]]) -> bool:
    return any(each.id == id for each, _ in reverts)


def _is_bot(commit: Message) -> bool:
    return re.search(_BOT, f"{commit.author} {commit.email}", re.IGNORECASE) is not None


def _prose(body: str) -> str:
    """Returns a body without the trailers at its end."""
    parts = re.split(r"\n[ \t]*\n", body.strip())
    while parts and all(re.fullmatch(_TRAILER, row.strip()) for row in parts[-1].strip().split("\n")):
        parts.pop()
    return "\n\n".join(parts).strip()


def _has_reason(text: str) -> bool:
    return len(text) >= SHORTEST and re.search(_REASON, text, re.IGNORECASE) is not None


def _subject(text: str) -> str:
    bare = re.sub(f"^{_TYPE}", "", text[:LONG], flags=re.IGNORECASE)
    return one_line(re.sub(r"[ ]*\((?:#|!)\d+\)$", "", bare))


def _reverted(sources: Sources, commit: Message, old: Message | None, id: str) -> Candidate:
    match = re.match(_SUBJECT, re.sub(f"^{_TYPE}", "", commit.subject[:LONG], flags=re.IGNORECASE), re.IGNORECASE)
    what = _subject(old.subject if old else match[1] if match else commit.subject)
    why = _prose(re.sub(_REVERTS, "", commit.body)) or "The commit that took it back does not say why."
    place = f"Commit {commit.id[:12]} took back {id[:12]}."
    return _candidate(sources, commit, f"Taken back: {what}", CAUTION, REVERT, why, place)


def _decided(sources: Sources, commit: Message) -> Candidate:
    said = _subject(commit.subject)
    return _candidate(sources, commit, said, DECISION, COMMIT, _prose(commit.body), f"Commit {commit.id[:12]}.")


def _candidate(
    sources: Sources, commit: Message, title: str, kind: str, marker: str, text: str, place: str
) -> Candidate:
    there = [place for place in (sources.place(path) for path in commit.paths) if place and touchable(place)]
    limit = sources.memory.config.policy.body_limit - len(place) - 2
    return Candidate(
        one_line(title),
        kind,
        marker,
        f"{fitting(text, limit, 'The commit says more.')}\n\n{place}",
        touches=tuple(there[:TOUCHES]) if len(commit.paths) <= WIDE else (),
        created=instant_of(commit.date),
        label=commit.id[:12],
    )
