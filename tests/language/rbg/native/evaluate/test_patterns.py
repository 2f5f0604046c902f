"""Patterns with modifiers: functions of their own, each once."""

from tests.support.analysed import text
from tests.support.emitted import program, region, region_text

RULES = "->w {? left [x] right left {x}} [x] ->b {! left [x] right left {x}} [o] ->w"


def test_a_pattern_with_modifiers_is_asked_on_a_square() -> None:
    assert region_text(RULES, 1) == text("""
        entry:
          a = pattern2(state, square, frame, context)
          b = square if a else -1
          frame[24] := b
          ret
        """)


def test_two_that_are_alike_have_one_function() -> None:
    of = program(RULES)
    for number in (1, 3):
        region(of, number)
    names = [function.name for function in of.module.ir.functions]
    assert sum(name.startswith("pattern") for name in names) == 1
