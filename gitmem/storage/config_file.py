"""A repository's own config file, read without git, for what decides whether its other files can be read so."""

import os
from collections.abc import Iterator

from gitmem.storage.git import Repository


def options(repository: Repository) -> Iterator[tuple[str, str, str]]:
    """Yields (section, key, value), section and key in lower case, as they stand; nothing where the file cannot be read.

    A section's own name stands in quotes behind it. What the file includes is not followed.
    """
    try:
        with open(os.path.join(repository.common_dir, "config"), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError:
        return
    section = ""
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("["):
            section, _, word = word[1:].partition("]")
        key, _, value = word.partition("=")
        if key.strip() and not key.strip().startswith(("#", ";")):
            yield section.strip().lower(), key.strip().lower(), value.strip()
