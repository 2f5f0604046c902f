"""The function `batch_playouts` of compiled games on a GPU, for searches that call it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.core.errors import PlayLimit, WorkLimit
from semisplit.core.rules import Rules
from semisplit.runtime.abi import LANE_FUNCTIONS, Context, Status
from semisplit.runtime.gpu.driver import GpuError
from semisplit.runtime.gpu.game import MOVES, SCORES, STATES, STATUS, GpuGame

_RESULT, _ARGUMENTS = LANE_FUNCTIONS["batch_playouts"]


class GpuBatches:
    """Playouts from batches of states; threads that call at the same time share the GPU."""

    def __init__(self, rules: Rules):
        """Compile the game; its playouts are split if the rules are."""
        self._game = GpuGame(rules)
        self._function = ctypes.CFUNCTYPE(_RESULT, *_ARGUMENTS)(self._play)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0
        """Where the function is, as long as this object lives."""

    def _play(
        self, states: int, number: int, seeds: int, count: int, sums: int, context: int
    ) -> None:
        facts, counters = self._game.facts, Context.from_address(context)
        memory = _array(ctypes.c_uint8, number * facts.state_bytes, states)
        numbers = _array(ctypes.c_uint64, number, seeds)
        totals = _array(ctypes.c_int64, number * facts.players, sums)
        try:
            rows = self._game.play(memory, numbers, count)
        except GpuError:
            counters.status = Status.NO_GPU
            return
        except (PlayLimit, WorkLimit) as error:
            # A game that was too long for the GPU was too long for the processor, too.
            is_work = isinstance(error, WorkLimit)
            counters.status = Status.MUCH_WORK if is_work else Status.LONG_MOVE
            return
        totals += rows[:, SCORES:].ravel()
        counters.moves += int(rows[:, MOVES].sum())
        counters.states += int(rows[:, STATES].sum())
        counters.status = max(counters.status, int(rows[:, STATUS].max()))


def _array(type_: Any, length: int, address: int) -> NDArray[Any]:
    return np.ctypeslib.as_array((type_ * length).from_address(address))
