"""Emitting what happens between two modifiers.

What is in which file: docs/files.md.
"""
