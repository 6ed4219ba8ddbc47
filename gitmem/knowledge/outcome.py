"""Outcome: whether a claim says that things go well or that they go wrong."""

from collections.abc import Sequence

# Written from knowledge of the language, not from the pairs of notes that the comparison is measured on.
_WELL = """
safe safely secure securely correct correctly accurate accurately exact exactly complete completely available reliable
reliably robust stable consistent consistently coherent durable persistent atomic idempotent deterministic
reproducible identical unique ordered work works worked working succeed succeeds succeeded success pass passes passed
survive survives survived keep keeps kept retain retains retained preserve preserves preserved persist persists
persisted remain remains stay stays guarantee guarantees guaranteed ensure ensures support supports supported handle
handles handled tolerate tolerates tolerated accept accepts accepted allow allows allowed permit permits permitted
fine ok okay harmless benign valid healthy green clean compatible portable encrypted signed verified validated
protected isolated deduplicate deduplicates deduplicated recover recovers recovered restore restores restored honour
honours honor honors honoured respect respects respected obey obeys obeyed instant instantly fast quick cheap enough
sufficient suffices ready enabled effective resolved fixed finite bounded fresh current up-to-date live reachable
responsive seamless graceful gracefully transparent transparently covered tested documented free included present
shown visible cleared released cleans removes removed
"""
_WRONG = """
crash crashes crashed crashing corrupt corrupts corrupted corruption lose loses lost losing loss leak leaks leaked
leakage leaking fail fails failed failing failure failures break breaks broke broken error errors erroneous outage
outages unavailable downtime orphaned orphan orphans stale wrong wrongly missing miss misses missed drop drops dropped
die dies died kill kills killed stuck hang hangs hung freeze freezes froze frozen deadlock deadlocks race races racy
double doubled twice duplicate duplicates duplicated repeat repeats repeated random randomly flaky unstable slow
slowly slower stall stalls stalled starve starves starved unsafe insecure unencrypted plaintext readable exposed
ignore ignores ignored reject rejects rejected refuse refuses refused forbidden prohibited banned disallowed block
blocks blocked vanish vanishes vanished disappear disappears disappeared gone throw throws discard discards discarded
wipe wipes wiped overwrite overwrites overwritten cut cuts dead bad badly incorrect incorrectly incomplete
inconsistent unsupported incompatible unreachable collide collides collision collisions mismatch mismatches invalid
impossible unable bug bugs problem problems trouble hurt hurts unfortunately outdated expired truncated truncates
garbage noisy noise spike spikes overload overloaded exhausted exhausts leaky lag lags lagging delayed delay delays
late timeout timeouts 500 502 503 504 panic panics abort aborts aborted degrade degrades degraded regress regression
unusable useless ineffective conflict conflicts lack lacks lacking absent skipped skips skip disabled unprotected
untested undocumented unverified violate violates violated surprise surprising unexpected dangerous danger risk risky
harm harmful wasted waste leftover dangling lingering linger lingers
"""
_SCORES = dict.fromkeys(_WELL.split(), 1) | dict.fromkeys(_WRONG.split(), -1)
_DENIERS = frozenset(("not", "no", "never", "without", "nothing", "none", "cannot"))
_NEAR = 4  # words before one that can turn it round


def outcome(words: Sequence[str]) -> int:
    """Returns how much a clause, in words of small letters, says that things go well (above 0) or wrong (below)."""
    total = 0
    for at, word in enumerate(words):
        score = _SCORES.get(word, 0)
        if score:
            before = words[max(0, at - _NEAR) : at]
            turned = sum(each in _DENIERS or each.endswith("n't") for each in before) % 2
            total += -score if turned else score
    return total
