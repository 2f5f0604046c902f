"""From characters to the tree of the rules.

What is in which file: docs/files.md.
"""
