"""Guided playouts: (semi)moves are drawn among those with the best score, or at random.

Callers keep a score for each word and player. The scores of one modifier on all squares lie
together, so the best among the squares of a slot is found without a list: all scores are taken, and
those whose square is not in the slot are left out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from llvmlite import ir

from semisplit.emit.values import Value, constant, i1, i32, i64, pointer
from semisplit.emit.vectors import larger, largest, splat
from semisplit.rbg.native.analysis.graph import Arc, Graph
from semisplit.rbg.native.board.layout import PLAYER
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.playout.playout import Playout, SemisplitPlayout
from semisplit.runtime.abi import End, Status

_LANES = 16
_float = ir.FloatType()
_vector, _mask = ir.VectorType(_float, _LANES), ir.VectorType(i1, _LANES)
_NOTHING = ir.Constant(_float, -1.0)
_NOTE = 12
"""Bytes of a step in the trace: its word, the player, what it completes."""
_CHANCE_BITS = 53


class Guide(Playout):
    """Draws by the scores of the context, and writes down what it does."""

    tells_numbers = True

    @staticmethod
    def graph_of(program: Program) -> Graph:
        return program.numbered

    def prepare(self) -> None:
        self._scores = self.context.load("scores", pointer)
        self._trace = self.code.local(pointer)
        self.b.store(self.context.load("trace", pointer), self._trace)
        self._best_of = _emit_best(self.program)
        self._equal_to = _emit_equal(self.program)

    # Choosing

    def draw_guided(self, exits: Sequence[Exit], slots: Sequence[Value]) -> None:
        """Emit drawing one of some exits, whose slots are given, by the scores or by chance."""
        b = self.b
        anyhow, best = b.append_basic_block("anyhow"), b.append_basic_block("best")
        drawn = b.lshr(self.random.draw(), constant(64 - _CHANCE_BITS))
        b.cbranch(b.icmp_unsigned("<", drawn, self.context.load("epsilon")), anyhow, best)
        b.position_at_end(anyhow)
        self.draw_among(exits, slots)
        b.position_at_end(best)
        self.draw_among(exits, self._best(exits, slots))

    @abstractmethod
    def first_word(self, exit_: Exit) -> int:
        """The word of an exit on the first square, behind which are those on the others."""

    @property
    def words(self) -> int:
        """How many words there are."""
        return self.program.words

    def _best(self, exits: Sequence[Exit], slots: Sequence[Value]) -> list[Value]:
        """Emit finding what is best: of each slot, the squares with the best score of all."""
        b, code = self.b, self.code
        player = b.zext(code.load(i32, code.state, PLAYER), i64)
        offset = b.mul(b.sub(player, constant(1)), constant(4 * self.words))
        own = code.place(self._scores, offset)
        scores = [code.place(own, 4 * self.first_word(exit_)) for exit_ in exits]
        bests = []
        for exit_, slot, at in zip(exits, slots, scores):
            if exit_.is_set:
                bests.append(b.call(self._best_of, [slot, at]))
            else:
                bests.append(self._score_at(slot, at))
        best = bests[0]
        for other in bests[1:]:
            best = larger(b, best, other)
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
        b = self.b
        nowhere = b.icmp_signed("==", square, constant(NOWHERE))
        place = b.shl(b.select(nowhere, constant(0), square), constant(2))
        score = b.load(self.code.place(scores, place), typ=_float, align=4)
        return b.select(nowhere, _NOTHING, score)

    # The trace

    def note(self, first_word: int, square: Value, end: End) -> None:
        """Emit writing down a step."""
        b, code = self.b, self.code
        trace = b.load(self._trace, typ=pointer)
        code.store(b.add(b.trunc(square, i32), ir.Constant(i32, first_word)), trace)
        code.store(code.load(i32, code.state, PLAYER), trace, 4)
        code.store(ir.Constant(i32, end), trace, 8)
        b.store(code.place(trace, _NOTE), self._trace)

    def take_back(self) -> None:
        """Emit forgetting the last step."""
        trace = self.b.load(self._trace, typ=pointer)
        self.b.store(self.code.place(trace, -_NOTE), self._trace)

    def _emit_hand_over(self, step: Arc) -> None:
        trace = self.b.load(self._trace, typ=pointer)
        self.context.store("trace", self.b.ptrtoint(trace, i64))
        full = self.b.icmp_unsigned(">", trace, self.context.load("trace_end", pointer))
        self.limit_if(full, Status.LONG_GAME)
        super()._emit_hand_over(step)


class GuidedPlayout(Guide, SemisplitPlayout):
    """Draws semimoves."""

    def draw(self, region: Region) -> None:
        if len(region.exits) == 1 and not region.exits[0].is_set:
            super().draw(region)
        else:
            self.draw_guided(region.exits, [self.slot(exit_) for exit_ in region.exits])

    def first_word(self, exit_: Exit) -> int:
        assert exit_.arc is not None
        return self._word(exit_.arc)

    def _word(self, step: Arc) -> int:
        return (step.number + len(self.program.graph.dots)) * self.code.squares.size

    def apply(self, step: Arc, square: Value) -> Value:
        self.note(self._word(step), square, End.SEMIMOVE)
        return super().apply(step, square)

    def _emit_undo(self, step: Arc) -> None:
        self.take_back()
        super()._emit_undo(step)

    def _emit_hand_over(self, step: Arc) -> None:
        self.note(self._word(step), self.b.load(self._square, typ=i64), End.MOVE)
        super()._emit_hand_over(step)


def _parts(code: StateCode, squares: Value, scores: Value) -> list[tuple[Value, Value]]:
    """Emit taking a set and the scores of all squares apart: sixteen bits, sixteen scores."""
    b = code.b
    parts = []
    for first in range(0, code.squares.size, _LANES):
        word = b.lshr(squares, ir.Constant(code.set_type, first))
        bits = b.bitcast(b.trunc(word, ir.IntType(_LANES)), _mask)
        parts.append((bits, b.load(code.place(scores, 4 * first), typ=_vector, align=4)))
    return parts


def _emit_best(program: Program) -> ir.Function:
    """The function that finds the best score of the squares in a set; -1 if it is empty."""
    module = program.module
    function = module.function("best", _float, [module.set_type, pointer])
    squares, scores = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    best = nothing = splat(b, _NOTHING, _LANES)
    for bits, values in _parts(StateCode(module, b, scores), squares, scores):
        best = larger(b, best, b.select(bits, values, nothing))
    b.ret(b.extract_element(largest(b, best), ir.Constant(i32, 0)))
    program.module.set_inlining(function)
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
    program.module.set_inlining(function)
    return function
