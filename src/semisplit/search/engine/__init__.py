"""The search as kernels, which Numba compiles: the tree, and the phases of an iteration.

`iterate.py` is the page to begin with.
"""
