"""What commands show in a terminal, and how they listen there.

What is in which file: docs/files.md.
"""
