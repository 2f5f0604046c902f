"""Stepping through a match: by the interpreter while it is quick, else by the compiled game.

The compiled game is made elsewhere, since that takes long, and is taken from the cache.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from semisplit.core.errors import InputError, PlayLimit
from semisplit.language.gdl.play.interpret import Interpreter, Position, State, Step, Steps
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.limits import MAX_WORK
from semisplit.language.gdl.text.notation import read_terms
from semisplit.net.ggp.messages import find_move
from semisplit.net.shared.messages import show

if TYPE_CHECKING:
    from semisplit.compiler.runtime.compiled import CompiledGame

_QUICK = 0.1
"""Seconds for which the interpreter may work on a step before the compiled game is used."""
_QUICK_WORK = 300_000
"""Rows that it may look at for a player's legal moves, who has to answer in time."""
_ENOUGH = 30
"""Moves to choose from if not all can be found."""
_FEW_SECONDS = 2.0
"""In which they are looked for."""
Found = TypeVar("Found")


class Way(StrEnum):
    """How legal moves were found."""

    INTERPRETED = "the interpreter finds all legal moves"
    COMPILED = "the compiled game finds all legal moves"
    PARTIAL = "to find all legal moves takes too long; the move is one of the first that were found"


class Moves(NamedTuple):
    """Legal moves of a role."""

    found: Sequence[Term]
    way: Way


class Stepper:
    """Goes from state to state."""

    def __init__(self, rules: GdlRules, max_work: int = MAX_WORK):
        """Know the rules, of which the interpreter may look at so many rows in a position."""
        self._rules = rules
        self._interpreter = Interpreter(rules.description, max_work)
        self.compiled: CompiledGame | None = None
        """What is used if it is there."""
        self._scored: tuple[State, tuple[int, ...]] | None = None
        self.is_slow = False
        """Whether the compiled game would be better."""
        self._is_hard = False
        """Whether the interpreter could not find all legal moves."""

    def use_compiled(self) -> bool:
        """Use the compiled game if it is in the cache; whether it is used now."""
        if self.compiled is None:
            self.compiled = self._rules.kept()
        return self.compiled is not None

    def legal(self, state: State) -> list[list[Term]]:
        """What each role may do; nothing at all if the game is over.

        Raises:
            PlayLimit: If the interpreter takes too long, and there is no compiled game.
        """
        if self.compiled is not None:
            roles = range(1, len(self._rules.players) + 1)
            legal = [_legal(self.compiled, state, role) for role in roles]
            return legal if all(legal) else []
        return self._timed(lambda: self._interpret(state))

    def moves(self, state: State, role: int) -> Moves:
        """What a role, given by its place among all, may do; if need be, only some of it."""
        if self._is_hard and self.compiled is None and (some := self._find_some(state, role)):
            return Moves(some, Way.PARTIAL)
        try:
            legal = self.legal(state)
        except PlayLimit:
            self._is_hard = True
            if some := self._find_some(state, role):
                return Moves(some, Way.PARTIAL)
            raise
        way = Way.COMPILED if self.compiled else Way.INTERPRETED
        return Moves(legal[role] if legal else (), way)

    def next_state(self, state: State, joint: Sequence[Term]) -> State:
        """The state after all roles have moved.

        Raises:
            PlayLimit: If the interpreter takes too long, and there is no compiled game.
        """
        if self.compiled is None:
            try:
                return self._timed(lambda: self._interpreter.next_state(state, tuple(joint)))
            except PlayLimit:
                # There is nothing to answer without it.
                return self._rules.interpreter.next_state(state, tuple(joint))
        codec = self.compiled.codec
        steps = self.choices(state, joint)
        codes = codec.codes(steps)
        assert codes is not None
        after = self.compiled.play(codec.pack(Position(state, (), steps[0].role)), codes)
        assert after is not None
        position: Position = codec.unpack(after)
        self._scored = position.fluents, self.compiled.scores(after)
        return position.fluents

    def choices(self, state: State, joint: Sequence[Term]) -> tuple[Step, ...]:
        """The steps of those who have a choice; if nobody has, that of the first role."""
        steps = [Step(role, move) for role, move in enumerate(joint, 1)]
        chosen = (step for step, may in zip(steps, self.legal(state)) if len(may) > 1)
        return tuple(chosen) or (steps[0],)

    def scores(self, state: State) -> tuple[int, ...]:
        """What each role gets if the game is over."""
        if self._scored is not None and self._scored[0] == state:
            return self._scored[1]
        return self._rules.scores(Position(state, (), 0))

    def _interpret(self, state: State) -> list[list[Term]]:
        legal = self._interpreter.legal(state)
        return legal if all(legal) and not self._interpreter.is_terminal(state) else []

    def _timed(self, act: Callable[[], Found]) -> Found:
        begin = time.perf_counter()
        try:
            return act()
        finally:
            self.is_slow = self.is_slow or time.perf_counter() - begin > _QUICK

    def _find_some(self, state: State, role: int) -> list[Term]:
        """Some legal moves of a role."""
        found: set[Term] = set()
        end = time.perf_counter() + _FEW_SECONDS
        try:
            moves = self._interpreter.find_moves(state, self._rules.description.roles[role])
            for move in islice(moves, 100 * _ENOUGH):
                found.add(move)
                if len(found) == _ENOUGH or time.perf_counter() > end:
                    break
        except PlayLimit:
            pass
        return sorted(found)


