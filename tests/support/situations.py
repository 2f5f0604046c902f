"""What the interpreter says about the positions of a game, each of them asked for once.

Trees of many searches share most of their positions, and comparing with what is known already is
a matter of integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from semisplit import Game
from semisplit.compiler.runtime.compiled import Codes
from semisplit.core.steps import Position, Steps


class Specification:
    """A game's positions and what is legal in them, by the interpreter."""

    def __init__(self, game: Game):
        self.game = game
        self.interpreter = game.rules.interpreter
        self.mod = game.split is not None and game.split.mod
        self.codec = game.compiled.codec
        self._known: dict[Position, Situation] = {}

    def at(self, position: Position) -> Situation:
        """What is known about a position, in which a player has control or the game is over."""
        found = self._known.get(position)
        if found is None:
            found = self._known[position] = Situation(self, position)
        return found

    def __len__(self) -> int:
        """How many positions are known."""
        return len(self._known)


@cache
def specification(game: Game) -> Specification:
    """What is known about a game, with its split strategy."""
    return Specification(game)


class Situation:
    """A position: what is legal in it, and whether a move can be completed."""

    def __init__(self, known: Specification, position: Position):
        self._known = known
        self.position = position
        self.state = b""
        """The state in which the compiled game came here, as soon as it has."""
        self.applied: set[Codes] = set()
        """What the compiled game has been seen to do here as the interpreter does it."""

    @cached_property
    def moves(self) -> dict[Codes, Follow]:
        """All whole moves."""
        return self._follows(self._known.interpreter.moves(self.position))

    @cached_property
    def semimoves(self) -> dict[Codes, Follow]:
        """All semimoves."""
        found = self._known.interpreter.semimoves(self.position, mod=self._known.mod)
        return self._follows(found)

    def _follows(self, found: Iterator[tuple[Steps, Position]]) -> dict[Codes, Follow]:
        follows = {}
        for steps, position in found:
            codes = self._known.codec.codes(steps)
            assert codes is not None
            follows[tuple(codes)] = Follow(self._known, position)
        return follows

    @cached_property
    def is_alive(self) -> bool:
        """Whether a move can be completed."""
        return any(not follow.is_dead for follow in self.semimoves.values())


class Follow:
    """A (semi)move of a situation."""

    def __init__(self, known: Specification, position: Position):
        self._known = known
        self._position = position
        """Behind it, before the keeper moves."""

    @cached_property
    def nodal(self) -> bool:
        """Whether it completes a move."""
        return self._known.interpreter.is_nodal(self._position)

    @cached_property
    def after(self) -> Situation:
        """The situation behind it, after the keeper's moves."""
        position = self._position
        if self.nodal:
            position = self._known.interpreter.run_keeper(position)
        return self._known.at(position)

    @cached_property
    def is_dead(self) -> bool:
        """Whether it leads into a move that cannot be completed."""
        return not self.nodal and not self.after.is_alive
