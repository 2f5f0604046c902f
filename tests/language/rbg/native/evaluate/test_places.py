"""Places: squares under a condition, or any set."""

from tests.support.analysed import text
from tests.support.emitted import region_text


def test_two_shifts_under_one_condition_are_one_table() -> None:
    assert region_text("->w (left + right) [x] ->b", 1) == text("""
        entry:
          a = table0[square]
          frame[24] := a
          ret
        """)


def test_the_same_square_under_two_conditions() -> None:
    rules = "->w ({? left {x}} + {? right {x}}) [x] ->b"
    assert region_text(rules, 1) == text("""
        entry:
          a = table0[square]
          b = state.x
          c = a & b
          d = c != 0
          e = table1[square]
          f = state.x
          g = e & f
          h = g != 0
          i = d | h
          j = square if i else -1
          frame[24] := j
          ret
        """)


def test_other_places_become_sets() -> None:
    assert region_text("->w (left {e} + {x}) [x] ->b", 1) == text("""
        entry:
          a = table0[square]
          b = state.e
          c = a & b
          d = state.x
          e = square & 63
          f = d >> e
          g = square & 63
          h = 1 << g
          i = h if f else 0
          j = c | i
          frame[24] := j
          ret
        """)
