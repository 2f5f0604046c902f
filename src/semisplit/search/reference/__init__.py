"""Searches in plain Python, as the papers' pseudocode has them, and the random numbers of kernels."""
