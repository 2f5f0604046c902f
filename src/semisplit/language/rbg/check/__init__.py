"""A checked description, from its text and back to it.

What is in which file: docs/files.md.
"""
