"""Floor three: what is derived from notes."""
