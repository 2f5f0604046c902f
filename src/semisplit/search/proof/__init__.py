"""Proving values of positions, in games of two players who move in turn.

>>> import semisplit
>>> from semisplit.search.proof import solve
>>> proof = solve(semisplit.load("tic_tac_toe").initial_state())
>>> proof.value, len(proof.line)
(50, 9)
"""

from semisplit.search.proof.result import Proof
from semisplit.search.proof.settings import ProofSettings
from semisplit.search.proof.solver import Solver, solve

__all__ = ["Proof", "ProofSettings", "Solver", "solve"]
