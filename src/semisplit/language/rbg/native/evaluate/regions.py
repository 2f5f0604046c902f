"""The regions of a game: functions that evaluate what lies between modifiers, each emitted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from enum import Enum, auto
from itertools import combinations

from llvmlite import ir

from semisplit.compiler.emit.values import i1, i64, pointer, void
from semisplit.language.rbg.native.analysis.facts import GraphFacts
from semisplit.language.rbg.native.analysis.graph import Arc, Graph
from semisplit.language.rbg.native.analysis.text import Printer
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.evaluator import Evaluator
from semisplit.language.rbg.native.evaluate.known import are_complementary, exclude
from semisplit.language.rbg.native.evaluate.patterns import Patterns
from semisplit.language.rbg.native.evaluate.places import Many, Place, Row
from semisplit.language.rbg.native.evaluate.region import HEADER, Region, emit_region, write_slots
from semisplit.language.rbg.text import ast

_MAX_TAIL = 10
"""The cost of what follows, above which a region of the keeper is cut off where ways join."""
_WORTH_A_CALL = 3
"""The cost of what regions have in common, above which it becomes a function of its own."""


class Until(Enum):
    """What a region ends with."""

    MODIFIER = auto()
    """Modifiers; dots do nothing."""
    DOT = auto()
    """Modifiers and dots."""
    CUT = auto()
    """Modifiers, or where it becomes too long another region."""


class Regions:
    """The regions that have been emitted so far."""

    def __init__(self, module: BoardModule, patterns: Patterns):
        self._module = module
        self._patterns = patterns
        self._regions: dict[tuple[GraphFacts, int, Until], Region] = {}
        self._alike: dict[Hashable, tuple[Region, list[Arc]]] = {}
        """By their signatures the first of the regions that are alike, and its exits."""
        self._tails: dict[tuple[GraphFacts, int, Until, int | None], Region] = {}
        self._safe: dict[tuple[GraphFacts, int, Until], bool] = {}
        self._arrivals: dict[Graph, Counter[int]] = {}
        self._cuts: dict[Graph, dict[int, Arc]] = {}

    def region(self, rules: GraphFacts, node: int, until: Until) -> Region:
        """The region behind a modifier, compiled when first asked for."""
        if until == Until.DOT and not rules.graph.dots:
            until = Until.MODIFIER
        key = (rules, node, until)
        if key not in self._regions:
            self._regions[key] = self._first_alike(*key)
        return self._regions[key]

    def _first_alike(self, rules: GraphFacts, node: int, until: Until) -> Region:
        """A region with the function of the first one that does the same."""
        if until == Until.CUT:
            return self._emit_region(rules, node, until)
        signature, arcs = _signature(rules, node, until)
        key = rules, until, signature
        if key not in self._alike:
            self._alike[key] = self._emit_region(rules, node, until), arcs
            return self._alike[key][0]
        region, others = self._alike[key]
        here = dict(zip(others, arcs))
        exits = tuple(replace(e, arc=here[e.arc] if e.arc else None) for e in region.exits)
        return replace(region, exits=exits)

    def _jumps(self, graph: Graph) -> dict[int, Arc]:
        """Where regions of the keeper are cut off: where ways join and much is still to come."""
        if graph not in self._cuts:
            # Right behind a branch, without a test, a jump would always be possible, and there
            # would seem to be a choice.
            untested = {
                arc.target
                for arcs in graph.arcs
                for arc in arcs
                if arc.action is None and arc.expression is None
            }
            self._cuts[graph] = {
                node: Arc(node)
                for node, ways in self._arriving(graph).items()
                if ways > 1 and node not in untested and self._cost_from(graph, node) > _MAX_TAIL
            }
        return self._cuts[graph]

    def _arriving(self, graph: Graph) -> Counter[int]:
        """How many arcs lead to each node."""
        if graph not in self._arrivals:
            self._arrivals[graph] = Counter(arc.target for arcs in graph.arcs for arc in arcs)
        return self._arrivals[graph]

    def _cost_from(self, graph: Graph, node: int) -> int:
        """The cost of the expressions between a node and the next modifiers."""
        seen, work, cost = {node}, [node], 0
        while work:
            for arc in graph.arcs[work.pop()]:
                cost += arc.expression.cost if arc.expression else 0
                if (arc.action is None or arc.number < 0) and arc.target not in seen:
                    seen.add(arc.target)
                    work.append(arc.target)
        return cost

    def _emit_region(self, rules: GraphFacts, node: int, until: Until) -> Region:
        arguments = [pointer, i64, pointer, pointer]
        function = self._module.function(self._module.unique("region"), void, arguments)
        _, square, frame, context = function.args
        code = StateCode.begin(self._module, function, structured=True)
        pieces, shares = rules.pieces_at(node), until == Until.CUT
        evaluator = self._patterns.evaluator(code, context, frame, square, pieces, shares=shares)
        region = self._call_tail(evaluator, function, rules, node, until)
        if region is None:
            start = evaluator.at(square)
            region = self._fill_slots(evaluator, function, rules.graph, node, start, until)
        code.b.ret_void()
        only = self._module.only(function)
        if only is function:
            self._module.set_inlining(function)
        return replace(region, function=only)

    def _fill_slots(
        self,
        evaluator: Evaluator,
        function: ir.Function,
        graph: Graph,
        node: int,
        place: Place,
        until: Until,
    ) -> Region:
        """Emit what a region does from a place on, in a function."""
        exits = emit_region(
            evaluator,
            graph,
            node,
            place,
            stop_at_dots=until == Until.DOT,
            jumps=self._jumps(graph) if until == Until.CUT else {},
        )
        slots = write_slots(evaluator, exits, function.args[-2])
        end = HEADER
        if slots:
            end = slots[-1].slot + (8 * evaluator.code.words if slots[-1].is_set else 8)
        in_place = len(slots) == 1 and slots[0].certain and not slots[0].is_set
        in_place = in_place and exits[0][1] == place
        rows = [place for _, place in exits if isinstance(place, Row)]
        exclusive = not any(slot.is_set for slot in slots) and all(
            exclude(a.condition, b.condition) for a, b in combinations(rows, 2)
        )
        certain = any(slot.certain for slot in slots)
        if exclusive and len(rows) == 2:
            everywhere = all(row.relation.domain == self._module.squares.board for row in rows)
            either = are_complementary(rows[0].condition, rows[1].condition)
            certain = certain or (everywhere and either)
        return Region(function, slots, end, certain, exclusive, in_place, evaluator.may_fail)

    def _call_tail(
        self,
        evaluator: Evaluator,
        function: ir.Function,
        rules: GraphFacts,
        node: int,
        until: Until,
    ) -> Region | None:
        """Emit the beginning of a region and a call of what it has in common with others.

        None if it has nothing in common, or it would not pay.
        """
        arcs = rules.graph.arcs[node]
        if len(arcs) != 1 or arcs[0].expression is None or until == Until.CUT:
            return None
        join = arcs[0].target
        shared = self._arriving(rules.graph)[join] > 1
        if not shared or self._cost_from(rules.graph, join) <= _WORTH_A_CALL:
            return None
        code, (_, square, frame, context) = evaluator.code, function.args
        place = evaluator.forward(arcs[0].expression, evaluator.at(square))
        if isinstance(place, Row):
            if place.condition is True or place.relation != evaluator.identity:
                return None
            given = [place.square, code.condition(place.condition)]
        else:
            given = [code.as_set(place.squares)]
        tail = self._tail(rules, join, until, place)
        code.b.call(tail.function, [code.state, *given, frame, context])
        return replace(tail, function=function, may_fail=evaluator.may_fail or tail.may_fail)

    def _tail(self, rules: GraphFacts, node: int, until: Until, place: Place) -> Region:
        """The rest of regions from a node on, from one square or from a set of squares."""
        expected = place.expected if isinstance(place, Many) else None
        key = rules, node, until, expected
        if key not in self._tails:
            start_types = [i64, i1] if expected is None else [self._module.set_type]
            arguments = [pointer, *start_types, pointer, pointer]
            function = self._module.function(self._module.unique("tail"), void, arguments)
            _, *given, frame, context = function.args
            code = StateCode.begin(self._module, function, structured=True)
            pieces = rules.pieces_at(node)
            evaluator = self._patterns.evaluator(code, context, frame, given[0], pieces)
            start: Place
            start = evaluator.at(*given) if expected is None else Many(given[0], expected)
            region = self._fill_slots(evaluator, function, rules.graph, node, start, until)
            self._tails[key] = region
            code.b.ret_void()
            self._module.set_inlining(function, 0)
        return self._tails[key]

    def is_safe(self, rules: GraphFacts, node: int, until: Until) -> bool:
        """Whether a move can certainly be completed from a node, whatever is chosen on the way.

        Ways that lead back to a node they have passed count as unsafe.
        """
        work = [node]
        while work:
            key = (rules, work[-1], until)
            exits = self.region(*key).exits
            targets = {
                exit_.arc.target
                for exit_ in exits
                if exit_.arc and not isinstance(exit_.arc.action, ast.Switch)
            }
            # What is on the way already counts as unsafe for now.
            open_targets = [t for t in targets if (rules, t, until) not in self._safe]
            if key in self._safe and not open_targets:
                work.pop()
                self._safe[key] = self.region(*key).certain and all(
                    self._safe[rules, target, until] for target in targets
                )
            else:
                self._safe[key] = False
                work += open_targets
        return self._safe[rules, node, until]

    def verify(self) -> None:
        """Look whether exits lead to nodes that are there, and slots are within frames."""
        for (rules, _, until), region in self._regions.items():
            for exit_ in region.exits:
                assert HEADER <= exit_.slot < region.frame
                if exit_.arc is None:
                    assert rules.graph.end is not None
                else:
                    assert exit_.arc.target in range(len(rules.graph.arcs))
                    assert exit_.arc.action is not None or until == Until.CUT
            assert not region.in_place or len(region.exits) == 1

    def text(self, printer: Printer) -> str:
        """All regions that have been emitted, with their exits and slots."""
        return "\n".join(
            line
            for (_, node, until), region in self._regions.items()
            for line in _region_lines(printer, node, until, region)
        )


def _signature(rules: GraphFacts, node: int, until: Until) -> tuple[Hashable, list[Arc]]:
    """What the function of a region depends on; and its exits, whose targets do not matter."""
    graph = rules.graph
    places = {node: 0}
    parts: list[Hashable] = []
    exits = []
    for source in (nodes := [node]):
        parts.append((rules.pieces_at(source), source == graph.end))
        for arc in graph.arcs[source]:
            if arc.action is None or (until == Until.MODIFIER and isinstance(arc.action, ast.Dot)):
                if arc.target not in places:
                    places[arc.target] = len(nodes)
                    nodes.append(arc.target)
                # Equal expressions are one object.
                parts.append((id(arc.expression), places[arc.target]))
            else:
                exits.append(arc)
                # Only assignments are not always possible.
                parts.append(arc.action if isinstance(arc.action, ast.Assign) else None)
    return tuple(parts), exits


def _region_lines(printer: Printer, node: int, until: Until, region: Region) -> Iterator[str]:
    size = sum(len(block.instructions) for block in region.function.blocks)
    known = {
        "certain": region.certain,
        "exclusive": region.exclusive,
        "in place": region.in_place,
        "may fail": region.may_fail,
    }
    remarks = [f"{size} instructions", *(remark for remark, holds in known.items() if holds)]
    name = region.function.name
    yield f"{name}: from {node} until {until.name.lower()}: {', '.join(remarks)}"
    for exit_ in region.exits:
        content = f"set of about {exit_.expected}" if exit_.is_set else "square"
        arc = "end" if exit_.arc is None else f"{printer.arc(exit_.arc)} -> {exit_.arc.target}"
        yield f"  {exit_.slot:>3} {content}{', certain' if exit_.certain else ''}: {arc}"
