"""Regions: everything that can happen from a site until the next modifier.

A region is compiled to a function of the state and the current square. It writes into a frame, for
each modifier that can come next, where it can be applied: a set of squares, or if it can only be
one square, its number or -1. These entries of the frame are called slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, constant
from semisplit.core.components import components
from semisplit.language.rbg.native.analysis.graph import Arc, Graph
from semisplit.language.rbg.native.evaluate.arithmetic import assigned
from semisplit.language.rbg.native.evaluate.evaluator import Evaluator
from semisplit.language.rbg.native.evaluate.places import Many, Place, Row
from semisplit.language.rbg.text import ast

HEADER = 24
"""Bytes of a frame before its slots; `machine` says what is in them."""
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Exit:
    """A modifier or dot at the end of a region; without an arc, the end of a pattern.

    In regions that are cut off an arc without an action goes on with another region.
    """

    arc: Arc | None
    is_set: bool
    """Whether the slot is a set; otherwise it is a square or -1."""
    slot: int
    """Where the slot is in the frame."""
    certain: bool
    """Whether it is always possible."""
    expected: int = 1
    """How many squares to expect in the slot; only speed depends on it."""


@dataclass(frozen=True, eq=False)
class Region:
    """The function of a region and what it writes."""

    function: ir.Function
    exits: tuple[Exit, ...]
    frame: int
    """The size of a frame with these slots."""
    certain: bool
    """Whether one of the exits is always possible."""
    exclusive: bool
    """Whether never more than one exit is possible, on one square."""
    in_place: bool
    """Whether the only exit is always possible, on the square where the region starts."""
    may_fail: bool
    """Whether a limit may be hit, in patterns with modifiers."""


def emit_region(
    evaluator: Evaluator,
    graph: Graph,
    node: int,
    place: Place,
    *,
    stop_at_dots: bool,
    jumps: Mapping[int, Arc],
) -> list[tuple[Arc | None, Place]]:
    """Emit the evaluation of a region: the places where each next modifier can be applied.

    Args:
        evaluator: Where to emit.
        graph: The rules or the content of a pattern.
        node: Where the region begins.
        place: The squares where it begins.
        stop_at_dots: Whether dots are exits.
        jumps: Nodes at which the region is cut off, and the exits that stand for them.
    """
    return _Emitter(evaluator, graph, stop_at_dots, jumps).emit(node, place)


def write_slots(
    evaluator: Evaluator, exits: list[tuple[Arc | None, Place]], frame: Value
) -> tuple[Exit, ...]:
    """Write the places into a frame and say where."""
    code = evaluator.code
    written = []
    slot = HEADER
    for arc, place in exits:
        if isinstance(place, Row) and place.relation.is_function:
            certain = place.condition is True and place.relation.domain == code.squares.board
            place = evaluator.to_square(place)
            found = code.condition(place.condition)
            word = code.b.select(found, place.square, constant(NOWHERE))
            code.store(word, frame, slot)
            written.append(Exit(arc, False, slot, certain))
            slot += 8
        else:
            squares = evaluator.squares(place)
            code.store(code.as_set(squares), frame, slot)
            certain = isinstance(squares, int) and squares != 0
            expected = evaluator.expected(place)
            written.append(Exit(arc, True, slot, certain, expected))
            slot += 8 * code.words
    return tuple(written)


class _Emitter:
    def __init__(
        self, evaluator: Evaluator, graph: Graph, stop_at_dots: bool, jumps: Mapping[int, Arc]
    ):
        self._jumps = jumps
        self._evaluator = evaluator
        self._code = evaluator.code
        self._graph = graph
        self._stop_at_dots = stop_at_dots

    def _is_exit(self, arc: Arc) -> bool:
        if isinstance(arc.action, ast.Dot):
            return self._stop_at_dots
        return arc.action is not None

    def _onward(self, node: int) -> list[Arc]:
        if node in self._jumps and node != self._start:
            return []
        # Back to the start of the region is a jump, too.
        return [
            arc
            for arc in self._graph.arcs[node]
            if not self._is_exit(arc) and not (arc.target == self._start in self._jumps)
        ]

    def _following(self, node: int) -> list[int]:
        return [arc.target for arc in self._onward(node)]

    def emit(self, node: int, place: Place) -> list[tuple[Arc | None, Place]]:
        self._start = node
        places: dict[int, Place] = {node: place}
        jumps: dict[int, Place] = {}
        exits: list[tuple[Arc | None, Place]] = []
        for component in components([node], self._following):
            if self._is_circle(component):
                self._emit_circle(component, places)
            for source in component:
                if source not in places:
                    continue
                place = places[source]
                if source in self._jumps and source != node:
                    self._arrive(jumps, source, place)
                    continue
                for arc in self._graph.arcs[source]:
                    if self._is_exit(arc):
                        exits.append((arc, self._if_assigned(arc, place)))
                    elif arc.target == node and node in self._jumps:
                        self._arrive(jumps, node, self._follow(arc, place))
                    elif arc.target not in component:
                        self._arrive(places, arc.target, self._follow(arc, place))
                if source == self._graph.end:
                    exits.append((None, place))
        exits += [(self._jumps[target], place) for target, place in jumps.items()]
        return [(arc, place) for arc, place in exits if not _is_never(place)]

    def _arrive(self, places: dict[int, Place], node: int, place: Place) -> None:
        if not _is_never(place):
            places[node] = self._evaluator.join(places.get(node), place)

    def _follow(self, arc: Arc, place: Place) -> Place:
        if arc.expression is None:
            return place
        return self._evaluator.forward_if_any(arc.expression, place)

    def _if_assigned(self, arc: Arc, place: Place) -> Place:
        if not isinstance(arc.action, ast.Assign):
            return place
        _, fits = assigned(
            self._code, self._evaluator.symbols, arc.action.value, arc.action.variable
        )
        return self._evaluator.only_if(fits, place)

    def _is_circle(self, component: list[int]) -> bool:
        return len(component) > 1 or component[0] in self._following(component[0])

    def _emit_circle(self, component: list[int], places: dict[int, Place]) -> None:
        """The places of nodes that lead to each other: repeat until nothing is added."""
        code = self._code
        starts = {
            node: code.as_set(self._evaluator.squares(places[node]) if node in places else 0)
            for node in component
        }
        everywhere = len(code.squares.bits)
        with code.repeat(*starts.values()) as loop:
            before = dict(zip(starts, loop.variables))
            after: dict[int, Value] = dict(before)
            for node in component:
                for arc in self._onward(node):
                    if arc.target in before:
                        place = self._follow(arc, Many(before[node], everywhere))
                        squares = code.either(after[arc.target], self._evaluator.squares(place))
                        after[arc.target] = code.as_set(squares)
            changed: Condition = False
            for node in component:
                changed = code.any_of(changed, code.unequal(after[node], before[node]))
            loop.again_if(changed, *after.values())
        for node in component:
            places[node] = Many(before[node], everywhere)


def _is_never(place: Place) -> bool:
    if isinstance(place, Row):
        return place.condition is False or place.relation.domain == 0
    return isinstance(place.squares, int) and place.squares == 0
