"""Agents for the tests of the MCP server: the SDK's own client over stdio, and one that writes lines by hand."""

import json
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import anyio
from conftest import command, environment
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, Implementation, ListRootsResult, Root

ERAS = ("legacy", "2026-07-28")
NAME = "claude-code"
Told = TypeVar("Told")


def talk(
    folder: Path,
    conversation: Callable[[Client], Awaitable[Told]],
    *,
    mode: str = "auto",
    words: tuple[str, ...] = (),
    roots: tuple[Path, ...] | None = None,
    extra: Mapping[str, str] | None = None,
) -> Told:
    """Returns what a conversation with a server that was started in a folder came to."""

    async def whole() -> Told:
        async with client(folder, mode=mode, words=words, roots=roots, extra=extra) as agent:
            return await conversation(agent)

    return anyio.run(whole)


def client(
    folder: Path,
    *,
    mode: str = "auto",
    words: tuple[str, ...] = (),
    roots: tuple[Path, ...] | None = None,
    extra: Mapping[str, str] | None = None,
) -> Client:
    """Returns a client of a server that is to be started in a folder."""
    program, *arguments = command("mcp", *words)
    server = StdioServerParameters(command=program, args=arguments, env=environment(**(extra or {})), cwd=folder)

    async def list_roots(context: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=root.as_uri()) for root in roots or ()])  # type: ignore[arg-type]

    return Client(
        server,
        mode=mode,
        client_info=Implementation(name=NAME, version="1"),
        list_roots_callback=None if roots is None else list_roots,
    )


def document(result: CallToolResult) -> dict[str, Any]:
    """Returns the one JSON document that a tool answered."""
    (block,) = result.content
    found: dict[str, Any] = json.loads(block.text)  # type: ignore[union-attr]
    return found


async def done(agent: Client, tool: str, **given: Any) -> dict[str, Any]:
    """Returns what a tool that was not refused answered."""
    result = await agent.call_tool(tool, given)
    assert not result.is_error, result.content
    return document(result)


class Wire:
    """A server as a process, spoken to in lines of JSON after the handshake."""

    def __init__(self, folder: Path, **extra: str) -> None:
        self.process = subprocess.Popen(
            command("mcp"),
            cwd=folder,
            env=environment(**extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        said = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": NAME, "version": "1"}}
        self.lines = [self.ask("initialize", said)]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        """Sends one message."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> str:
        """Returns the line that a request is answered with."""
        self.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        assert self.process.stdout
        return self.process.stdout.readline()

    def call(self, tool: str, **given: Any) -> dict[str, Any]:
        """Returns what a tool answers."""
        line = self.ask("tools/call", {"name": tool, "arguments": given})
        self.lines.append(line)
        found: dict[str, Any] = json.loads(json.loads(line)["result"]["content"][0]["text"])
        return found