def _legal(compiled: CompiledGame, state: State, role: int) -> list[Term]:
    """What a role may do, sorted."""
    codec = compiled.codec
    # Who is to move has a step in each listed move; where roles take turns, at most one other has.
    listed = compiled.semimoves if compiled.facts.simultaneous else compiled.moves
    moves = map(codec.steps, listed(codec.pack(Position(state, (), role))))
    return sorted({step.move for steps in moves for step in steps if step.role == role})


class Course:
    """How far a match has come, by the moves that were told."""

    def __init__(self, rules: GdlRules, role: int):
        """Begin, in a role given by its place among all."""
        self.stepper = Stepper(rules, _QUICK_WORK)
        self.made = 0
        """How many moves were made."""
        self._rules = rules
        self._role = role
        self._state = rules.interpreter.initial
        self._told: list[tuple[str, ...]] = []

    def use_compiled(self) -> None:
        """Step by the compiled game from now on, if it is in the cache."""
        self.stepper.use_compiled()

    def tell(self, moves: tuple[str, ...]) -> None:
        """All roles have moved; no moves if that was told before."""
        if moves:
            self._told.append(moves)

    def catch_up(self) -> Iterator[Callable[[], Steps]]:
        """Make the moves that were told; gives the steps of those who had a choice.

        Raises:
            InputError: If moves cannot have been made; they are forgotten.
            PlayLimit: If the interpreter takes too long, and there is no compiled game.
        """
        while self._told:
            try:
                before, joint = self._state, self._read(self._told[0])
            except InputError:
                self._told.pop(0)
                raise
            self._state = self.stepper.next_state(before, joint)
            self._told.pop(0)
            self.made += 1
            yield partial(self.stepper.choices, before, joint)

    def moves(self) -> Moves:
        """What may be done now; if need be, only some of it."""
        return self.stepper.moves(self._state, self._role)

    def scores(self) -> tuple[int, ...]:
        """What each role gets if the game is over."""
        return self.stepper.scores(self._state)

    def _read(self, moves: tuple[str, ...]) -> list[Term]:
        roles = len(self._rules.players)
        name = self._rules.description.names.name
        if roles == 1 != len(moves):
            # The only move, without the parentheses around the list.
            moves = (f"({' '.join(moves)})",)
        if len(moves) != roles:
            raise InputError(f"{len(moves)} moves were made, but there are {roles} roles")
        try:
            legal = self.stepper.legal(self._state)
        except PlayLimit:
            # Whoever tells them knows the rules.
            known = self._rules.description.spelling
            return [term for text in moves for term in read_terms(text, known, name)[:1]]
        joint = [find_move(text, may, name) for text, may in zip(moves, legal or [[]] * roles)]
        found = [move for move in joint if move is not None]
        if len(found) != len(joint):
            wrong = moves[joint.index(None)]
            raise InputError(f"{show(wrong.encode())} cannot have been a move")
        return found
