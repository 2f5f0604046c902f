"""Networks of gates: ground rules reduced to few operations on bits."""
