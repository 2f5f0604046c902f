"""Verbs for machines and machine code.

What is in which file: docs/files.md.
"""
