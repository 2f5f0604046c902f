"""Searches in plain Python, as in the papers' pseudocode, and the random numbers of kernels."""
