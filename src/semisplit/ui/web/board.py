"""The board of a tab: a game that is walked through and gone on with by clicks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field, validate_call

from semisplit import games
from semisplit.core.board import diagram
from semisplit.core.errors import IllegalMove, InputError, UnknownName
from semisplit.game import State
from semisplit.language import rules as rules_of
from semisplit.ui.play.entry import splitting
from semisplit.ui.render.svg import draw
from semisplit.ui.web.catalogue import Rules, load_game
from semisplit.ui.web.clicks import Clicks
from semisplit.ui.web.record import Record, follow_wire, game_json, names_of, state_json
from semisplit.ui.web.worker import PageChannel, PageLimits, Service

Moves = Annotated[list[Annotated[str, Field(max_length=100_000)]], Field(max_length=20_000)]
"""As on the wire."""


class Board(Service):
    """One game, where in it one is, and what has been clicked there."""

    def __init__(self, page: PageChannel, limits: PageLimits):
        super().__init__(page, limits)
        self._record: Record | None = None
        self._at = 0
        self._turned = False
        self._clicks: Clicks | None = None
        self._drawn: object = None
        """What the page shows."""

    # Games

    @validate_call
    def do_open(
        self, rules: Rules, position: str, moves: Moves, turned: bool = False
    ) -> dict[str, Any]:
        """Open a game, perhaps from another position than the initial one, with moves made."""
        loaded = load_game(rules, self.limits.folders)
        game = splitting(loaded)
        record = Record(game.parse_state(position) if position.strip() else game.initial_state())
        if not record.start.is_nodal:
            raise InputError("a position inside a move cannot be set up")
        for number, move in enumerate(moves, 1):
            try:
                record.add_wire(move)
            except IllegalMove as error:
                raise InputError(f"move {number}: {error}") from error
        self._record, self._turned, self._drawn = record, turned, None
        self._go(len(moves))
        about = game_json(game, games.title(loaded.text) or loaded.name)
        return {"about": {**about, "text": loaded.text}, **self._view()}

    @validate_call
    def do_position(self) -> dict[str, Any]:
        """The position as text and as a picture; it may be changed and set up."""
        return _position_json(self._state)

    @validate_call
    def do_put(self, position: str, square: str, piece: str) -> dict[str, Any]:
        """A position, given as text, with another piece on a square."""
        rules = self._known.game.rules
        state = State(self._known.game, rules.read_position(position))
        pieces, names = list(state.pieces), names_of(state.game)
        before, text = _diagram(rules, pieces), str(state)
        if before is None or not text.startswith(before):
            raise InputError("the pieces of this game can be changed only in the text")
        if square not in names:
            raise UnknownName("square", square, names)
        pieces[names.index(square)] = piece
        changed = f"{_diagram(rules, pieces)}{text.removeprefix(before)}"
        return _position_json(State(state.game, rules.read_position(changed)))

    # Moves

    @validate_call
    def do_click(self, square: str) -> dict[str, Any]:
        """Click a square; if that completes a move, it is made."""
        names = names_of(self._known.game)
        if square not in names:
            raise UnknownName("square", square, names)
        self._clicks = self._entered.click(names.index(square))
        if self._clicks.move is not None:
            self._play_wire(self._clicks.move.wire)
        return self._view()

    @validate_call
    def do_choose(self, text: str) -> dict[str, Any]:
        """Choose a move by its text."""
        words = self._entered.words
        if text not in words:
            raise UnknownName("move", text, words)
        self._play_wire(words[text].wire)
        return self._view()

    @validate_call
    def do_back(self) -> dict[str, Any]:
        """Take back the last click."""
        self._clicks = self._entered.before or self._clicks
        return self._view()

    @validate_call
    def do_play(self, move: str) -> dict[str, Any]:
        """Make a move."""
        self._play_wire(move)
        return self._view()

    @validate_call
    def do_go(self, at: int) -> dict[str, Any]:
        """Look at the position after so many moves."""
        self._go(at)
        return self._view()

    @validate_call
    def do_cut(self, at: int) -> dict[str, Any]:
        """Take moves back, so that so many are left."""
        self._go(at)
        del self._known.turns[self._at :]
        return self._view()

    @validate_call
    def do_turn(self) -> dict[str, Any]:
        """Look from the other side."""
        self._turned = not self._turned
        return self._view()

    @validate_call
    def do_line(self, moves: Moves) -> dict[str, Any]:
        """A picture of how the game may go on."""
        record = Record(self._state)
        for move in moves:
            record.add_wire(move)
        return {"picture": record.picture(len(moves), turned=self._turned)}

    # Inside

    @property
    def _known(self) -> Record:
        if self._record is None:
            raise InputError("no game has been opened")
        return self._record

    @property
    def _state(self) -> State:
        return self._known.state(self._at)

    @property
    def _entered(self) -> Clicks:
        if self._clicks is None:
            self._clicks = Clicks(self._state)
        return self._clicks

    def _go(self, at: int) -> None:
        self._at = max(0, min(at, len(self._known.turns)))
        self._clicks = None

    def _play_wire(self, wire: str) -> None:
        record = self._known
        turn = follow_wire(self._state, wire)
        del record.turns[self._at :]
        record.turns.append(turn)
        self._go(self._at + 1)

    def _view(self) -> dict[str, Any]:
        """All that the page shows."""
        record, state, clicks = self._known, self._state, self._entered
        names = names_of(record.game)
        shown = clicks.shown if clicks.clicked else None
        return {
            **state_json(state),
            "picture": self._picture(shown),
            "at": self._at,
            "turns": record.turns_json(),
            "clicked": [names[place] for place in clicks.clicked],
            "squares": [names[place] for place in clicks.places],
            "words": list(clicks.words),
        }

    def _picture(self, shown: State | None) -> str | None:
        """The picture of the position, if it is not the one that was sent last."""
        drawn = self._state, self._at, self._turned, shown
        if drawn == self._drawn:
            return None
        self._drawn = drawn
        return self._known.picture(self._at, turned=self._turned, shown=shown)


def _position_json(state: State) -> dict[str, Any]:
    return {"text": str(state), "picture": draw(state.game.rules, state.position)}


def _diagram(rules: rules_of.Rules, pieces: Sequence[str]) -> str | None:
    """A board as text, as the texts of positions begin in languages of boards."""
    if (appearance := rules.appearance) is None:
        return None
    if unknown := set(pieces) - set(appearance.symbols):
        raise UnknownName("piece", unknown.pop(), appearance.symbols)
    return diagram.draw(appearance.geometry, [appearance.symbols[piece] for piece in pieces])
