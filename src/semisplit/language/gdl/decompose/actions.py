"""What moves do: in which sub-games they act, which of them do the same, and which do nothing."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from semisplit.language.gdl.decompose.decomposition import COMPOUND, SYNCHRONOUS, MetaActions
from semisplit.language.gdl.decompose.lanes import Lanes, make_values, pack, set_inputs, unpack
from semisplit.language.gdl.decompose.play import Log
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers
from semisplit.language.gdl.play.interpret import Step

_TRANSITIONS = 1 << 12
"""So many transitions are looked at."""


class Actions:
    """The moves of a game."""

    def __init__(self, structure: Structure, log: Log, control: Flags):
        self._structure = structure
        self.steps = [Step(role + 1, move) for role, move in structure.program.moves]
        by_rules = structure.moves_of(structure.next) & ~control[:, None]
        fluents: Flags = np.asarray(by_rules.any(axis=1))
        waiting = _waiting(log, fluents, len(structure.program.roles))
        self.useless: Flags = ~by_rules.any(axis=0) | waiting
        """Which moves change nothing."""

    def acting(self, fluents: Flags) -> Flags:
        """Which moves have an influence on some fluents."""
        structure = self._structure
        acting: Flags = structure.moves_of(structure.next[fluents]).any(axis=0) & ~self.useless
        return acting

    def meta_actions(self, fluents: Flags) -> MetaActions:
        """The moves that act on some fluents, those together that the rules do not tell apart."""
        structure = self._structure
        outputs = structure.next[fluents]
        users, literals = (numbers.tolist() for numbers in structure.uses(outputs))
        # A move may be an output itself.
        users += range(-len(outputs), 0)
        literals += outputs.tolist()
        uses: dict[int, list[int]] = defaultdict(list)
        for user, literal in zip(users, literals):
            uses[literal >> 1].append(2 * user + (literal & 1))
        classes: dict[tuple[int, ...], list[Step]] = defaultdict(list)
        for code in np.flatnonzero(self.acting(fluents)).tolist():
            step = self.steps[code]
            classes[step.role, *sorted(uses[structure.moves.start + code])].append(step)
        return tuple(sorted((frozenset(steps) for steps in classes.values()), key=min))

    def kind(self, subgames: list[Flags], log: Log, states: Flags) -> str:
        """How sub-games are put together, in words."""
        if len(subgames) < 2:
            return "one game" if subgames else "no game: no move changes anything"
        acting = [self.acting(fluents) for fluents in subgames]
        if (_count(acting, self._legal(states)) < 2).all():
            return "games in series"
        if (np.sum(acting, axis=0) > 1).any():
            return COMPOUND
        together = _count(acting, log.moves[:, _some(log)])
        return SYNCHRONOUS if (together > 1).any() else "games in parallel, asynchronous"

    def _legal(self, states: Flags) -> Flags:
        structure = self._structure
        values = make_values(structure, states.shape[1] // 64)
        set_inputs(values, structure.fluents, pack(states))
        Lanes(structure, structure.legal).compute(values, known=True)
        return unpack(values[structure.legal])


def _count(acting: list[Flags], moves: Flags) -> Integers:
    """In how many sub-games one of the moves acts, in each column."""
    count: Integers = np.sum([moves[rows].any(axis=0) for rows in acting], axis=0)
    return count


def _waiting(log: Log, fluents: Flags, roles: int) -> Flags:
    """The moves that roles make only if they have no other, while others change some fluents.

    The rules may depend on who waits. So each change is ascribed to that move of those made at once
    that it goes along with most often.
    """
    chosen = _some(log)
    moves, forced = log.moves[:, chosen], log.forced[:, chosen]
    waiting: Flags = moves.any(axis=1) & (moves == forced).all(axis=1)
    if not waiting.any():
        return waiting
    changes = log.states[fluents][:, chosen] != log.after[fluents][:, chosen]
    number = np.maximum(np.count_nonzero(moves, axis=1), 1)
    made = np.nonzero(moves.T)[1].reshape(-1, roles)
    at, fluent_of = np.nonzero(changes.T)
    pairs = (made[at] * len(changes) + fluent_of[:, None]).ravel()
    together = np.bincount(pairs, minlength=len(moves) * len(changes))
    rates = together.reshape(len(moves), len(changes)) / number[:, None]
    for fluent, changed in enumerate(changes):
        at_once = made[changed]
        rate = rates[at_once, fluent]
        waiting[at_once[rate >= rate.max(axis=1, initial=0, keepdims=True)]] = False
    return waiting


def _some(log: Log) -> Integers:
    """The numbers of some transitions, from the beginning to the end."""
    number = log.states.shape[1]
    return np.linspace(0, number - 1, min(number, _TRANSITIONS)).astype(np.int64)
