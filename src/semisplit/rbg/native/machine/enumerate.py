"""Going through all moves: the machine that comes back to every choice."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from llvmlite import ir

from semisplit.emit.values import Value, constant, i1, i32, i64, pointer
from semisplit.rbg import ast
from semisplit.rbg.native.analysis.change import alternatives
from semisplit.rbg.native.analysis.expression import Expression
from semisplit.rbg.native.analysis.graph import Arc, Graph
from semisplit.rbg.native.analysis.transpose import Way, Ways
from semisplit.rbg.native.board.layout import AT, VERTEX
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.machine import NUMBER, Machine
from semisplit.rbg.native.machine.program import Program

_COST_PER_SQUARE = 4
"""What it may cost per square to evaluate a condition on all squares at once."""


class Enumerate(Machine):
    """Visits every way to a leaf; the exits of a site one after another, low squares first."""

    returns_always = True

    def __init__(
        self,
        program: Program,
        graph: Graph,
        code: StateCode,
        context: Value,
        frames: Value,
        kind: RegionKind,
    ):
        self._others: dict[Exit, Exit] = {}
        """For exits behind which some ways are fixed, those that lead to the other ways."""
        super().__init__(program, graph, code, context, frames, kind)

    @property
    def turns(self) -> list[Arc]:
        """The switches behind which a player moves."""
        return [step for step in self.graph.switches if self.program.player_of(step)]

    def start_turn(self) -> None:
        """Emit going to the site of whose turn it is, and all that is reached from there.

        Goes on where everything has been visited.
        """
        b = self.b
        self.reserve([step.target for step in self.turns])
        self.check_room()
        b.store(b.zext(self.code.load(i32, self.code.state, VERTEX), i64), self._square)
        cases = b.switch(self.code.load(i32, self.code.state, AT), self.exhausted)
        for step in self.turns:
            cases.add_case(ir.Constant(i32, step.number), self.site(step.target))
        self.finish()
        b.position_at_end(self.exhausted)

    def choose(self, node: int, region: Region) -> None:
        b = self.b
        for exit_ in region.exits:
            here = b.append_basic_block("exit")
            self.retry[exit_] = here
            b.branch(here)
            b.position_at_end(here)
            exits = self._until_leaf(exit_)
            transposed = self._transposed(exit_)
            if exits:
                self.visit(exits)
            elif transposed is not None:
                for way in transposed.fixed:
                    self._visit_way(region, exit_, way)
                other = self.taken(exit_)
                if other is not None:
                    self._keep(other, alternatives([(e,) for e in transposed.others.values()]))
                    self.retry[other] = b.append_basic_block("others")
                    b.branch(self.retry[other])
                    b.position_at_end(self.retry[other])
                    self._next_square(other)
            else:
                self._visit_sure(region, exit_)
                self._next_square(exit_)
        b.branch(self.none)

    def _until_leaf(self, exit_: Exit) -> list[Exit]:
        """The exits from one to a leaf, if all that follow are certain and on the same square.

        There is no need to apply these modifiers to know that the move can be completed.
        """
        exits = [exit_]
        while not self.is_leaf(exits[-1]):
            step = exits[-1].arc
            assert step is not None
            region = self.region(step.target)
            if not region.in_place or region.exits[0] in exits:
                return []
            exits.append(region.exits[0])
        return exits

    def _transposed(self, exit_: Exit) -> Ways | None:
        """The ways to the last squares of moves, if it pays to take them one by one."""
        step = exit_.arc
        if step is None or not exit_.is_set or not self._is_followed_by_leaves(step):
            return None
        found = self.program.transposed(self.graph, step)
        if found is None or len(found.fixed) > exit_.expected:
            return None
        if found.others and (not found.fixed or self.program.is_blind(self.graph, step.target)):
            return None
        return found

    def _visit_way(self, region: Region, exit_: Exit, way: Way) -> None:
        """Visit the moves of all pieces that can go a way."""
        spare = replace(exit_, slot=region.frame)
        self.code.store(self.slot(exit_), self.top(), spare.slot)
        self._keep(spare, way.condition)
        assert exit_.arc is not None
        following = self.region(exit_.arc.target).exits
        for last in following:
            if last.arc is way.modifier:
                step = None if way.relation.is_identity else way.relation
                self.visit([spare, *self._until_leaf(last)], step)

    def _keep(self, exit_: Exit, condition: Expression) -> None:
        """Keep only those squares in a slot from which an expression leads somewhere."""
        code, slot = self.code, self.slot(exit_)
        if condition.cost > _COST_PER_SQUARE * exit_.expected:
            kept = self.program.shared.filtered(slot, condition, code)
        else:
            kept = code.both(slot, self.program.shared.matching(condition, code))
        code.store(code.as_set(kept), self.top(), exit_.slot)

    def spare_bytes(self) -> int:
        return 8 * self.code.words

    def _visit_sure(self, region: Region, exit_: Exit) -> None:
        """Visit at once all squares from which the move certainly can be completed.

        The others stay in the slot.
        """
        step = exit_.arc
        assert step is not None
        following = self.region(step.target).exits
        if not exit_.is_set or not isinstance(step.action, ast.Off) or len(following) != 1:
            return
        exits = [] if following[0].is_set else self._until_leaf(following[0])
        sure = self.program.sure_squares(self.graph, step.target, self.code) if exits else None
        if sure is None:
            return
        code, slot = self.code, self.slot(exit_)
        spare = Exit(step, True, region.frame, certain=False)
        code.store(code.as_set(code.both(slot, sure)), self.top(), spare.slot)
        code.store(code.as_set(code.without(slot, sure)), self.top(), exit_.slot)
        self.visit([spare, *exits])
        self.retry[exit_] = self.b.append_basic_block("unsure")
        self.b.branch(self.retry[exit_])
        self.b.position_at_end(self.retry[exit_])

    def _next_square(self, exit_: Exit) -> None:
        """Take the lowest square left in a slot; go on behind this code if there is none."""
        b = self.b
        if exit_.is_set and self.code.words > 2:
            self._next_in_words(exit_)
            return
        slot = self.slot(exit_)
        none = self.code.as_set(0) if exit_.is_set else constant(NOWHERE)
        more, done = b.append_basic_block("more"), b.append_basic_block("done")
        b.cbranch(b.icmp_unsigned("!=", slot, none), more, done)
        b.position_at_end(more)
        rest = b.and_(slot, b.sub(slot, self.code.as_set(1))) if exit_.is_set else none
        self.code.store(rest, self.top(), exit_.slot)
        self.take(exit_, self.code.lowest(slot) if exit_.is_set else slot)
        b.position_at_end(done)

    def _next_in_words(self, exit_: Exit) -> None:
        """The same, looking at one word of the slot after the other."""
        b, code = self.b, self.code
        slot = code.place(self.top(), exit_.slot)
        before = b.block
        names = ("look", "further", "more", "done")
        look, further, more, done = (b.append_basic_block(name) for name in names)
        b.branch(look)
        b.position_at_end(look)
        number = b.phi(i64)
        number.add_incoming(constant(0), before)
        offset = b.shl(number, constant(3))
        word = code.load(i64, slot, offset)
        b.cbranch(b.icmp_unsigned("!=", word, constant(0)), more, further)
        b.position_at_end(further)
        number.add_incoming(b.add(number, constant(1)), further)
        last = b.icmp_unsigned("==", number, constant(code.words - 1))
        b.cbranch(last, done, look)
        b.position_at_end(more)
        code.store(b.and_(word, b.sub(word, constant(1))), slot, offset)
        bit = b.cttz(word, ir.Constant(i1, 1))
        self.take(exit_, b.add(b.shl(number, constant(6)), bit))
        b.position_at_end(done)

    def take(self, exit_: Exit, square: Value) -> None:
        exits = self._until_leaf(exit_)
        if len(exits) > 1:
            self._visit_only(exits, square)
        else:
            super().take(exit_, square)

    def complete(self, exit_: Exit, square: Value) -> None:
        self._visit_only([exit_], square)

    def _visit_only(self, exits: list[Exit], square: Value) -> None:
        """Visit the leaf behind the only exit of a site, whose slot has not been filled."""
        self.code.store(square, self.top(), exits[0].slot)
        self.visit(exits)
        self.b.branch(self.none)

    def taken(self, exit_: Exit) -> Exit | None:
        if self._until_leaf(exit_):
            return None
        transposed = self._transposed(exit_)
        if transposed is None:
            return exit_
        if not transposed.others:
            return None
        if exit_ not in self._others:
            assert exit_.arc is not None
            node = self.program.add_region(self.graph, transposed.others)
            self._others[exit_] = replace(exit_, arc=replace(exit_.arc, target=node))
        return self._others[exit_]

    def is_deferred(self, step: Arc) -> bool:
        if any(exit_.arc is step for exit_ in self._others.values()):
            return True
        return self._is_followed_by_leaves(step) and self.program.is_blind(self.graph, step.target)

    def _is_followed_by_leaves(self, step: Arc) -> bool:
        """Whether a piece is put down before the last squares of moves.

        Elsewhere it could be seen by what follows further modifiers.
        """
        exits = self.region(step.target).exits
        return isinstance(step.action, ast.Off) and all(map(self._until_leaf, exits))

    @abstractmethod
    def visit(self, exits: Sequence[Exit], step: Relation | None = None) -> None:
        """Emit what is done with the leaves that follow the squares in the first exit's slot.

        Args:
            exits: From the first exit to the leaf.
            step: Where the others are, seen from the first; None if they are on the same square.
        """

    @contextmanager
    def each_square(self, exit_: Exit) -> Iterator[Value]:
        """A loop over the squares in the slot of an exit, which may be none."""
        code = self.code
        if exit_.is_set:
            with code.each_square(code.place(self.top(), exit_.slot)) as square:
                yield square
        else:
            square = self.slot(exit_)
            with code.if_(code.unequal(square, NOWHERE)):
                yield square

    def copy_path(self, to: Value) -> Value:
        """Emit writing down numbers and squares of the frames; returns the end of it."""
        b = self.b
        if self._depth is not None:
            for depth, (step, square) in enumerate(self._known_path()):
                self.code.store(ir.Constant(i32, step.number), to, 8 * depth)
                self.code.store(b.trunc(square, i32), to, 8 * depth + 4)
            return self.code.place(to, 8 * self._depth)
        before = b.block
        head, body, end = (b.append_basic_block(name) for name in ("path", "copy", "copied"))
        b.branch(head)
        b.position_at_end(head)
        frame, place = b.phi(pointer), b.phi(pointer)
        frame.add_incoming(self._frames, before)
        place.add_incoming(to, before)
        b.cbranch(b.icmp_unsigned("==", frame, self.top()), end, body)
        b.position_at_end(body)
        self.code.store(self.code.load(i64, frame, NUMBER), place)
        frame.add_incoming(self.code.place(frame, self._frame), body)
        place.add_incoming(self.code.place(place, 8), body)
        b.branch(head)
        b.position_at_end(end)
        return place

    def _known_path(self) -> list[tuple[Arc, Value]]:
        """The modifiers applied before a site of known depth, and their squares."""
        path: list[tuple[Arc, Value]] = []
        node = self._node
        while depth := self._depths[node]:
            ((node, exit_),) = self._arrivals[node]
            assert exit_.arc is not None
            path.append((exit_.arc, self.b.load(self._saved[depth][0], typ=i64)))
        return path[::-1]
