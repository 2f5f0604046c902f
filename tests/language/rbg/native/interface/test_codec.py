"""States and steps: what bytes and codes mean."""

from semisplit.language.rbg.native.interface.compile import code_of
from semisplit.language.rbg.play.interpret import Position, Step
from tests.support.emitted import emitted

CODEC = code_of(emitted("->w {e} . [x] ->b"), None).codec
POSITION = Position((0, 1, 2, 0, 0), (7, 0, 3, 5), 1, 4, 2)
"""The board of the prelude; the scores 7 and 0, t = 3 and u = 5; w is to move, on the fifth vertex,
behind the second modifier."""


def test_a_state_is_numbers_and_a_set_of_squares_for_each_piece() -> None:
    state = CODEC.pack(POSITION)
    numbers = [int.from_bytes(state[i : i + 4], "little") for i in range(0, 28, 4)]
    assert numbers == [2, 1, 2, 7, 0, 3, 5]
    sets = [int.from_bytes(state[i : i + 8], "little") for i in range(32, len(state), 8)]
    assert [f"{squares:06b}" for squares in sets] == ["001101", "010000", "100000"]
    assert CODEC.unpack(state) == POSITION


def test_dots_have_the_first_codes() -> None:
    steps = (Step(0, -1), Step(0, 2), Step(4, 2))
    assert CODEC.codes(steps) == [3, 21, 20]
    assert CODEC.steps(CODEC.codes(steps) or []) == steps


def test_what_the_game_does_not_have_has_no_code() -> None:
    assert CODEC.codes((Step(0, 9),)) is None
    assert CODEC.codes((Step(5, 2),)) is None
