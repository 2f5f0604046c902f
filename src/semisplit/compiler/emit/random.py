"""Random numbers: a 64-bit counter, scrambled by one wide multiplication (wyrand).

The same seed gives the same numbers on every machine.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.values import Value, constant, i64

_STEP = 0xA0761D6478BD642F
_MASK = 0xE7037ED1A0B428DB
_MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_i128 = ir.IntType(128)


class Random:
    """A generator whose state is a variable of the function."""

    def __init__(self, code: Code[Any], seed: Value):
        self._code = code
        self._b = code.b
        self._state = code.local(i64)
        self.seed(seed)

    def seed(self, seed: Value) -> None:
        """Start anew. Seeds are scrambled, so that close ones give unrelated numbers."""
        b = self._b
        for shift, factor in zip((30, 27), _MIX):
            seed = b.mul(b.xor(seed, b.lshr(seed, constant(shift))), constant(factor))
        b.store(b.xor(seed, b.lshr(seed, constant(31))), self._state)

    def draw(self) -> Value:
        """64 random bits."""
        b = self._b
        state = b.add(b.load(self._state, typ=i64), constant(_STEP))
        b.store(state, self._state)
        low, high = self._product(state, b.xor(state, constant(_MASK)))
        return b.xor(low, high)

    def _product(self, x: Value, y: Value) -> tuple[Value, Value]:
        b = self._b
        product = b.mul(b.zext(x, _i128), b.zext(y, _i128))
        high = b.trunc(b.lshr(product, ir.Constant(_i128, 64)), i64)
        return b.trunc(product, i64), high

    def _scaled(self, x: Value, n: Value) -> tuple[Value, Value]:
        """The product of a random number and a number of at most 32 bits."""
        if not self._code.module.gpu:
            return self._product(x, n)
        # By products of halves, which is what GPUs have.
        b, half, lower = self._b, constant(32), constant(0xFFFFFFFF)
        n = b.and_(n, lower)
        first = b.mul(b.and_(x, lower), n)
        second = b.add(b.mul(b.lshr(x, half), n), b.lshr(first, half))
        low = b.or_(b.shl(second, half), b.and_(first, lower))
        return low, b.lshr(second, half)

    def below(self, n: Value) -> Value:
        """A number from 0 to n - 1, each equally likely.

        The upper half of n times a random number is almost that; a lower half less than
        2^64 mod n, which next to never occurs, is drawn again (Lemire 2019).
        """
        b, code = self._b, self._code
        with code.repeat() as loop:
            low, high = self._scaled(self.draw(), n)
            loop.leave_unless(code.less(low, n))
            least = b.urem(b.sub(constant(0), n), n)
            loop.again_if(code.less(low, least))
        return high
