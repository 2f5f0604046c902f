"""Listing the moves of a nodal state: the machine that goes through all moves and writes them.

This is what searches ask for most. Moves that differ only in the square of their last steps are
found together, as in orthodox playouts, and written in one loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import Exit
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.enumerate import Enumerate
from semisplit.rbg.native.machine.machine import NUMBER, SQUARE
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.words import pack_word


def emit_nodal_list(program: Program) -> ir.Function:
    """The function that lists the moves of a nodal state in which a player is in control."""
    arguments = [pointer, pointer]
    function = program.module.function("list_nodal", void, arguments)
    on_copy = program.module.function("list_on_copy", void, arguments)
    on_copy.attributes.add("alwaysinline")
    state, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    size = program.module.layout.bytes
    # Not in the caller's memory: as long as nothing else sees it, it can be kept in registers.
    current = b.alloca(i64, size // 8)
    StateCode(program.module, b, current).copy(current, state, size)
    b.call(on_copy, [current, context])
    b.ret_void()
    state, context = on_copy.args
    code = StateCode(program.module, ir.IRBuilder(on_copy.append_basic_block("entry")), state)
    ListMoves(program, code, ContextCode(code, context)).start()
    return function


class ListMoves(Enumerate):
    """Writes every move of a position."""

    keeps_paths = tells_numbers = True

    def __init__(self, program: Program, code: StateCode, context: ContextCode):
        frames = context.load("frames", pointer)
        graph = program.numbered
        super().__init__(program, graph, code, context.base, frames, RegionKind.WHOLE)
        self._found, self._place = code.local(i64), code.local(i64)
        self.b.store(context.load("found"), self._found)
        place = self.b.add(context.load("buffer"), context.load("written"))
        self.b.store(place, self._place)

    def start(self) -> None:
        """Emit all of it."""
        b = self.b
        self.start_turn()
        self.context.store("found", b.load(self._found, typ=i64))
        written = b.sub(b.load(self._place, typ=i64), self.context.load("buffer"))
        self.context.store("written", written)
        b.ret_void()
        b.position_at_end(self.limited)
        b.ret_void()

    def visit(self, exits: Sequence[Exit], step: Relation | None = None) -> None:
        b = self.b
        options = self.options(exits[0])
        before = b.load(self._found, typ=i64)
        found = b.add(before, options)
        b.store(found, self._found)
        path = self._path_bytes()
        size = b.add(path, constant(4 + 4 * len(exits)))
        place = b.load(self._place, typ=i64)
        end = b.add(place, b.mul(size, options))
        b.store(end, self._place)
        enough = self.context.load("enough")
        fits = b.and_(
            b.icmp_unsigned("<=", end, self.context.load("buffer_end")),
            b.icmp_unsigned("<=", found, enough),
        )
        with b.if_then(fits):
            self._write_all(exits, step, path, size, place, before)
        onward = b.append_basic_block("onward")
        b.cbranch(b.icmp_unsigned(">=", found, enough), self.exhausted, onward)
        b.position_at_end(onward)

    def _write_all(
        self,
        exits: Sequence[Exit],
        step: Relation | None,
        path: Value,
        size: Value,
        place: Value,
        number: Value,
    ) -> None:
        """Emit writing the moves of a group, and their places.

        Args:
            exits: From the first exit to the leaf.
            step: As for `visit`.
            path: The bytes that the words of the path take.
            size: The bytes that a move takes.
            place: Where the first is written.
            number: How many are before it.
        """
        b, code = self.b, self.code
        buffer, places = self.context.load("buffer"), self.context.load("places")
        has_places = b.icmp_unsigned("!=", places, constant(0))
        to, note = code.local(i64), code.local(i64)
        b.store(place, to)
        b.store(b.add(places, b.shl(number, constant(2))), note)

        def write(square: Value) -> None:
            record, noted = b.load(to, typ=i64), b.load(note, typ=i64)
            b.store(b.add(record, size), to)
            b.store(b.add(noted, constant(4)), note)
            with b.if_then(has_places):
                words = b.lshr(b.sub(record, buffer), constant(2))
                code.store(b.trunc(words, i32), b.inttoptr(noted, pointer))
            begin = b.inttoptr(record, pointer)
            code.store(b.trunc(b.sub(b.lshr(size, constant(2)), constant(1)), i32), begin)
            self._write_path(code.place(begin, 4))
            behind = code.place(begin, b.add(path, constant(4)))
            code.store(self._word(exits[0], square), behind)
            after = square if step is None else code.next_square(step, square)
            for number, exit_ in enumerate(exits[1:], 1):
                code.store(self._word(exit_, after), behind, 4 * number)

        with self.each_square(exits[0]) as square:
            write(square)

    def _word(self, exit_: Exit, square: Value) -> Value:
        assert exit_.arc is not None
        number = ir.Constant(i32, exit_.arc.number)
        return pack_word(self.program, self.code, number, self.b.trunc(square, i32))

    def _path_bytes(self) -> Value:
        """How many bytes the words of the path take."""
        b = self.b
        if self._depth is not None:
            return constant(4 * self._depth)
        frames = b.sub(b.ptrtoint(self.top(), i64), b.ptrtoint(self._frames, i64))
        return b.shl(b.udiv(frames, constant(self._frame)), constant(2))

    def _write_path(self, to: Value) -> None:
        b, code = self.b, self.code
        if self._depth is not None:
            for depth, (step, square) in enumerate(self._known_path()):
                number = ir.Constant(i32, step.number)
                word = pack_word(self.program, code, number, b.trunc(square, i32))
                code.store(word, to, 4 * depth)
            return
        place = code.local(pointer)
        b.store(to, place)

        with code.each(code.distance(self._frames, self.top()), self._frame) as offset:
            frame, here = code.place(self._frames, offset), b.load(place, typ=pointer)
            number, square = code.load(i32, frame, NUMBER), code.load(i32, frame, SQUARE)
            code.store(pack_word(self.program, code, number, square), here)
            b.store(code.place(here, 4), place)
