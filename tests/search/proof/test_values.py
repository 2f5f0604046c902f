"""Values that are known from the literature, or from exhaustive searches by other programs."""

import re
from functools import reduce
from operator import xor

import pytest

import semisplit
from semisplit.core.strategy import SplitStrategy
from semisplit.game import Game
from semisplit.search.proof import ProofSettings, Solver, solve
from tests.support.small_games import (
    breakthrough,
    connect_four,
    hex_board,
    knightthrough,
    m_n_k,
)

FIRST, DRAW, SECOND = 100, 50, 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (m_n_k(3, 3, 3), DRAW),
        (m_n_k(4, 3, 3), FIRST),
        (m_n_k(3, 3, 3, misere=True), DRAW),
        (m_n_k(4, 3, 3, misere=True), SECOND),
        (connect_four(4, 4), DRAW),
        (connect_four(4, 5), DRAW),
        (breakthrough(3, 5), SECOND),
        (breakthrough(3, 4, 1), FIRST),
        (breakthrough(4, 4, 1), FIRST),
        (breakthrough(3, 5, 1), FIRST),
        (hex_board(3), FIRST),
        (hex_board(4), FIRST),
    ],
)
def test_values_are_known(text: str, value: int) -> None:
    state = Game.parse(text).initial_state()
    proof = solve(state, ProofSettings(table_mb=32))
    assert proof.value == value
    assert proof.total == 100
    for move in proof.line:
        state = state.apply(move)
    assert state.is_terminal
    assert state.scores[0] == value


@pytest.mark.parametrize("epsilon", [0, 0.25, 4])
@pytest.mark.parametrize("breadth", [False, True])
def test_the_way_of_searching_makes_no_difference(epsilon: float, breadth: bool) -> None:
    settings = ProofSettings(8, epsilon, breadth)
    for text, value in [(connect_four(4, 4), DRAW), (hex_board(3), FIRST)]:
        assert solve(Game.parse(text).initial_state(), settings).value == value


@pytest.mark.parametrize("split", ["Mod", "ModPlus", "Shift"])
def test_values_of_split_games_are_the_same(split: str) -> None:
    settings = ProofSettings(32, split=SplitStrategy.parse(split))
    for text, value in [(breakthrough(3, 4, 1), FIRST), (knightthrough(3, 4, 1), None)]:
        state = Game.parse(text).initial_state()
        proof = solve(state, settings)
        assert proof.value == (solve(state).value if value is None else value)


@pytest.mark.parametrize("name", ["tic_tac_toe", "tic_tac_toe.kif"])
def test_tic_tac_toe_is_a_draw_for_both(name: str) -> None:
    state = semisplit.load(name).initial_state()
    for player in (1, 2):
        proof = solve(state, player=player)
        assert (proof.value, len(proof.line)) == (DRAW, 9)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_hex_is_won_from_these_cells(size: int) -> None:
    """The short diagonal, on the smallest board of odd size two more, on 4x4 no others."""
    game = Game.parse(hex_board(size))
    solver, state = Solver(game, ProofSettings(table_mb=32)), game.initial_state()
    winning = {str(move) for move in state.moves() if solver.solve(state.apply(move)).value == 100}
    expected = {2: 2, 3: 5, 4: 4}
    assert len(winning) == expected[size]


def test_nim_is_decided_by_grundy_numbers() -> None:
    """Who moves wins unless the heaps add up to 0 without carrying."""
    start = semisplit.load("nim").initial_state()
    solver = Solver(start.game, ProofSettings(table_mb=32))
    for state in [start, *(start.apply(move) for move in start.moves())]:
        heaps = re.findall(r"\(heap \w+ (\d+)\)", str(state))
        grundy = reduce(xor, map(int, heaps))
        assert solver.solve(state).value == (100 if bool(grundy) == (state.player == 1) else 0)
