"""The interpreter, and what it plays on: the automaton.

What is in which file: docs/files.md.
"""
