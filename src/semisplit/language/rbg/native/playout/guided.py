"""Guided playouts: (semi)moves are drawn among those with the best score, or at random.

Callers keep a score for each code of a step and each player. The scores of one modifier on all
squares lie together, so the best among the squares of a slot is found without a list: all scores
are taken, and those whose square is not in the slot are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from llvmlite import ir

from semisplit.compiler.emit.random import Random
from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer
from semisplit.compiler.emit.vectors import larger, largest, splat
from semisplit.compiler.runtime.abi import End, Status
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.interface.packing import first_step, pack_step, step_count
from semisplit.language.rbg.native.machine.machine import Chooser, Machine
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.native.machine.transitions import Transitions
from semisplit.language.rbg.native.playout.draw import Draw
from semisplit.language.rbg.native.playout.playout import Play, emit_playout
from semisplit.language.rbg.native.playout.turns import Turns

_LANES = 16
_float = ir.FloatType()
_vector, _mask = ir.VectorType(_float, _LANES), ir.VectorType(i1, _LANES)
_NOTHING = ir.Constant(_float, -1.0)
_NOTE = 12
"""Bytes of a step in the trace: its code, the player, what it completes."""
_CHANCE_BITS = 53


def emit_guided_playout(program: Program, transitions: Transitions) -> ir.Function:
    """The function that draws semimoves by their scores."""

    def parts(stack: Stack, seed: Value) -> tuple[Chooser, Turns]:
        turns = _NotedSemimoves(stack, transitions, seed)
        return _DrawBest(turns.random, Scores(program, stack)), turns

    return emit_playout(program, Play("guided", program.game.numbered, Until.DOT, parts))


class Scores:
    """Finds what is best by the scores of the context."""

    def __init__(self, program: Program, stack: Stack):
        self._code, self._context = stack.code, stack.context
        self._scores = stack.context.load("scores", pointer)
        self._best_of = _emit_best(program)
        self._equal_to = _emit_equal(program)

    def draw_guided(
        self,
        exits: Sequence[Exit],
        slots: Sequence[Value],
        firsts: Sequence[int],
        count: int,
        random: Random,
        draw: Callable[[Sequence[Exit], Sequence[Value]], None],
    ) -> None:
        """Emit drawing one of some exits by the scores or by chance.

        Args:
            exits: The exits.
            slots: What is in their slots.
            firsts: For each exit the place of its score on the first square.
            count: How many scores a player has.
            random: Random numbers.
            draw: Emits drawing among the exits with what is given as their slots.
        """
        b, code = self._code.b, self._code
        drawn = b.lshr(random.draw(), constant(64 - _CHANCE_BITS))
        with code.if_(code.less(drawn, self._context.load("epsilon"))):
            draw(exits, slots)
        draw(exits, self._best(exits, slots, firsts, count))

    def _best(
        self, exits: Sequence[Exit], slots: Sequence[Value], firsts: Sequence[int], count: int
    ) -> list[Value]:
        """Emit finding what is best: of each slot, the squares with the best score of all."""
        b, code = self._code.b, self._code
        player = b.zext(code.player(), i64)
        offset = b.mul(b.sub(player, constant(1)), constant(4 * count))
        own = code.place(self._scores, offset)
        scores = [code.place(own, 4 * first) for first in firsts]
        bests = [
            b.call(self._best_of, [slot, at]) if exit_.is_set else self._score_at(slot, at)
            for exit_, slot, at in zip(exits, slots, scores)
        ]
        best = reduce(partial(larger, b), bests)
        found = []
        for exit_, slot, at, its_best in zip(exits, slots, scores, bests):
            if exit_.is_set:
                found.append(b.call(self._equal_to, [slot, at, best]))
            else:
                is_best = b.fcmp_ordered("==", its_best, best)
                found.append(b.select(is_best, slot, constant(NOWHERE)))
        return found

    def _score_at(self, square: Value, scores: Value) -> Value:
        """The score of the only square of a slot; without one, less than all scores."""
        b, code = self._code.b, self._code
        nowhere = code.equal(square, NOWHERE)
        place = b.shl(b.select(nowhere, constant(0), square), constant(2))
        score = b.load(code.place(scores, place), typ=_float, align=4)
        return b.select(nowhere, _NOTHING, score)


class Noted(Turns):
    """Writes down the steps it makes, where the trace of the context is."""

    tells_numbers = True

    def __init__(self, stack: Stack, transitions: Transitions, seed: Value):
        super().__init__(stack.code, stack.context, transitions, seed)
        self._trace = stack.code.local(pointer)
        stack.code.b.store(stack.context.load("trace", pointer), self._trace)

    def note(self, machine: Machine, step: Value, end: End) -> None:
        """Emit writing down the code of a step."""
        b, code = machine.b, machine.code
        trace = b.load(self._trace, typ=pointer)
        code.store(step, trace)
        code.store(code.player(), trace, 4)
        code.store(ir.Constant(i32, end), trace, 8)
        b.store(code.place(trace, _NOTE), self._trace)

    def on_undo(self, machine: Machine) -> None:
        trace = machine.b.load(self._trace, typ=pointer)
        machine.b.store(machine.code.place(trace, -_NOTE), self._trace)

    def on_hand_over(self, machine: Machine, arc: Arc) -> None:
        b, context = machine.b, machine.context
        trace = b.load(self._trace, typ=pointer)
        context.store("trace", b.ptrtoint(trace, i64))
        full = b.icmp_unsigned(">", trace, context.load("trace_end", pointer))
        machine.stack.give_up_if(full, Status.LONG_GAME)


class _NotedSemimoves(Noted):
    """Writes down semimoves of one step."""

    def on_apply(self, machine: Machine, number: Value, square: Value) -> None:
        code = pack_step(machine.program.game, machine.code, number, machine.b.trunc(square, i32))
        self.note(machine, code, End.SEMIMOVE)
        machine.context.count("states")

    def on_hand_over(self, machine: Machine, arc: Arc) -> None:
        square = machine.b.trunc(machine.stack.here(), i32)
        number = ir.Constant(i32, arc.number)
        code = pack_step(machine.program.game, machine.code, number, square)
        self.note(machine, code, End.MOVE)
        super().on_hand_over(machine, arc)
        machine.context.count("states")


class _DrawBest(Draw):
    """Draws semimoves by their scores."""

    def __init__(self, random: Random, scores: Scores):
        super().__init__(random)
        self._scores = scores

    def only_follows(self, machine: Machine, region: Region) -> bool:
        # A choice looks at the scores of its modifiers.
        has_choice = len(region.exits) > 1 or any(exit_.is_set for exit_ in region.exits)
        return not has_choice and super().only_follows(machine, region)

    def draw(self, machine: Machine, site: Site) -> None:
        exits, game = site.region.exits, machine.program.game
        if len(exits) == 1 and not exits[0].is_set:
            super().draw(machine, site)
            return
        slots = [site.slot(exit_) for exit_ in exits]
        firsts = [first_step(game, exit_.arc.number) for exit_ in exits if exit_.arc]
        draw = partial(self.draw_among, machine, site)
        self._scores.draw_guided(exits, slots, firsts, step_count(game), self.random, draw)


def _parts(code: StateCode, squares: Value, scores: Value) -> list[tuple[Value, Value]]:
    """Emit taking a set and the scores of all squares apart: sixteen bits, sixteen scores."""
    b = code.b
    parts = []
    for first in range(0, code.squares.size, _LANES):
        bits = b.lshr(squares, ir.Constant(code.set_type, first))
        mask = b.bitcast(b.trunc(bits, ir.IntType(_LANES)), _mask)
        parts.append((mask, b.load(code.place(scores, 4 * first), typ=_vector, align=4)))
    return parts


def _emit_best(program: Program) -> ir.Function:
    """The function that finds the best score of the squares in a set; -1 if it is empty."""
    module = program.module
    function = module.function("best", _float, [module.set_type, pointer])
    squares, scores = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    best = nothing = splat(b, _NOTHING, _LANES)
    for mask, values in _parts(StateCode(module, b, scores), squares, scores):
        best = larger(b, best, b.select(mask, values, nothing))
    b.ret(b.extract_element(largest(b, best), ir.Constant(i32, 0)))
    module.set_inlining(function)
    return function


def _emit_equal(program: Program) -> ir.Function:
    """The function that finds the squares in a set that have a score."""
    module = program.module
    function = module.function("equal", module.set_type, [module.set_type, pointer, _float])
    squares, scores, score = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code, wanted = StateCode(module, b, scores), splat(b, score, _LANES)
    found = code.as_set(0)
    for number, (_, values) in enumerate(_parts(code, squares, scores)):
        equal = b.bitcast(b.fcmp_ordered("==", values, wanted), ir.IntType(_LANES))
        shifted = b.shl(b.zext(equal, code.set_type), ir.Constant(code.set_type, _LANES * number))
        found = b.or_(found, shifted)
    b.ret(b.and_(found, squares))
    module.set_inlining(function)
    return function
