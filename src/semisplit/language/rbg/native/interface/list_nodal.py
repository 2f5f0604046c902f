"""Listing the moves of a nodal state: the machine that goes through all moves and writes them.

This is what searches ask for most. Moves that differ only in the square of their last steps are
found together, as in orthodox playouts, and written in one loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.interface.packing import pack_step
from semisplit.language.rbg.native.machine.enumerate import Enumerate, go_to_turn
from semisplit.language.rbg.native.machine.machine import Machine, Sink
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import NUMBER, SQUARE, Stack
from semisplit.language.rbg.native.machine.tables import make_machine


def emit_nodal_list(program: Program) -> ir.Function:
    """The function that lists the moves of a nodal state in which a player is in control."""
    arguments = [pointer, pointer]
    function = program.module.function("list_nodal", void, arguments)
    on_copy = program.module.function("list_on_copy", void, arguments)
    on_copy.attributes.add("alwaysinline")
    state, context = function.args
    code = StateCode.begin(program.module, function)
    size = program.module.layout.bytes
    # Not in the caller's memory: as long as nothing else sees it, it can be kept in registers.
    current = code.b.alloca(i64, size // 8)
    code.copy(current, state, size)
    code.b.call(on_copy, [current, context])
    code.b.ret_void()
    _emit_on_copy(program, on_copy)
    return function


def _emit_on_copy(program: Program, function: ir.Function) -> None:
    code = StateCode.begin(program.module, function)
    b, context = code.b, ContextCode(code, function.args[1])
    stack = Stack(code, context, context.load("frames", pointer))
    sink, rules = _WriteMoves(stack), program.game.numbered
    entries = [switch.target for switch in program.game.turns(rules)]
    machine = make_machine(program, rules, Until.MODIFIER, stack, Enumerate(), sink, entries)
    go_to_turn(machine)
    context.store("found", b.load(sink.found, typ=i64))
    written = b.sub(b.load(sink.place, typ=i64), context.load("buffer"))
    context.store("written", written)
    b.ret_void()
    code.emit_in(stack.limited)
    b.ret_void()


class _WriteMoves(Sink):
    """Writes every move of a position."""

    keeps_paths = tells_numbers = True

    def __init__(self, stack: Stack):
        code, context = stack.code, stack.context
        self.found = code.local(i64)
        """A variable: how many moves there are so far."""
        self.place = code.local(i64)
        """A variable: where the next one is written."""
        code.b.store(context.load("found"), self.found)
        code.b.store(code.b.add(context.load("buffer"), context.load("written")), self.place)

    def visit(
        self, machine: Machine, site: Site, exits: Sequence[Exit], relation: Relation | None
    ) -> None:
        b, context = machine.b, machine.context
        options = site.options(exits[0])
        before = b.load(self.found, typ=i64)
        found = b.add(before, options)
        b.store(found, self.found)
        path = _path_bytes(machine, site)
        size = b.add(path, constant(4 + 4 * len(exits)))
        place = b.load(self.place, typ=i64)
        end = b.add(place, b.mul(size, options))
        b.store(end, self.place)
        enough = context.load("enough")
        fits = b.and_(
            b.icmp_unsigned("<=", end, context.load("buffer_end")),
            b.icmp_unsigned("<=", found, enough),
        )
        with machine.code.if_(fits):
            self._write_all(machine, site, exits, relation, path, size, place, before)
        machine.code.jump_if(b.icmp_unsigned(">=", found, enough), machine.stack.exhausted)

    def _write_all(
        self,
        machine: Machine,
        site: Site,
        exits: Sequence[Exit],
        relation: Relation | None,
        path: Value,
        size: Value,
        place: Value,
        number: Value,
    ) -> None:
        """Emit writing the moves of a group, and their places.

        Args:
            machine: As for `visit`.
            site: As for `visit`.
            exits: As for `visit`.
            relation: As for `visit`.
            path: The bytes that the steps of the path take.
            size: The bytes that a move takes.
            place: Where the first is written.
            number: How many are before it.
        """
        b, code, context = machine.b, machine.code, machine.context
        buffer, places = context.load("buffer"), context.load("places")
        has_places = code.unequal(places, 0)
        to, note = code.local(i64), code.local(i64)
        b.store(place, to)
        b.store(b.add(places, b.shl(number, constant(2))), note)
        with site.each_square(exits[0]) as square:
            record, noted = b.load(to, typ=i64), b.load(note, typ=i64)
            b.store(b.add(record, size), to)
            b.store(b.add(noted, constant(4)), note)
            with code.if_(has_places):
                offset = b.lshr(b.sub(record, buffer), constant(2))
                code.store(b.trunc(offset, i32), b.inttoptr(noted, pointer))
            begin = b.inttoptr(record, pointer)
            code.store(b.trunc(b.sub(b.lshr(size, constant(2)), constant(1)), i32), begin)
            _write_path(machine, site, code.place(begin, 4))
            behind = code.place(begin, b.add(path, constant(4)))
            code.store(_step(machine, exits[0], square), behind)
            after = square if relation is None else code.next_square(relation, square)
            for depth, exit_ in enumerate(exits[1:], 1):
                code.store(_step(machine, exit_, after), behind, 4 * depth)


def _step(machine: Machine, exit_: Exit, square: Value) -> Value:
    assert exit_.arc is not None
    number = ir.Constant(i32, exit_.arc.number)
    return pack_step(machine.program.game, machine.code, number, machine.b.trunc(square, i32))


def _path_bytes(machine: Machine, site: Site) -> Value:
    """How many bytes the steps before a site take."""
    b = machine.b
    if site.depth is not None:
        return constant(4 * site.depth)
    frames = b.udiv(machine.code.distance(machine.stack.base, site.top()), constant(machine.frame))
    return b.shl(frames, constant(2))


def _write_path(machine: Machine, site: Site, to: Value) -> None:
    """Emit writing the steps before a site."""
    game, b, code = machine.program.game, machine.b, machine.code
    path = machine.path_to(site)
    if path is not None:
        for depth, (arc, square) in enumerate(path):
            number = ir.Constant(i32, arc.number)
            code.store(pack_step(game, code, number, b.trunc(square, i32)), to, 4 * depth)
        return
    base, place = machine.stack.base, code.local(pointer)
    b.store(to, place)
    with code.each(code.distance(base, site.top()), machine.frame) as offset:
        frame, here = code.place(base, offset), b.load(place, typ=pointer)
        number, square = code.load(i32, frame, NUMBER), code.load(i32, frame, SQUARE)
        code.store(pack_step(game, code, number, square), here)
        b.store(code.place(here, 4), place)
