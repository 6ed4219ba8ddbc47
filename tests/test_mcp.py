"""The MCP server as a process: what goes over the wire in both eras of the protocol, and how it begins and ends."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from conftest import SOURCE, Project, command, environment, new_project, run
from mcp import Client
from served import ERAS, NAME, Wire, client, document, done, talk

PROMISED = 1.0  # seconds from the end of standard input to that of the process
NOISE = """
import builtins, os

def noisy(name, *rest, real=builtins.__import__, **more):
    if name.split(".")[0] in ("anyio", "tantivy", "dulwich", "msgspec"):
        print("noise of a library", flush=True)
        os.write(1, b"noise of native code\\n")
    return real(name, *rest, **more)

builtins.__import__ = noisy
"""
# Starts a server, says its number, and never looks at it again.
PARENT = """
import subprocess, sys, time
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(server.stdout.readline() if server.stdin.write(sys.stdin.buffer.read()) and not server.stdin.flush() else "", flush=True)
time.sleep(600)
"""


@pytest.fixture
def own(project: Project) -> Project:
    """Returns a project that somebody vouches for, with an identity to commit by."""
    for key, value in (("gitmem.trusted", "true"), ("user.name", "T"), ("user.email", "t@example.org")):
        project.git("config", key, value)
    return project


def hook(project: Project, script: str) -> None:
    """Makes a script the project's pre-commit hook."""
    path = project.root / ".git" / "hooks" / "pre-commit"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_works_through_the_official_client(own: Project, era: str) -> None:
    async def works(agent: Client) -> None:
        listed = json.loads((Path(__file__).parent / "data" / "golden" / "mcp_tools.json").read_text())["tools"]
        said = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await agent.list_tools()).tools]
        assert said == listed

        await done(agent, "remember", title="Plain files", type="decision", body="They merge.")
        found = await done(agent, "recall", query="plain files")
        assert [(hit["name"], hit["agent"]) for hit in found["hits"]] == [("plain-files", NAME)]
        assert (await done(agent, "checkpoint", title="Half done"))["notes"] == ["plain-files"]

        wrong = await agent.call_tool("recall", {"querry": "x"})
        assert wrong.is_error and document(wrong)["error"]["hint"] == "Did you mean query?"
        absent = await agent.call_tool("recal", {})
        assert absent.is_error and document(absent)["error"]["hint"] == "Did you mean recall?"

        addresses = [str(each.uri) for each in (await agent.list_resources()).resources]
        assert "gitmem://note/plain-files" in addresses
        assert "They merge." in (await agent.read_resource("gitmem://note/plain-files")).contents[0].text  # type: ignore[union-attr]
        templates = (await agent.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["gitmem://note/{name}"]
        with pytest.raises(Exception, match="No note is named 'plain-file'"):
            await agent.read_resource("gitmem://note/plain-file")

        assert [each.name for each in (await agent.list_prompts()).prompts] == ["resume", "digest"]
        assert "Half done" in (await agent.get_prompt("resume")).messages[0].content.text  # type: ignore[union-attr]

    talk(own.root, works, mode=era)


@pytest.mark.parametrize("era", ERAS)
def test_the_clients_roots_outweigh_the_working_directory(own: Project, tmp_path: Path, era: str) -> None:
    elsewhere = new_project(tmp_path / "elsewhere")

    async def writes(agent: Client) -> dict[str, Any]:
        return await done(agent, "remember", title="Here", type="decision")

    told = talk(elsewhere.root, writes, mode=era, roots=(own.root / ".git",))
    chosen = talk(elsewhere.root, writes, mode=era, roots=(elsewhere.root,), words=("--root", str(own.root)))

    assert told["project"]["root"] == chosen["project"]["root"] == str(own.root)
    assert [note["name"] for note in chosen["duplicates"]] == ["here"]
    assert not list(elsewhere.notes.rglob("*.md"))


def test_case_81_standard_output_carries_the_protocol_whatever_prints(own: Project, tmp_path: Path) -> None:
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "sitecustomize.py").write_text(NOISE)
    hook(own, "echo noise of a hook; echo more >&2; cat")

    wire = Wire(own.root, PYTHONWARNINGS="default", PYTHONPATH=f"{tmp_path / 'noise'}{os.pathsep}{SOURCE}")
    wire.call("remember", title="Plain files", type="decision")
    wire.call("recall", query="plain")
    assert wire.call("checkpoint", title="Half done")["commit"]
    out, err = wire.process.communicate(timeout=60)

    assert out == ""
    assert [json.loads(line)["jsonrpc"] for line in wire.lines] == ["2.0"] * 4
    assert "noise of a library" in err and "noise of native code" in err


