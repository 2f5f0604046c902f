"""History Heuristic: what has scored well in simulations before is done again.

The value of a move is the average final score of the player who made it, over all simulations in
which he did; what has never been done is worth 1.
"""

from __future__ import annotations

import numpy as np

from semisplit.compiler.runtime.compiled import Codes
from semisplit.search.engine.candidates import candidate
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, i4
from semisplit.search.features.policies.record import PolicyRecord, workspace
from semisplit.search.features.policies.reference import Candidate, Simulated

PAST_SIZE = 1 << 20
"""Entries of the table of moves, half of which may be used."""
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
_ONE, _BITS = np.uint64(1), 29


class ReferenceHistory:
    """What the policy is."""

    def __init__(self) -> None:
        self._past: dict[tuple[int, Codes], list[float]] = {}

    def values(self, player: int, candidates: list[Candidate]) -> list[float]:
        """Average scores."""
        found = (self._past.get((player, one.codes)) for one in candidates)
        return [entry[1] / entry[0] if entry else 1.0 for entry in found]

    def reach(self, state: bytes) -> None:
        """States do not matter."""

    def learn(self, simulated: Simulated) -> None:
        """Count what was done."""
        for player, codes in simulated.moves:
            entry = self._past.setdefault((player, codes), [0, 0.0])
            entry[0] += 1
            entry[1] += simulated.scores[player - 1]


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    s = workspace(p)
    for i in range(p.count):
        if p.walks:
            first = i * s.settings.max_length
            key = _key(s, player, p.walk_steps, first, p.walk_lengths[i])
        else:
            steps, length = candidate(s, 0, i)
            key = _key(s, player, steps, 0, length)
        entry = p.past[_place(p, key)]
        p.values[i] = entry.total / entry.count if entry.key == key else 1.0


def learn(p: PolicyRecord, _: int) -> None:
    """Count what was done in a simulation."""
    scores = p.worker[0].scores
    for i in range(p.made_count):
        key, place = p.made[i].key, _place(p, p.made[i].key)
        entry = p.past[place]
        if entry.key != key and 2 * p.past_count <= p.past_mask:
            entry.key = key
            p.past_count += 1
        if entry.key == key:
            entry.count += 1
            entry.total += scores[p.made[i].player - 1]


@kernel
def note_move(s: Workspace, p: PolicyRecord, player: int, steps: Array[i4], length: int) -> None:
    """Note down a move of the current simulation, as long as there is room."""
    if p.made_count < p.made_size:
        made = p.made[p.made_count]
        made.key = _key(s, player, steps, 0, length)
        made.player = player
        p.made_count += 1


@kernel
def _key(s: Workspace, player: int, steps: Array[i4], first: int, length: int) -> int:
    """A number of 64 bits for a move of a player, so that two moves never have the same."""
    key = np.uint64(player) * _FACTOR
    for i in range(first, first + length):
        if steps[i] >= s.rules.silent:
            key = (key ^ (key >> _SHIFT) ^ np.uint64(steps[i] + 1)) * _FACTOR
    return int(np.int64(key | _ONE))


@kernel
def _place(p: PolicyRecord, key: int) -> int:
    """Where in the table a move is, or would be put."""
    place = (key >> _BITS) & p.past_mask
    while p.past[place].key != key and p.past[place].key != 0:
        place = (place + 1) & p.past_mask
    return place
