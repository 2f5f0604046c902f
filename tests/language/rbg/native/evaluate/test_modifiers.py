"""Modifiers: carried out and undone, on sets of squares."""

from llvmlite import ir

from semisplit.compiler.emit.values import i64, pointer
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate import modifiers
from tests.support.analysed import modifier, text
from tests.support.emitted import listing, program


def done_and_undone(rules: str, number: int) -> str:
    """A modifier carried out and undone, as instructions."""
    of = program(rules)
    arc, symbols = modifier(of.game, number), of.game.symbols
    possible = of.game.rules.pieces_before(arc)
    function = of.module.function("both", i64, [pointer, i64])
    code, square = StateCode.begin(of.module, function), function.args[1]
    old = modifiers.apply(code, symbols, arc, square, possible)
    code.b.branch(undo := function.append_basic_block("undo"))
    code.b.position_at_end(undo)
    modifiers.undo(code, symbols, arc, square, possible, old)
    code.b.ret(ir.Constant(i64, 0))
    return listing(of, function, "state", "square")


def test_a_piece_in_the_place_of_a_known_one() -> None:
    assert done_and_undone("->w {e} [x] ->b", 2) == text("""
        entry:
          a = square & 63
          b = 1 << a
          c = state.e
          d = not b
          e = c & d
          state.e := e
          f = state.x
          g = f | b
          state.x := g
          go to undo
        undo:
          h = square & 63
          i = 1 << h
          j = state.x
          k = not i
          l = j & k
          state.x := l
          m = 0 == 0
          n = i if m else 0
          o = state.e
          p = o | n
          state.e := p
          return 0
        """)


def test_a_piece_in_the_place_of_one_of_two() -> None:
    assert done_and_undone("->w {e,o} [x] ->b", 2) == text("""
        entry:
          a = square & 63
          b = 1 << a
          c = state.e
          d = c & b
          e = d != 0
          f = 0 if e else 0
          g = not b
          h = c & g
          state.e := h
          i = state.o
          j = i & b
          k = j != 0
          l = 1 if k else f
          m = not b
          n = i & m
          state.o := n
          o = state.x
          p = o | b
          state.x := p
          go to undo
        undo:
          q = square & 63
          r = 1 << q
          s = state.x
          t = not r
          u = s & t
          state.x := u
          v = l == 0
          w = r if v else 0
          x = state.e
          y = x | w
          state.e := y
          z = l == 1
          aa = r if z else 0
          ab = state.o
          ac = ab | aa
          state.o := ac
          return 0
        """)


def test_an_assignment() -> None:
    assert done_and_undone("->w [$ t=u-1] ->b", 2) == text("""
        entry:
          a = state.t
          b = state.u
          c = b - 1
          d = c <= 3
          state.t := c
          go to undo
        undo:
          state.t := a
          return 0
        """)


def test_a_switch_changes_nothing_here() -> None:
    assert done_and_undone("->w ->b", 2) == text("""
        entry:
          go to undo
        undo:
          return 0
        """)
