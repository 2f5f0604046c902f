"""The interpreter: what a description means, in the most obvious way.

A state is a set of fluents. With `true` given by the state, the perfect model of the rules says
what is legal, whether the game is over and what the goals are; with `does` given by the moves of
all roles, too, it says what the next state is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from semisplit.core.steps import NOBODY
from semisplit.language.gdl.check.check import goal_value
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.play.joins import Relation
from semisplit.language.gdl.play.model import Model
from semisplit.language.gdl.play.strata import Program
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.limits import MAX_WORK
from semisplit.language.gdl.text.notation import write_term

_MODELS = 16
"""States whose models are kept: those of a position and around it are asked for several times."""

State = frozenset[Term]
"""The fluents that are true."""


class Step(NamedTuple):
    """What one role does."""

    role: int
    """From 1."""
    move: Term

    @property
    def wire(self) -> str:
        """The move as other programs write it."""
        return write_term(self.move)

    @property
    def changes(self) -> bool:
        """Every step does."""
        return True


Steps = tuple[Step, ...]


class Position(NamedTuple):
    """A state of the game, and what roles have already chosen to do in it."""

    fluents: State
    chosen: Steps
    """The steps of this move so far, in the order of roles."""
    player: int
    """The role that chooses next, from 1; 0 if the game is over."""


class Interpreter:
    """Plays by the rules of a description."""

    def __init__(self, description: Description, max_work: int = MAX_WORK):
        self._roles = description.roles
        self._max_work = max_work
        self._program = Program(description.clauses, ("true", "does"))
        self._rules = Model(self._program, max_work)
        """What holds in all states."""
        self.model = lru_cache(_MODELS)(self._model)
        """What holds in a state."""

    @cached_property
    def initial(self) -> State:
        """The fluents of the initial state."""
        return frozenset(fluent for (fluent,) in self._rules["init"].rows)

    @cached_property
    def start(self) -> Position:
        """The initial state."""
        return self.begin(self.initial)

    def begin(self, state: State) -> Position:
        """The position in which nobody has chosen yet."""
        return Position(state, (), self._chooser(state, ()))

    def is_terminal(self, state: State) -> bool:
        """Whether the rules say that the game is over."""
        return bool(self.model(state)["terminal"].rows)

    def legal(self, state: State) -> list[list[Term]]:
        """What each role may do, sorted."""
        rows = self.model(state)["legal"].rows
        return [sorted(move for one, move in rows if one == role) for role in self._roles]

    def find_moves(self, state: State, role: Term) -> Iterator[Term]:
        """Legal moves of a role as they are found, perhaps several times.

        For positions in which it takes too long to find all of them.
        """
        # What was looked at in vain has used up what may be.
        rules = Model(self._program, self._max_work)
        for _, move in self._model(state, rules).stream("legal", ((0, ()),), (role,)):
            yield move

    def goals(self, state: State) -> list[list[int]]:
        """The goal values of each role, sorted; there should be one in the end."""
        rows = self.model(state)["goal"].rows
        values = [(role, goal_value(value)) for role, value in rows]
        return [
            sorted({value for one, value in values if one == role and value is not None})
            for role in self._roles
        ]

    def next_state(self, state: State, moves: tuple[Term, ...]) -> State:
        """The state after all roles have moved."""
        does = Relation(zip(self._roles, moves))
        model = Model(self._program, self._max_work, self.model(state), does=does)
        return frozenset(fluent for (fluent,) in model["next"].rows)

    def moves(self, position: Position) -> Iterator[tuple[Steps, Position]]:
        """All joint moves of those who have a choice; inside a move, all ways to complete it."""
        for steps in self.list_moves(position):
            yield steps, self._after(position, steps)

    def list_moves(self, position: Position) -> Iterator[Steps]:
        """The moves alone."""
        choosing = self.choosing(position.fluents)[len(position.chosen) :]
        yield from product(*choosing) if choosing else ()

    def count_moves(self, position: Position) -> int:
        """How many moves there are: each choice goes with all choices of the others."""
        choosing = self.choosing(position.fluents)[len(position.chosen) :]
        return prod(map(len, choosing)) if choosing else 0

    def semimoves(self, position: Position, *, mod: bool) -> Iterator[tuple[Steps, Position]]:
        """What the role that chooses next may do; `mod` makes no difference."""
        for step in (
            self.choosing(position.fluents)[len(position.chosen)] if position.player else ()
        ):
            yield (step,), self._after(position, (step,))

    def run_keeper(self, position: Position) -> Position:
        """There are no moves that no player chooses."""
        return position

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        if not steps:
            return position
        choosing = self.choosing(position.fluents)[len(position.chosen) :]
        if len(steps) > len(choosing) or any(s not in may for s, may in zip(steps, choosing)):
            return None
        return self._after(position, steps)

    def is_nodal(self, position: Position) -> bool:
        """Whether nobody has chosen yet."""
        return not position.chosen

    def _model(self, state: State, rules: Model | None = None) -> Model:
        true = Relation((fluent,) for fluent in state)
        return Model(self._program, self._max_work, rules or self._rules, true=true)

    def choosing(self, state: State) -> list[list[Step]]:
        """The steps of each role that has a choice; if there is none, the only one of the first."""
        legal = self.legal(state)
        if self.is_terminal(state) or not all(legal):
            return []
        steps = [[Step(role, move) for move in moves] for role, moves in enumerate(legal, 1)]
        return [may for may in steps if len(may) > 1] or steps[:1]

    def _chooser(self, state: State, chosen: Steps) -> int:
        """The role that chooses next."""
        choosing = self.choosing(state)[len(chosen) :]
        return choosing[0][0].role if choosing else NOBODY

    def _after(self, position: Position, steps: Steps) -> Position:
        """The position after some steps, which are legal."""
        state, chosen = position.fluents, (*position.chosen, *steps)
        if player := self._chooser(state, chosen):
            return Position(state, chosen, player)
        moves = {step.role: step.move for step in chosen}
        only = self.legal(state)
        joint = (moves.get(role, may[0]) for role, may in enumerate(only, 1))
        return self.begin(self.next_state(state, tuple(joint)))
