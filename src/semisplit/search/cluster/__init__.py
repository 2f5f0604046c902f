"""Searches on many machines: Root-Tree and Limited Root-Tree parallelization on Ray.

What is in which file: docs/files.md.
"""
