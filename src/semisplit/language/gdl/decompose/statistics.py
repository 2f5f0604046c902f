"""Which fluents belong together by what is seen of random play, without a look at the rules.

This is in the spirit of Hufschmitt, Vittaut and Jouandeau: what moves do is told by what changes
when they are made. Four things link two fluents.

- A move changes both at once more often than chance would have it.
- Before one of them changes, the other always has the same value: it is a precondition.
- What a move does to the one depends on the other.
- A fluent belongs to no part if its value follows from the time.

Games of the same length and in the same phase have much in common that is no influence. So what is
compared are moments after as many moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.decompose.parts import Parts, connected
from semisplit.language.gdl.decompose.play import Log
from semisplit.language.gdl.ground.rows import Flags, Integers

Table = NDArray[np.float64]

_ENOUGH = 30
"""Moments that something has to be seen in."""
_LIFT = 3.0
"""So many times more often than by chance."""
_SURPRISE = 16.0
"""The binary logarithm of how unlikely chance has to be, for a fluent and each of its others."""
_TELLING = 0.2
"""Bits that each moment has to tell of a precondition: what nearly always holds tells nothing."""
_DEVIATIONS = 6.0
"""Standard deviations from what would be seen without an influence."""
_SMALL = 1e-9
_WORK = 1 << 32
"""Products of changes that are added up, at most."""
_MOMENTS = 1 << 14
"""Moments that are looked at, at most."""


class Statistics:
    """What was seen of fluents, which are rows, in moments, which are columns."""

    def __init__(self, log: Log):
        fluents, seen = log.states.shape
        most = min(_MOMENTS, max(_ENOUGH, _WORK // max(1, fluents * fluents)))
        chosen = np.linspace(0, seen - 1, min(seen, most)).astype(np.int64)
        order = chosen[np.argsort(log.times[chosen], kind="stable")]
        self._states, self._moves = log.states[:, order], log.moves[:, order]
        self._changes = self._states != log.after[:, order]
        self._times = log.times[order]
        self.moments = len(order)
        """How many are looked at."""
        self._starts = np.flatnonzero(np.diff(self._times, prepend=-1))

    def find_control(self) -> Flags:
        """The fluents whose values follow from the time."""
        sizes = np.diff(self._starts, append=len(self._times))
        true = np.add.reduceat(self._states.astype(np.int32), self._starts, axis=1)
        return np.asarray(((true == 0) | (true == sizes)).all(axis=1))

    def find_parts(self, control: Flags) -> Parts:
        """The fluents that are linked, in parts."""
        free = ~control
        links = (self._change_together() | self._preconditions()) & free & free[:, None]
        while True:
            parts = connected(links)
            more = self._conditions(parts) & free & free[:, None]
            if not (more & ~links).any():
                return parts
            links |= more

    def _change_together(self) -> Flags:
        """The fluents that change at once, more often than by chance at the same time."""
        fluents = len(self._changes)
        together, expected = np.zeros((fluents, fluents)), np.zeros((fluents, fluents))
        for changes in np.split(self._changes.astype(np.float32), self._starts[1:], axis=1):
            together += changes @ changes.T
            often = changes.sum(axis=1, dtype=np.float64)
            expected += np.outer(often, often) / changes.shape[1]
        return np.asarray((together >= _ENOUGH) & (together > _LIFT * expected))

    def _preconditions(self) -> Flags:
        """The fluents that always have the same value when a fluent becomes true, or false."""
        links = np.zeros((len(self._states),) * 2, bool)
        # How often each fluent is true at each time.
        sizes = np.diff(self._starts, append=len(self._times))
        true = np.add.reduceat(self._states.astype(np.int32), self._starts, axis=1) / sizes
        groups = np.repeat(np.arange(len(sizes)), sizes)
        least = _SURPRISE + np.log2(max(1, len(links)))
        for fluent, changes in enumerate(self._changes):
            for becomes in (False, True):
                moments = np.flatnonzero(changes & (self._states[fluent] != becomes))
                if len(moments) < _ENOUGH:
                    continue
                values = self._states[:, moments]
                chances = np.clip(true[:, groups[moments]], 1e-9, 1 - 1e-9)
                always, never = values.all(axis=1), ~values.any(axis=1)
                for holds, chance in ((always, chances), (never, 1 - chances)):
                    bits = -np.log2(chance).sum(axis=1)
                    links[fluent] |= holds & (bits > max(least, _TELLING * len(moments)))
        return links

    def _conditions(self, parts: Parts) -> Flags:
        """The fluents on which it depends what moves do to a fluent, besides its part."""
        links = np.zeros((len(self._states),) * 2, bool)
        for label in np.unique(parts.labels):
            mine = parts.labels == label
            kinds, numbers = self._kinds(mine), np.flatnonzero(mine)
            by_chance = _centred(self._changes[numbers], kinds)
            # Where all moments of a kind are the same, nothing is left to explain.
            open_ = np.flatnonzero(by_chance.any(axis=0))
            if len(open_) >= _ENOUGH:
                states = _centred(self._states[:, open_], kinds[open_])
                links[numbers] |= _depend(by_chance[:, open_], states)
        return links

    def _kinds(self, fluents: Flags) -> Integers:
        """Numbers for moments, which differ if the time, the moves or some fluents do."""
        bits = np.packbits(np.concatenate([self._states[fluents], self._moves]), axis=0)
        keys = np.concatenate([self._times.astype(">i4").view(np.uint8).reshape(-1, 4).T, bits])
        rows = np.ascontiguousarray(keys.T).view(np.dtype((np.void, len(keys)))).ravel()
        return np.unique(rows, return_inverse=True)[1]


def _centred(rows: Flags, kinds: Integers) -> Table:
    """Rows less the means over all columns of the same kind."""
    _, kind = np.unique(kinds, return_inverse=True)
    order = np.argsort(kind, kind="stable")
    starts = np.flatnonzero(np.diff(kind[order], prepend=-1))
    sizes = np.diff(starts, append=len(kind))
    sums = np.add.reduceat(rows[:, order].astype(np.int32), starts, axis=1)
    return rows - (sums / sizes)[:, kind]


def _depend(some: Table, others: Table) -> Flags:
    """Which other rows each goes along with, further than chance would have it."""
    spread = np.sqrt(np.outer((some**2).sum(axis=1), (others**2).sum(axis=1)))
    together = some @ others.T
    correlation = np.divide(together, spread, out=np.zeros_like(together), where=spread > _SMALL)
    numbers = np.count_nonzero(some, axis=1)
    return np.asarray(np.abs(correlation) * np.sqrt(numbers)[:, None] > _DEVIATIONS)
