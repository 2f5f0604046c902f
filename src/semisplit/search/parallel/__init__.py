"""Several iterations, or several playouts, at a time: threads, batches, GPUs."""
