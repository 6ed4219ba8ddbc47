"""The whole story as a team lives it: two agents over MCP, two clones, one remote, and a person who merges."""

import json
from pathlib import Path
from typing import Any

import anyio
from conftest import Project, run, told
from mcp import Client
from served import client, document, done

BUDGET = 2_850
POLICY = '\n[guard]\nrequired = true\n\n[review]\nbranch = "main"\n'
CODE = "def charge(card, cents):\n    return gateway.send(card, cents)\n"
NEWER = "def charge(card, cents, key):\n    return gateway.send(card, cents, key)\n"
NOTES: tuple[dict[str, Any], ...] = (
    {"title": "No customer pays twice", "type": "principle", "body": "Trust is gone after one double charge."},
    {
        "title": "Charge through one function",
        "type": "caution",
        "body": "Whatever sends money without it is not in the journal.",
        "touches": ["pay.py::charge"],
        "links": ["because=no-customer-pays-twice"],
    },
    {
        "title": "Retry a charge after a timeout",
        "type": "decision",
        "body": "The gateway loses one answer in a thousand.",
        "created": "2026-05-01",
    },
    {
        "title": "Ask a person after a timeout",
        "type": "decision",
        "body": "The lost answer may have been a yes.",
        "links": ["because=no-customer-pays-twice", "conflicts-with=retry-a-charge-after-a-timeout"],
    },
    {
        "title": "The gateway cannot be asked what it did",
        "type": "problem",
        "touches": ["pay.py"],
        "links": ["needs=ask-a-person-after-a-timeout"],
    },
)
# What the second session's brief has to say, in this order.
TOLD = (
    *("Repository now\n> branch keys · at ", "> 1 commit since the last checkpoint · Charge with a key\n"),
    *("> 1 file differs since then · pay.py\n", "1 note drifted: gitmem drift\n", "\nLast checkpoint\n"),
    *("-timeouts-are-thought-through · unreviewed · ", "> next: Write the journal\n", "\nContradictions\n"),
    *("> ask-a-person-after-a-timeout · contested, unreviewed · ", "> retry-a-charge-after-a-timeout · contested, "),
    *(
        "\nOn files that changed\n> charge-through-one-function · drifted, unreviewed · ",
        "\nPrinciple\n",
        "\nhandle: gm-",
    ),
)


class Writer:
    """An agent that writes each time with the handle that it was given last."""

    def __init__(self, agent: Client) -> None:
        self.agent = agent
        self.handle = ""

    async def brief(self, **given: Any) -> dict[str, Any]:
        """Returns a brief; its handle is the next one to write with."""
        reply = await done(self.agent, "brief", **given)
        self.handle = reply["handle"]
        return reply

    async def write(self, tool: str, **given: Any) -> dict[str, Any]:
        """Returns what a tool that writes answers."""
        reply = await done(self.agent, tool, handle=self.handle, **given)
        self.handle = reply["handle"]
        return reply

    async def standing(self, query: str) -> tuple[str, str]:
        """Returns name and standing of the best note on a query."""
        best = (await done(self.agent, "recall", query=query))["hits"][0]
        return best["name"], best["standing"]


def remote(tmp_path: Path) -> Path:
    """Returns a bare repository, whose main has code and a memory that asks for handles and approves by merging."""
    made = tmp_path / "pay.git"
    desk = Project(tmp_path / "desk")
    desk.root.mkdir()
    desk.git("init", "-q", "--bare", "-b", "main", str(made))
    desk.git("clone", "-q", str(made), ".")
    desk.git("switch", "-qc", "main")
    (desk.root / "pay.py").write_text(CODE)
    assert run(desk.root, "init").returncode == 0
    with open(desk.notes / "config.toml", "a") as config:
        config.write(POLICY)
    committed(desk, "Begin")
    desk.git("push", "-q", "origin", "main")
    return made


