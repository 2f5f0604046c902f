"""Verbs for those who play.

What is in which file: docs/files.md.
"""
