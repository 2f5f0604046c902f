"""Playouts on a GPU: the driver, kernels and games.

What is in which file: docs/files.md.
"""
