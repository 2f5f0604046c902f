"""Emitting `apply_each`: the states after many moves, with a lane for each move."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import PLAYER, SCORES
from semisplit.language.gdl.native.evaluate.ahead import choose_listed, lane_bit, scores_in
from semisplit.language.gdl.native.state.states import Game, States, all_lanes
from semisplit.language.gdl.native.state.words import WordCode


def emit_apply_each(game: Game, states: States) -> None:
    """Emit `apply_each`: of (state, moves, count, states, context)."""
    types = [pointer, pointer, i64, pointer, pointer]
    function = game.module.function("apply_each", void, types, public=True)
    code = WordCode.begin(game.module, function)
    frame, b = game.frame, code.b
    state, moves, count, to, context = function.args
    base = game.frame_of(code, context)
    b.call(states.look, [state, base])
    choose_listed(code, game, base, b.ptrtoint(moves, i64), count)
    all_lanes(code, game, base)
    words, others = (code.place(base, place) for place in frame.states)
    game.make_moves(code, base, words, others, words)
    goes_on = states.emit_moves(code, base, others)
    code.put(goes_on, base, frame.live)
    with code.if_(code.in_any(code.invert(goes_on))):
        game.compute(code, "goals", base, others)
    with code.repeat(constant(0)) as loop:
        (lane,) = loop.variables
        place = code.place(to, b.mul(lane, constant(game.state.bytes)))
        b.call(states.pack, [place, others, lane])
        with code.if_else(code.unequal(lane_bit(code, base, frame.live, lane), 0)) as (
            then,
            otherwise,
        ):
            with then:
                code.store(_chooser(code, game, base, lane), place, PLAYER)
            with otherwise:
                for role, score in enumerate(scores_in(code, game, base, lane)):
                    code.store(score, place, SCORES + 4 * role)
        next_ = b.add(lane, constant(1))
        loop.again_if(code.less(next_, count), next_)
    b.ret_void()


def _chooser(code: WordCode, game: Game, base: Value, lane: Value) -> Value:
    """The first role, from 1, with a choice in a lane; 1 if there is none."""
    found: Value = ir.Constant(i32, 1)
    for role in reversed(range(game.frame.roles)):
        many = code.unequal(lane_bit(code, base, game.frame.many[role], lane), 0)
        found = code.b.select(many, ir.Constant(i32, role + 1), found)
    return found
