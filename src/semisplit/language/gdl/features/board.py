"""Boards: which fluents say what lies where, told by a comment or guessed from the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from semisplit.core.board.diagram import piece_symbols
from semisplit.core.board.geometry import Geometry, Shape
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.features.domains import Argument, find_domains
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.board_comment import BoardComment, Cells
from semisplit.language.rules import Appearance

_BLANK = ("empty", "blank", "e", "b")
_MAX_PLACES = 2_000
_MAX_PIECES = 500


@dataclass(frozen=True)
class Board:
    """Where the cells of a game lie, and what lies on them."""

    appearance: Appearance
    cells: Mapping[tuple[str, int], Cells]
    """The fluents that say so, by name and number of arguments."""
    places: Mapping[tuple[str, ...], int]
    """The place of each cell, given by the fluent's name and the constants that tell where."""
    empty: str
    """The piece where no fluent says anything."""

    def pieces(self, fluents: Iterable[Term]) -> list[str]:
        """The piece on each place."""
        pieces = [self.empty] * len(self.places)
        for fluent in fluents:
            if (found := self._find(fluent)) is not None:
                place, piece = found
                pieces[place] = piece
        return pieces

    def named_by(self, move: Term) -> list[int]:
        """The places whose constants stand next to each other in a move, as in its cells."""
        names = [argument.name if isinstance(argument, Term) else "" for argument in move.arguments]
        found: list[int] = []
        while names:
            place, used = next(self._at_the_beginning(names), (-1, 1))
            found += [place] if place >= 0 else []
            del names[:used]
        return found

    def _at_the_beginning(self, names: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Places that are named at the beginning, and by how many constants."""
        for cells in self.cells.values():
            order = sorted(i for i in (cells.board, cells.column, cells.row) if i is not None)
            if len(order) <= len(names):
                by_argument = dict(zip(order, names))
                where = [by_argument.get(i, "") for i in range(cells.arity)]
                if (place := self.places.get(_where(cells, where))) is not None:
                    yield place, len(order)

    def shows(self, fluent: Term) -> bool:
        """Whether a fluent is a piece on the board."""
        return self._find(fluent) is not None

    def _find(self, fluent: Term) -> tuple[int, str] | None:
        cells = self.cells.get((fluent.name, len(fluent.arguments)))
        if cells is None:
            return None
        names = [argument.name for argument in fluent.arguments]
        place = self.places.get(_where(cells, names))
        piece = _piece(cells, [names[i] for i in cells.words])
        return None if place is None or piece not in self.appearance.symbols else (place, piece)


def _where(cells: Cells, names: Sequence[str]) -> tuple[str, ...]:
    board = () if cells.board is None else (names[cells.board],)
    return (cells.name, *board, names[cells.column], names[cells.row])


def _piece(cells: Cells, words: Sequence[str]) -> str:
    return " ".join(words) or cells.name


def _join(piece: str) -> str:
    """A piece in one word, of which capital letters remain where it is shortened."""
    first, *others = piece.split()
    return first + "".join(word.capitalize() for word in others)


def find_board(description: Description) -> Board | None:
    """The board of a game, if it has one."""
    comment = BoardComment(description.source)
    known = _Known(description)
    all_cells = comment.cells if comment.span else known.guess()
    if not all_cells:
        return None
    columns = known.constants(*((cells, cells.column) for cells in all_cells))
    rows = known.constants(*((cells, cells.row) for cells in all_cells))
    if not all_cells[0].from_above:
        rows = rows[::-1]
    boards = [name for cells in all_cells for name in known.boards(cells)]
    pieces = known.pieces(all_cells)
    if not 0 < len(columns) * len(rows) * len(boards) <= _MAX_PLACES or len(pieces) > _MAX_PIECES:
        return None
    empty = next((piece for piece in _BLANK if piece in pieces), _BLANK[0])
    names = {piece: _join(piece) for piece in pieces if piece != empty}
    initials = piece_symbols([*names.values()])
    symbols = {piece: initials[name] for piece, name in names.items()}
    places = list(product(boards, enumerate(rows), enumerate(columns)))
    lean = [len(rows) - 1 - y if comment.is_hexagonal else 0 for y in range(len(rows))]
    scale = 2 if comment.is_hexagonal else 1
    single = len(all_cells) == 1  # Then the fluent's name tells nothing.
    shape: Shape = "cuboid" if len(boards) > 1 else "rectangle"
    geometry = Geometry(
        "hexagon" if comment.is_hexagonal else shape,
        tuple(" ".join((*board[single:], column, row)) for board, (_, row), (_, column) in places),
        tuple((scale * x + lean[y], y, boards.index(board)) for board, (y, _), (x, _) in places),
        (tuple(columns), tuple(rows), tuple(map(" ".join, boards))),
    )
    return Board(
        Appearance(geometry, {**symbols, empty: "."}, known.owners(symbols)),
        {(cells.name, cells.arity): cells for cells in all_cells},
        {(*board, column, row): i for i, (board, (_, row), (_, column)) in enumerate(places)},
        empty,
    )


class _Known:
    """What is known of a game's constants without playing it."""

    def __init__(self, description: Description):
        self._roles = {role.name: description.spelling[role.name] for role in description.roles}
        self._domains = find_domains(description.clauses)
        heads = [clause.head for clause in description.clauses]
        fluents = [head.arguments[0] for head in heads if head.name in ("init", "next")]
        self._fluents = dict.fromkeys(
            (fluent.name, len(fluent.arguments)) for fluent in fluents if isinstance(fluent, Term)
        )
        self._pairs: dict[str, list[tuple[str, str]]] = {}
        """The facts of each relation that relates two constants and has no other clauses."""
        for clause in description.clauses:
            names = [term.name for term in clause.head.arguments if isinstance(term, Term)]
            if len(names) == len(clause.head.arguments) == 2:
                self._pairs.setdefault(clause.head.name, []).append((names[0], names[1]))

    def guess(self) -> list[Cells]:
        """The fluents that seem to say what lies where: those of the largest board."""
        found = [cells for key in self._fluents if (cells := self._as_cells(*key))]
        sizes = [(self.constants((c, c.column)), self.constants((c, c.row))) for c in found]
        largest = max(sizes, key=lambda size: len(size[0]) * len(size[1]), default=None)
        return [cells for cells, size in zip(found, sizes) if size == largest]

    def _as_cells(self, name: str, arity: int) -> Cells | None:
        """Fluents whose first two arguments, or those behind a board's, count something."""
        for first in (1, 0):
            cells = Cells(name, arity, first, first + 1, 0 if first else None)
            # The last argument is the piece, unless there are but two.
            if first + 2 < arity or (first, arity) == (0, 2):
                counting = [self._in_order(self._at(cells, i)) for i in (first, first + 1)]
                if all(line and (arity > 2 or line[0].isdigit()) for line in counting):
                    return cells
        return None

    def constants(self, *places: tuple[Cells, int]) -> list[str]:
        """The constants at arguments of fluents, in their order if they have one."""
        names = dict.fromkeys(name for cells, i in places for name in self._at(cells, i))
        return self._in_order(names) or [*names]

    def _at(self, cells: Cells, index: int) -> Mapping[str, None]:
        return self._domains.get(Argument(cells.name, cells.arity, index, True), {})

    def _in_order(self, names: Mapping[str, None]) -> list[str]:
        """Numbers in their order, other constants if a relation puts them in a row."""
        if len(names) > 1 and all(re.fullmatch(r"-?\d{1,9}", name) for name in names):
            return sorted(names, key=int)
        for pairs in self._pairs.values():
            after = {left: right for left, right in pairs if left in names and right in names}
            firsts = names.keys() - after.values()
            if len(names) > 2 and len(after) == len(names) - 1 and len(firsts) == 1:
                line = [*firsts]
                while line[-1] in after:
                    line.append(after[line[-1]])
                if len(line) == len(names):
                    return line
        return []

    def boards(self, cells: Cells) -> list[tuple[str, ...]]:
        """What tells the boards of some fluents apart, beginning with the fluents' name."""
        if cells.board is None:
            return [(cells.name,)]
        return [(cells.name, board) for board in self.constants((cells, cells.board))]

    def pieces(self, all_cells: Iterable[Cells]) -> list[str]:
        """All that can lie somewhere, as far as it is not too much."""
        words = ((cells, [self._at(cells, i) for i in cells.words]) for cells in all_cells)
        pieces = (_piece(cells, some) for cells, names in words for some in product(*names))
        return list(dict.fromkeys(islice(pieces, _MAX_PIECES + 1)))

    def owners(self, pieces: Iterable[str]) -> dict[str, str]:
        """Whose a piece is: its name has the role's, or a relation has both."""
        related = {pair for pairs in self._pairs.values() for pair in pairs}
        found = {}
        for piece in pieces:
            words = piece.split()
            candidates = [role for role in self._roles if role in words] or [
                role
                for role in self._roles
                if any({(role, word), (word, role)} & related for word in words)
            ]
            if len(candidates) == 1:
                found[piece] = self._roles[candidates[0]]
        return found
