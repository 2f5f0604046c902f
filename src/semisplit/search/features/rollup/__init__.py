"""Roll-up: nodes inside a move that are dissolved when they are fully expanded."""
