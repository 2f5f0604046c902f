"""Arithmetic of the rules: signed, in 64 bits, failing on overflow and on division by zero."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, constant, i32, i64
from semisplit.language.rbg.native.analysis.symbols import Symbols
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.text.ast import Arithmetic, Compare, Count, Number, Operation, Variable
from semisplit.language.rbg.text.limits import MAX_INTEGER

_CHECKED = {"+": "sadd_with_overflow", "-": "ssub_with_overflow", "*": "smul_with_overflow"}


@dataclass(frozen=True)
class Number64:
    """The value of an expression, whether it exists, and between which numbers it must lie."""

    value: Value
    exists: Condition
    least: int
    most: int


def evaluate(code: StateCode, symbols: Symbols, expression: Arithmetic) -> Number64:
    """Emit the evaluation of an expression."""
    match expression:
        case Number(number):
            return Number64(constant(number), True, number, number)
        case Variable(name):
            from_memory = code.load(i32, code.state, code.layout.value(symbols.values[name]))
            return Number64(code.b.zext(from_memory, i64), True, 0, symbols.bounds[name])
        case Count(name):
            squares = code.piece_set(symbols.pieces[name])
            return Number64(code.count(squares), True, 0, len(code.squares.bits))
        case Operation(operator, left, right):
            a, b = evaluate(code, symbols, left), evaluate(code, symbols, right)
            exists = code.all_of(a.exists, b.exists)
            if operator == "/":
                return _divide(code, a, b, exists)
            corners = [_apply(operator, x, y) for x in (a.least, a.most) for y in (b.least, b.most)]
            least, most = min(corners), max(corners)
            if least >= -MAX_INTEGER and most <= MAX_INTEGER:
                emit = {"+": code.b.add, "-": code.b.sub, "*": code.b.mul}[operator]
                return Number64(emit(a.value, b.value), exists, least, most)
            both = getattr(code.b, _CHECKED[operator])(a.value, b.value)
            value = code.b.extract_value(both, 0)
            fits = code.b.not_(code.b.extract_value(both, 1))
            # The interpreter's range is symmetric.
            fits = code.b.and_(fits, code.b.icmp_signed("!=", value, constant(-MAX_INTEGER - 1)))
            exists = code.all_of(exists, fits)
            return Number64(value, exists, max(least, -MAX_INTEGER), min(most, MAX_INTEGER))


def _apply(operator: str, a: int, b: int) -> int:
    return a + b if operator == "+" else a - b if operator == "-" else a * b


def _divide(code: StateCode, a: Number64, b: Number64, exists: Condition) -> Number64:
    divisor = b.value
    if b.least <= 0 <= b.most:
        exists = code.all_of(exists, code.b.icmp_signed("!=", divisor, constant(0)))
    if exists is not True:
        # Processors stop at a division by zero, and of the least integer by -1.
        divisor = code.b.select(code.condition(exists), divisor, constant(1))
    furthest = max(abs(a.least), abs(a.most))
    return Number64(code.b.sdiv(a.value, divisor), exists, -furthest, furthest)


def compare(code: StateCode, symbols: Symbols, comparison: Compare) -> Condition:
    """Whether a comparison holds."""
    left = evaluate(code, symbols, comparison.left)
    right = evaluate(code, symbols, comparison.right)
    holds = code.b.icmp_signed(comparison.comparator, left.value, right.value)
    return code.all_of(code.all_of(left.exists, right.exists), holds)


def assigned(
    code: StateCode, symbols: Symbols, expression: Arithmetic, variable: str
) -> tuple[Value, Condition]:
    """The value to be assigned to a variable and whether the assignment succeeds."""
    number = evaluate(code, symbols, expression)
    fits: Condition = number.exists
    bound = symbols.bounds[variable]
    if number.least < 0 or number.most > bound:
        # As unsigned numbers, negative ones are too large.
        fits = code.all_of(fits, code.b.icmp_unsigned("<=", number.value, constant(bound)))
    if isinstance(number.value, ir.Constant):
        fits = code.all_of(number.exists, 0 <= number.least <= bound)
    return number.value, fits
