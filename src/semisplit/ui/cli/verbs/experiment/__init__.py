"""Verbs for experiments.

What is in which file: docs/files.md.
"""
