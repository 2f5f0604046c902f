"""Whatever builds a tree, it holds exactly the game."""

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semisplit import Game, load
from semisplit.core.errors import UnknownName
from semisplit.core.strategy import STRATEGIES
from semisplit.search import BadSettings, Budget, Search
from semisplit.search.notation import parse_settings
from tests.support.search_variants import PAWNS
from tests.support.tree_invariants import (
    DESIGNS,
    EXTRAS,
    BrokenTree,
    check_trees,
    notation,
)

GAMES = {
    "tic_tac_toe": ("Shift", "PlusShift"),
    "breakthrough": ("Mod", "Shift", "ModPlus"),
    "fox_and_hounds": ("Plus",),
    "english_draughts": ("ModShift",),
    "amazons": ("Plus",),
    "hex_9x9": ("ModPlusShift",),
}
"""Bundled games that compile quickly, with strategies; a benchmark goes through all of them."""
JOINT = ("connect4_7", "connect4_3p", "rps_well", "double_ttt_sync")
SIMULATIONS = 150


@cache
def pawns(split: str) -> Game:
    return Game.parse(PAWNS, "pawns", split)


def search_and_check(game: Game, text: str, seed: int, simulations: int) -> None:
    try:
        variant = parse_settings(text)
        search = Search(game, variant, seed=seed, memory=1 << 22)
    except (BadSettings, UnknownName):
        return  # It makes no sense, or there is no such grouping in this game's language.
    search.run(Budget(simulations=simulations), details=False)
    check_trees(search)
    if not search.state.is_terminal:
        search.play(search.state.moves()[0])
        if not search.state.is_terminal:
            search.run(Budget(simulations=simulations), details=False)
            check_trees(search)


variants = st.tuples(
    st.sampled_from(DESIGNS),
    st.lists(st.sampled_from(EXTRAS), max_size=2, unique=True),
    st.integers(0, 1000),
)
sampled = settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@pytest.mark.parametrize("split", STRATEGIES)
@given(variants)
@sampled
def test_trees_of_pawns(split: str, variant: tuple[str, list[str], int]) -> None:
    design, extras, seed = variant
    search_and_check(pawns(split), notation(design, split, extras), seed, SIMULATIONS)


@pytest.mark.parametrize(
    ("game", "split"), [(game, split) for game in GAMES for split in GAMES[game]]
)
@given(variants)
@sampled
def test_trees_of_bundled_games(game: str, split: str, variant: tuple[str, list[str], int]) -> None:
    design, extras, seed = variant
    search_and_check(load(game, split), notation(design, split, extras), seed, SIMULATIONS)


@pytest.mark.parametrize("game", JOINT)
@given(variants)
@sampled
def test_trees_of_games_in_gdl(game: str, variant: tuple[str, list[str], int]) -> None:
    _, extras, seed = variant
    search_and_check(load(game, None), notation("orthodox", None, extras), seed, SIMULATIONS)


@pytest.mark.parametrize(
    ("game", "split", "moves"),
    [("tic_tac_toe", "Shift", 9), ("breakthrough", "Shift", 22), ("chess", "Shift", 20)],
)
def test_ways_to_nodal_nodes_are_the_moves(game: str, split: str, moves: int) -> None:
    search = Search(load(game), parse_settings(f"semisplit-nodal@{split}"), seed=3)
    result = search.run(Budget(simulations=1000))
    assert len(result.moves) == len({known.move.steps for known in result.moves}) == moves


@pytest.mark.parametrize(
    ("field", "change", "message"),
    [
        ("steps", 1, "illegal|the same edge twice"),
        ("count", -1, "no edge for"),
        ("visits", 1, "went on"),
        ("kind", 1, "which its state is not"),
        ("total", 1000.0, "a sum of scores"),
    ],
)
def test_a_wrong_tree_is_seen(field: str, change: float, message: str) -> None:
    game = load("breakthrough", "Mod")
    search = Search(game, parse_settings("semisplit@Mod"), seed=1, memory=1 << 20)
    search.run(Budget(simulations=100), details=False)
    edges = search.tree.memories[0].edges
    begun = next(edge for edge in edges if 0 < edge["tried"] < edge["count"])
    wrong = begun if field == "count" else edges[edges[0]["first"]]
    wrong[field] += change
    with pytest.raises(BrokenTree, match=message):
        check_trees(search)


def test_a_wrong_state_is_seen() -> None:
    game = load("breakthrough", "Mod")
    search = Search(game, parse_settings("semisplit@Mod"), seed=1, memory=1 << 20)
    search.run(Budget(simulations=100), details=False)
    other = search.state.apply(search.state.moves()[0])
    state = game.compiled.codec.pack(other.position)
    search.tree.memories[0].set_root(state)
    with pytest.raises(BrokenTree, match="the state is"):
        check_trees(search)
