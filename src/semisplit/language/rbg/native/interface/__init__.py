"""The functions of a compiled game, and compiling it.

What is in which file: docs/files.md.
"""
