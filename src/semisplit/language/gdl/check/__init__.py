"""From clauses to a checked description, with warnings.

What is in which file: docs/files.md.
"""
