"""Orthodox playouts: every move is drawn among all moves of the position.

The moves are gone through once. Moves that differ only in the square of their last steps are found
together, as a set of squares; such a group is written down with the number of moves so far, and
when all groups are known, a random number tells which move it is. If there are more groups than
fit into the table, one move of the table becomes the candidate, with the probability that it has
among all moves so far, and the table is filled anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.emit.code import Value, constant, i1, i32, i64, pointer
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.evaluate.region import Exit, Region
from semisplit.rbg.native.machine.enumerate import Enumerate
from semisplit.rbg.native.playout.playout import Playout

_TOTAL, _PATH, _LEAF, _DEPTH, _SQUARES = 0, 8, 16, 24, 32
"""A group: moves up to here, the path to its leaf, which leaf it is, the length of the path, and
the squares of its last steps."""
_GROUPS = 256
"""Groups in the table."""
_PATHS = 64 * 1024
"""Bytes for paths; if these are full the table is emptied, too."""
_CANDIDATE = 16 * MAX_MOVE_LENGTH
"""Bytes of the longest path; sites whose depth is known are not counted against the limit."""


def memory_size(set_bytes: int) -> int:
    """The memory for the table, which the context points to."""
    return _GROUPS * (_SQUARES + set_bytes) + _PATHS + 2 * _CANDIDATE


class OrthodoxPlayout(Playout, Enumerate):
    """Draws among all moves of a position."""

    keeps_paths = True

    def prepare(self) -> None:
        code = self.code
        self._group_size = _SQUARES + 8 * code.words
        self._table = self.context.load("groups", pointer)
        self._table_end = code.place(self._table, _GROUPS * self._group_size)
        self._paths = self._table_end
        self._paths_full = code.place(self._paths, _PATHS)
        self._candidate = code.place(self._paths_full, _CANDIDATE)
        self._group, self._path = code.local(pointer), code.local(pointer)
        self._total = code.local(i64)
        self._leaves: list[tuple[tuple[Exit, ...], Relation | None]] = []
        """The exits of each kind of group, and the step from its first exit to the others."""
        self._turns: dict[int, ir.Block] = {}
        self._drawing = False
        self._flush = self.b.append_basic_block("flush")
        self._refill = self.b.append_basic_block("refill")
        self._resumes: list[ir.Block] = []
        self.context.store("earlier", constant(0))
        self._empty_table()

    def _empty_table(self) -> None:
        self.b.store(self._table, self._group)
        self.b.store(self._paths, self._path)
        self.b.store(constant(0), self._total)

    def turn(self, node: int) -> ir.Block:
        region = self.region(node)
        if not region.exits or not all(map(self.is_leaf, region.exits)):
            return self.site(node)
        if node not in self._turns:
            self._turns[node] = self.later(f"turn{node}", lambda: self._draw_turn(region))
        return self._turns[node]

    def _draw_turn(self, region: Region) -> None:
        """Moves of one step are drawn like semimoves."""
        self._drawing = True
        self._depth, self.none = 0, self._over
        self.evaluate(region)
        self.draw(region)
        self._drawing = False

    def complete(self, exit_: Exit, square: Value) -> None:
        if self._drawing:
            self.count("states")
            self.hand_over(exit_, square)
        else:
            Enumerate.complete(self, exit_, square)

    # Groups

    def visit(self, exits: Sequence[Exit], step: Relation | None = None) -> None:
        b, code = self.b, self.code
        options = self.options(exits[0])
        some, done = b.append_basic_block("some"), b.append_basic_block("visited")
        b.cbranch(b.icmp_unsigned("!=", options, constant(0)), some, done)
        b.position_at_end(some)
        group, path = b.load(self._group, typ=pointer), b.load(self._path, typ=pointer)
        total = b.add(b.load(self._total, typ=i64), options)
        b.store(total, self._total)
        leaf = len(self._leaves)
        self._leaves.append((tuple(exits), step))
        code.store(total, group, _TOTAL)
        code.store(path, group, _PATH)
        code.store(constant(leaf), group, _LEAF)
        code.store(self.slot(exits[0]), group, _SQUARES)
        end = self.copy_path(path)
        depth = b.sub(b.ptrtoint(end, i64), b.ptrtoint(path, i64))
        code.store(depth, group, _DEPTH)
        following = code.place(group, self._group_size)
        b.store(following, self._group)
        b.store(end, self._path)
        full = b.or_(
            b.icmp_unsigned("==", following, self._table_end),
            b.icmp_unsigned(">=", end, self._paths_full),
        )
        flush = b.append_basic_block("full")
        b.cbranch(full, flush, done)
        b.position_at_end(flush)
        self.context.store("resume", constant(len(self._resumes)))
        self._resumes.append(done)
        self.context.store("is_last", constant(0))
        b.branch(self._flush)
        b.position_at_end(done)

    def no_more(self) -> None:
        b = self.b
        self.context.store("is_last", constant(1))
        b.branch(self._flush)
        self._emit_flush()
        self._emit_refill()
        self._emit_move()

    def _emit_flush(self) -> None:
        """Perhaps make a move of the table the candidate, and empty the table."""
        b = self.b
        b.position_at_end(self._flush)
        total = b.load(self._total, typ=i64)
        everything = b.add(total, self.context.load("earlier"))
        some = b.append_basic_block("any")
        b.cbranch(b.icmp_unsigned("==", everything, constant(0)), self._over, some)
        b.position_at_end(some)
        number = self.random.below(everything)
        self.context.store("earlier", everything)
        accept = b.append_basic_block("accept")
        b.cbranch(b.icmp_unsigned("<", number, total), accept, self._refill)
        b.position_at_end(accept)
        self._select(number)
        b.branch(self._refill)

    def _select(self, number: Value) -> None:
        """Find the group of the move with a number and copy what is needed to make it."""
        b, code = self.b, self.code
        last = b.load(self._group, typ=pointer)
        size = b.sub(b.ptrtoint(last, i64), b.ptrtoint(self._table, i64))
        count = b.udiv(size, constant(self._group_size))
        before = b.block
        head, body, end = (b.append_basic_block(name) for name in ("search", "halve", "at"))
        b.branch(head)
        b.position_at_end(head)
        # The group is one of `left` groups from `base` on.
        base, left = b.phi(pointer), b.phi(i64)
        base.add_incoming(self._table, before)
        left.add_incoming(count, before)
        b.cbranch(b.icmp_unsigned(">", left, constant(1)), body, end)
        b.position_at_end(body)
        half = b.lshr(left, constant(1))
        middle = code.place(base, b.mul(half, constant(self._group_size)))
        below = code.load(i64, middle, _TOTAL - self._group_size)
        beyond = b.icmp_unsigned(">=", number, below)
        base.add_incoming(b.select(beyond, middle, base), body)
        left.add_incoming(b.sub(left, half), body)
        b.branch(head)
        b.position_at_end(end)
        is_first = b.icmp_unsigned("==", base, self._table)
        previous = code.local(i64)
        b.store(constant(0), previous)
        with b.if_then(b.not_(is_first)):
            b.store(code.load(i64, base, _TOTAL - self._group_size), previous)
        index = b.sub(number, b.load(previous, typ=i64))
        leaf = code.load(i64, base, _LEAF)
        self.context.store("leaf", leaf)
        is_set = [int(exits[0].is_set) for exits, _ in self._leaves]
        choose = b.icmp_unsigned("!=", code.look_up(8, is_set, leaf), ir.Constant(ir.IntType(8), 0))
        with b.if_else(choose) as (as_set, as_square):
            with as_set:
                squares = code.load(code.set_type, base, _SQUARES)
                self.context.store("square", code.nth(squares, index))
            with as_square:
                self.context.store("square", code.load(i64, base, _SQUARES))
        depth = code.load(i64, base, _DEPTH)
        self.context.store("length", depth)
        path = code.load(pointer, base, _PATH)
        code.each(depth, 8, lambda at: code.store(code.load(i64, path, at), self._candidate, at))

    def _emit_refill(self) -> None:
        b = self.b
        b.position_at_end(self._refill)
        self._empty_table()
        self._make = b.append_basic_block("make")
        again = b.append_basic_block("again")
        b.cbranch(b.trunc(self.context.load("is_last"), i1), self._make, again)
        b.position_at_end(again)
        if not self._resumes:
            b.unreachable()
            return
        cases = b.switch(self.context.load("resume"), self._resumes[0])
        for number, block in enumerate(self._resumes[1:], 1):
            cases.add_case(constant(number), block)

    def _emit_move(self) -> None:
        """Make the steps of the candidate."""
        b, code = self.b, self.code
        b.position_at_end(self._make)
        self.context.store("earlier", constant(0))
        self.count("states")

        def act(offset: Value) -> None:
            place = code.place(self._candidate, offset)
            square = b.zext(code.load(i32, place, 4), i64)
            b.call(self.program.act, [code.state, code.load(i32, place), square])

        code.each(self.context.load("length"), 8, act)
        if not self._leaves:
            b.unreachable()
            return
        blocks = [b.append_basic_block("move") for _ in self._leaves]
        cases = b.switch(self.context.load("leaf"), blocks[0])
        for place, block in enumerate(blocks[1:], 1):
            cases.add_case(constant(place), block)
        for (exits, step), block in zip(self._leaves, blocks):
            b.position_at_end(block)
            square = self.context.load("square")
            for exit_ in exits[:-1]:
                assert exit_.step is not None
                number = ir.Constant(i32, exit_.step.number)
                b.call(self.program.act, [code.state, number, square])
                if step is not None and exit_ is exits[0]:
                    square = code.next_square(step, square)
            self.hand_over(exits[-1], square)
