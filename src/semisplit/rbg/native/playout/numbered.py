"""Moves as single numbers, for games in which a kind of move and one square tell all of it.

Such are games in which a piece is put on the board, or goes by fixed steps like a pawn. The kinds
are the groups in which all moves are found (see `enumerate`); a move's number is that of its group
times the number of squares, plus its first square. Whole moves can then be handled like semimoves
that are single steps: listed as numbers, and drawn as squares of sets by guided playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import Exit, Region
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.enumerate import Enumerate
from semisplit.rbg.native.machine.program import Group, Program
from semisplit.rbg.native.playout.guided import Guide
from semisplit.rbg.native.playout.playout import emit_playout, emit_playouts
from semisplit.runtime.abi import End


def emit_numbered(program: Program) -> None:
    """The functions for moves as numbers; none if a game's moves are not of that kind.

    Afterwards `groups` of the program are the kinds of moves.
    """
    arguments = [pointer, pointer]
    function = program.module.function("list_numbers", void, arguments, public=True)
    state, context = function.args
    code = StateCode(program.module, ir.IRBuilder(function.append_basic_block("entry")), state)
    if not _ListNumbers(program, code, ContextCode(code, context)).emit():
        return
    playout = emit_playout(program, "guided", _GuidedMoves, RegionKind.WHOLE)
    emit_playouts(program, "guided", playout)
    _emit_apply(program)


class _Numbered(Enumerate):
    """Finds the groups of moves at the beginning of a turn."""

    tells_numbers = True

    def visit_groups(self, region: Region) -> None:
        """Emit visiting all moves of a turn, group by group."""
        for exit_ in region.exits:
            exits, transposed = self._until_leaf(exit_), self._transposed(exit_)
            if exits:
                self.visit(exits)
            elif transposed:
                for way in transposed.fixed:
                    self._visit_way(region, exit_, way)

    def number_of(self, exits: Sequence[Exit], step: Relation | None) -> int:
        """The number of a group's move on the first square."""
        groups = self.program.groups
        group = Group(tuple(exit_.arc for exit_ in exits if exit_.arc), step)
        if group not in groups:
            groups.append(group)
        return groups.index(group) * self._size

    @property
    def _size(self) -> int:
        return self.code.squares.size


class _ListNumbers(_Numbered):
    """Writes the numbers of all moves."""

    def __init__(self, program: Program, code: StateCode, context: ContextCode):
        frames = context.load("frames", pointer)
        super().__init__(program, program.numbered, code, context.base, frames, RegionKind.WHOLE)
        self._place = code.local(pointer)
        self.b.store(context.load("buffer", pointer), self._place)

    def emit(self) -> bool:
        """Emit all of it, or nothing if moves cannot be numbered."""
        b = self.b
        regions = (self.region(step.target) for step in self.turns)
        if any(self.taken(exit_) for region in regions for exit_ in region.exits):
            # A step has to be made to find the moves behind it.
            b.branch(self.limited)
            for block in (self.exhausted, self.failed, self.limited):
                b.position_at_end(block)
                b.ret_void()
            return False
        self.start_turn()
        begin = self.context.load("buffer")
        size = b.sub(b.ptrtoint(b.load(self._place, typ=pointer), i64), begin)
        self.context.store("found", b.lshr(size, constant(2)))
        b.ret_void()
        b.position_at_end(self.limited)
        b.ret_void()
        return True

    def choose(self, node: int, region: Region) -> None:
        self.visit_groups(region)
        self.b.branch(self.none)

    def visit(self, exits: Sequence[Exit], step: Relation | None = None) -> None:
        first = self.number_of(exits, step)
        with self.each_square(exits[0]) as square:
            self._write(first, square)

    def _write(self, first: int, square: Value) -> None:
        b, place = self.b, self.b.load(self._place, typ=pointer)
        self.code.store(b.add(b.trunc(square, i32), ir.Constant(i32, first)), place)
        b.store(self.code.place(place, 4), self._place)


class _GuidedMoves(Guide, _Numbered):
    """Draws whole moves."""

    def choose(self, node: int, region: Region) -> None:
        self._found: list[tuple[Exit, Value]] = []
        """The first exits of the groups at this site, and their squares."""
        self._groups: dict[Exit, tuple[Sequence[Exit], Relation | None]] = {}
        self.visit_groups(region)
        if self._found:
            exits, slots = zip(*self._found)
            self.draw_guided(exits, slots)
        else:
            self.b.branch(self.none)

    def visit(self, exits: Sequence[Exit], step: Relation | None = None) -> None:
        # What is left of a slot may be nothing.
        first = replace(exits[0], certain=False)
        self._found.append((first, self.slot(first)))
        self._groups[first] = exits, step

    def _visit_only(self, exits: list[Exit], square: Value) -> None:
        self._groups = {exits[0]: (exits, None)}
        self.take_drawn(exits[0], square)

    @property
    def words(self) -> int:
        return len(self.program.groups) * self._size

    def first_word(self, exit_: Exit) -> int:
        return self.number_of(*self._groups[exit_])

    def take_drawn(self, exit_: Exit, square: Value) -> None:
        exits, _ = self._groups[exit_]
        first = self.first_word(exit_)
        self.count("states")
        self.note(first, square, End.MOVE)
        group = self.program.groups[first // self._size]
        self.hand_over(exits[-1], _make(self.program, group, self.code, square))


def _make(program: Program, group: Group, code: StateCode, square: Value) -> Value:
    """Emit making a move but for the switch at its end; returns where that is."""
    for number, step in enumerate(group.steps[:-1]):
        program.shared.apply(program.numbered, step, code, square)
        if number == 0 and group.relation is not None:
            square = code.next_square(group.relation, square)
    return square


def _emit_apply(program: Program) -> None:
    """The function `apply_number` of the interface."""
    arguments = [pointer, pointer, i64, pointer]
    function = program.module.function("apply_number", i32, arguments, public=True)
    state, steps, _, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    number, size = b.zext(code.load(i32, steps), i64), constant(code.squares.size)
    square = b.urem(number, size)
    end, unknown = b.append_basic_block("end"), b.append_basic_block("unknown")
    cases = b.switch(b.udiv(number, size), unknown)
    for index, group in enumerate(program.groups):
        block = b.append_basic_block("group")
        cases.add_case(constant(index), block)
        b.position_at_end(block)
        last, step = _make(program, group, code, square), group.steps[-1]
        code.hand_over(step.number, program.player_of(step), last)
        b.branch(end)
    b.position_at_end(unknown)
    b.unreachable()
    b.position_at_end(end)
    b.call(program.run_keeper, [state, context])
    b.ret(ir.Constant(i32, 1))
