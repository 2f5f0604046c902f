"""Choosing the search that suits a game. See docs/architecture.md."""
