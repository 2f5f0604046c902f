"""The game-manager protocol of RBG: the manager, and an agent as a player of any manager."""
