"""Floor four: finding notes."""
