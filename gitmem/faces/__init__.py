"""Floor six: thin interfaces for people, agents and Git."""
