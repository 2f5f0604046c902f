"""All sites of a game as tables, for code that handles them one like the other."""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.rbg import ast
from semisplit.rbg.native.board.layout import AT, VERTEX
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.evaluate.region import HEADER, Exit, Region
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.program import Program

IS_SET, IS_SWITCH = 1, 2


class Sites:
    """The regions behind the modifiers and dots of players, and their exits.

    Sites are numbered from 0, exits through all sites; those of site s are numbers first[s] to
    first[s + 1] - 1.
    """

    def __init__(self, program: Program, kind: RegionKind):
        graph = program.graph
        self._module = program.module
        self._lowest = -len(graph.dots)
        numbers = program.player_numbers
        nodes = sorted({graph.behind(number) for number in numbers})
        places = {node: place for place, node in enumerate(nodes)}
        at = {number: places[graph.behind(number)] for number in numbers}
        # Elsewhere no player is in control and there are no moves: a site without exits.
        everything = range(self._lowest, len(graph.modifiers) + 1)
        self._at = [at.get(number, len(nodes)) for number in everything]
        merged = program.merged
        regions = [
            program.regions.region(merged.graph, merged.first.get(n, n), kind) for n in nodes
        ]
        regions.append(_nothing(program))
        self._functions = program.module.function_table(
            "sites", [region.function for region in regions]
        )
        self._first = [0]
        exits: list[Exit] = []
        self._numbers: list[int] = []
        for node, region in zip([*nodes, 0], regions):
            exits += region.exits
            self._first.append(len(exits))
            here = merged.numbers(node)
            numbers_there = [exit_.arc.number for exit_ in region.exits if exit_.arc]
            self._numbers += [here.get(number, number) for number in numbers_there]
        steps = [exit_.arc for exit_ in exits if exit_.arc]
        self._slots = [exit_.slot for exit_ in exits]
        self._kinds = [
            IS_SET * exit_.is_set + IS_SWITCH * isinstance(step.action, ast.Switch)
            for exit_, step in zip(exits, steps)
        ]
        self.frame = max(region.frame for region in regions)
        """The size of a frame that is large enough for each of them."""

    def evaluate(self, code: StateCode, frame: Value, context: Value) -> tuple[Value, Value]:
        """Emit filling the slots of the state's site; returns its exits, the first and the end."""
        b = code.b
        at = b.sub(b.sext(code.load(i32, code.state, AT), i64), constant(self._lowest))
        site = b.zext(code.look_up(32, self._at, at), i64)
        address = code.element(self._functions, pointer, site, len(self._first) - 1)
        kind = ir.FunctionType(void, (pointer, i64, pointer, pointer))
        function = b.load(address, typ=kind.as_pointer(), align=8)
        square = b.zext(code.load(i32, code.state, VERTEX), i64)
        b.call(function, (code.state, square, frame, context))
        first = b.zext(code.look_up(32, self._first, site), i64)
        end = b.zext(code.look_up(32, self._first, b.add(site, constant(1))), i64)
        return first, end

    def number(self, code: StateCode, exit_: Value) -> Value:
        """The number of an exit's modifier or dot."""
        return code.look_up(32, self._numbers or [0], exit_)

    def slot(self, code: StateCode, exit_: Value) -> Value:
        """Where in the frame an exit's slot is."""
        return code.b.zext(code.look_up(32, self._slots or [0], exit_), i64)

    def has_kind(self, code: StateCode, exit_: Value, kind: int) -> Value:
        """Whether an exit is of a kind."""
        kinds = code.look_up(32, self._kinds or [0], exit_)
        return code.b.icmp_unsigned(
            "!=", code.b.and_(kinds, ir.Constant(i32, kind)), ir.Constant(i32, 0)
        )


def _nothing(program: Program) -> Region:
    """A region without exits."""
    arguments = [pointer, i64, pointer, pointer]
    function = program.module.function(program.module.unique("region"), void, arguments)
    ir.IRBuilder(function.append_basic_block("entry")).ret_void()
    return Region(
        function, (), HEADER, certain=False, exclusive=True, in_place=False, changing=False
    )
