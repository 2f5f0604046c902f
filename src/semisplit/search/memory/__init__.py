"""The memory that kernels work on, seen from Python: who allocates what, and what it means.

What is in which file: docs/architecture.md.
"""
