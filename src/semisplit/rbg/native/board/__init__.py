"""The board: which bit stands for which square, and what the board alone decides."""
