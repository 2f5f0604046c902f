"""Machine code from circuits: 256 states at once, one bit of each in every word."""
