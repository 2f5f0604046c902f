"""Orthodox playouts: every move is drawn among all moves of the position.

The moves are gone through once. Moves that differ only in the square of their last steps are found
together, as a set of squares; such a group is written down with the number of moves so far, and
when all groups are known, a random number tells which move it is. If there are more groups than
fit into memory, one move of those there becomes the candidate, with the probability that it has
among all moves so far, and the memory is filled anew (reservoir sampling).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.enumerate import Enumerate
from semisplit.language.rbg.native.machine.machine import Chooser, Machine
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.reach import MAX_DEPTH
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import NUMBER, Stack
from semisplit.language.rbg.native.machine.transitions import Transitions
from semisplit.language.rbg.native.playout.draw import Draw
from semisplit.language.rbg.native.playout.playout import Play
from semisplit.language.rbg.native.playout.turns import Turns

_TOTAL, _PATH, _LEAF, _DEPTH, _SQUARES = 0, 8, 16, 24, 32
"""A group: moves up to here, the path to its leaf, which leaf it is, the length of the path, and
the squares of its last steps."""
_GROUPS = 256
"""Groups for which there is room."""
_PATHS = 64 * 1024
"""Bytes for paths; if these are full the memory is emptied, too."""


def memory_size(set_bytes: int, levels: int = MAX_MOVE_LENGTH, deepest: int | None = None) -> int:
    """The memory for groups, which the context points to.

    Args:
        set_bytes: The size of a set.
        levels: Frames for which there is room, beyond those of known depth.
        deepest: The depth of the deepest site, if all are known.
    """
    longest = longest_path(levels)
    paths = _PATHS + 8 * longest if deepest is None else _GROUPS * 8 * deepest
    return 8 * longest + _GROUPS * (_SQUARES + set_bytes) + paths


def longest_path(levels: int) -> int:
    """Steps of the longest path; sites whose depth is known are not counted against the limit."""
    return levels + MAX_DEPTH


def orthodox_play(program: Program, transitions: Transitions) -> Play:
    """Draws among all moves of each position."""

    def parts(stack: Stack, seed: Value) -> tuple[Chooser, Turns]:
        return Enumerate(), _Reservoir(stack, transitions, seed, longest_path(program.levels))

    return Play("orthodox", program.game.merged, Until.MODIFIER, parts, collects=True)


class _Reservoir(Turns):
    """Collects the moves of a turn, draws one and makes it."""

    keeps_paths = True

    def __init__(self, stack: Stack, transitions: Transitions, seed: Value, longest: int):
        code, context = stack.code, stack.context
        super().__init__(code, context, transitions, seed)
        self._group_size = _SQUARES + 8 * code.words
        self._candidate = context.load("groups", pointer)
        self._groups = code.place(self._candidate, 8 * longest)
        self._groups_end = code.place(self._groups, _GROUPS * self._group_size)
        self._paths = self._groups_end
        self._paths_full = code.place(self._paths, _PATHS)
        self._group, self._path = code.local(pointer), code.local(pointer)
        self._total = code.local(i64)
        self._leaves: list[tuple[tuple[Exit, ...], Relation | None]] = []
        """For each place where groups are found, their exits and the relation to the others."""
        self._turns: dict[int, ir.Block] = {}
        self._flush, self._refill, self._make = code.blocks("flush", "refill", "make")
        self._resumes: list[ir.Block] = []
        """Where to go on when the memory was full."""
        context.store("earlier", 0)
        self._empty(code.b)

    def _empty(self, b: ir.IRBuilder) -> None:
        b.store(self._groups, self._group)
        b.store(self._paths, self._path)
        b.store(constant(0), self._total)

    # Moves of one step are drawn like semimoves

    def begin(self, machine: Machine, node: int) -> ir.Block:
        region = machine.region(node)
        if not region.exits or not all(map(machine.is_leaf, region.exits)):
            return machine.site(node)
        if node not in self._turns:
            site = Site(machine.stack, machine.frame, node, region, 0, self.over)
            emit = partial(self._draw_at_once, machine, site)
            self._turns[node] = machine.later(f"turn{node}", emit)
        return self._turns[node]

    def _draw_at_once(self, machine: Machine, site: Site) -> None:
        site.evaluate()
        Draw(self.random).draw(machine, site)

    def complete(self, machine: Machine, exit_: Exit, square: Value) -> None:
        machine.context.count("states")
        super().complete(machine, exit_, square)

    def on_apply(self, machine: Machine, number: Value, square: Value) -> None:
        """States on the way to moves that are not made do not count."""

    def on_hand_over(self, machine: Machine, arc: Arc) -> None:
        """Moves have been counted when they were drawn."""

    # Groups

    def visit(
        self, machine: Machine, site: Site, exits: Sequence[Exit], relation: Relation | None
    ) -> None:
        b, code, context = machine.b, machine.code, machine.context
        options = site.options(exits[0])
        with code.if_(code.unequal(options, 0)) as done:
            group, path = b.load(self._group, typ=pointer), b.load(self._path, typ=pointer)
            total = b.add(b.load(self._total, typ=i64), options)
            b.store(total, self._total)
            code.store(total, group, _TOTAL)
            code.store(path, group, _PATH)
            code.store(constant(len(self._leaves)), group, _LEAF)
            self._leaves.append((tuple(exits), relation))
            code.store(site.slot(exits[0]), group, _SQUARES)
            end = _copy_path(machine, site, path)
            code.store(code.distance(path, end), group, _DEPTH)
            following = code.place(group, self._group_size)
            b.store(following, self._group)
            b.store(end, self._path)
            full = b.or_(
                code.equal(following, self._groups_end),
                b.icmp_unsigned(">=", end, self._paths_full),
            )
            code.jump_unless(full, done)
            context.store("resume", len(self._resumes))
            self._resumes.append(done)
            context.store("is_last", 0)
            b.branch(self._flush)

    def no_more(self, machine: Machine) -> None:
        machine.context.store("is_last", 1)
        machine.b.branch(self._flush)
        self._emit_flush(machine)
        self._emit_refill(machine)
        self._emit_move(machine)

    def _emit_flush(self, machine: Machine) -> None:
        """Perhaps make a move of those in memory the candidate, and empty the memory."""
        b, code, context = machine.b, machine.code, machine.context
        code.emit_in(self._flush)
        total = b.load(self._total, typ=i64)
        everything = b.add(total, context.load("earlier"))
        code.jump_if(code.equal(everything, 0), self.over)
        number = self.random.below(everything)
        context.store("earlier", everything)
        code.jump_unless(code.less(number, total), self._refill)
        self._select(machine, number)
        b.branch(self._refill)

    def _select(self, machine: Machine, number: Value) -> None:
        """Find the group of the move with a number and copy what is needed to make it."""
        b, code, context = machine.b, machine.code, machine.context
        last = b.load(self._group, typ=pointer)
        count = b.udiv(code.distance(self._groups, last), constant(self._group_size))
        with code.loop(self._groups, count) as loop:
            # The group is one of `left` groups from `group` on.
            group, left = loop.variables
            loop.leave_unless(b.icmp_unsigned(">", left, constant(1)))
            half = b.lshr(left, constant(1))
            middle = code.place(group, b.mul(half, constant(self._group_size)))
            below = code.load(i64, middle, _TOTAL - self._group_size)
            beyond = b.icmp_unsigned(">=", number, below)
            loop.again(b.select(beyond, middle, group), b.sub(left, half))
        before = code.value_if(
            code.unequal(group, self._groups),
            lambda: code.load(i64, group, _TOTAL - self._group_size),
        )
        index = b.sub(number, before)
        leaf = code.load(i64, group, _LEAF)
        context.store("leaf", leaf)
        is_set = [int(exits[0].is_set) for exits, _ in self._leaves]
        with code.if_else(code.unequal(code.look_up(8, is_set, leaf), 0)) as (as_set, as_square):
            with as_set:
                squares = code.load(code.set_type, group, _SQUARES)
                context.store("square", code.nth(squares, index))
            with as_square:
                context.store("square", code.load(i64, group, _SQUARES))
        depth = code.load(i64, group, _DEPTH)
        context.store("length", depth)
        path = code.load(pointer, group, _PATH)
        with code.each(depth, 8) as at:
            code.store(code.load(i64, path, at), self._candidate, at)

    def _emit_refill(self, machine: Machine) -> None:
        b, code, context = machine.b, machine.code, machine.context
        code.emit_in(self._refill)
        self._empty(b)
        code.jump_if(b.trunc(context.load("is_last"), i1), self._make)
        if not self._resumes:
            b.unreachable()
            return
        first, *others = self._resumes
        code.switch(context.load("resume"), first, enumerate(others, 1))

    def _emit_move(self, machine: Machine) -> None:
        """Make the steps of the candidate."""
        b, code, context = machine.b, machine.code, machine.context
        act = self.transitions.act
        code.emit_in(self._make)
        context.store("earlier", 0)
        context.count("states")
        with code.each(context.load("length"), 8) as offset:
            place = code.place(self._candidate, offset)
            square = b.zext(code.load(i32, place, 4), i64)
            b.call(act, [code.state, code.load(i32, place), square])
        if not self._leaves:
            b.unreachable()
            return
        first, *others = blocks = code.blocks(*["move"] * len(self._leaves))
        code.switch(context.load("leaf"), first, enumerate(others, 1))
        for (exits, relation), block in zip(self._leaves, blocks):
            code.emit_in(block)
            square = context.load("square")
            *steps, switch = (exit_.arc for exit_ in exits if exit_.arc)
            for number, arc in enumerate(steps):
                b.call(act, [code.state, ir.Constant(i32, arc.number), square])
                if relation is not None and number == 0:
                    square = code.next_square(relation, square)
            self.hand_over(machine, switch, square)


def _copy_path(machine: Machine, site: Site, to: Value) -> Value:
    """Emit writing down numbers and squares of the frames; returns the end of it."""
    b, code = machine.b, machine.code
    path = machine.path_to(site)
    if path is not None:
        for depth, (arc, square) in enumerate(path):
            code.store(ir.Constant(i32, arc.number), to, 8 * depth)
            code.store(b.trunc(square, i32), to, 8 * depth + 4)
        return code.place(to, 8 * len(path))
    with code.loop(machine.stack.base, to) as loop:
        frame, place = loop.variables
        loop.leave_if(code.equal(frame, site.top()))
        code.store(code.load(i64, frame, NUMBER), place)
        loop.again(code.place(frame, machine.frame), code.place(place, 8))
    return place
