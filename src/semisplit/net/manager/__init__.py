"""The game-manager protocol of RBG: the manager, and an agent as a player of any manager.

What is in which file: docs/files.md.
"""