def test_case_84_the_server_ends_when_its_input_does(own: Project) -> None:
    wire = Wire(own.root)
    wire.call("recall", query="x")

    start = time.monotonic()
    wire.process.stdin.close()  # type: ignore[union-attr]
    status = wire.process.wait(60)

    assert (status, time.monotonic() - start < PROMISED) == (0, True)


def test_case_84_a_call_in_flight_does_not_hold_the_server(own: Project, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    os.mkfifo(tmp_path / "there")
    hook(own, f"echo > '{tmp_path}/there'; read word < '{tmp_path}/gate'")
    wire = Wire(own.root)
    given = {"name": "checkpoint", "arguments": {"title": "Half done"}}
    wire.send({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": given})
    (tmp_path / "there").read_text()

    start = time.monotonic()
    wire.process.stdin.close()  # type: ignore[union-attr]
    status = wire.process.wait(60)
    taken = time.monotonic() - start

    (tmp_path / "gate").write_text("go\n")
    (own.root / ".git" / "hooks" / "pre-commit").unlink()
    assert (status, taken < PROMISED) == (0, True)
    assert json.loads(run(own.root, "checkpoint", "Half done", "--json").stdout)["commit"]


def test_case_84_the_server_does_not_outlive_a_killed_client(own: Project) -> None:
    wire = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": NAME, "version": "1"}}
    first = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": wire}) + "\n"
    reading, writing = os.pipe()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *command("mcp")],
        cwd=own.root,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=writing,
    )
    os.close(writing)
    parent.stdin.write(first.encode())  # type: ignore[union-attr]
    parent.stdin.close()  # type: ignore[union-attr]
    assert b"serverInfo" in parent.stdout.readline()  # type: ignore[union-attr]

    start = time.monotonic()
    parent.send_signal(signal.SIGKILL)
    with open(reading, "rb") as errors:  # it ends when the last process that could write to it has
        said = errors.read()

    assert (said, time.monotonic() - start < PROMISED) == (b"", True)
    parent.wait(60)


def test_long_work_gives_signs_of_life(own: Project, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    hook(own, f"read word < '{tmp_path}/gate'")
    seen: list[tuple[float, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, message))
        if len(seen) == 2:
            await asyncio.to_thread((tmp_path / "gate").write_text, "go\n")

    async def works(agent: Client) -> bool:
        asked = {"title": "Half done"}
        return (await agent.call_tool("checkpoint", asked, progress_callback=progress)).is_error or False

    assert talk(own.root, works) is False
    assert [message for _, message in seen[:2]] == ["checkpoint: 0.5 s", "checkpoint: 1 s"]
    assert seen == sorted(seen)


# Several at once


async def mixed(agent: Client, who: str, count: int) -> list[str]:
    """Writes, links, revises, recalls and commits in turn; returns the names of what was written."""
    names: list[str] = []
    for number in range(count):
        match number % 5:
            case 0:
                title = f"Quokka {who} of litter {number}"
                names.append((await done(agent, "remember", title=title, type="insight", body="It digs."))["name"])
            case 1:
                digest = (await done(agent, "show", name=names[-1]))["digest"]
                await done(agent, "revise", name=names[-1], add_tags=["seen"], expect=digest)
            case 2:
                await done(agent, "link", **{"from": names[-1], "verb": "builds-on", "to": "first"})
            case 3:
                hits = (await done(agent, "recall", query=f"quokka {who}", limit=100))["hits"]
                assert set(names) <= {hit["name"] for hit in hits}
            case _:
                await done(agent, "checkpoint", title=f"Litter {number} of {who}")
    return names


def by_hand(project: Project, count: int) -> Iterator[str]:
    """Yields the names of the notes that commands write meanwhile."""
    for number in range(count):
        words = ("remember", f"Quokka by hand {number}", "--type", "insight", "--json")
        yield json.loads(run(project.root, *words).stdout)["name"]


@pytest.mark.parametrize("servers, each", [(2, 10), pytest.param(4, 40, marks=pytest.mark.full)])
def test_case_87_servers_and_commands_on_one_store_lose_nothing(own: Project, servers: int, each: int) -> None:
    own.note("first")
    written: list[str] = []

    async def one(who: str) -> None:
        async with client(own.root) as agent:
            written.extend(await mixed(agent, who, each))

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for number in range(servers):
                group.start_soon(one, f"w{number}")
            written.extend(await asyncio.to_thread(lambda: list(by_hand(own, each))))

    anyio.run(all_of_them)

    assert len(set(written)) == len(written) == servers * len(range(0, each, 5)) + each
    assert set(written) <= set(own.names("quokka", limit=0))
    revised = [path.stem for path in own.notes.glob("insight/*.md") if "tags: [seen]" in path.read_text()]
    assert sorted(revised) == sorted(name for name in written if "by-hand" not in name)
    assert run(own.root, "checkpoint", "All", "--json").returncode == 0
    own.git("fsck", "--strict")
    assert own.git("status", "--porcelain", "--", ".memory/insight") == ""


def test_without_the_sdk_a_sentence_says_how_to_get_it(own: Project, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "mcp_types.py").write_text("raise ImportError(__name__)\n")

    done = run(own.root, "mcp", extra={"PYTHONPATH": f"{tmp_path / 'none'}{os.pathsep}{SOURCE}"})

    assert (done.returncode, done.stdout) == (3, "")
    assert "pip install 'gitmem-notes[mcp]'" in done.stderr


def test_a_root_that_is_no_folder_is_refused(own: Project) -> None:
    done = run(own.root, "mcp", "--root", "nowhere")

    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere is not a folder" in done.stderr


@pytest.mark.parametrize("name", ["in", "out"])
def test_a_server_that_nobody_can_speak_with_says_so(own: Project, name: str) -> None:
    closed = {"in": "<&-", "out": ">&-"}[name]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *command("mcp")]

    done = subprocess.run(shell, check=False, cwd=own.root, env=environment(), capture_output=True, text=True, input="")

    assert done.returncode == 3 and "one is closed" in done.stderr and "Traceback" not in done.stderr


def test_half_a_character_is_no_request_without_an_answer(own: Project) -> None:
    wire = Wire(own.root)

    told = wire.call(
        "remember", title="Cut \ud83d", type="decision", body="kept \U0001f680, lost \udfff, written \\ud800"
    )
    wire.call("rem\ud800", **{"tit\udc00le": "x"})
    body = wire.call("show", name=told["name"])["body"]
    wire.process.communicate(timeout=60)

    assert told["created"] and body == "kept \U0001f680, lost \ufffd, written \\ud800"


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("garbage", None),
        ("{}", None),
        ("[" * 100_000, None),
        ('{"jsonrpc": "2.0", "id": 7}', 7),
        ('{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": [1]}', "a"),
        ('{"jsonrpc": "2.0", "id": true, "method": 1}', None),
    ],
)
def test_a_line_that_is_no_message_is_answered(own: Project, line: str, id: str | int | None) -> None:
    wire = Wire(own.root)

    wire.process.stdin.write(f"{line}\n")  # type: ignore[union-attr]
    wire.process.stdin.flush()  # type: ignore[union-attr]
    told = json.loads(wire.process.stdout.readline())  # type: ignore[union-attr]
    after = json.loads(wire.ask("ping", {}))
    wire.process.communicate(timeout=60)

    assert told["error"]["code"] == -32600 and told["id"] == id
    assert after["result"] == {}


def test_case_84_an_endless_regular_expression_holds_neither_the_server_nor_its_end(own: Project) -> None:
    own.note("long", "a" * 60 + "!")
    wire = Wire(own.root)

    told = wire.call("search", text="(a+)+$", regex=True)
    found = wire.call("search", text="a{60}!", regex=True)
    wire.send(
        {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"text": "(a+)+$", "regex": True}},
        }
    )
    wire.send({"jsonrpc": "2.0", "id": 8, "method": "ping"})
    pong = json.loads(wire.process.stdout.readline())  # type: ignore[union-attr]
    start = time.monotonic()
    wire.process.stdin.close()  # type: ignore[union-attr]
    status = wire.process.wait(60)

    assert told["error"]["code"] == "slow-regex" and "(a+)+" in told["error"]["message"]
    assert found["total"] == 1 and pong["id"] == 8
    assert (status, time.monotonic() - start < PROMISED) == (0, True)
