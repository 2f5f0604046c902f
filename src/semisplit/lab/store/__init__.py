"""Results on disk.

What is in which file: docs/files.md.
"""
