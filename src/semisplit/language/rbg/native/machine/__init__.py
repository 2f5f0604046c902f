"""Emitting code that follows the rules from modifier to modifier.

What is in which file: docs/files.md.
"""
