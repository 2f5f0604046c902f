"""Code that the compiler of RBG emits for small rules, as text that can be read.

Values are called `a`, `b`, ... in order, parts of a state and of a frame by what they are, and
functions as they are emitted. Types and what is said to LLVM beyond that are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count, product
from string import ascii_lowercase
from textwrap import fill

from llvmlite import ir

from semisplit.compiler.runtime.abi import Bundle, Context
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rbg.check.description import Description, parse
from semisplit.language.rbg.native.analysis.facts import GameFacts
from semisplit.language.rbg.native.board.layout import AT, PLAYER, VERTEX, Layout
from semisplit.language.rbg.native.evaluate.region import Region
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.interface.build import Emitted, emit
from semisplit.language.rbg.native.machine.pattern import emit_pattern
from semisplit.language.rbg.native.machine.program import Program
from tests.support.analysed import modifier
from tests.support.prelude import PRELUDE


def program(rules: str, prelude: str = PRELUDE) -> Program:
    """A game of which nothing has been emitted yet."""
    description = parse(f"{prelude}#rules = {rules}")
    game = GameFacts(description, description.rules)
    return Program(game, Bundle.GAME, emit_pattern, pdep=False, checked=False)


def emitted(rules: str, split: str | None = None, bundle: Bundle = Bundle.GAME) -> Emitted:
    """All functions of a game on the small board of the prelude, whose dots are in the rules."""
    description = parse(f"{PRELUDE}#rules = {rules}")
    strategy = SplitStrategy.parse(split) if split else None
    return emit(description, description.rules, strategy, bundle=bundle, pdep=False)


def region(of: Program, number: int, until: Until = Until.MODIFIER) -> Region:
    """The region behind a modifier."""
    return of.regions.region(of.game.rules, modifier(of.game, number).target, until)


def listing(of: Program, function: ir.Function, *arguments: str) -> str:
    """A function of a program as text; arguments may be given names."""
    return Listing(of.game.description, of.module.layout).text(function, *arguments)


def region_text(rules: str, number: int, prelude: str = PRELUDE) -> str:
    """The function of the region behind a modifier, as text."""
    of = program(rules, prelude)
    return listing(of, region(of, number).function)


def function_text(of: Emitted, name: str, *arguments: str) -> str:
    """A function of a game as text; arguments may be given names."""
    return _lister(of).text(of.module.ir.get_global(name), *arguments)


def function_outline(of: Emitted, name: str, *arguments: str) -> str:
    """What each block of a function calls and changes; arguments may be given names."""
    lister, function = _lister(of), of.module.ir.get_global(name)
    deeds = lister.deeds(function, *arguments)
    lines = (f"{block}: {', '.join(done)}" for block, done in deeds.items() if done)
    return "\n".join(fill(line, 90, subsequent_indent="  ") for line in lines)


def game_outline(of: Emitted) -> str:
    """What each function of a game calls and changes."""
    lister, lines = _lister(of), []
    for function in of.module.ir.functions:
        done = dict.fromkeys(chain.from_iterable(lister.deeds(function).values()))
        if function.blocks:
            lines.append(" ".join([function.name, *done]))
    return "\n".join(lines)


def _lister(of: Emitted) -> Listing:
    return Listing(of.description, of.module.layout)


class Listing:
    """Text of the functions of one game."""

    def __init__(self, description: Description, layout: Layout):
        values = [*description.players, *sorted(description.variables)]
        parts = {AT: "at", PLAYER: "player", VERTEX: "vertex"}
        parts |= {layout.value(number): name for number, name in enumerate(values)}
        parts |= {layout.set_of(number): name for number, name in enumerate(description.pieces)}
        context = {8 * number: name for number, name in enumerate(Context.FIELDS)}
        self._fields = {"state": parts, "context": context}

    def text(self, function: ir.Function, *arguments: str) -> str:
        """A function, a line for each instruction; arguments may be given names."""
        names = self._names(function, arguments)
        lines = []
        for block in function.blocks:
            lines.append(f"{block.name}:")
            for one in block.instructions:
                if one.opname not in _UNSEEN:
                    what = self._instruction(one, names)
                    lines.append(
                        f"  {names[id(one)]} = {what}" if id(one) in names else f"  {what}"
                    )
        return "\n".join(lines)

    def deeds(self, function: ir.Function, *arguments: str) -> dict[str, list[str]]:
        """What each block of a function calls, and writes of the state and the context."""
        names = self._names(function, arguments)
        return {
            block.name: list(
                dict.fromkeys(
                    deed for one in block.instructions if (deed := self._deed(one, names))
                )
            )
            for block in function.blocks
        }

    def _deed(self, one: ir.Instruction, names: dict[int, str]) -> str:
        match one:
            case ir.CallInstr(callee=ir.Function(name=name)) if not name.startswith("llvm."):
                return f"{name}()"
            case ir.StoreInstr(operands=(_, place)):
                part = self._place(place, names)
                return part if part.startswith(("state.", "context.")) else ""
        return ""

    def _names(self, function: ir.Function, arguments: Sequence[str]) -> dict[int, str]:
        """What values are called, by their addresses."""
        given = arguments or _USUAL.get(len(function.args), ())
        names: dict[int, str] = dict(zip(map(id, function.args), given))
        letters = _letters()
        for block in function.blocks:
            for one in block.instructions:
                if one.opname not in _UNSEEN and str(one.type) != "void":
                    names[id(one)] = next(letters)
        return names

    def _instruction(self, one: ir.Instruction, names: dict[int, str]) -> str:
        def of(value: ir.Value) -> str:
            return self._value(value, names)

        match one:
            case ir.PhiInstr(incomings=incomings):
                return "either " + ", ".join(f"{of(v)} from {b.name}" for v, b in incomings)
            case ir.CallInstr():
                return f"{of(one.callee)}({', '.join(map(of, one.args))})"
            case ir.ICMPInstr(op=op, operands=(a, b)):
                return f"{of(a)} {_COMPARISONS[op]} {of(b)}"
            case ir.SwitchInstr(value=value, cases=cases, default=default):
                ways = [f"{of(case)}: {block.name}" for case, block in cases]
                return f"switch {of(value)}: {', '.join(ways)}, else {default.name}"
            case ir.StoreInstr(operands=(value, place)):
                return f"{self._place(place, names)} := {of(value)}"
            case ir.LoadInstr(operands=(place,)):
                return self._place(place, names)
        values = [of(operand) for operand in one.operands]
        match one.opname, values:
            case "select", (condition, yes, no):
                return f"{yes} if {condition} else {no}"
            case "br", (condition, then, otherwise):
                return f"if {condition} go to {then} else {otherwise}"
            case "br", (target,):
                return f"go to {target}"
            case "extractvalue", (pair,):
                return f"part {one.indices[0]} of {pair}"
            case "xor", (inner, "-1"):
                return f"not {inner}"
            case name, (left, right) if name in _OPERATORS:
                return f"{left} {_OPERATORS[name]} {right}"
            case name, _:
                return " ".join([_WORDS.get(name, name), *values]).removesuffix(" void")

    def _value(self, value: ir.Value, names: dict[int, str]) -> str:
        if id(value) in names:
            return names[id(value)]
        match value:
            case ir.Constant(constant=constant):
                return str(constant)
            case ir.GEPInstr(operands=(base, offset)):
                return f"{self._value(base, names)} + {self._value(offset, names)}"
            case ir.Instruction(opname=name, operands=(inner, *_)) if name in _SAME:
                return self._value(inner, names)
        return str(value.name)

    def _place(self, address: ir.Value, names: dict[int, str]) -> str:
        """What lies at an address."""
        base, _, offset = self._value(address, names).partition(" + ")
        fields = self._fields.get(base, {})
        number = int(offset or 0) if (offset or "0").isdigit() else -1
        if number in fields:
            return f"{base}.{fields[number]}"
        return f"{base}[{offset}]" if offset else base


def _letters() -> Iterator[str]:
    for size in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=size))


_OPERATORS = {
    **{"add": "+", "sub": "-", "mul": "*", "sdiv": "/", "udiv": "/", "and": "&", "or": "|"},
    **{"xor": "^", "shl": "<<", "lshr": ">>", "ashr": ">>"},
}
_COMPARISONS = {
    "eq": "==",
    "ne": "!=",
    **{
        f"{sign}{op}": text
        for sign in "su"
        for op, text in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    },
}
_WORDS = {"ret": "return", "alloca": "new variable", "urem": "rest of"}
_USUAL = {2: ("state", "context"), 4: ("state", "square", "frame", "context")}
"""The arguments of most functions, by their number."""
_SAME = ("zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "freeze")
"""What changes nothing but a type."""
_UNSEEN = (*_SAME, "getelementptr")
