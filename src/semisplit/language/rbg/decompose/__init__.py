"""Decomposition of games in RBG: which vertices and variables have nothing to do with others."""
