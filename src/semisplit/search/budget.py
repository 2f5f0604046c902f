"""How long a search may go on, and how large it may become."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from semisplit.core.settings.parameters import BadSettings

DEFAULT_MEMORY = 2**30
"""Bytes that the tree of a search may take."""


@dataclass(frozen=True)
class Budget:
    """A limit in wall-clock time, in simulations or in nodal states; exactly one of them.

    A search makes at least one simulation, and ends at the first one that reaches the limit.
    """

    seconds: float | None = None
    simulations: int | None = None
    states: int | None = None
    buffer: float = 0.0
    """Seconds of the time that are kept back, for what comes after the search."""

    @property
    def clock(self) -> float:
        """Seconds that a search may take, without the buffer; infinite if no time is given."""
        return math.inf if self.seconds is None else self.seconds - self.buffer

    def part(self, share: float) -> Budget:
        """A part of it."""
        if share == 1.0:
            return self
        if self.seconds is not None:
            return replace(self, seconds=share * self.seconds)
        simulations = None if self.simulations is None else round(share * self.simulations)
        states = None if self.states is None else round(share * self.states)
        return replace(self, simulations=simulations, states=states)

    def __post_init__(self) -> None:
        limits = [self.seconds, self.simulations, self.states]
        given = [limit for limit in limits if limit is not None]
        if len(given) != 1:
            raise BadSettings("a budget is either seconds, or simulations, or states")
        if not all(0 <= number < math.inf for number in (*given, self.buffer)):
            raise BadSettings("a budget must not be negative, nor infinite")
        counts = [limit for limit in limits[1:] if limit is not None]
        if not all(isinstance(count, int) and count < 2**60 for count in counts):
            raise BadSettings("simulations and states are whole numbers below 2^60")
