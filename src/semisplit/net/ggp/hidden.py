"""A match in which a player is told what it sees, and not what others have done: GDL-II.

What it could see of, and with which moves, says which positions are possible (see
`agents.imperfect`). A legal move in one of them is one in all, if the rules are well made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from semisplit.agents.imperfect.belief import Belief, Seen
from semisplit.compiler.runtime.reasoner import CompiledReasoner
from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.language.gdl.play.interpret import Step
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import read_terms
from semisplit.net.ggp.messages import NOTHING, elements
from semisplit.net.ggp.stepping import Moves, Way
from semisplit.net.shared.messages import show

_MOST = 30
"""Positions that are kept to have a legal move at hand,"""
_LOOKED_AT = 3
"""and those in which legal moves are looked for: they should be the same in all."""


class HiddenCourse:
    """How far a match has come, by what a player was told that it has done and seen."""

    def __init__(self, rules: GdlRules, role: int, seed: int, *, believes: bool):
        """Begin, in a role given by its place among all.

        Args:
            rules: The game.
            role: Which one it is.
            seed: For what is drawn.
            believes: Whether to keep what is possible, for legal moves.
        """
        self.made = 0
        """How many moves were made."""
        self._rules = rules
        self._role = role
        self._told: list[tuple[str, str]] = []
        """The own part of moves, and what was seen of them."""
        game = Game(rules, engine="interpreter")
        self._belief = Belief(game, role + 1, Random(seed), _MOST) if believes else None

    def tell(self, parts: tuple[str, ...], answered: str | None) -> None:
        """What has happened since the last question.

        Args:
            parts: What a host says behind the name of the match: either the number of moves, what
                the player has done, and a list of what it has seen; or this list alone.
            answered: What the player has answered to the last question; None if there was none.
        """
        if len(parts) == 3 and parts[0].isdecimal():
            number, own, seen = parts
            is_new = int(number) > self.made + len(self._told)
        else:
            seen = parts[0] if len(parts) == 1 else f"({' '.join(parts)})"
            own, is_new = NOTHING, answered is not None
        if is_new:
            own = answered or "" if own.lower() == NOTHING else own
            self._told.append((own, seen))

    def catch_up(self) -> Iterator[Callable[[], Seen]]:
        """Go on by what was told; gives what the player knows of each move.

        Raises:
            InputError: If it makes no sense; it is forgotten.
        """
        while self._told:
            own, listed = self._told.pop(0)
            self.made += 1
            moves = self._read(own)
            if len(moves) != 1:
                raise InputError(f"{show(own.encode())} cannot have been a move")
            seen = Seen(
                (Step(self._role + 1, moves[0]),), tuple(sorted(self._read(*_percepts(listed))))
            )
            if self._belief is not None:
                has_choice = len(self._legal()) > 1
                self._belief.go_on(seen if has_choice else seen._replace(own=()))
            yield partial(Seen, *seen)

    def moves(self) -> Moves:
        """What may be done now."""
        return Moves(self._legal(), Way.INTERPRETED)

    def scores(self) -> tuple[int, ...]:
        """What each role gets if the game is over, as far as it can be known."""
        assert self._belief is not None
        positions = self._belief.positions
        return self._rules.scores(max(positions, key=lambda one: positions[one]))

    def use_compiled(self) -> None:
        """Step by the compiled game from now on, if it is in the cache."""
        if self._belief is not None and (compiled := self._rules.kept()) is not None:
            self._belief.use(CompiledReasoner(compiled, self._rules.start))

    def _legal(self) -> list[Term]:
        """The legal moves of the role in a position that is possible, of those with most."""
        assert self._belief is not None
        interpreter = self._rules.interpreter
        running = [one.fluents for one in self._belief.positions if one.player]
        legal = (interpreter.legal(state)[self._role] for state in running[:_LOOKED_AT])
        return max(legal, key=len, default=[])

    def _read(self, *texts: str) -> list[Term]:
        description = self._rules.description
        return read_terms(" ".join(texts), description.spelling, description.names.name)


def _percepts(listed: str) -> tuple[str, ...]:
    """The percepts of a list, of which there may be none."""
    if listed.startswith("("):
        return tuple(elements(listed))
    return () if listed.lower() == NOTHING else (listed,)
