"""Emitting what happens between two modifiers."""
