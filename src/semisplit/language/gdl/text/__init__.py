"""From characters to clauses, and back.

What is in which file: docs/files.md.
"""
