"""Moving elements of arrays around."""

from __future__ import annotations

from semisplit.search.engine.toolkit.kernel import copy_bytes, kernel


@kernel
def swap_elements(begin: int, size: int, a: int, b: int, spare: int) -> None:
    """Exchange two elements of the array at an address, with room for one at another address."""
    copy_bytes(spare, begin + a * size, size)
    copy_bytes(begin + a * size, begin + b * size, size)
    copy_bytes(begin + b * size, spare, size)


@kernel
def copy_elements(begin: int, size: int, first: int, count: int, to: int, place: int) -> None:
    """Copy elements of the array at an address to a place in the array at another address."""
    copy_bytes(to + place * size, begin + first * size, count * size)
