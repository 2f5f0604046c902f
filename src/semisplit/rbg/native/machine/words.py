"""Steps of moves as single words.

A word is (number + dots) * squares + square, where number is that of the modifier, or minus that of
the dot. So all words of a game are small numbers, and statistics of them fit into plain arrays.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.values import Value, constant, i32, i64
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.machine.program import Program


def pack_word(program: Program, code: StateCode, number: Value, square: Value) -> Value:
    """Emit a word for a number and a square, all 32 bits wide."""
    b = code.b
    place = b.add(number, ir.Constant(i32, len(program.graph.dots)))
    return b.add(b.mul(place, ir.Constant(i32, code.squares.size)), square)


def unpack_word(program: Program, code: StateCode, word: Value) -> tuple[Value, Value]:
    """Emit the number, 32 bits wide, and the square, 64 bits wide, of a word."""
    b = code.b
    wide = b.zext(word, i64)
    size = constant(code.squares.size)
    place = b.trunc(b.udiv(wide, size), i32)
    return b.sub(place, ir.Constant(i32, len(program.graph.dots))), b.urem(wide, size)
