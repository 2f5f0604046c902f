"""A move while a person enters it by clicking places of the board.

What has been clicked may be the beginning of several moves: all of them are followed at once. What
names no place, like setting a variable, is passed over, and so is what is no choice; where moves
differ in nothing else, they are told apart by words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from semisplit.core.errors import IllegalMove, ManyMoves
from semisplit.core.steps import Steps
from semisplit.game import Move, State

_MOST_WAYS = 20_000
"""Beginnings of moves that are followed at once; rules that have more are not for clicking."""
_FEW, _FEW_MOVES = 50, 2_000
"""Semimoves that are quickly tried, and whole moves that are quickly listed."""


@dataclass(frozen=True)
class _Way:
    """A beginning of a move: a semimove, and what was before it."""

    before: State
    move: Move | None = None
    steps: Steps = ()
    """All steps, those of the semimove included."""
    unclicked: tuple[int, ...] = ()
    """Places of the semimove that are still to be clicked."""

    @cached_property
    def state(self) -> State:
        """Where it leads."""
        return self.before if self.move is None else self.before.apply(self.move)

    @property
    def is_complete(self) -> bool:
        """Whether it is a move; where several players decide at once, that of one is enough."""
        return self.move is not None and self.before.game.rules.is_whole(self.move.steps)

    def clicked(self) -> _Way:
        """Return this way after a click on its next place."""
        return replace(self, unclicked=self.unclicked[1:])


class Clicks:
    """What has been clicked of a move, or of a player's part in one; clicking gives another one."""

    def __init__(self, state: State):
        """Begin to enter a move in a state of a game as `ui.play.entry.splitting` gives it."""
        self._ways: tuple[_Way, ...] = (_Way(state),) if state.player else ()
        self.clicked: tuple[int, ...] = ()
        self.shown = state
        """A state for the eyes: a piece that was taken up is still there until it is put down."""
        self.before: Clicks | None = None
        """The clicks without the last one."""

    @cached_property
    def places(self) -> dict[int, list[_Way]]:
        """The places that can be clicked next."""
        found: dict[int, list[_Way]] = {}
        for place, way in self._ahead:
            if place is not None:
                found.setdefault(place, []).append(way)
        return found

    @cached_property
    def words(self) -> dict[str, Move]:
        """The moves that can be chosen by their text, as there is nothing to be clicked."""
        return self._moves if self.move is None else {}

    @cached_property
    def move(self) -> Move | None:
        """The move that has been entered, if it is complete and no other can be meant."""
        moves = list(self._moves.values())
        return moves[0] if self.clicked and len(moves) == 1 and not self.places else None

    @cached_property
    def _moves(self) -> dict[str, Move]:
        """The moves that are complete; of those that lead to the same position one is enough."""
        found = [way for place, way in self._ahead if place is None]
        ways = list({way.state.position: way for way in found}.values())
        if not ways:
            return {}
        texts = ways[0].state.game.rules.write_moves([way.steps for way in ways])
        if self.clicked:
            # What is put there says more than the notation of moves.
            pieces = [way.state.pieces[self.clicked[-1]] for way in ways]
            if len(ways) > 1 and len(set(pieces)) == len(ways):
                return {
                    piece: Move(way.steps, texts[way.steps]) for piece, way in zip(pieces, ways)
                }
        return {text: Move(steps, text) for steps, text in texts.items()}

    @cached_property
    def _ahead(self) -> list[tuple[int | None, _Way]]:
        """What can be next: places to be clicked, and moves without one."""
        found: list[tuple[int | None, _Way]] = []
        last = self.clicked[-1] if self.clicked else None
        ways = list(reversed(self._ways))
        while ways:
            way = ways.pop()
            if way.unclicked and way.unclicked[0] == last:
                way = way.clicked()
            if way.unclicked:
                found.append((way.unclicked[0], way))
            elif way.is_complete:
                found.append((None, way))
            else:
                ways += reversed(list(_go_on(way)))
            if len(ways) + len(found) > _MOST_WAYS:
                raise IllegalMove("there are too many moves here to enter one by clicks")
        return found

    def click(self, place: int) -> Clicks:
        """Click a place."""
        if place not in self.places:
            raise IllegalMove("no move goes on there")
        after = self._after(place)
        # What is no choice is made without asking.
        while len(after.places) == 1 and not after.words:
            after = after._after(next(iter(after.places)))
        if not (after.places or after.words or after.move):
            raise IllegalMove("no move can be completed from there")
        after.before = self
        return after

    def _after(self, place: int) -> Clicks:
        after = Clicks(self.shown)
        after._ways = tuple(way.clicked() for way in self.places[place])
        after.clicked = (*self.clicked, place)
        after.shown = after._look(place) or self.shown
        return after

    def _look(self, place: int) -> State | None:
        """The state to be shown after a place was clicked, if it is another one."""
        reached = [way.state for way in self._ways if not way.unclicked]
        boards = {tuple(state.pieces) for state in reached}
        if len(boards) != 1 or len(reached) < len(self._ways):
            return None
        state = reached[0]
        appearance = state.game.rules.appearance
        is_free = appearance is None or appearance.symbols[state.pieces[place]] == "."
        return None if is_free else state


def _go_on(way: _Way) -> Iterator[_Way]:
    """The ways a move can go on by a semimove."""
    state = way.state
    for move in _living(state):
        places = state.game.rules.places(move.steps)
        if not places and state.game.split is None:
            places = _changed(state, state.apply(move))
        yield _Way(state, move, way.steps + move.steps, places)


def _living(state: State) -> list[Move]:
    """The semimoves after which a move can be completed; if they are very many, all of them."""
    found = state.semimoves()
    if state.game.split is None:
        return found
    if len(found) <= _FEW:
        return [move for move in found if not state.apply(move).is_dead]
    try:
        begun = {move.steps[:1] for move in state.moves(_FEW_MOVES)}
    except ManyMoves:
        return found
    return [move for move in found if move.steps in begun]


def _changed(state: State, following: State) -> tuple[int, ...]:
    """The place that is changed from one state to another, if it is one."""
    pairs = enumerate(zip(state.pieces, following.pieces))
    places = tuple(place for place, (before, after) in pairs if before != after)
    return places if len(places) == 1 else ()
