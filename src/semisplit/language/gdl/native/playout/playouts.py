"""Emitting playouts: one in each lane, and where one has ended the next one begins.

Every playout that is begun is played to its end, and counts: otherwise short games would count more
than long ones.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i1, i64, pointer, void
from semisplit.compiler.runtime.abi import Status
from semisplit.language.gdl.native.playout.choice import Chooser, emit_seeding
from semisplit.language.gdl.native.playout.walk import Walk
from semisplit.language.gdl.native.state.states import Game, States
from semisplit.language.gdl.native.state.words import WordCode

_HELD = 0.1
"""The part of the lanes that wait for their goals if these take long to compute."""


class Playouts:
    """What plays in lanes."""

    def __init__(self, game: Game, states: States, *, goals_take_long: bool):
        self._game = game
        self._states = states
        self._goals_take_long = goals_take_long
        self._lanes = game.module.words.lanes
        self._choosers = [Chooser(game, number) for number in range(len(game.frame.choices))]
        self._refill = self._emit_refill()
        self.run = self._emit_run()
        self.play = self._emit_play()

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
            code.put(code.zero, base, frame.fresh)
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
            code.put(code.zero, base, place)
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
                has_move = code.word(base, frame.legal[role]) if number else code.zero
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
        enough = b.select(at_once, constant(1), constant(int(_HELD * self._lanes)))
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
        lane = b.shl(ir.Constant(game.module.lanes, 1), code.resized(last, self._lanes))
        has_last = code.unequal(b.and_(code.bits(waiting), lane), 0)
        with code.if_(b.and_(code.equal(rest, 0), has_last)):
            b.call(self._states.pack, [state, words, last])
        fresh, rest = self._first_of(code, waiting, rest)
        code.put(code.zero, base, frame.waiting)
        code.put(fresh, base, frame.fresh)
        code.store(rest, base, frame.rest)
        with code.if_(code.in_any(fresh)):
            above = b.ctlz(code.bits(fresh), ir.Constant(i1, 1))
            newest = b.sub(constant(self._lanes - 1), code.resized(above, 64))
            code.store(newest, base, frame.last)
        b.ret_void()
        return function

    def _score(self, code: WordCode, base: Value, words: Value, lanes: Value) -> None:
        """Count the goals of lanes."""
        game, frame, b = self._game, self._game.frame, code.b
        game.compute(code, "goals", base, words)
        for number, _, _, reached in goals_reached(code, game, base, lanes):
            place = frame.tallies + frame.word * number
            code.put(b.add(code.word(base, place), code.ones(reached)), base, place)

    def _first_of(self, code: WordCode, lanes: Value, most: Value) -> tuple[Value, Value]:
        """The first lanes of some, at most so many, and how many are missing to that."""
        b = code.b
        number = code.count_lanes(lanes)
        are_few = b.icmp_unsigned("<=", number, most)
        # Usually all of them: then the loop ends before it begins.
        bits = code.bits(lanes)
        kept = b.select(are_few, constant(0), most)
        with code.loop(bits, kept) as loop:
            beyond, left = loop.variables
            loop.leave_if(code.equal(left, 0), beyond)
            loop.again(code.without_lowest(beyond), b.sub(left, constant(1)))
        (beyond,) = loop.results
        first = b.select(are_few, bits, b.xor(bits, beyond))
        return code.of_bits(first), b.select(are_few, b.sub(most, number), constant(0))

    def _restart(self, code: WordCode, words: Value, start: Value, fresh: Value) -> None:
        """Let lanes begin anew."""
        size = self._game.frame.word
        with code.each(constant(size * self._game.frame.fluents), size) as place:
            value = code.choose(fresh, code.word(start, place), code.word(words, place))
            code.put(value, words, place)

    def _emit_play(self) -> ir.Function:
        """Playouts from a state, which becomes the final one of the last of them.

        Of (memory, context, state, seed, count, sums).
        """
        game, frame = self._game, self._game.frame
        types = [pointer, pointer, pointer, i64, i64, pointer]
        function = game.module.function("play_lanes", void, types)
        code = WordCode.begin(game.module, function)
        b = code.b
        base, context, state, seed, count, sums = function.args
        words, start = code.place(base, frame.states[0]), code.place(base, frame.start)
        b.call(self._states.load, [state, start])
        self._restart(code, words, start, code.all)
        emit_seeding(code, frame, base, seed)
        goals = game.circuit.program.goals
        for number in range(len(goals)):
            code.put(code.zero, base, frame.tallies + frame.word * number)
        lanes = b.select(code.less(count, self._lanes), count, constant(self._lanes))
        b.call(self.run, [base, context, lanes, b.sub(count, lanes), state])
        for number, (role, value, _) in enumerate(goals):
            reached = code.sum(code.word(base, frame.tallies + frame.word * number))
            sum_ = b.add(code.load(i64, sums, 8 * role), b.mul(reached, constant(value)))
            code.store(sum_, sums, 8 * role)
        b.ret_void()
        return function


def goals_reached(
    code: WordCode, game: Game, base: Value, lanes: Value
) -> list[tuple[int, int, int, Value]]:
    """The goals: number, role, value, and those of some lanes that reach it and no higher one."""
    found = []
    left = [lanes] * game.frame.roles
    for number, (role, value, _) in enumerate(game.circuit.program.goals):
        reached = code.b.and_(
            left[role], code.word(base, game.frame.goals + game.frame.word * number)
        )
        left[role] = code.without(left[role], reached)
        found.append((number, role, value, reached))
    return found


def first_lanes(code: WordCode, count: Value) -> Value:
    """So many lanes, at least one, the first ones."""
    lanes = code.module.words.lanes
    shift = code.resized(code.b.sub(constant(lanes), count), lanes)
    return code.of_bits(code.b.lshr(ir.Constant(code.module.lanes, -1), shift))


def emit_playouts(game: Game, states: States, playouts: Playouts, walk: Walk | None) -> None:
    """The functions of the interface. Whole moves and semimoves are drawn alike: role by role."""
    types = [pointer, i64, i64, pointer, pointer]
    function = game.module.function("orthodox_playouts", void, types, public=True)
    code = WordCode.begin(game.module, function)
    b = code.b
    state, seed, count, sums, context = function.args
    if walk:
        with code.if_(b.not_(b.call(walk.is_proven, [state])), likely=False):
            b.call(walk.play, function.args)
            b.ret_void()
    base = game.frame_of(code, context)
    b.call(playouts.play, [base, context, state, seed, count, sums])
    b.call(states.settle, [state, base])
    b.ret_void()
    same = game.module.function("semisplit_playouts", void, types, public=True)
    code = WordCode.begin(game.module, same)
    code.b.call(function, same.args)
    code.b.ret_void()
