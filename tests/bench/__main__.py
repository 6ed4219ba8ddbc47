"""`python -m tests.bench [speed|retrieval] [--notes N …] [--sets FOLDER]` measures, and prints tables; both without a word."""

import argparse
import os

from tests.bench import retrieval, speed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measures what gitmem costs and finds.")
    parser.add_argument("what", nargs="?", choices=("speed", "retrieval"), help="one of the two; both by default")
    parser.add_argument("--notes", nargs="+", type=int, default=[1000, 10000], help="sizes of the projects to time")
    parser.add_argument(
        "--sets", default=os.path.join(ROOT, "..", "shared", "bench"), help="folder of the retrieval sets"
    )
    asked = parser.parse_args()
    if asked.what != "retrieval":
        speed.main(asked.notes)
    if asked.what != "speed":
        retrieval.main(os.path.abspath(asked.sets))


if __name__ == "__main__":
    main()
