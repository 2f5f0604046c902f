"""Decomposition: which parts of a game are games of their own."""
