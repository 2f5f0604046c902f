"""What can be known about the rules before any code is emitted.

What is in which file: docs/files.md.
"""
