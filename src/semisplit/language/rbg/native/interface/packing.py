"""Steps of moves packed into single integers, the codes of the interface (see `codec`).

The code of a step is (number + dots) * squares + square, where number is that of the modifier, or
minus that of the dot. So all codes of a game are small, and statistics of them fit into plain
arrays.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i32, i64
from semisplit.language.rbg.native.analysis.facts import GameFacts
from semisplit.language.rbg.native.board.state import StateCode


def step_count(game: GameFacts) -> int:
    """How many codes there are."""
    return first_step(game, len(game.graph.modifiers) + 1)


def first_step(game: GameFacts, number: int) -> int:
    """The code of a modifier or dot on the first square."""
    return (number + len(game.graph.dots)) * game.squares.size


def pack_step(game: GameFacts, code: StateCode, number: Value, square: Value) -> Value:
    """Emit the code of a number and a square, all 32 bits wide."""
    b = code.b
    place = b.add(number, ir.Constant(i32, len(game.graph.dots)))
    return b.add(b.mul(place, ir.Constant(i32, code.squares.size)), square)


def unpack_step(game: GameFacts, code: StateCode, step: Value) -> tuple[Value, Value]:
    """Emit the number, 32 bits wide, and the square, 64 bits wide, of a code."""
    b = code.b
    wide = b.zext(step, i64)
    size = constant(code.squares.size)
    place = b.trunc(b.udiv(wide, size), i32)
    return b.sub(place, ir.Constant(i32, len(game.graph.dots))), b.urem(wide, size)
