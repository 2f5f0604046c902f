"""Proofs of the search, against exhaustive minimax by the interpreter."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semisplit
from semisplit import Game
from semisplit.compiler.runtime.compiled import Codes
from semisplit.core.settings.parameters import BadSettings
from semisplit.core.steps import Position
from semisplit.search import Budget, Search
from semisplit.search.engine.layout import ROOT
from semisplit.search.notation import parse_settings
from semisplit.search.reference.search import ReferenceSearch
from tests.support.search_variants import PAWNS
from tests.support.situations import specification

DESIGNS = (
    "orthodox",
    "orthodox/semisplit@Mod",
    "semisplit-nodal@Mod",
    "semisplit-raw@ModPlus",
    "semisplit-nodal/orthodox@PlusShift",
    "rollup-nodal@Mod",
    "rollup-raw@ModShift",
    "groups[start/target]",
    "semisplit-nodal[piece]@Mod",
)
EXTRAS = ("", "+mast+rave", ",batch=8", ",parallel=leaf,playouts=4", ",threads=2", ",C=2")


class Minimax:
    """What each player can get in any position, whatever the other one does."""

    def __init__(self, game: Game):
        self.game = game
        self._known = specification(game)
        self.score = cache(self._score)

    def after(self, position: Position) -> dict[Codes, Position]:
        """The positions after the moves and semimoves of a position."""
        here = self._known.at(position)
        follows = {**here.moves, **here.semimoves}
        return {codes: follow.after.position for codes, follow in follows.items()}

    def _score(self, position: Position, player: int) -> float:
        follows = self._known.at(position).semimoves.values()
        after = [follow.after.position for follow in follows if not follow.is_dead]
        if not after:
            scores, bounds = self.game.rules.scores(position), self.game.rules.players.values()
            return scores[player - 1] / [*bounds][player - 1]
        choose = max if position.player == player else min
        return choose(self.score(one, player) for one in after)


def agent(design: str, extra: str) -> str:
    """The name of a design with the solver and something else."""
    head, at, strategy = design.partition("@")
    words, comma, options = extra.partition(",")
    if "mast" in words and "/" in head.partition("]")[2] + head * ("[" not in head):
        words = ""
    return f"{head}{words}+solver{at}{strategy}{comma}{options}"


@cache
def minimax(name: str, split: str | None) -> Minimax:
    """Shared by all searches of a game."""
    text = PAWNS if name == "pawns" else semisplit.load(name).text
    return Minimax(Game.parse(text, name, split))


@settings(deadline=None, max_examples=15, derandomize=True)
@given(
    st.sampled_from(["pawns", "tic_tac_toe"]),
    st.sampled_from(DESIGNS),
    st.sampled_from(EXTRAS),
    st.integers(0, 5),
    st.integers(0, 1000),
    st.sampled_from([100, 600]),
)
def test_bounds_are_true(
    name: str, design: str, extra: str, plies: int, seed: int, simulations: int
) -> None:
    try:
        variant = parse_settings(agent(design, extra))
    except BadSettings:
        return
    known = minimax(name, str(variant.split) if variant.split else None)
    game = known.game
    state = game.initial_state()
    for ply in range(plies):
        moves = state.moves()
        following = state.apply(moves[(seed + ply) % len(moves)])
        if following.is_terminal:
            break
        state = following
    search = Search(game, variant, seed=seed, memory=1 << 22)
    search.set_state(state)
    result = search.run(Budget(simulations=simulations))
    check_bounds(search, known)
    value = known.score(state.position, state.player)
    assert result.proven in (None, value)
    if result.proven is not None:
        # What is played keeps the value.
        following = state.apply(result.move)
        assert known.score(following.position, state.player) == value


def check_bounds(search: Search, known: Minimax) -> None:
    """Compare the bounds of all nodes that can be reached with minimax."""
    (tree,), view = search.tree.memories, search.tree.view
    low, high = (tree.arrays[name].reshape(-1, 2) for name in ("solver.low", "solver.high"))
    stack = [(ROOT, search.state.position)]
    while stack:
        node, position = stack.pop()
        # A group is worth what its own moves are worth.
        for player in (1, 2) if view.group(node) is None else ():
            value = known.score(position, player)
            assert low[node, player - 1] <= value <= high[node, player - 1]
        for edge in view.edges(node):
            if view.group(edge.number):
                stack.append((edge.number, position))
            elif edge.codes in (after := known.after(position)):
                # Others are several semimoves, rolled up.
                stack.append((edge.number, after[edge.codes]))


@pytest.mark.parametrize("design", ["orthodox", "semisplit-nodal@Mod", "rollup-raw@ModPlus"])
def test_tic_tac_toe_is_a_draw(design: str) -> None:
    search = Search(semisplit.load("tic_tac_toe"), parse_settings(agent(design, "")), seed=1)
    result = search.run(Budget(simulations=100_000))
    assert result.proven == result.score == 0.5
    assert result.simulations < 50_000
    # What was proven stays proven, and nothing has to be searched.
    search.play(result.move)
    assert search.run(Budget(simulations=1000)).proven == 0.5


def test_a_search_ends_with_a_proof() -> None:
    """Three in a row: the mover can win at once."""
    search = Search(semisplit.load("tic_tac_toe"), parse_settings("orthodox+solver"), seed=1)
    for move in ("a3", "a1", "b3", "b1"):
        search.play(move)
    result = search.run(Budget(simulations=100_000))
    assert (str(result.move), result.proven) == ("c3", 1.0)
    assert result.simulations < 100


@pytest.mark.parametrize("seed", range(3))
def test_the_reference_proves_the_same(seed: int) -> None:
    game = Game.parse(PAWNS, "pawns")
    search = ReferenceSearch(game, parse_settings("orthodox+solver"), seed)
    assert search.proofs
    known = Minimax(game)
    search.run(600)
    stack = [search.root]
    while stack:
        node = stack.pop()
        for player in (1, 2):
            bounds = search.proofs.of(node, player)
            assert bounds.low <= known.score(node.position, player) <= bounds.high
        stack += [child for child in node.children or () if child.visits]
    kernels = Search(game, parse_settings("orthodox+solver"), seed=seed)
    result = kernels.run(Budget(simulations=600))
    player = search.root.player
    bounds = search.proofs.of(search.root, player)
    assert bounds.low == bounds.high == result.proven


@pytest.mark.parametrize(
    ("name", "notation", "message"),
    [
        ("rps_well", "orthodox+solver", "two players who move one after the other"),
        ("connect4_3p", "orthodox+solver", "two players who move one after the other"),
        ("buttons", "orthodox+solver", "two players who move one after the other"),
    ],
)
def test_games_that_cannot_be_proven_so(name: str, notation: str, message: str) -> None:
    with pytest.raises(BadSettings, match=message):
        Search(semisplit.load(name), parse_settings(notation), seed=1)


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("orthodox+solver,threads=2,parallel=root", "do not share proofs"),
        ("semisplit+solver@Mod,final=rollup", "compares averages only"),
        ("orthodox+solver-mix", "no variants"),
    ],
)
def test_what_makes_no_sense_is_refused(notation: str, message: str) -> None:
    with pytest.raises(BadSettings, match=message):
        parse_settings(notation)
