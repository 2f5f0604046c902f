"""Emitting random games.

What is in which file: docs/files.md.
"""
