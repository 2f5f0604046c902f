"""Verbs for games over the network.

What is in which file: docs/files.md.
"""
