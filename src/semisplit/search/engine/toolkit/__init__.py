"""What kernels need that Numba does not offer: records, vectors, atomic operations, linking."""
