"""Matches, tournaments and experiments."""
