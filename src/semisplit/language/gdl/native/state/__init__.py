"""States in memory, and the words that gates work on.

What is in which file: docs/files.md.
"""
