"""A person against an agent: the game, entering moves, saving."""
