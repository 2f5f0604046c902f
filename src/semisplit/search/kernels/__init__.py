"""The search in small functions that Numba compiles."""
