"""Matches, tournaments and experiments.

What is in which file: docs/files.md.
"""
