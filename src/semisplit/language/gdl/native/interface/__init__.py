"""From a circuit to the functions of a compiled game.

What is in which file: docs/files.md.
"""
