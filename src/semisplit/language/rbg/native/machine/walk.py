"""Walks through the automaton in the order of the rules.

Where the keeper has a choice, he takes the first option that the interpreter would find. The walk
does what the interpreter does: depth first, alternatives from left to right, every pair of node and
square once. It goes through tables, and so it is the same code for all games.
"""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Condition, Value, constant, i32, i64, pointer
from semisplit.compiler.runtime.abi import Status
from semisplit.language.rbg.native.analysis.graph import Graph
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.arithmetic import assigned, compare
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.play.automaton import Automaton, Edge, add_paths
from semisplit.language.rbg.text import ast

NOTHING = 0
"""Returned if there is no such option; real ones have positive numbers."""


class _Ways(NamedTuple):
    """Where to go on behind an edge."""

    failed: ir.Block
    passed: ir.Block
    found: ir.Block
    """If it is a modifier."""


class Walk:
    """The tables of the part of the automaton that is reached from some sites."""

    def __init__(self, program: Program, sites: list[int]):
        self._program = program
        self._module = program.module
        automaton = _automaton(program.game.graph, sites)
        self._starts = sites
        nodes = self._reachable(automaton.edges)
        self._places = {node: place for place, node in enumerate(nodes)}
        self._edges = [edge for node in nodes for edge in automaton.edges[node]]
        self._first = [0]
        for node in nodes:
            self._first.append(self._first[-1] + len(automaton.edges[node]))

    def _reachable(self, edges: list[list[Edge]]) -> list[int]:
        seen = set(self._starts)
        work = list(seen)
        while work:
            for edge in edges[work.pop()]:
                if edge.number <= 0 and edge.target not in seen:
                    seen.add(edge.target)
                    work.append(edge.target)
        return sorted(seen)

    def emit(self) -> ir.Function:
        """The function that finds an option.

        It gets the state, the place of the site in the list of sites, the square, the number of
        the option from 0, memory to work in and the context. It returns number and square of the
        modifier in the upper and lower half of an integer, or `NOTHING`.
        """
        arguments = [pointer, i64, i64, i64, pointer, pointer]
        function = self._module.function(self._module.unique("walk"), i64, arguments)
        function.attributes.add("noinline")
        _, site, square, option, memory, context = function.args
        code = StateCode.begin(self._module, function)
        b, limits = code.b, ContextCode(code, context)
        visited_size = 8 * code.words * len(self._places)
        if self._program.lockstep:
            self._program.need_frames(visited_size + 16 * self._program.levels)
        stack = code.place(memory, visited_size)
        height, left = code.local(i64), code.local(i64)
        """The entries on the stack, and the options still to be passed over."""
        starts = [self._places[node] for node in self._starts]
        following, passed, fresh, found, none, limited = code.blocks(
            "next", "passed", "fresh", "found", "none", "limited"
        )

        def check_room(end: Value) -> None:
            fits = b.icmp_unsigned("<=", end, limits.load("frames_end", pointer))
            code.jump_unless(fits, limited)

        check_room(code.place(stack, 8))
        code.fill_zero(memory, visited_size)
        b.store(constant(0), height)
        b.store(option, left)
        start = b.zext(code.look_up(32, starts, site), i64), square
        before = b.block
        b.branch(fresh)

        # A node and a square: push the edges of the node, unless both have been met before.
        code.emit_in(fresh)
        node, here = b.phi(i64), b.phi(i64)
        for phi, value in zip((node, here), start):
            phi.add_incoming(value, before)
        code.jump_if(self._is_visited(code, memory, node, here), following)
        first = b.zext(code.look_up(32, self._first, node), i64)
        end = b.zext(code.look_up(32, self._first, b.add(node, constant(1))), i64)
        with code.loop(end) as loop:
            (edge,) = loop.variables
            loop.leave_if(code.equal(edge, first))
            # The last edge is pushed first.
            lower, top = b.sub(edge, constant(1)), b.load(height, typ=i64)
            entry = code.place(stack, b.mul(top, constant(8)))
            check_room(code.place(entry, 8))
            code.store(b.trunc(lower, i32), entry)
            code.store(b.trunc(here, i32), entry, 4)
            b.store(b.add(top, constant(1)), height)
            loop.again(lower)
        b.branch(following)

        # Take the next edge from the stack and follow it.
        code.emit_in(following)
        top = b.load(height, typ=i64)
        code.jump_if(code.equal(top, 0), none)
        lower = b.sub(top, constant(1))
        b.store(lower, height)
        entry = code.place(stack, b.mul(lower, constant(8)))
        taken = b.zext(code.load(i32, entry), i64)
        place = b.zext(code.load(i32, entry, 4), i64)
        above = code.place(stack, b.mul(top, constant(8)))
        ways = _Ways(following, passed, found)
        target = self._emit_edge(code, taken, place, above, limits, ways)
        code.emit_in(passed)
        targets = [0 if e.number > 0 else self._places[e.target] for e in self._edges]
        node.add_incoming(b.zext(code.look_up(32, targets, taken), i64), b.block)
        here.add_incoming(target, b.block)
        b.branch(fresh)

        # A modifier that can be applied: an option.
        code.emit_in(found)
        count = b.load(left, typ=i64)
        b.store(b.sub(count, constant(1)), left)
        code.jump_unless(code.equal(count, 0), following)
        numbers = [max(edge.number, 0) for edge in self._edges]
        number = b.zext(code.look_up(32, numbers, taken), i64)
        b.ret(b.or_(b.shl(number, constant(32)), place))
        code.emit_in(limited)
        limits.store("status", Status.LONG_MOVE)
        b.ret(constant(NOTHING))
        code.emit_in(none)
        b.ret(constant(NOTHING))
        return function

    def _is_visited(self, code: StateCode, memory: Value, node: Value, square: Value) -> Value:
        """Emit noting a node and a square; whether they have been noted before."""
        b = code.b
        word = b.add(b.mul(node, constant(code.words)), b.lshr(square, constant(6)))
        address = code.element(memory, i64, word, code.words * len(self._places))
        bit = code.bit_of(square)
        seen = b.load(address, typ=i64, align=8)
        is_seen = code.unequal(b.and_(seen, bit), 0)
        b.store(b.or_(seen, bit), address, align=8)
        return is_seen

    def _emit_edge(
        self,
        code: StateCode,
        edge: Value,
        square: Value,
        memory: Value,
        limits: ContextCode,
        ways: _Ways,
    ) -> Value:
        """Emit following an edge; returns the square it leads to, for the block `passed`."""
        b = code.b
        actions: dict[tuple[ast.Rule | None, bool], int] = {}
        which = []
        for one in self._edges:
            key = one.action if not isinstance(one.action, ast.Switch | ast.Dot) else None
            which.append(actions.setdefault((key, one.number > 0), len(actions)))
        cases = code.switch(code.look_up(32, which, edge), ways.failed)
        arrivals: list[tuple[Value, ir.Block]] = []
        for (action, is_modifier), number in actions.items():
            block = code.block("edge")
            cases.add_case(ir.Constant(i32, number), block)
            code.emit_in(block)
            reached, condition = self._follow(code, action, square, memory, limits)
            if not is_modifier:
                arrivals.append((reached, b.block))
            onward = ways.found if is_modifier else ways.passed
            b.cbranch(code.condition(condition), onward, ways.failed)
        b.position_at_start(ways.passed)
        return code.merged(*arrivals) if arrivals else square

    def _follow(
        self,
        code: StateCode,
        action: ast.Rule | None,
        square: Value,
        memory: Value,
        limits: ContextCode,
    ) -> tuple[Value, Condition]:
        """Emit an action: the square it leads to, and whether it succeeds."""
        game = self._program.game
        match action:
            case ast.Shift(label):
                relation = game.squares.shifts.get(label)
                if relation is None:
                    return square, False
                reached = code.next_square(relation, square)
                return reached, code.unequal(reached, code.squares.size)
            case ast.On(names):
                pieces = frozenset(game.symbols.pieces[name] for name in names)
                return square, code.is_on(pieces, square) if pieces else False
            case ast.Compare():
                return square, compare(code, game.symbols, action)
            case ast.Pattern():
                patterns = self._program.patterns
                return square, patterns.holds(action, code, square, memory, limits.base)
            case ast.Assign(variable, value):
                _, fits = assigned(code, game.symbols, value, variable)
                return square, fits
        return square, True


def _automaton(graph: Graph, sites: list[int]) -> Automaton:
    """What follows some sites, with one action on each edge; nodes keep their numbers."""
    automaton = Automaton([[] for _ in graph.arcs])
    nodes = list(sites)
    for node in nodes:
        for step in graph.arcs[node]:
            if step.rule is not None:
                add_paths(automaton, step.rule, node, step.target)
            else:
                automaton.edges[node].append(Edge(step.target, step.action, None, step.number))
            if step.number <= 0 and step.target not in nodes:
                nodes.append(step.target)
    return automaton
