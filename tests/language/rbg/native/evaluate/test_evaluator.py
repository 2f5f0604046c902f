"""Where expressions lead: from one square by a table, from several by shifts of a set."""

import pytest

from tests.support.analysed import text
from tests.support.emitted import region_text


def test_from_one_square_a_table_says_where_a_shift_leads() -> None:
    assert region_text("->w left {e} [x] ->b", 1) == text("""
        entry:
          a = table0[square]
          b = state.e
          c = a & b
          frame[24] := c
          ret
        """)


def test_a_set_is_shifted_as_a_whole() -> None:
    rules = "->w (up + left) {e} (up + left) {x} [o] ->b"
    assert region_text(rules, 1) == text("""
        entry:
          a = table0[square]
          b = state.e
          c = a & b
          d = c >> 0
          e = d & 255
          f = table1[e]
          g = 0 | f
          h = state.x
          i = g & h
          frame[24] := i
          ret
        """)


def test_a_repetition_ends_when_nothing_new_is_reached() -> None:
    assert region_text("->w ((left + right) {e})* [x] ->b", 1) == text("""
        entry:
          a = square & 63
          b = 1 << a
          go to repeat
        repeat:
          c = either b from entry, n from onward
          d = either b from entry, l from onward
          e = d >> 0
          f = e & 255
          g = table0[f]
          h = 0 | g
          i = state.e
          j = h & i
          k = not c
          l = j & k
          m = l != 0
          if m go to onward else end
        end:
          frame[24] := c
          ret
        onward:
          n = c | l
          go to repeat
        """)


@pytest.mark.parametrize("rules", ["->w {e} {e} left [x] ->b", "->w ({e} + {e}) left [x] ->b"])
def test_what_is_known_is_not_asked_again(rules: str) -> None:
    assert region_text(rules, 1) == region_text("->w {e} left [x] ->b", 1)
