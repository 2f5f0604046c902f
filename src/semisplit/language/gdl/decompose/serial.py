"""Games one after the other: the second can be played when the first is over.

Then what can become of the second depends on the first, but that is no reason to think of both at
once: nothing changes in the first any more when something begins to change in the second, which
only sees through a narrow interface that the first is over.

The rules of the second game may mention the first one although it makes no difference: by then, the
first one is over anyway. So two transitions of a part that differ in nothing but in what becomes of
it are looked for in random play; a part that has such transitions stays with what it depends on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.decompose.interface import Interfaces
from semisplit.language.gdl.decompose.parts import Parts, connected
from semisplit.language.gdl.decompose.play import Log, count_distinct
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers

Times = NDArray[np.int16]
"""Numbers of moves, at most as many as are played."""

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
    links = (must | may) & ~np.eye(len(may), dtype=bool)
    first, last = _times(log, np.flatnonzero(links.any(axis=0) | links.any(axis=1)))
    changes, later = last >= 0, np.zeros_like(may)
    for fluent in np.flatnonzero(links.any(axis=1)):
        before = np.flatnonzero(links[fluent])
        later[fluent, before] = _precede(last[before], first[fluent])
        # What the rules say counts until it was seen that it makes no difference.
        seen = (changes[before] & changes[fluent]).any(axis=1)
        later[fluent, before] &= ~must[fluent, before] | seen
    parts = connected(links & ~later)
    waiting = np.argwhere(later)
    if not len(waiting):
        return parts
    outputs = np.concatenate([structure.legal, structure.next])
    interfaces = Interfaces(structure, outputs, states, control)
    ruled = np.argwhere(later & must)
    while True:
        while unclear := _find_unclear(log, control, parts, ruled):
            for pair in unclear:
                parts.join(np.array(pair))
        wide, labels = interfaces.wide(parts), np.unique(parts.labels).tolist()
        ends = {part: last[parts.labels == part].max(axis=0) for part in labels}
        begins = {part: first[parts.labels == part].min(axis=0) for part in labels}
        joined: list[tuple[int, int]] = []
        for after, before in np.unique(parts.labels[waiting], axis=0).tolist():
            if after != before and (before in wide or not _precede(ends[before], begins[after])):
                joined.append((after, before))
        if not joined:
            return parts
        for pair in joined:
            parts.join(np.array(pair))


def _find_unclear(log: Log, control: Flags, parts: Parts, ruled: Integers) -> list[tuple[int, int]]:
    """The parts that do not decide what becomes of them, with those that the rules mention."""
    mentions = [(one, other) for one, other in parts.labels[ruled].tolist() if one != other]
    unclear: set[int] = set()
    for part in {one for one, _ in mentions}:
        mine = parts.labels == part
        before = np.concatenate([log.states[mine | control], log.moves])
        both = np.concatenate([before, log.after[mine]])
        if count_distinct(both) > count_distinct(before):
            unclear.add(part)
    return [pair for pair in mentions if pair[0] in unclear]


def _times(log: Log, fluents: Integers) -> tuple[Times, Times]:
    """When some fluents change first, and last, in each of some games: a column for each."""
    chosen = np.flatnonzero(log.games_of < _GAMES)
    chosen = chosen[np.argsort(log.games_of[chosen], kind="stable")]
    starts = np.flatnonzero(np.diff(log.games_of[chosen], prepend=-1))
    times, never = log.times[chosen].astype(np.int16), np.iinfo(np.int16).max
    first = np.full((len(log.states), len(starts)), never, np.int16)
    last = np.full_like(first, -1)
    for fluent in fluents:
        changes = log.states[fluent, chosen] != log.after[fluent, chosen]
        first[fluent] = np.minimum.reduceat(np.where(changes, times, np.int16(never)), starts)
        last[fluent] = np.maximum.reduceat(np.where(changes, times, np.int16(-1)), starts)
    return first, last


def _precede(last: Times, first: Times) -> Flags:
    """Whether what happens last is in all games before what happens first; by rows."""
    return np.asarray((last < first).all(axis=-1))
