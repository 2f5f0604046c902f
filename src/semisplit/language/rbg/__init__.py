"""Regular Boardgames: from rules text to a playable automaton.

What is in which file: docs/files.md.
"""
