"""Lines of squares of one kind, found without a loop."""

from tests.support.analysed import text
from tests.support.emitted import region_text


def test_a_line_ends_before_the_first_other_piece() -> None:
    assert region_text("->w (left {e})* [x] ->b", 1) == text("""
        entry:
          a = table0[square]
          b = state.e
          c = not b
          d = a & c
          e = llvm.ctlz.i64(d, 0)
          f = d == 0
          g = 0 if f else e
          h = 18446744073709551615 >> g
          i = 0 if f else h
          j = not i
          k = a & j
          l = square & 63
          m = 1 << l
          n = k | m
          frame[24] := n
          ret
        """)


def test_it_ends_with_that_if_the_test_comes_before_the_step() -> None:
    assert region_text("->w right ({e} right)* [x] ->b", 1) == text("""
        entry:
          a = table0[square]
          b = state.e
          c = not b
          d = a & c
          e = 0 - d
          f = d & e
          g = f - 1
          h = g | f
          i = a & h
          frame[24] := i
          ret
        """)
