"""Whether a pattern holds: no further than it takes to know."""

from tests.support.analysed import text
from tests.support.emitted import region_text


def test_a_square_beside() -> None:
    rules = "->w {? (left + right) {x}} [x] ->b"
    assert region_text(rules, 1) == text("""
        entry:
          a = table0[square]
          b = state.x
          c = a & b
          d = c != 0
          e = square if d else -1
          frame[24] := e
          ret
        """)


def test_the_search_stops_where_the_rest_matches() -> None:
    rules = "->w {? ((left + right) {e})* {x}} [x] ->b"
    assert region_text(rules, 1) == text("""
        entry:
          a = state.x
          b = square & 63
          c = a >> b
          d = not c
          if d go to entry.if else entry.endif
        entry.if:
          e = table0[square]
          f = state.e
          g = e & f
          go to repeat
        entry.endif:
          h = either p from end, 0 from entry
          i = c | h
          j = square if i else -1
          frame[24] := j
          ret
        repeat:
          k = either g from entry.if, z from onward.1
          l = either g from entry.if, x from onward.1
          m = state.x
          n = l & m
          o = n != 0
          if o go to end else onward
        end:
          p = either 1 from repeat, 0 from onward
          go to entry.endif
        onward:
          q = l >> 0
          r = q & 255
          s = table1[r]
          t = 0 | s
          u = state.e
          v = t & u
          w = not k
          x = v & w
          y = x != 0
          if y go to onward.1 else end
        onward.1:
          z = k | x
          go to repeat
        """)
