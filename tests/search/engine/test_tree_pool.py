"""Memory that trees use one after the other."""

import gc
from collections.abc import Iterator

import numpy as np
import pytest

import semisplit
from semisplit.search import Budget, Result, Search
from semisplit.search.allocation import tree_pool
from semisplit.search.notation import parse_settings


@pytest.fixture(autouse=True)
def nothing_spare() -> Iterator[None]:
    gc.collect()
    gc.freeze()  # so that the tests' own collections are short
    tree_pool._spare.clear()
    yield
    tree_pool._spare.clear()
    gc.unfreeze()


def addresses() -> set[int]:
    return {memory.ctypes.data for some in tree_pool._spare.values() for memory in some}


def test_memory_is_used_again() -> None:
    arrays = {"a": tree_pool.take(1000, "i4"), "b": tree_pool.take(500, "f8")}
    assert all(array.ctypes.data % 64 == 0 for array in arrays.values())
    places = {array.ctypes.data for array in arrays.values()}
    tree_pool.give_back(arrays)
    assert not arrays
    # Both have 4000 bytes, so any of them will do.
    again = tree_pool.take(500, "f8"), tree_pool.take(500, "f8")
    assert {array.ctypes.data for array in again} == places
    assert addresses() == set()


def test_other_sizes_are_let_go() -> None:
    tree_pool.give_back({"a": tree_pool.take(1000, "i4")})
    assert len(addresses()) == 1
    tree_pool.take(1001, "i4")
    assert addresses() == set()


def search(notation: str) -> Search:
    return Search(semisplit.load("breakthrough"), parse_settings(notation), memory=1 << 22)


def look(result: Result) -> tuple[object, ...]:
    return result.move, result.score, result.moves, result.variation, result.nodes, result.bytes


@pytest.mark.parametrize(
    "notation", ["orthodox+mast+rave", "semisplit-nodal+mast-split+rave-mix@Mod", "rollup@Mod"]
)
def test_what_is_in_memory_does_not_matter(notation: str) -> None:
    def play() -> list[tuple[object, ...]]:
        player = search(notation)
        seen = []
        for _ in range(3):
            result = player.run(Budget(simulations=2000))
            seen.append(look(result))
            player.play(result.move)
        return seen

    first = play()
    gc.collect()
    assert addresses()
    for filling in (0xFF, 0x7F):
        for some in tree_pool._spare.values():
            for memory in some:
                memory[:] = np.uint8(filling)
        assert play() == first
        gc.collect()


def test_a_game_needs_two_trees() -> None:
    player = search("orthodox")
    seen = set()
    for _ in range(6):
        seen.add(player.tree.memories[0].edges.ctypes.data)
        player.play(player.run(Budget(simulations=100)).move)
    assert len(seen) == 2
