"""Emitting playouts: up to 256 at once, and where one has ended the next one begins.

Every playout that is begun is played to its end, and counts: otherwise short games would count more
than long ones.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i1, i64, pointer, void
from semisplit.gdl.native.choice import Chooser, emit_seeding
from semisplit.gdl.native.layout import LANES, WORD
from semisplit.gdl.native.states import Game, States
from semisplit.gdl.native.walk import Walk
from semisplit.gdl.native.words import ZERO, WordCode, word
from semisplit.runtime.abi import Status

_HELD = LANES // 10
"""So many lanes wait for their goals if these take long to compute."""
_lanes = ir.IntType(LANES)


class Playouts:
    """The functions for playouts. Whole moves and semimoves are drawn alike: role by role."""

    def __init__(self, game: Game, states: States, walk: Walk | None, *, goals_take_long: bool):
        self._game = game
        self._states = states
        self._walk = walk
        self._goals_take_long = goals_take_long
        self._choosers = [Chooser(game, number) for number in range(len(game.frame.choices))]
        self._refill = self._emit_refill()
        self.run = self._emit_run()
        self._emit_playouts()

    # A run: lanes play until all playouts have ended

    def _emit_run(self) -> ir.Function:
        """Play in the first lanes: of (memory, context, lanes, rest, state).

        As many more playouts as are the rest begin where others have ended. The state becomes the
        final one of the last playout.
        """
        game, frame = self._game, self._game.frame
        types = [pointer, pointer, i64, i64, pointer]
        function = game.module.function("run", void, types)
        code = WordCode.begin(game.module, function)
        b = code.b
        base, context_place, lanes, rest, state = function.args
        context = ContextCode(code, context_place)
        most = context.load("max_moves")
        words, others, start = (code.place(base, p) for p in (*frame.states, frame.start))
        self._begin(code, base, lanes, rest)
        # Lanes that have ended begin anew at once, or wait until it is worth looking at goals.
        at_once = b.and_(code.unequal(rest, 0), ir.Constant(i1, not self._goals_take_long))
        with code.repeat(words, others, most) as loop:
            words, others, left = loop.variables
            goes_on = self._find_moves(code, base, words)
            live = self._end_lanes(code, base, goes_on)
            code.put(ZERO, base, frame.fresh)
            with code.if_(self._is_due(code, base, at_once)):
                b.call(self._refill, [base, words, state])
            fresh = code.word(base, frame.fresh)
            loop.leave_if(b.not_(code.in_any(b.or_(live, fresh))))
            is_late = code.equal(left, 0)
            is_long = b.and_(is_late, code.in_any(code.word(base, frame.old)))
            with code.if_(is_long, likely=False):
                context.store("status", Status.LONG_GAME)
                b.call(self._states.pack, [state, words, code.load(i64, base, frame.last)])
            loop.leave_if(is_long)
            with code.if_(is_late, likely=False):
                code.put(live, base, frame.old)
            left = b.sub(b.select(is_late, most, left), constant(1))
            code.put(b.add(code.word(base, frame.steps), code.ones(live)), base, frame.steps)
            for chooser in self._choosers:
                b.call(chooser.draw, [base])
            game.make_moves(code, base, words, others, b.select(at_once, start, words))
            with code.if_(b.and_(b.not_(at_once), code.in_any(fresh))):
                self._restart(code, others, start, fresh)
            code.put(b.or_(live, fresh), base, frame.live)
            loop.again(others, words, left)
        number = code.sum(code.word(base, frame.steps))
        context.count("moves", number)
        context.count("states", number)
        b.ret_void()
        return function

    def _begin(self, code: WordCode, base: Value, lanes: Value, rest: Value) -> None:
        """Let the first lanes play."""
        frame, b = self._game.frame, code.b
        live = first_lanes(code, lanes)
        for place, value in ((frame.live, live), (frame.old, live)):
            code.put(value, base, place)
        for place in (frame.waiting, frame.steps):
            code.put(ZERO, base, place)
        code.store(rest, base, frame.rest)
        code.store(b.sub(lanes, constant(1)), base, frame.last)
        choosing = {role for choice in frame.choices for role in choice.roles}
        for role in range(frame.roles):
            # Who never chooses makes the only legal move.
            made = frame.does if role in choosing else frame.legal
            code.store(code.place(base, made[role]), base, frame.made + 8 * role)

    def _find_moves(self, code: WordCode, base: Value, words: Value) -> Value:
        """Find and count the moves in all lanes; returns where the game goes on."""
        game, frame, b = self._game, self._game.frame, code.b
        game.compute(code, "moves", base, words)
        goes_on = code.invert(code.word(base, frame.terminal))
        for chooser in self._choosers:
            goes_on = b.and_(goes_on, b.call(chooser.count, [base, words]))
        for role, number in enumerate(frame.moves):
            if number < 2 and not game.turns.slots:
                has_move = code.word(base, frame.legal[role]) if number else ZERO
                goes_on = b.and_(goes_on, has_move)
        return goes_on

    def _end_lanes(self, code: WordCode, base: Value, goes_on: Value) -> Value:
        """Lanes in which the game is over wait for being scored; returns those that play on."""
        frame, b = self._game.frame, code.b
        live, old, waiting = (
            code.word(base, place) for place in (frame.live, frame.old, frame.waiting)
        )
        code.put(b.or_(waiting, code.without(live, goes_on)), base, frame.waiting)
        code.put(b.and_(old, goes_on), base, frame.old)
        live = b.and_(live, goes_on)
        code.put(live, base, frame.live)
        return live

    def _is_due(self, code: WordCode, base: Value, at_once: Value) -> Value:
        """Whether it is time to score the lanes that wait."""
        frame, b = self._game.frame, code.b
        number = code.count_lanes(code.word(base, frame.waiting))
        more_to_come = code.unequal(code.load(i64, base, frame.rest), 0)
        enough = b.select(at_once, constant(1), constant(_HELD))
        is_enough = b.icmp_unsigned(">=", number, enough)
        is_over = b.not_(code.in_any(code.word(base, frame.live)))
        return b.or_(is_over, b.and_(b.or_(at_once, more_to_come), is_enough))

    def _emit_refill(self) -> ir.Function:
        """Score the lanes that wait, and begin anew in some of them: of (memory, fluents, state).

        The state becomes that of the last playout if it is among them.
        """
        game, frame = self._game, self._game.frame
        function = game.module.function("refill", void, [pointer, pointer, pointer])
        code = WordCode.begin(game.module, function)
        b = code.b
        base, words, state = function.args
        waiting = code.word(base, frame.waiting)
        rest, last = (code.load(i64, base, place) for place in (frame.rest, frame.last))
        self._score(code, base, words, waiting)
        lane = b.shl(ir.Constant(_lanes, 1), b.zext(last, _lanes))
        has_last = code.unequal(b.and_(b.bitcast(waiting, _lanes), lane), 0)
        with code.if_(b.and_(code.equal(rest, 0), has_last)):
            b.call(self._states.pack, [state, words, last])
        fresh, rest = self._first_of(code, waiting, rest)
        code.put(ZERO, base, frame.waiting)
        code.put(fresh, base, frame.fresh)
        code.store(rest, base, frame.rest)
        with code.if_(code.in_any(fresh)):
            above = b.ctlz(b.bitcast(fresh, _lanes), ir.Constant(i1, 1))
            newest = b.sub(constant(LANES - 1), b.trunc(above, i64))
            code.store(newest, base, frame.last)
        b.ret_void()
        return function

    def _score(self, code: WordCode, base: Value, words: Value, lanes: Value) -> None:
        """Count the goals of lanes."""
        game, frame, b = self._game, self._game.frame, code.b
        game.compute(code, "goals", base, words)
        for number, _, _, reached in goals_reached(code, game, base, lanes):
            place = frame.tallies + WORD * number
            code.put(b.add(code.word(base, place), code.ones(reached)), base, place)

    def _first_of(self, code: WordCode, lanes: Value, most: Value) -> tuple[Value, Value]:
        """The first lanes of some, at most so many, and how many are missing to that."""
        b = code.b
        number = code.count_lanes(lanes)
        are_few = b.icmp_unsigned("<=", number, most)
        # Usually all of them: then the loop ends before it begins.
        bits = b.bitcast(lanes, _lanes)
        kept = b.select(are_few, constant(0), most)
        with code.loop(bits, kept) as loop:
            beyond, left = loop.variables
            loop.leave_if(code.equal(left, 0), beyond)
            loop.again(code.without_lowest(beyond), b.sub(left, constant(1)))
        (beyond,) = loop.results
        first = b.select(are_few, bits, b.xor(bits, beyond))
        return b.bitcast(first, word), b.select(are_few, b.sub(most, number), constant(0))

    def _restart(self, code: WordCode, words: Value, start: Value, fresh: Value) -> None:
        """Let lanes begin anew."""
        with code.each(constant(WORD * self._game.frame.fluents), WORD) as place:
            value = code.choose(fresh, code.word(start, place), code.word(words, place))
            code.put(value, words, place)

    # The interface

    def _emit_playouts(self) -> None:
        game, frame, states = self._game, self._game.frame, self._states
        types = [pointer, i64, i64, pointer, pointer]
        function = game.module.function("orthodox_playouts", void, types, public=True)
        code = WordCode.begin(game.module, function)
        b = code.b
        state, seed, count, sums, context = function.args
        if self._walk:
            with code.if_(b.not_(b.call(self._walk.is_proven, [state])), likely=False):
                b.call(self._walk.play, function.args)
                b.ret_void()
        base = game.frame_of(code, context)
        words, start = code.place(base, frame.states[0]), code.place(base, frame.start)
        b.call(states.load, [state, start])
        code.copy(words, start, WORD * frame.fluents)
        emit_seeding(code, frame, base, seed)
        goals = game.circuit.program.goals
        code.fill_zero(code.place(base, frame.tallies), WORD * len(goals))
        lanes = b.select(code.less(count, LANES), count, constant(LANES))
        b.call(self.run, [base, context, lanes, b.sub(count, lanes), state])
        for number, (role, value, _) in enumerate(goals):
            reached = code.sum(code.word(base, frame.tallies + WORD * number))
            sum_ = b.add(code.load(i64, sums, 8 * role), b.mul(reached, constant(value)))
            code.store(sum_, sums, 8 * role)
        b.call(states.settle, [state, base])
        b.ret_void()
        same = game.module.function("semisplit_playouts", void, types, public=True)
        code = WordCode.begin(game.module, same)
        code.b.call(function, same.args)
        code.b.ret_void()


def goals_reached(
    code: WordCode, game: Game, base: Value, lanes: Value
) -> list[tuple[int, int, int, Value]]:
    """The goals: number, role, value, and those of some lanes that reach it and no higher one."""
    found = []
    left = [lanes] * game.frame.roles
    for number, (role, value, _) in enumerate(game.circuit.program.goals):
        reached = code.b.and_(left[role], code.word(base, game.frame.goals + WORD * number))
        left[role] = code.without(left[role], reached)
        found.append((number, role, value, reached))
    return found


def first_lanes(code: WordCode, count: Value) -> Value:
    """So many lanes, at least one, the first ones."""
    shift = code.b.zext(code.b.sub(constant(LANES), count), _lanes)
    return code.b.bitcast(code.b.lshr(ir.Constant(_lanes, -1), shift), word)
