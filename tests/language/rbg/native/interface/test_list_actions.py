"""`list_actions`: all single steps, slot by slot."""

from tests.support.analysed import text
from tests.support.emitted import emitted, function_text


def test_a_step_for_each_square_of_each_slot() -> None:
    found = function_text(emitted("->w left [x] ->b", "Mod"), "list_actions")
    assert found == text("""
        entry:
          a = context.frames
          b = context.buffer
          c = state.at
          d = c - 0
          e = table1[d]
          f = state.vertex
          g = sites6[e]
          g(state, f, a, context)
          h = table2[e]
          i = e + 1
          j = table2[i]
          go to loop
        square:
          k = a[24]
          l = k == -1
          if l go to next else onward.1
        next:
          m = either ad from end.1, p from square, p + 4 from onward.1
          n = o + 1
          go to loop
        loop:
          o = either h from entry, n from next
          p = either b from entry, m from next
          q = o == j
          if q go to end else body
        body:
          r = table3[o]
          s = r + 0
          t = s * 6
          u = t + 0
          v = table4[o]
          w = v & 1
          x = w != 0
          if x go to onward else square
        end:
          y = p - b
          z = y >> 2
          context.found := z
          ret
        onward:
          aa = a[24]
          ab = u + 0
          go to loop.1
        loop.1:
          ac = either aa from onward, ai from body.1
          ad = either p from onward, ad + 4 from body.1
          ae = ac == 0
          if ae go to end.1 else body.1
        body.1:
          af = llvm.cttz.i64(ac, 1)
          ag = ab + af
          ad := ag
          ah = ac - 1
          ai = ac & ah
          go to loop.1
        end.1:
          go to next
        onward.1:
          aj = u + k
          p := aj
          go to next
        """)
