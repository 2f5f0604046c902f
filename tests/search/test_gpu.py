"""Searches whose playouts are made on a GPU; here the processor plays its part."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import semisplit
from semisplit.core.rules import Rules
from semisplit.runtime.abi import Part
from semisplit.runtime.gpu import batch
from semisplit.runtime.gpu.driver import GpuError
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from semisplit.search.settings import BadSettings


class OnProcessor:
    """Makes the playouts of a GPU."""

    def __init__(self, rules: Rules):
        self._compiled = rules.compile(Part.GAME)
        self.facts = self._compiled.facts

    def play(
        self, states: NDArray[np.uint8], seeds: NDArray[np.uint64], count: int
    ) -> NDArray[np.int64]:
        rows = []
        for state, seed in zip(states.reshape(len(seeds), -1), seeds):
            played = self._compiled.playouts(
                state.tobytes(), int(seed), count, semisplit=self.facts.split
            )
            rows.append((0, played.moves, played.states, *played.scores))
        return np.array(rows, np.int64)


class Broken(OnProcessor):
    def play(self, *arguments: Any) -> NDArray[np.int64]:
        raise GpuError("it burns")


def run(agent: str) -> tuple[Any, ...]:
    search = Search(semisplit.load("breakthrough"), parse_settings(agent), seed=5)
    result = search.run(Budget(simulations=2000))
    return str(result.move), result.simulations, result.states


@pytest.mark.parametrize("agent", ["orthodox", "semisplit@Mod"])
def test_the_search_is_that_on_the_processor(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "GpuGame", OnProcessor)
    options = "parallel=leaf,batch=16,playouts=4"
    assert run(f"{agent},{options},gpu=1") == run(f"{agent},{options}")


def test_threads_may_have_several_playouts_of_each_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "GpuGame", OnProcessor)
    _, simulations, _ = run("orthodox,threads=2,batch=16,playouts=4,gpu=1")
    assert simulations >= 2000


def test_a_gpu_that_fails_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "GpuGame", Broken)
    with pytest.raises(semisplit.SemisplitError, match="the GPU failed to make playouts"):
        run("orthodox,batch=16,gpu=1")


def test_a_gpu_needs_batches() -> None:
    with pytest.raises(BadSettings, match="many leaves at a time"):
        parse_settings("orthodox,gpu=1")
