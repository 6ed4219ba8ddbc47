"""What a module says of itself is no definition."""

import os

LIMIT: int = 8


# Saves notes.
# In two lines.
@dataclass
class Store(Base):
    path: str = ""

    # Writes one.
    @retried(times=3)
    @traced
    async def save(self, note):
        """Returns whether it was written."""
        local = 1

        def inner():
            return local

        return inner()
        # what ends a body

    class Inner:
        def save(self): ...

    @overload
    def load(self, path: str) -> str: ...
    @overload
    def load(self, path: bytes) -> bytes: ...
    def load(self, path):
        return path


# far away, and so about nothing below

def top(): return 1
if os.name == "nt":
    def chosen(): return 1
else:
    def chosen(): return 2
shout = lambda text: text.upper()
