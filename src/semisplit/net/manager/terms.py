"""The terms on which matches are played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LatePolicy = Literal["lose", "note"]
"""What becomes of a move that comes later than the grace allows: its game is lost, or it counts."""
IllegalPolicy = Literal["lose", "end"]
"""What follows an illegal move: its game is lost, or the match ends without a result."""


@dataclass(frozen=True)
class MatchTerms:
    """What every player of a manager can count on; times are in seconds."""

    games: int = 1
    deadline: float | None = None
    """For each move."""
    preparation: float | None = None
    """From the rules to `ready`."""
    late: LatePolicy = "note"
    illegal: IllegalPolicy = "lose"
    grace: float = 1.0
    """By how much a move may be late: the network or another process may have been in the way."""
    patience: float | None = 60.0
    """How long after its time is up a player who says nothing is waited for."""

    def longest_wait(self, limit: float | None) -> float | None:
        """How long to wait for a player with a limit; None is for ever."""
        return None if limit is None or self.patience is None else limit + self.patience
