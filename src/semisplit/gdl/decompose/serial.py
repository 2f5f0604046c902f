"""Games one after the other: the second can be played when the first is over.

Then what can become of the second depends on the first, but that is no reason to think of both at
once: nothing changes in the first any more when something begins to change in the second, which
only sees through a narrow interface that the first is over.
"""

from __future__ import annotations

import numpy as np

from semisplit.gdl.decompose.interface import Interfaces
from semisplit.gdl.decompose.parts import Parts, connected
from semisplit.gdl.decompose.play import Log
from semisplit.gdl.decompose.structure import Structure
from semisplit.gdl.network.rows import Flags, Integers

_GAMES = 512
"""So many games are looked at, the first ones."""


def connect(
    structure: Structure, log: Log, states: Flags, control: Flags, must: Flags, may: Flags
) -> Parts:
    """Join what depends on each other, but for games that are played one after the other.

    Args:
        structure: The rules.
        log: Random play.
        states: Some states.
        control: Which fluents belong to no part.
        must: A row for each fluent: which fluents decide what becomes of it.
        may: The same for what can become of it.
    """
    first, last = _times(log)
    later = np.zeros_like(may)
    for fluent in np.flatnonzero(may.any(axis=1)):
        before = np.flatnonzero(may[fluent] & ~must[fluent])
        later[fluent, before] = _precede(last[before], first[fluent])
    parts = connected(must | (may & ~later))
    waiting = np.argwhere(later)
    if not len(waiting):
        return parts
    outputs = np.concatenate([structure.legal, structure.next])
    interfaces = Interfaces(structure, outputs, states, control)
    while True:
        wide = interfaces.wide(parts)
        joined = [
            pair
            for pair in waiting
            for one, other in [parts.labels[pair]]
            if one != other
            and (
                int(other) in wide
                or not _precede(
                    last[parts.labels == other].max(axis=0),
                    first[parts.labels == one].min(axis=0),
                ).all()
            )
        ]
        if not joined:
            return parts
        for pair in joined:
            parts.join(pair)


def _times(log: Log) -> tuple[Integers, Integers]:
    """When each fluent changes first, and last, in each of some games: a column for each."""
    chosen = np.flatnonzero(log.games_of < _GAMES)
    chosen = chosen[np.argsort(log.games_of[chosen], kind="stable")]
    starts = np.flatnonzero(np.diff(log.games_of[chosen], prepend=-1))
    changes = log.states[:, chosen] != log.after[:, chosen]
    times = log.times[chosen]
    never = np.iinfo(np.int64).max
    first = np.minimum.reduceat(np.where(changes, times, never), starts, axis=1)
    last = np.maximum.reduceat(np.where(changes, times, -1), starts, axis=1)
    return first, last


def _precede(last: Integers, first: Integers) -> Flags:
    """Whether what happens last is always before what happens first; by rows."""
    return np.asarray((last < first).all(axis=-1))
