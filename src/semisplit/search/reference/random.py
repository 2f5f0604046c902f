"""The random numbers of kernels, in plain Python: splitmix64."""

from __future__ import annotations

_BITS = 2**64 - 1


class KernelRandom:
    """Draws the numbers that kernels draw with a seed."""

    def __init__(self, seed: int):
        self._state = seed & _BITS

    def draw(self) -> int:
        """64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _BITS
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _BITS
        return z ^ (z >> 31)

    def below(self, count: int) -> int:
        """A number from 0 to count - 1, each as likely as the others."""
        if count == 1:
            return 0
        surplus = 2**32 % count
        while True:
            product = (self.draw() >> 32) * count
            if product % 2**32 >= surplus:
                return product >> 32

    def real(self) -> float:
        """A number from 0 up to, but not including, 1."""
        return (self.draw() >> 11) * 2.0**-53
