"""Searches whose playouts are made on a GPU; here the processor plays its part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import semisplit
from semisplit.compiler.gpu import driver
from semisplit.compiler.gpu.driver import Device
from semisplit.core.settings.parameters import BadSettings
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from tests.support.driver import Library


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    library = Library()
    monkeypatch.setattr(driver, "_load", lambda: library)
    Device.first.cache_clear()
    yield library
    Device.first.cache_clear()


def run(agent: str, game: str = "breakthrough", simulations: int = 2000) -> tuple[Any, ...]:
    search = Search(semisplit.load(game), parse_settings(agent), seed=5)
    result = search.run(Budget(simulations=simulations))
    return str(result.move), result.simulations, result.states


@pytest.mark.parametrize("agent", ["orthodox", "semisplit@Mod", "orthodox/semisplit@Mod"])
def test_the_search_is_that_on_the_processor(agent: str, library: Library) -> None:
    options = "parallel=leaf,batch=16,playouts=4"
    assert run(f"{agent},{options},gpu=1") == run(f"{agent},{options}")
    assert library.launched >= 2000 // (16 * 4)


def test_leaves_with_moves_too_long_for_a_gpu_are_played_here(library: Library) -> None:
    options = "parallel=leaf,batch=8,playouts=4"
    agents = (f"orthodox/semisplit@Mod,{options}{gpu}" for gpu in (",gpu=1", ""))
    with_gpu, without = (run(agent, "paper_soccer", 400) for agent in agents)
    assert with_gpu == without


def test_threads_may_have_several_playouts_of_each_leaf(library: Library) -> None:
    _, simulations, _ = run("orthodox,threads=2,batch=16,playouts=4,gpu=1")
    assert simulations >= 2000


def test_games_in_gdl_have_lanes(library: Library) -> None:
    options = "parallel=leaf,batch=16,playouts=32,gpu=1"
    move, simulations, _ = run(f"orthodox,{options}", "connect4_7", 20_000)
    assert simulations >= 20_000
    assert move == "(drop 4)"


@pytest.mark.parametrize("function", ["cuMemcpyHtoDAsync_v2", "cuLaunchKernel"])
def test_a_gpu_that_fails_ends_the_search(function: str, library: Library) -> None:
    search = Search(
        semisplit.load("breakthrough"), parse_settings("orthodox,batch=16,gpu=1"), seed=5
    )
    library.fails.add(function)
    with pytest.raises(semisplit.SemisplitError, match="the GPU failed to make playouts"):
        search.run(Budget(simulations=2000))


def test_a_gpu_needs_batches() -> None:
    with pytest.raises(BadSettings, match="many leaves at a time"):
        parse_settings("orthodox,gpu=1")