def clone(source: Path, name: str, branch: str) -> Project:
    """Returns a fresh clone on a branch, with its user's identity, and that user's trust."""
    made = Project(source.parent / name)
    made.root.mkdir()
    made.git("clone", "-q", "--branch", branch, str(source), ".")
    made.git("config", "user.name", name.capitalize())
    made.git("config", "user.email", f"{name}@example.org")
    assert told(run(made.root, "brief", "--json"))["sections"] == []
    assert run(made.root, "trust").returncode == 0
    return made


def committed(project: Project, title: str) -> None:
    project.git("add", ".")
    project.git("commit", "-qm", title)


def code_changes(source: Path) -> None:
    """Lets a colleague change the code on a branch of their own, which begins where the first agent's ends."""
    colleague = clone(source, "colleague", "timeouts")
    colleague.git("switch", "-qc", "keys")
    (colleague.root / "pay.py").write_text(NEWER)
    committed(colleague, "Charge with a key")
    colleague.git("push", "-q", "origin", "keys")


def person_merges(source: Path) -> None:
    """Lets a person merge both branches, each of which holds what an agent wrote."""
    reviewer = clone(source, "reviewer", "main")
    reviewer.git("merge", "-q", "--no-ff", "-m", "Take the timeouts", "origin/timeouts")
    reviewer.git("merge", "-q", "--no-ff", "-m", "Take the keys", "origin/keyed")
    reviewer.git("push", "-q", "origin", "main")


def in_order(text: str, parts: tuple[str, ...]) -> bool:
    """Returns whether a text has all these parts, one after the other; names the first that it lacks."""
    at = 0
    for part in parts:
        assert part in text[at:], f"{part!r} is missing, or too early, in\n{text}"
        at = text.index(part, at) + len(part)
    return True


async def remembers(writer: Writer, project: Project) -> None:
    """Lets the first agent write five notes and a checkpoint, and its user push them."""
    await writer.brief()
    for note in NOTES:
        reply = await writer.write("remember", **note)
        assert not reply["duplicates"] and not reply["unresolved"]
    saved = await writer.write("checkpoint", title="Timeouts are thought through", next=["Write the journal"])
    assert len(saved["notes"]) == len(NOTES) and saved["left"] == []
    project.git("push", "-q", "origin", "timeouts")


async def second_session(project: Project) -> dict[str, Any]:
    """Returns what the second agent is told, by step; between two of them its user switches branches."""
    async with client(project.root) as agent:
        writer = Writer(agent)
        steps = {"brief": await writer.brief(budget=BUDGET)}
        project.git("switch", "-qc", "keyed")
        note = {
            "title": "A key makes a retry harmless",
            "type": "insight",
            "links": ["builds-on=charge-through-one-function"],
        }
        refused = await agent.call_tool("remember", {**note, "handle": writer.handle})
        steps["refused"] = document(refused)["error"] | {"is_error": refused.is_error}
        await writer.brief()
        steps["accepted"] = await writer.write("remember", **note)
        await writer.write("checkpoint", title="Keys are in")
    project.git("push", "-q", "origin", "keyed")
    return steps


def test_two_agents_two_clones_and_a_person_who_merges(tmp_path: Path) -> None:
    source = remote(tmp_path)
    first = clone(source, "first", "main")
    first.git("switch", "-qc", "timeouts")

    async def story() -> tuple[dict[str, Any], tuple[str, str], tuple[str, str]]:
        async with client(first.root) as agent:
            writer = Writer(agent)
            await remembers(writer, first)
            code_changes(source)
            steps = await second_session(clone(source, "second", "keys"))
            before = await writer.standing("charge through one function")
            person_merges(source)
            first.git("fetch", "-q")
            return steps, before, await writer.standing("charge through one function")

    steps, before, after = anyio.run(story)

    assert in_order(steps["brief"]["text"], TOLD) and len(json.dumps(steps["brief"], ensure_ascii=False)) <= BUDGET
    assert steps["refused"]["is_error"] and steps["refused"]["code"] == "stale-handle"
    assert "The handle is of another branch; this is keyed." in steps["refused"]["message"]
    assert (steps["accepted"]["name"], steps["accepted"]["created"]) == ("a-key-makes-a-retry-harmless", True)
    assert before == ("charge-through-one-function", "unreviewed")
    assert after == ("charge-through-one-function", "approved")
