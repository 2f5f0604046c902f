"""Functions that several places share."""

from semisplit.compiler.emit.values import i64, pointer, void
from semisplit.language.rbg.native.board.state import StateCode
from tests.support.analysed import modifier, text
from tests.support.emitted import listing, program


def shared_text() -> str:
    """What three modifiers become in a large game, each done and undone."""
    of = program("->w " + "left [x] right [o] " * 100 + "->b")
    function = of.module.function("f", void, [pointer, i64])
    code, square = StateCode.begin(of.module, function), function.args[1]
    for number in (3, 4, 5):
        arc = modifier(of.game, number)
        old = of.shared.apply(of.game.rules, arc, code, square)
        of.shared.undo(of.game.rules, arc, code, square, old)
    code.b.ret_void()
    return listing(of, function, "state", "square")


def test_in_a_large_game_modifiers_are_calls_one_for_each_kind() -> None:
    assert shared_text() == text("""
        entry:
          a = apply1(state, square)
          undo2(state, square, a)
          b = apply3(state, square)
          undo4(state, square, b)
          c = apply1(state, square)
          undo2(state, square, c)
          ret
        """)


def matching_text() -> str:
    """The function that finds the squares from which a step is possible."""
    of = program("->w left {e} [x] ->b")
    function = of.module.function("f", of.module.set_type, [pointer])
    code = StateCode.begin(of.module, function)
    (arc,) = of.game.graph.arcs[modifier(of.game, 1).target]
    assert arc.expression is not None
    code.b.ret(code.as_set(of.shared.matching(arc.expression, code)))
    (matching,) = (one for one in of.module.ir.functions if one.name.startswith("matching"))
    return listing(of, matching, "state")


def test_squares_are_found_backward_from_all_at_once() -> None:
    assert matching_text() == text("""
        entry:
          a = state.e
          b = a & 24
          c = b << 1
          return c
        """)
