"""Logarithm and exponential function, with the same result to the last bit on every machine.

Those of the C library differ from one to the next, and a search that draws by them would, too.
"""

from __future__ import annotations

from semisplit.search.kernel import kernel

_LN2 = 0.6931471805599453


@kernel
def logarithm(x: float) -> float:
    """The natural logarithm of a number from 1 to 2**62."""
    exponent = 0
    while x > 1.5:
        x *= 0.5
        exponent += 1
    # ln x = 2 artanh((x - 1) / (x + 1)); the argument is at most 0.2.
    y = (x - 1.0) / (x + 1.0)
    square = y * y
    series = 0.0
    for odd in range(25, 0, -2):
        series = series * square + 1.0 / odd
    return exponent * _LN2 + 2.0 * y * series


@kernel
def exponential(x: float) -> float:
    """The exponential function, for exponents up to 700; 0 below -700."""
    if x < -700.0:
        return 0.0
    halvings = 0
    while abs(x) > 0.125:
        x *= 0.5
        halvings += 1
    series = 1.0
    for n in range(12, 0, -1):
        series = 1.0 + x * series / n
    for _ in range(halvings):
        series *= series
    return series
