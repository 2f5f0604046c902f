"""Decoupled UCT, for games in which several players may decide at once."""
