"""Relations between squares and the numbering of squares, without any code."""

from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.native.board.relation import Relation, bits_of
from semisplit.language.rbg.native.board.squares import Squares

SIZE = 5
BOARD = (1 << SIZE) - 1
NEXT = Relation(tuple(1 << bit + 1 if bit + 1 < SIZE else 0 for bit in range(SIZE)))
RING = Relation(tuple(1 << (bit + 1) % SIZE for bit in range(SIZE)))
HERE = Relation.identity(BOARD, SIZE)


def pairs(relation: Relation) -> set[tuple[int, int]]:
    return {(a, b) for a, row in enumerate(relation.rows) for b in bits_of(row)}


def test_composition_and_union() -> None:
    assert pairs(NEXT.then(NEXT)) == {(0, 2), (1, 3), (2, 4)}
    assert pairs(NEXT | HERE) == pairs(NEXT) | pairs(HERE)
    assert NEXT.then(HERE) == NEXT
    assert HERE.then(NEXT) is NEXT


def test_closure_has_any_number_of_steps() -> None:
    assert pairs(NEXT.closure(BOARD)) == {(a, b) for a in range(SIZE) for b in range(a, SIZE)}
    assert RING.closure(BOARD).constant == BOARD
    backwards = NEXT.inverse.closure(BOARD)
    assert pairs(backwards) == {(b, a) for a, b in pairs(NEXT.closure(BOARD))}


def test_inverse() -> None:
    everywhere = RING.closure(BOARD)
    for relation in (NEXT, RING, HERE, NEXT | RING, everywhere):
        assert pairs(relation.inverse) == {(b, a) for a, b in pairs(relation)}


def test_parts_that_move_squares_by_the_same_distance() -> None:
    both = NEXT | NEXT.inverse
    assert set(both.shifts) == {1, -1}
    assert {frozenset(pairs(part)) for part in both.functions} == {
        frozenset(pairs(NEXT)),
        frozenset(pairs(NEXT.inverse)),
    }
    assert not both.is_function
    assert all(part.is_function for part in both.functions)
    assert both.has_more_shifts(1)
    assert not both.has_more_shifts(2)


def test_longest_path() -> None:
    assert NEXT.longest_path == SIZE - 1
    assert RING.longest_path is None
    assert (NEXT | NEXT.then(NEXT)).longest_path == SIZE - 1


def squares(board: str) -> Squares:
    rules = "#players = w(1)\n#pieces = e\n#variables =\n#rules = ->w ->w\n"
    return Squares.of(parse(f"{rules}#board = {board}").board)


def test_rectangles_are_dense_and_every_direction_is_one_shift() -> None:
    found = squares("rectangle(up,down,left,right,[e,e,e][e,e,e])")
    assert found.bits == tuple(range(6))
    distances = {label: set(relation.shifts) for label, relation in found.shifts.items()}
    assert distances == {"up": {-3}, "down": {3}, "left": {-1}, "right": {1}}


def test_holes_are_bits_without_a_square() -> None:
    found = squares("rectangle(up,down,left,right,[e,e,e][e,,e][e,e,e])")
    assert len(found.bits) == 8
    assert found.board.bit_count() == 8
    assert all(len(relation.shifts) == 1 for relation in found.shifts.values())


def test_hexagons_are_skewed_rows() -> None:
    found = squares("hexagon(NW,NE,E,SE,SW,W,[e,e][e,e,e][e,e])")
    assert all(len(relation.shifts) == 1 for relation in found.shifts.values())
    assert found.words == 1
