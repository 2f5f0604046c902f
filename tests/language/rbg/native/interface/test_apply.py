"""`apply`: steps that are known to be legal, carried out."""

from tests.support.analysed import text
from tests.support.emitted import emitted, function_text

GAME = emitted("->w {e} [x] ->b")


def test_the_last_step_says_who_is_next() -> None:
    found = function_text(GAME, "apply", "state", "steps", "count", "context")
    assert found == text("""
        entry:
          a = count - 1
          b = a << 2
          go to loop
        loop:
          c = either 0 from entry, i from body
          d = c == b
          if d go to end else body
        body:
          e = steps[c]
          f = e / 6
          g = f - 0
          h = rest of e 6
          act(state, g, h)
          i = c + 4
          go to loop
        end:
          j = steps[b]
          k = j / 6
          l = k - 0
          m = rest of j 6
          state.at := l
          state.vertex := m
          switch l: 1: modifier, 2: modifier.1, 3: modifier.2, else inside
        inside:
          return 0
        nodal:
          return 1
        keeper:
          run_keeper(state, context)
          n = state.at
          o = n - 0
          p = table4[o]
          return p
        modifier:
          state.player := 1
          go to nodal
        modifier.1:
          q = m & 63
          r = 1 << q
          s = state.e
          t = not r
          u = s & t
          state.e := u
          v = state.x
          w = v | r
          state.x := w
          go to inside
        modifier.2:
          state.player := 2
          go to nodal
        """)


def test_single_modifiers_are_carried_out_by_their_numbers() -> None:
    found = function_text(GAME, "act", "state", "number", "square")
    assert found == text("""
        entry:
          switch number: 2: modifier, else end
        end:
          ret
        modifier:
          a = square & 63
          b = 1 << a
          c = state.e
          d = not b
          e = c & d
          state.e := e
          f = state.x
          g = f | b
          state.x := g
          go to end
        """)
