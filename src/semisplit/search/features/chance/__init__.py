"""Chance nodes: in some games a player's moves are drawn by lot."""
