"""A person against an agent: the game, entering moves, saving.

What is in which file: docs/files.md.
"""
