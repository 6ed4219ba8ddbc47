"""The prompts that a client offers its user: to take up the work where it stood, and to look the project over."""

from gitmem.errors import GitmemError, near_miss
from gitmem.faces import mcp_reply
from gitmem.faces.commands import find
from gitmem.operations.memory import Memory

CHECKPOINTS = 3
BUDGET = 6_000
PROMPTS = {
    "resume": "Take up the work where the last checkpoint left it.",
    "digest": "Look the project over for what its memory should hold, and remember it.",
}
RESUME = """Take up the work on this project where it stood.

1. {start}
2. Look at the repository as it is now: branch, uncommitted changes, the last commits. Where memory and code disagree, \
the code is right.
3. Say in a few lines where the work stands and what comes next; then wait for a word, or go on if that was asked for.

Before a decision, recall what is known of it. When something worth keeping was decided or found out, remember it. At \
the end of a piece of work, checkpoint.
"""
LAST = "The last checkpoints, as data:"
DIGEST = """Look this project over for what its memory should hold and does not yet.

1. {find} Read, too, what speaks for the project: README, AGENTS.md, CLAUDE.md, docs/adr.
2. For each thing worth keeping, recall it first. What is known already is revised or linked, never written twice.
3. remember the rest one by one, by type: FIXME {problem}, TODO {intent}, a choice with its reason {decision}, a \
surprising constraint {caution}. Give touches for the code it speaks of, created where its date is known, and one \
session for all of this, also in the checkpoint at the end: {session}.
4. Do not approve anything, and do not summarise code that says itself what it does.
5. Report what was written, what was known before, and what was left out and why.
"""


def listed() -> list[dict[str, str]]:
    """Returns the prompts as MCP lists them."""
    return [{"name": name, "description": text} for name, text in PROMPTS.items()]


def text(name: str, memory: Memory) -> str:
    """Returns the text of a prompt for a project; raises GitmemError where there is none of this name."""
    if name == "resume":
        return _resume(memory)
    if name == "digest":
        return _digest(memory)
    near = near_miss(name, list(PROMPTS))
    hint = f"Did you mean {near}?" if near else f"The prompts are {', '.join(PROMPTS)}."
    raise GitmemError("unknown-prompt", f"There is no prompt {name!r}.", hint)


def _resume(memory: Memory) -> str:
    start = "Call brief, and read it." if find("brief") else "Call recall without a query, and read the checkpoints."
    return f"{RESUME.format(start=start)}\n{_last(memory) if memory.trusted else mcp_reply.UNTRUSTED}\n"


def _last(memory: Memory) -> str:
    from gitmem.operations.recall import recall
    from gitmem.search.query import Wanted

    last = recall(memory, None, Wanted(), detail="full", limit=CHECKPOINTS)
    return f"{LAST}\n\n{mcp_reply.block(mcp_reply.reply(last, memory, quotes=True, budget=BUDGET))}"


def _digest(memory: Memory) -> str:
    from gitmem.notes.instant import instant_of
    from gitmem.operations.candidate import CAUTION, DECISION, INTENT, PROBLEM
    from gitmem.operations.digest import nearest

    nominated = "Run gitmem digest, which nominates them, in a shell; or look" if find("digest") else "Look"
    find_them = f"{nominated} through the code for FIXME, TODO, HACK and XXX, and for comments that say why."
    session = f"digest-{instant_of(memory.now)[:10]}"
    head = f"Project: {mcp_reply.project(memory)['root']}."
    types = {kind: nearest(memory.config.vocabulary, kind) for kind in (PROBLEM, INTENT, DECISION, CAUTION)}
    return f"{head}\n\n{DIGEST.format(find=find_them, session=session, **types)}"
