"""Floor one: bytes and Git."""
