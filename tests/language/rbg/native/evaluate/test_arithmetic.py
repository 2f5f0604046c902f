"""Arithmetic: a comparison or assignment before, its instructions after."""

from tests.support.analysed import text
from tests.support.emitted import region_text


def test_what_cannot_overflow_is_not_checked() -> None:
    assert region_text("->w {$ t+1<u} [x] ->b", 1) == text("""
        entry:
          a = state.t
          b = a + 1
          c = state.u
          d = b < c
          e = square if d else -1
          frame[24] := e
          ret
        """)


def test_what_can_overflow_fails_then() -> None:
    rules = "->w {$ t*2147483647*2147483647*u>t} [x] ->b"
    assert region_text(rules, 1) == text("""
        entry:
          a = state.t
          b = a * 2147483647
          c = llvm.smul.with.overflow.i64(b, 2147483647)
          d = part 0 of c
          e = part 1 of c
          f = not e
          g = d != -9223372036854775808
          h = f & g
          i = state.u
          j = llvm.smul.with.overflow.i64(d, i)
          k = part 0 of j
          l = part 1 of j
          m = not l
          n = k != -9223372036854775808
          o = m & n
          p = h & o
          q = state.t
          r = k > q
          s = p & r
          t = square if s else -1
          frame[24] := t
          ret
        """)


def test_there_is_no_division_by_zero() -> None:
    assert region_text("->w {$ t/u<3} [x] ->b", 1) == text("""
        entry:
          a = state.t
          b = state.u
          c = b != 0
          d = b if c else 1
          e = a / d
          f = e < 3
          g = c & f
          h = square if g else -1
          frame[24] := h
          ret
        """)


def test_pieces_are_counted_in_their_set() -> None:
    assert region_text("->w {$ x>2} [x] ->b", 1) == text("""
        entry:
          a = state.x
          b = llvm.ctpop.i64(a)
          c = b > 2
          d = square if c else -1
          frame[24] := d
          ret
        """)


def test_an_assignment_is_possible_within_the_bound_of_its_variable() -> None:
    assert region_text("->w [$ t=t+u] ->b", 1) == text("""
        entry:
          a = state.t
          b = state.u
          c = a + b
          d = c <= 3
          e = square if d else -1
          frame[24] := e
          ret
        """)
