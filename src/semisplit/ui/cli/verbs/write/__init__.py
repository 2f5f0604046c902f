"""Verbs for those who write games.

What is in which file: docs/files.md.
"""
