"""The search in small functions that Numba compiles.

What is in which file: docs/architecture.md.
"""
