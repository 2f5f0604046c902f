"""Making the records of a search, and the memory for their arrays."""
