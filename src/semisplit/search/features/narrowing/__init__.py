"""Searching some of a player's actions only, for Limited Root-Tree parallelization."""
