"""Measurements of one game or one agent: speeds, playouts, puzzles.

What is in which file: docs/files.md.
"""
