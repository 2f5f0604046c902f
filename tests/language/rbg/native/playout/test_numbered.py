"""Moves as numbers: a kind of move, and the square of its first step."""

from semisplit.compiler.runtime.abi import Bundle
from semisplit.language.rbg.native.playout.numbered import Group
from tests.support.emitted import emitted

ANYWHERE = "(left* + right*)(up* + down*)"


def kinds(rules: str) -> list[str]:
    """The kinds of moves: the numbers of their modifiers, and which square leads to which."""
    return [_kind(group) for group in emitted(rules, bundle=Bundle.NUMBERED).groups]


def _kind(group: Group) -> str:
    steps = " ".join(str(step.number) for step in group.steps)
    rows = group.relation.rows if group.relation else ()
    ways = [f"{bit}-{row.bit_length() - 1}" for bit, row in enumerate(rows) if row]
    return " ".join([steps, *ways])


def test_a_piece_that_is_put_somewhere() -> None:
    assert kinds("->w {e} [x] ->b {e} [o] ->w") == ["4 5", "2 3"]


def test_a_piece_that_goes_by_a_fixed_step() -> None:
    white = f"->w {ANYWHERE} {{x}} [e] right {{e}} [x]"
    black = f"->b {ANYWHERE} {{o}} [e] up {{e}} [o]"
    assert kinds(f"{white} {black} ->w") == ["5 6 7 0-3 2-5", "2 3 4 3-4 4-5"]


def test_moves_that_one_square_does_not_tell_have_no_numbers() -> None:
    rules = f"->w {ANYWHERE} {{x}} [e] (right {{e}})* [x] ->b {{e}} [o] ->w"
    assert kinds(rules) == []
