"""The policies, a file each: what it is worth to a player to make a move."""
