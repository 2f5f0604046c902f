"""Proofs inside the search: MCTS-Solver, with bounds of scores (Cazenave and Saffidine 2010).

Each edge has bounds for each of two players: what the player can get whatever the other one does,
and what the other one can hold the player to. They begin with everything that is possible, are
known where the game is over, and are taken back along the paths of iterations. An edge that is
proven, or that cannot be better than the best one, is not selected any more, and the search ends
when the root is proven.
"""
