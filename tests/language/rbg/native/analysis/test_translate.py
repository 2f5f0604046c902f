"""Lowering: rules before, expressions after."""

import pytest

from tests.support.analysed import analysed


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # What the board alone decides is folded.
        ("(up + down + left + right)*", "anywhere"),
        ("up up", "nowhere"),
        ("up down", "up down"),
        ("{! up}", "<here from 3>"),
        ("{e,x,o} left", "left"),
        ("{? left + right}", "<here from 3>"),
        # A star behind its own body is at least one repetition.
        ("left {e} (left {e})*", "(left {e})^+"),
        # Of a pattern, stars at the end do not matter.
        ("{? left {x} (left {x})*}", "{? left {x}}"),
        # Nor do pieces that are put where it does not look again.
        ("{? left {x} [e] left}", "{? left {x} left}"),
        ("{? left {x} [e] left right {x}}", "{? left {x} [e] left right {x}}"),
        ("{$ t+1<u}", "{$ t+1<u}"),
    ],
)
def test_expressions(rule: str, expected: str) -> None:
    game, printer = analysed(f"->w {rule} [x] ->b")
    (arc,) = game.graph.arcs[2]
    assert arc.expression is not None
    assert printer.expression(arc.expression) == expected


def test_equal_parts_are_one_object() -> None:
    game, _ = analysed("->w left {x} (up + down) [x] left {x} (up + down) {e} [o] ->b")
    first, second = game.graph.arcs[2][0].expression, game.graph.arcs[4][0].expression
    assert first is not None
    assert second is not None
    assert first.factors == second.factors[: len(first.factors)]
