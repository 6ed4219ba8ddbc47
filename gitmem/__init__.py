"""A software project's memory, kept as markdown files in its own Git repository."""

__version__ = "0.1.0"
