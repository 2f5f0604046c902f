"""Logarithm and exponential function, with the same result to the last bit on every machine.

Those of the C library differ from one to the next, and a search that draws by them would, too.
"""

from __future__ import annotations

import numpy as np

from semisplit.search.engine.toolkit.kernel import kernel

_LN2 = 0.6931471805599453
_SQRT2 = 1.4142135623730951
_MANTISSA, _ONE = (1 << 52) - 1, 1023 << 52


@kernel
def logarithm(x: float) -> float:
    """The natural logarithm of a number from 1 on, to ten digits."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits >> 52) - 1023
    x = np.int64((bits & _MANTISSA) | _ONE).view(np.float64)
    if x > _SQRT2:
        x *= 0.5
        exponent += 1
    # ln x = 2 artanh y, and y is at most 0.18.
    y = (x - 1.0) / (x + 1.0)
    z = y * y
    series = z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13))))))
    return exponent * _LN2 + 2.0 * (y + y * series)


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
