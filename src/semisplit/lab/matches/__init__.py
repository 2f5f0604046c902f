"""Matches and tournaments: who plays whom, and how the games end.

What is in which file: docs/files.md.
"""
