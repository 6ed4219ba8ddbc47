"""The ref: HEAD held at the commit that it names while the index changes, then moved, or let go as it was."""

from collections.abc import Mapping
from types import TracebackType

from gitmem.storage.git import Output, Repository
from gitmem.storage.plumbing import Batch
from gitmem.values import Self


class Held:
    """HEAD under git's own lock, so that nobody commits meanwhile; a context manager that lets it go.

    Git lets it go, too, where this process is killed: the other end of its input is closed then.
    """

    def __init__(self, repository: Repository, message: str, *, environment: Mapping[str, str]) -> None:
        # Errors go where answers go: both come in their order, and what a hook of the repository prints is told.
        self.batch = Batch(repository.top, ["update-ref", "-m", message, "--stdin"], environment=environment, errors=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.batch.__exit__(kind, error, trace)

    def hold(self, commit: str, old: str) -> Output:
        """Returns status 0 once HEAD is locked at `old`, ready to become `commit`; else why it cannot be."""
        return self._asked(f"start\nupdate HEAD {commit} {old}\nprepare\n", b"prepare: ok")

    def move(self) -> Output:
        """Returns status 0 once HEAD is the new commit; else why it is not."""
        return self._asked("commit\n", b"commit: ok")

    def end(self) -> None:
        """Waits until HEAD is let go, moved or not."""
        self.batch.close()

    def _asked(self, words: str, answer: bytes) -> Output:
        self.batch.say(words.encode())
        said = []
        for row in iter(self.batch.out.readline, b""):
            line = row.rstrip(b"\n")
            if line == answer:
                return Output(0, b"", b"")
            said += [] if line == b"start: ok" else [line.removeprefix(b"fatal: ")]
        return Output(1, b"", b"\n".join(said))
