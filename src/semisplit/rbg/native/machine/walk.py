"""Walks through the automaton in the order of the rules.

Where the keeper has a choice, he takes the first option that the interpreter would find. The walk
does what the interpreter does: depth first, alternatives from left to right, every pair of node and
square once. It goes through tables, and so it is the same code for all games.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i1, i32, i64, pointer
from semisplit.rbg import ast
from semisplit.rbg.automaton import Automaton, Edge, add_paths
from semisplit.rbg.native.analysis.graph import Graph
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.arithmetic import assigned, compare
from semisplit.rbg.native.machine.program import Program
from semisplit.runtime.abi import Status

NOTHING = 0
"""Returned if there is no such option; real ones have positive numbers."""


class Walk:
    """The tables of the part of the automaton that is reached from some sites."""

    def __init__(self, program: Program, sites: list[int]):
        self._program = program
        self._module = program.module
        automaton = _automaton(program.graph, sites)
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
        function = self._module.function(self._program.module.unique("walk"), i64, arguments)
        function.attributes.add("noinline")
        state, site, square, option, memory, context = function.args
        b = ir.IRBuilder(function.append_basic_block("entry"))
        code = StateCode(self._module, b, state)
        limits = ContextCode(code, context)
        visited_size = 8 * code.words * len(self._places)
        stack = code.place(memory, visited_size)
        top, left = code.local(i64), code.local(i64)
        nodes = [self._places[node] for node in self._starts]
        names = ("next", "pop", "passed", "fresh", "push", "pushing", "found", "none", "limited")
        blocks = {name: b.append_basic_block(name) for name in names}
        room = code.place(stack, 8)
        fits = b.icmp_unsigned("<=", room, limits.load("frames_end", pointer))
        begin = b.append_basic_block("begin")
        b.cbranch(fits, begin, blocks["limited"])
        b.position_at_end(begin)
        code.fill_zero(memory, visited_size)
        b.store(constant(0), top)
        b.store(option, left)
        node_phi_start = b.zext(code.look_up(32, nodes, site), i64)
        before = b.block
        b.branch(blocks["fresh"])

        b.position_at_end(blocks["fresh"])
        node, here = b.phi(i64), b.phi(i64)
        node.add_incoming(node_phi_start, before)
        here.add_incoming(square, before)
        word = b.add(b.mul(node, constant(code.words)), b.lshr(here, constant(6)))
        address = code.element(memory, i64, word, code.words * len(self._places))
        bit = b.shl(constant(1), b.and_(here, constant(63)))
        seen = b.load(address, typ=i64, align=8)
        is_seen = b.icmp_unsigned("!=", b.and_(seen, bit), constant(0))
        b.store(b.or_(seen, bit), address, align=8)
        b.cbranch(is_seen, blocks["next"], blocks["push"])

        # Push the edges of the node, the last one first.
        b.position_at_end(blocks["push"])
        first = b.zext(code.look_up(32, self._first, node), i64)
        end = b.zext(code.look_up(32, self._first, b.add(node, constant(1))), i64)
        pushed_from = b.block
        check = b.append_basic_block("check")
        b.branch(check)
        b.position_at_end(check)
        edge = b.phi(i64)
        edge.add_incoming(end, pushed_from)
        b.cbranch(b.icmp_unsigned("==", edge, first), blocks["next"], blocks["pushing"])
        b.position_at_end(blocks["pushing"])
        lower = b.sub(edge, constant(1))
        height = b.load(top, typ=i64)
        entry = code.place(stack, b.mul(height, constant(8)))
        fits = b.icmp_unsigned("<=", code.place(entry, 8), limits.load("frames_end", pointer))
        write = b.append_basic_block("write")
        b.cbranch(fits, write, blocks["limited"])
        b.position_at_end(write)
        code.store(b.trunc(lower, i32), entry)
        code.store(b.trunc(here, i32), entry, 4)
        b.store(b.add(height, constant(1)), top)
        edge.add_incoming(lower, write)
        b.branch(check)

        b.position_at_end(blocks["next"])
        height = b.load(top, typ=i64)
        b.cbranch(b.icmp_unsigned("==", height, constant(0)), blocks["none"], blocks["pop"])
        b.position_at_end(blocks["pop"])
        lower = b.sub(height, constant(1))
        b.store(lower, top)
        entry = code.place(stack, b.mul(lower, constant(8)))
        taken = b.zext(code.load(i32, entry), i64)
        place = b.zext(code.load(i32, entry, 4), i64)
        memory_above = code.place(stack, b.mul(height, constant(8)))
        target = self._emit_edge(code, taken, place, memory_above, limits, blocks)
        b.position_at_end(blocks["passed"])
        node.add_incoming(b.zext(code.look_up(32, self._targets(), taken), i64), b.block)
        here.add_incoming(target, b.block)
        b.branch(blocks["fresh"])

        b.position_at_end(blocks["found"])
        count = b.load(left, typ=i64)
        b.store(b.sub(count, constant(1)), left)
        wanted = b.append_basic_block("wanted")
        b.cbranch(b.icmp_unsigned("==", count, constant(0)), wanted, blocks["next"])
        b.position_at_end(wanted)
        numbers = [max(edge.number, 0) for edge in self._edges]
        number = b.zext(code.look_up(32, numbers, taken), i64)
        b.ret(b.or_(b.shl(number, constant(32)), place))
        b.position_at_end(blocks["limited"])
        limits.store("status", constant(Status.LONG_MOVE))
        b.ret(constant(NOTHING))
        b.position_at_end(blocks["none"])
        b.ret(constant(NOTHING))
        return function

    def _targets(self) -> list[int]:
        return [0 if e.number > 0 else self._places[e.target] for e in self._edges]

    def _emit_edge(
        self,
        code: StateCode,
        edge: Value,
        square: Value,
        memory: Value,
        limits: ContextCode,
        blocks: dict[str, ir.Block],
    ) -> Value:
        """Emit following an edge; returns the square it leads to, for the block `passed`."""
        b = code.b
        actions: dict[tuple[ast.Rule | None, bool], int] = {}
        kinds = []
        for one in self._edges:
            key = one.action if not isinstance(one.action, ast.Switch | ast.Dot) else None
            kinds.append(actions.setdefault((key, one.number > 0), len(actions)))
        cases = b.switch(code.look_up(32, kinds, edge), blocks["next"])
        arrivals: list[tuple[Value, ir.Block]] = []
        for (action, is_modifier), number in actions.items():
            block = b.append_basic_block("edge")
            cases.add_case(ir.Constant(i32, number), block)
            b.position_at_end(block)
            reached = square
            condition: Value = ir.Constant(i1, 1)
            match action:
                case ast.Shift(label):
                    relation = self._program.squares.shifts.get(label)
                    if relation is None:
                        condition = ir.Constant(i1, 0)
                    else:
                        reached = code.next_square(relation, square)
                        size = constant(code.squares.size)
                        condition = b.icmp_unsigned("!=", reached, size)
                case ast.On(names):
                    pieces = frozenset(self._program.symbols.pieces[name] for name in names)
                    condition = code.condition(code.is_on(pieces, square) if pieces else False)
                case ast.Compare():
                    condition = code.condition(compare(code, self._program.symbols, action))
                case ast.Pattern():
                    condition = code.condition(
                        self._program.test(action, code, square, memory, limits.base)
                    )
                case ast.Assign(variable, value):
                    _, fits = assigned(code, self._program.symbols, value, variable)
                    condition = code.condition(fits)
            onward = blocks["found"] if is_modifier else blocks["passed"]
            if not is_modifier:
                arrivals.append((reached, b.block))
            b.cbranch(condition, onward, blocks["next"])
        b.position_at_start(blocks["passed"])
        target = b.phi(i64)
        for reached, block in arrivals:
            target.add_incoming(reached, block)
        return target


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
