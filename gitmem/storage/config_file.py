"""A repository's own config file, read without git, for what decides whether its other files can be read so."""

import os
import re
from collections.abc import Iterator

from gitmem.storage.git import Repository


def options(repository: Repository) -> Iterator[tuple[str, str, str]]:
    """Yields (section, key, value), section and key in lower case; nothing where the file cannot be read.

    The name that a section has besides is left out, as in `[remote "origin"]` or `[remote.origin]`, and what the file
    includes is not followed.
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
            head, _, word = word[1:].partition("]")
            section = re.split(r"[\s.]", head.strip())[0].lower()
        key, _, value = word.partition("=")
        if key.strip() and not key.strip().startswith(("#", ";")):
            yield section, key.strip().lower(), value.strip()
