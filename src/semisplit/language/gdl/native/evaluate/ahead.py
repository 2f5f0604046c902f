"""Emitting `look_ahead`: which moves end the game, with a lane for each move."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i8, i32, i64, pointer, void
from semisplit.language.gdl.native.state.layout import LANES, WORD
from semisplit.language.gdl.native.state.states import Game, States, all_lanes
from semisplit.language.gdl.native.state.words import WordCode


def emit_look_ahead(game: Game, states: States, list_moves: ir.Function) -> None:
    """Emit `look_ahead`: of (state, outcomes, context)."""
    function = game.module.function("look_ahead", void, [pointer] * 3, public=True)
    code = WordCode.begin(game.module, function)
    frame, b = game.frame, code.b
    state, outcomes, context_place = function.args
    context = ContextCode(code, context_place)
    base = game.frame_of(code, context_place)
    b.call(list_moves, [state, context_place])
    found = context.load("found")
    words, others = (code.place(base, place) for place in frame.states)
    with code.loop(constant(0), context.load("buffer")) as batches:
        first, listed = batches.variables
        batches.leave_if(b.icmp_unsigned(">=", first, found))
        with code.if_(code.unequal(first, 0)):
            b.call(states.look, [state, base])
        left = b.sub(found, first)
        count = b.select(code.less(left, LANES), left, constant(LANES))
        listed = choose_listed(code, game, base, listed, count)
        all_lanes(code, game, base)
        game.make_moves(code, base, words, others, words)
        goes_on = states.emit_moves(code, base, others)
        code.put(goes_on, base, frame.live)
        with code.if_(code.in_any(code.invert(goes_on))):
            game.compute(code, "goals", base, others)
        size = 4 * frame.roles
        to = code.place(outcomes, b.mul(first, constant(size)))
        with code.repeat(constant(0)) as loop:
            (lane,) = loop.variables
            place = code.place(to, b.mul(lane, constant(size)))
            plays_on = code.unequal(lane_bit(code, base, frame.live, lane), 0)
            for role, score in enumerate(scores_in(code, game, base, lane)):
                code.store(b.select(plays_on, ir.Constant(i32, -1), score), place, 4 * role)
            next_ = b.add(lane, constant(1))
            loop.again_if(code.less(next_, count), next_)
        batches.again(b.add(first, constant(LANES)), listed)
    b.ret_void()


def choose_listed(code: WordCode, game: Game, base: Value, listed: Value, count: Value) -> Value:
    """Let lanes make the moves of a list, one each; returns where the list goes on."""
    frame, b = game.frame, code.b
    for role in range(frame.roles):
        # The only move of a role is made already.
        with code.if_(code.in_first(code.word(base, frame.many[role]))):
            does = code.place(base, frame.does[role])
            code.fill_zero(does, WORD * frame.moves[role])
            code.store(does, base, frame.made + 8 * role)
    places = [
        frame.does[role] + WORD * (number - frame.first_codes[role])
        for number, (role, _) in enumerate(game.circuit.program.moves)
    ]
    with code.repeat(constant(0), listed) as moves:
        lane, listed = moves.variables
        length = b.zext(code.load(i32, b.inttoptr(listed, pointer)), i64)
        byte, bit = _place_in_word(code, lane)
        with code.repeat(constant(0)) as steps:
            (number,) = steps.variables
            at = b.add(listed, b.shl(b.add(number, constant(1)), constant(2)))
            step = b.zext(code.load(i32, b.inttoptr(at, pointer)), i64)
            place = b.add(b.zext(code.look_up(32, places, step), i64), byte)
            one = b.shl(ir.Constant(i8, 1), bit)
            code.store(b.or_(code.load(i8, base, place), one), base, place)
            next_ = b.add(number, constant(1))
            steps.again_if(code.less(next_, length), next_)
        listed = b.add(listed, b.shl(b.add(length, constant(1)), constant(2)))
        next_ = b.add(lane, constant(1))
        moves.again_if(code.less(next_, count), next_, listed, results=[listed])
    return moves.results[0]


def scores_in(code: WordCode, game: Game, base: Value, lane: Value) -> list[Value]:
    """The score of each role in a lane, by the goals that hold there."""
    goals = [*enumerate(game.circuit.program.goals)]
    scores: list[Value] = [ir.Constant(i32, 0)] * game.frame.roles
    # The highest value comes first, and counts.
    for number, (role, value, _) in reversed(goals):
        holds = code.unequal(lane_bit(code, base, game.frame.goals + WORD * number, lane), 0)
        scores[role] = code.b.select(holds, ir.Constant(i32, value), scores[role])
    return scores


def lane_bit(code: WordCode, base: Value, word: int, lane: Value) -> Value:
    """What a word is in a lane."""
    byte, bit = _place_in_word(code, lane)
    value = code.load(i8, base, code.b.add(byte, constant(word)))
    return code.b.and_(code.b.lshr(value, bit), ir.Constant(i8, 1))


def _place_in_word(code: WordCode, lane: Value) -> tuple[Value, Value]:
    """The byte of a lane, and its bit there."""
    b = code.b
    return b.lshr(lane, constant(3)), b.trunc(b.and_(lane, constant(7)), i8)
