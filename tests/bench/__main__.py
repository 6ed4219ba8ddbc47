"""`python -m tests.bench [speed|mcp|retrieval|anchors|questions|verdicts] [--notes N …] [--sets FOLDER]` measures, and prints tables; all without a word."""

import argparse
import os

from tests.bench import grading, questions, retrieval, served, speed, verdicts

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measures what gitmem costs and finds.")
    parser.add_argument(
        "what",
        nargs="?",
        choices=("speed", "mcp", "retrieval", "anchors", "questions", "verdicts"),
        help="one of them; all by default",
    )
    parser.add_argument("--notes", nargs="+", type=int, default=[1000, 10000], help="sizes of the projects to time")
    parser.add_argument(
        "--sets", default=os.path.join(ROOT, "..", "shared", "bench"), help="folder of the retrieval sets"
    )
    parser.add_argument("--half", nargs="+", type=int, default=[0, 1], help="halves of the questions to report")
    asked = parser.parse_args()
    if asked.what in (None, "speed"):
        speed.main(asked.notes)
    if asked.what in (None, "mcp"):
        served.main(asked.notes)
    if asked.what in (None, "anchors"):
        grading.main()
    if asked.what in (None, "questions"):
        questions.main(asked.half)
    if asked.what in (None, "verdicts"):
        verdicts.main()
    if asked.what in (None, "retrieval"):
        retrieval.main(os.path.abspath(asked.sets))


if __name__ == "__main__":
    main()
