"""The verbs of the command line, by what they are for.

What is in which file: docs/files.md.
"""
