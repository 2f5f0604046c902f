"""The interpreter: perfect models of clauses.

What is in which file: docs/files.md.
"""
