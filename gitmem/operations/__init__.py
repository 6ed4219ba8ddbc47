"""Floor five: one verb, one place."""
