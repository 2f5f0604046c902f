"""All sites of a game as tables, for code that handles them one like the other."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i1, i32, i64, pointer, void
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import HEADER, Exit, Region
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.text import ast

_IS_SET, _IS_SWITCH = 1, 2


class SiteTables:
    """The regions behind the modifiers and dots of players, and their exits.

    Sites are numbered from 0, exits through all sites; those of site s are numbers first[s] to
    first[s + 1] - 1.
    """

    def __init__(self, program: Program, until: Until):
        game, graph = program.game, program.game.graph
        self._lowest = -len(graph.dots)
        numbers = game.player_numbers
        nodes = sorted({graph.behind(number) for number in numbers})
        places = {node: place for place, node in enumerate(nodes)}
        at = {number: places[graph.behind(number)] for number in numbers}
        # Elsewhere no player is in control and there are no moves: a site without exits.
        everything = range(self._lowest, len(graph.modifiers) + 1)
        self._at = [at.get(number, len(nodes)) for number in everything]
        merged = game.rules.merged
        regions = [
            program.regions.region(game.merged, merged.first.get(node, node), until)
            for node in nodes
        ]
        regions.append(_nothing(program))
        self._regions = [region.function for region in regions]
        self._functions = None
        if not program.module.gpu:
            self._functions = program.module.function_table("sites", self._regions)
        self._first = [0]
        exits: list[Exit] = []
        self._numbers: list[int] = []
        for node, region in zip([*nodes, 0], regions):
            exits += region.exits
            self._first.append(len(exits))
            here = merged.numbers(node)
            numbers_there = [exit_.arc.number for exit_ in region.exits if exit_.arc]
            self._numbers += [here.get(number, number) for number in numbers_there]
        arcs = [exit_.arc for exit_ in exits if exit_.arc]
        self._slots = [exit_.slot for exit_ in exits]
        self._flags = [
            _IS_SET * exit_.is_set + _IS_SWITCH * isinstance(arc.action, ast.Switch)
            for exit_, arc in zip(exits, arcs)
        ]
        self.frame = max(region.frame for region in regions)
        """The size of a frame that is large enough for each of them."""

    def evaluate(self, code: StateCode, frame: Value, context: Value) -> tuple[Value, Value]:
        """Emit filling the slots of the state's site; returns its exits, the first and the end."""
        b = code.b
        at = b.sub(b.sext(code.at(), i64), constant(self._lowest))
        site = b.zext(code.look_up(32, self._at, at), i64)
        arguments = (code.state, code.square(), frame, context)
        if self._functions is None:
            self._call_one(code, site, arguments)
        else:
            address = code.element(self._functions, pointer, site, len(self._first) - 1)
            type_ = ir.FunctionType(void, (pointer, i64, pointer, pointer))
            function = b.load(address, typ=type_.as_pointer(), align=8)
            b.call(function, arguments)
        first = b.zext(code.look_up(32, self._first, site), i64)
        end = b.zext(code.look_up(32, self._first, b.add(site, constant(1))), i64)
        return first, end

    def _call_one(self, code: StateCode, site: Value, arguments: tuple[Value, ...]) -> None:
        """Emit calling a region on a GPU, which must know whom it calls."""
        done = code.block("done")
        last, *others = blocks = code.blocks(*["region"] * len(self._regions))
        code.switch(site, last, enumerate(others, 1))
        for function, block in zip(self._regions, blocks):
            code.emit_in(block)
            code.b.call(function, arguments)
            code.b.branch(done)
        code.emit_in(done)

    def number(self, code: StateCode, exit_: Value) -> Value:
        """The number of an exit's modifier or dot."""
        return code.look_up(32, self._numbers or [0], exit_)

    def slot(self, code: StateCode, exit_: Value) -> Value:
        """Where in the frame an exit's slot is."""
        return code.b.zext(code.look_up(32, self._slots or [0], exit_), i64)

    def is_set(self, code: StateCode, exit_: Value) -> Value:
        """Whether an exit's slot is a set; otherwise it is a square or -1."""
        return self._has_flag(code, exit_, _IS_SET)

    def is_switch(self, code: StateCode, exit_: Value) -> Value:
        """Whether an exit is a switch."""
        return self._has_flag(code, exit_, _IS_SWITCH)

    def _has_flag(self, code: StateCode, exit_: Value, flag: int) -> Value:
        flags = code.look_up(32, self._flags or [0], exit_)
        return code.unequal(code.b.and_(flags, ir.Constant(i32, flag)), 0)

    def contains(self, code: StateCode, exit_: Value, frame: Value, square: Value) -> Value:
        """Emit whether a square is in an exit's slot."""
        b = code.b
        slot = code.place(frame, self.slot(code, exit_))
        result = code.local(i1)
        with code.if_else(self.is_set(code, exit_)) as (is_set, is_square):
            with is_set:
                word = b.load(code.word_of(slot, square), typ=i64, align=8)
                b.store(b.trunc(b.lshr(word, code.bit_in_word(square)), i1), result)
            with is_square:
                b.store(code.equal(code.load(i64, slot), square), result)
        return b.load(result, typ=i1)


def _nothing(program: Program) -> Region:
    """A region without exits."""
    arguments = [pointer, i64, pointer, pointer]
    function = program.module.function(program.module.unique("region"), void, arguments)
    StateCode.begin(program.module, function).b.ret_void()
    return Region(
        function, (), HEADER, certain=False, exclusive=True, in_place=False, may_fail=False
    )
