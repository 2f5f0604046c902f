"""The command line, one file per verb.

What is in which file: docs/files.md.
"""
