"""Floor two: text and values."""
