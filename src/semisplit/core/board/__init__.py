"""Boards: where squares lie, and diagrams of positions.

What is in which file: docs/files.md.
"""
