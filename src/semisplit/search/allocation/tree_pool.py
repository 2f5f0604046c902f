"""Memory for trees, which is used again when it is free.

Memory that is new has to be cleared by the operating system, and maybe to be found first: up to a
fifth of the time of a search would go there. What has the wrong size for the next tree is let go.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.search.engine.records import LINE

_spare: dict[int, list[NDArray[Any]]] = {}
"""Free memory, by its size."""


def take(count: int, kind: Any) -> NDArray[Any]:
    """An array with anything in it, no element of which lies in more lines than it has to.

    Raises:
        MemoryError: If there is no room.
    """
    size = count * np.dtype(kind).itemsize
    try:
        memory = _spare[size + LINE].pop()
    except (KeyError, IndexError):
        _spare.clear()
        memory = np.empty(size + LINE, "u1")
    begin = -memory.ctypes.data % LINE
    return memory[begin : begin + size].view(kind)


def give_back(arrays: dict[str, NDArray[Any]]) -> None:
    """Free the memory of arrays that will not be looked at again."""
    while arrays:
        _, array = arrays.popitem()
        assert array.base is not None
        _spare.setdefault(array.base.nbytes, []).append(array.base)
