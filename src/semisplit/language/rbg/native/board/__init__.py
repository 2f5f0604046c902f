"""The board: which bit is which square, what the board alone decides, and code on such sets.

What is in which file: docs/files.md.
"""
