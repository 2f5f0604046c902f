"""A move while a person enters it: as a whole, or square by square.

Squares are chosen by semimoves of the strategy Mod, less those that lead nowhere. What is not a
choice, because there is one way to go on, is made without asking.
"""

from __future__ import annotations

from semisplit.core.errors import IllegalMove, did_you_mean
from semisplit.game import Game, Move, State
from semisplit.rbg.interpret import Steps


def splitting(game: Game) -> Game:
    """A game in the form in which its moves can be entered."""
    source = game.description.source
    return Game.parse(source.text, source.name, "Mod")


class Entry:
    """What has been entered of a move so far; entering more gives another one."""

    def __init__(self, state: State, steps: Steps = ()):
        """Begin at a state of a game that is split by Mod, in which there is a move."""
        self.state = state
        """Where the move has led so far."""
        self.steps = steps
        self._options: list[Move] | None = None

    @property
    def text(self) -> str:
        """The squares chosen, as moves are written."""
        return self.state.game.notation.write([self.steps])[self.steps] if self.steps else ""

    @property
    def is_complete(self) -> bool:
        """Whether it is a whole move."""
        return bool(self.steps) and self.state.is_nodal

    def options(self) -> list[Move]:
        """The semimoves to go on with; each of them can be completed."""
        if self._options is None:
            found = self.state.semimoves()
            self._options = [move for move in found if not self.state.apply(move).is_dead]
        return self._options

    def squares(self) -> list[str]:
        """What can be chosen next."""
        return list(dict.fromkeys(_square(move) for move in self._at_choice().options()))

    def completions(self) -> list[str]:
        """All that can be entered: squares, and whole moves or the rest of one."""
        return list(dict.fromkeys([*self.squares(), *map(str, self.state.moves())]))

    def _forced(self) -> Entry:
        """The entry after all that is no choice."""
        entry = self
        while not entry.is_complete and len(entry.options()) == 1:
            entry = entry._after(entry.options()[0])
        return entry

    def _at_choice(self) -> Entry:
        """Where there is something to choose; the only legal move is still to be entered."""
        forced = self._forced()
        return self if forced.is_complete else forced

    def enter(self, text: str) -> Entry:
        """Enter a whole move, or squares separated by blanks.

        Raises:
            IllegalMove: If there is no such move.
        """
        wanted = " ".join(text.split())
        for move in self.state.moves():
            if wanted in (str(move), move.wire):
                return self._after(move)
        entry = self
        for word in wanted.split():
            entry = entry._choose(word)
        return entry

    def _choose(self, word: str) -> Entry:
        entry = self._at_choice()
        options = entry.options()
        by_name = {_square(move): move for move in options} | {str(move): move for move in options}
        by_name |= {str(move): move for move in entry.state.moves()}
        if word not in by_name:
            meant = did_you_mean(word, by_name)
            hint = f"; did you mean '{meant}'?" if meant else "; 'moves' lists what is possible"
            raise IllegalMove(f"'{word}' is not possible here{hint}")
        return entry._after(by_name[word])._forced()

    def _after(self, move: Move) -> Entry:
        return Entry(self.state.apply(move), self.steps + move.steps)


def _square(move: Move) -> str:
    """A semimove without the mark that says that the move goes on."""
    return str(move).rstrip("-.")
