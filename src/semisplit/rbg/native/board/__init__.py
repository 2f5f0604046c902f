"""The board: which bit is which square, what the board alone decides, and code on such sets."""
