"""A game that can be walked through: where it began, its moves, and pictures of its positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from semisplit.core.errors import IllegalMove
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.ui.render.colours import player_colours
from semisplit.ui.render.svg import draw


class Record:
    """The moves of a game, each with where it has led."""

    def __init__(self, start: State):
        self.start = start
        self.turns: list[tuple[Move, State]] = []

    @property
    def game(self) -> Game:
        """What is played."""
        return self.start.game

    def state(self, at: int) -> State:
        """Where the game was after so many moves."""
        return self.turns[at - 1][1] if at else self.start

    def add(self, move: Move) -> None:
        """Make another move."""
        self.turns.append((move, self.state(len(self.turns)).apply(move)))

    def add_wire(self, wire: str) -> None:
        """Make another move, given in the form that other programs understand."""
        state = self.state(len(self.turns))
        self.turns.append(follow_wire(state, wire))

    def turns_json(self) -> list[dict[str, Any]]:
        """The moves, as a page shows them."""
        before = [self.start, *(state for _, state in self.turns)]
        return [
            {"text": str(move), "wire": changing_wire(move), "player": state.player}
            for state, (move, _) in zip(before, self.turns)
        ]

    def picture(self, at: int, *, turned: bool, shown: State | None = None) -> str:
        """The position after so many moves, the last one marked; or another one, in the same way.

        A player's part in a move that is not complete is not seen.
        """
        while at and not self.state(at).is_nodal:
            at -= 1
        before = self.state(max(0, at - 1))
        position = (shown or self.state(at)).position
        since = self.state(at).position if shown else before.position
        return draw(self.game.rules, position, since=since, turned=turned)


def changing_wire(move: Move) -> str:
    """A move in the form that other programs understand, without marks of where it is split."""
    return " ".join(step.wire for step in move.steps if step.changes)


def follow_wire(state: State, wire: str) -> tuple[Move, State]:
    """The move with this form, and where it leads.

    In split games it is followed by semimoves, as there may be very many whole moves.
    """
    begin, rest = state, " ".join(wire.split())
    steps: Steps = ()
    while rest:
        found = next((move for move in state.semimoves() if _begins(rest, move.wire)), None)
        if found is None:
            raise IllegalMove(f"the move {wire} is not legal here")
        rest = rest[len(found.wire) + 1 :]
        steps, state = steps + found.steps, state.apply(found)
    if state is begin or (not state.is_nodal and not state.game.rules.simultaneous):
        raise IllegalMove(f"{wire or 'nothing'} is not a whole move")
    return Move(steps, begin.game.write_move(steps)), state


def _begins(rest: str, wire: str) -> bool:
    return rest == wire or rest.startswith(f"{wire} ")


def game_json(game: Game, title: str) -> dict[str, Any]:
    """What a page has to know about a game."""
    rules = game.rules
    colours = player_colours(game.players)
    appearance = rules.appearance
    return {
        "name": game.name,
        "title": title,
        "players": list(game.players),
        "bounds": list(rules.players.values()),
        "colours": [colours[player].fill for player in game.players],
        "splits": rules.can_split,
        "pieces": list(appearance.symbols) if appearance else [],
    }


def state_json(state: State) -> dict[str, Any]:
    """What a page has to know about a position."""
    return {
        "player": state.player,
        "over": state.is_terminal,
        "scores": list(state.scores) if state.is_terminal else None,
    }


def names_of(game: Game) -> Sequence[str]:
    """What the places of the board are called."""
    appearance = game.rules.appearance
    return appearance.geometry.names if appearance else ()
