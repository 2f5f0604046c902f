"""Split strategies: where moves can be cut.

What is in which file: docs/files.md.
"""
