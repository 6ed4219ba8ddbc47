"""What an MCP server costs its client: its start beside the SDK's bare server, and a recall over the wire."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.bench import generate
from tests.bench.speed import SETTLING, Row, Target, environment, shown

STARTS = 7
WARM, COUNTED = 8, 48
PAUSE = 0.15  # seconds between two questions: an agent reads the answer first
BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("bare")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""
STARTED = Target("mcp: start, beside a bare server", "x", {1000: 1.5, 10000: 1.5})
RECALLED = Target("mcp: recall over the wire, p50", "ms", {1000: 15})


def rows(root: str, size: int) -> Sequence[Row]:
    """Returns the rows for a project that lies at `root` and was not changed for a while."""
    return anyio.run(_rows, root, size)


async def _rows(root: str, size: int) -> list[Row]:
    ours = _server("-m", "gitmem", "mcp", "--root", root)
    taken: dict[str, list[float]] = {"bare": [], "ours": []}
    for _ in range(STARTS):
        taken["bare"].append(await _start(_server("-c", BARE)))
        taken["ours"].append(await _start(ours))
    best, bare = min(taken["ours"]), min(taken["bare"])
    middle = statistics.median(taken["ours"]) / statistics.median(taken["bare"])
    seconds = [each * 1000 for each in await _recalls(ours)]
    half = statistics.median(seconds)
    worst = sorted(seconds)[len(seconds) * 9 // 10]
    return [
        Row(STARTED, size, best / bare, middle, f"{best * 1000:.0f} ms of {bare * 1000:.0f}, wall, to `initialize`"),
        Row(RECALLED, size, half, half, f"wall, {len(seconds)} questions, p90 {worst:.1f} ms"),
    ]


def _server(*words: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=list(words), env=environment())


async def _start(server: StdioServerParameters) -> float:
    start = time.perf_counter()
    async with Client(server, mode="legacy"):
        return time.perf_counter() - start


async def _recalls(server: StdioServerParameters) -> list[float]:
    taken = []
    async with Client(server) as client:
        for question in generate.questions(WARM + COUNTED):
            start = time.perf_counter()
            answer = await client.call_tool("recall", {"query": question})
            taken.append(time.perf_counter() - start)
            assert not answer.is_error, answer.content
            await anyio.sleep(PAUSE)
    return taken[WARM:]


def main(sizes: Sequence[int]) -> None:
    """Prints the rows for projects of these numbers of notes."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, "project")
            generate.project(root, size)
            time.sleep(SETTLING)
            for row in rows(root, size):
                print(shown(row), flush=True)
