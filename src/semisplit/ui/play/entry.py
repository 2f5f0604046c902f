"""A move while a person enters it: as a whole, or square by square.

Squares are chosen by semimoves of the strategy Mod, less those that lead nowhere. What is not a
choice, because there is one way to go on, is made without asking.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from semisplit.core.errors import IllegalMove, did_you_mean
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State

_CAPTURE = re.compile(r"(?<=[0-9])x(?=[a-z])")
_NAME = re.compile(r"(?:^|-)(\w+)")
_SHORTEST_WORD = 4
_MOST_NAMES = 8
MOST_MOVES = 100
"""More than these are too many for anyone to read."""


def splitting(game: Game) -> Game:
    """A game in the form in which its moves can be entered."""
    return game.split_by("Mod") if game.rules.can_split else game


class Entry:
    """What has been entered of a move so far; entering more gives another one."""

    def __init__(self, state: State, steps: Steps = ()):
        """Begin at a state of a game that is split by Mod, in which there is a move."""
        self.state = state
        """Where the move has led so far."""
        self.steps = steps
        self.before: Entry | None = None
        """The entry less the square that was chosen last; None at the beginning."""
        self._options: list[Move] | None = None

    @property
    def text(self) -> str:
        """The squares chosen, as moves are written."""
        return self.state.game.write_move(self.steps) if self.steps else ""

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

    def list_moves(self, text: str = "") -> tuple[list[Move], dict[str, int]]:
        """The moves that begin with what is entered and a text.

        Returns:
            The moves; and if there are more than MOST_MOVES, what can be chosen next and how
            many of them are behind it.
        """
        entry = self.enter(text)
        begun = entry.steps[len(self.steps) :]
        moves = [move for move in self.state.moves() if move.steps[: len(begun)] == begun]
        behind = entry._count_moves() if len(moves) > MOST_MOVES else {}
        return moves, behind if len(behind) < len(moves) else {}

    def _count_moves(self) -> dict[str, int]:
        at = self._at_choice()
        counts: Counter[str] = Counter()
        for move in at.options():
            following = at._after(move)
            counts[_square(move)] += 1 if following.is_complete else len(following.state.moves())
        return counts

    def completions(self) -> list[str]:
        """All that can be entered: squares, and whole moves or the rest of one."""
        return list(dict.fromkeys([*self.squares(), *map(str, self.state.moves())]))

    def _stages(self) -> list[Entry]:
        """The entries from here on to where there is something to choose.

        The only legal move is still to be entered.
        """
        stages = [self]
        while len(options := stages[-1].options()) == 1:
            following = stages[-1]._after(options[0])
            if following.is_complete:
                return [self]
            stages.append(following)
        return stages

    def _at_choice(self) -> Entry:
        return self._stages()[-1]

    def enter(self, text: str) -> Entry:
        """Enter a whole move, or squares.

        Moves may be typed in other ways than they are written, where only one can be meant: without
        separators, with an `x` for captures, by the first and last square of the piece, or by a
        word like `pass`.

        Raises:
            IllegalMove: If there is no such move, or more than one.
        """
        wanted = " ".join(text.split())
        found = self._find(wanted) or self._follow(wanted.split()) or self._read(_fold(wanted))
        if not found:
            raise self._unknown(wanted.split())
        if len(found) > 1:
            names = [entry.text for entry in found]
            rest = f" or {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            raise IllegalMove(f"'{wanted}' can be {' or '.join(names[:_MOST_NAMES])}{rest}")
        return found[0]

    def _follow(self, squares: list[str]) -> list[Entry]:
        """The entry after squares with exactly these names."""
        entry = self
        for square in squares:
            choices = list(entry._choices())
            by_name = {_square(move): (stage, move) for stage, move in choices}
            by_name |= {str(move): (stage, move) for stage, move in choices}
            if square not in by_name:
                return []
            entry = entry._choose(*by_name[square])
        return [entry]

    def _find(self, text: str) -> list[Entry]:
        """The entry after the move that is written so."""
        return [self._after(m) for m in self.state.moves() if text in (str(m), m.wire)]

    def _unknown(self, words: list[str]) -> IllegalMove:
        """What to say of words that are no move."""
        entry = self
        for word in words:
            following = entry._find(word) or entry._follow([word])
            if not following:
                break
            entry = following[0]
        choices = [*entry._choices(), *entry._choices(whole=True)]
        names = {name for _, move in choices for name in (_square(move), str(move))}
        meant = did_you_mean(word, names)
        hint = f"; did you mean '{meant}'?" if meant else "; 'moves' lists what is possible"
        return IllegalMove(f"'{word}' is not possible here{hint}")

    def _choices(self, *, whole: bool = False) -> Iterator[tuple[Entry, Move]]:
        """The squares, or the whole moves, that can be entered next, and from where.

        What is no choice may be entered or left out.
        """
        for stage in [] if self.is_complete else self._stages():
            for move in stage.state.moves() if whole else stage.options():
                yield stage, move

    def _choose(self, stage: Entry, move: Move) -> Entry:
        """The entry after a move and all that is no choice then."""
        entry = stage._after(move)
        while not entry.is_complete and len(entry.options()) == 1:
            entry = entry._after(entry.options()[0])
        entry.before = self
        return entry

    def _after(self, move: Move) -> Entry:
        return Entry(self.state.apply(move), self.steps + move.steps)

    # Reading what is typed in other ways

    def _read(self, text: str) -> list[Entry]:
        """All that a folded text can mean."""
        if not text:
            return []
        plain = _CAPTURE.sub("", text)
        found = self._cut(text) or self._cut(plain)
        if not found:
            chosen = [move for move in self.state.moves() if self._tells(plain, move)]
            found = [self._after(move) for move in chosen]
        return list({entry.steps: entry for entry in found}.values())

    def _cut(self, text: str) -> list[Entry]:
        """The entries after names that follow each other in a text without separators."""
        if not text:
            return [self]
        # A square and the move that it completes are one choice.
        reached: dict[tuple[Steps, str], Entry] = {}
        for stage, move in [*self._choices(), *self._choices(whole=True)]:
            if text.startswith(folded := _fold(str(move))):
                entry = self._choose(stage, move)
                reached[entry.steps, text.removeprefix(folded)] = entry
        return [found for (_, rest), entry in reached.items() for found in entry._cut(rest)]

    def _tells(self, text: str, move: Move) -> bool:
        """Whether a text has the first and last square of a piece that moves, or a word."""
        if len(text) >= _SHORTEST_WORD and text.isalpha():
            return text in _fold(str(move))
        squares = _NAME.findall(str(move))
        appearance = self.state.game.rules.appearance
        if appearance is None or not set(appearance.geometry.names).issuperset(squares):
            return False
        if text != _fold(squares[0] + squares[-1]):
            return False
        side = appearance.owners
        before, after = self.state.piece(squares[0]), self.state.apply(move).piece(squares[-1])
        return before in side and side[before] == side.get(after)


def _square(move: Move) -> str:
    """A semimove without the mark that says that the move goes on."""
    return str(move).rstrip("-.")


def _fold(text: str) -> str:
    """What counts of a text if separators and capital letters do not."""
    return re.sub(r"[^\w=#]", "", text).casefold()
