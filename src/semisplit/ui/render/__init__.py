"""Positions as pictures.

What is in which file: docs/files.md.
"""
