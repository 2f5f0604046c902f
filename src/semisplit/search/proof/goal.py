"""What is to be proven about a position, and what came of it."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

_MIXING = 0x9E3779B97F4A7C15


class Goal(NamedTuple):
    """That a player, the attacker, gets a score to a threshold or more, or keeps it below."""

    attacker: int
    """By number. If it is the one whose score counts, the score is to be raised."""
    raises: bool
    threshold: int

    @property
    def salt(self) -> int:
        """What makes the same position under different goals different positions."""
        number = (self.threshold * 2 + self.raises) * 2 + self.attacker
        mixed = (number + 1) * _MIXING % 2**64
        return mixed - 2**64 if mixed >= 2**63 else mixed


class Outcome(Enum):
    """What came of a search for a proof."""

    PROVEN = auto()
    """The attacker can force it."""
    REFUTED = auto()
    """The other player can force the opposite."""
    ENDLESS = auto()
    """The attacker cannot force it, but perhaps only as play need not come to an end."""
    UNKNOWN = auto()
    """The search was stopped."""
    TOO_DEEP = auto()
    """The way to the end of the game has more positions than there is room for."""


class Seen(NamedTuple):
    """Scores of terminal positions of a search, on both sides of the threshold."""

    lowest_reached: int = 2**31
    highest_below: int = -1


class Claim(NamedTuple):
    """A goal that is known to be reached, or not to be, as long as players play well."""

    goal: Goal
    proven: bool
