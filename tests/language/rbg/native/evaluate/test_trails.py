"""Trails: from square to square where the board takes many shifts to describe."""

from tests.support.analysed import text
from tests.support.emitted import region_text

WIDE = """
#players = w(100), b(50)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right,[e,e,e,e,e,e,e,e,e] [e,e,e,e,e,e,e,e,e] [e,e,e,e,e,e,e,e,e]
[e,e,e,e,e,e,e,e,e] [e,e,e,e,e,e,e,e,e] [e,e,e,e,e,e,e,e,e] [e,e,e,e,e,e,e,e,e] [e,e,e,e,e,e,e,e,x])
"""
"""A board of 72 squares, whose sets take two words."""


def test_a_line_is_followed_where_sets_are_wide() -> None:
    rules = "->w {? (left {e})* {x}} [x] ->b"
    assert region_text(rules, 1, WIDE) == text("""
        entry:
          if True go to onward else failed
        found:
          go to followed
        failed:
          go to followed
        followed:
          a = either 1 from found, 0 from failed
          b = square if a else -1
          frame[24] := b
          ret
        onward:
          go to again
        again:
          c = either square from onward, j from onward.2
          d = state[56 + c]
          e = d == 1
          if e go to onward.1 else further
        further:
          f = c >> 6
          g = table0[f]
          h = c & 63
          i = g >> h
          j = table1[c]
          k = state[56 + j]
          l = k == 0
          if l go to onward.2 else failed
        onward.1:
          go to found
        onward.2:
          go to again
        """)
