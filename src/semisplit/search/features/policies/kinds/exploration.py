"""Exploration: states that differ most from those seen lately.

What holds in a state, fluents or pieces on places, are bits. The value of a move is the part of
them in which the state after it differs from one of the latest states of simulations, in the mean.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from semisplit.search.engine.candidates import state_at
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import copy_bytes, kernel
from semisplit.search.engine.toolkit.lanes import count_bits
from semisplit.search.engine.toolkit.record import integers_at
from semisplit.search.features.policies.record import PolicyRecord, after
from semisplit.search.features.policies.reference import Candidate, Simulated

RECENT = 64
"""States that are remembered."""
_LOW = 0xFFFFFFFF


class ReferenceExploration:
    """What the policy is."""

    def __init__(self, marks: Sequence[int]):
        self._mask = sum(1 << bit for bit in marks)
        self._recent: deque[int] = deque(maxlen=RECENT)

    def values(self, player: int, candidates: list[Candidate]) -> list[float]:
        """Mean differences."""
        most = max(1, len(self._recent) * self._mask.bit_count())
        states = [int.from_bytes(one.after, "little") & self._mask for one in candidates]
        return [
            sum((state ^ other).bit_count() for other in self._recent) / most for state in states
        ]

    def reach(self, state: bytes) -> None:
        """Remember it."""
        self._recent.append(int.from_bytes(state, "little") & self._mask)

    def learn(self, simulated: Simulated) -> None:
        """All is known already."""


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    known = min(p.recent_count, RECENT)
    size = p.rules[0].state_bytes
    for i in range(p.count):
        differences = 0
        for j in range(known):
            differences += _differences(p, after(p, i), p.recent + j * size)
        p.values[i] = differences / max(1, known * p.mark_count)


@kernel
def _differences(p: PolicyRecord, one: int, other: int) -> int:
    """In how many bits two states differ."""
    a, b, count = integers_at(one), integers_at(other), 0
    for i in range(p.rules[0].state_bytes >> 2):
        count += count_bits((a[i] ^ b[i]) & p.mask[i] & _LOW)
    return count


@kernel
def keep_state(s: Workspace, p: PolicyRecord) -> None:
    """Remember the state at level 0, if anybody asks for it."""
    if p.mark_count > 0:
        place = p.recent + p.recent_count % RECENT * s.rules.state_bytes
        copy_bytes(place, state_at(s, 0), s.rules.state_bytes)
        p.recent_count += 1
