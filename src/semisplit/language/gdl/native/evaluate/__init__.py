"""The emitter of what a circuit says: gates, moves, next states.

What is in which file: docs/files.md.
"""
