"""The positions with known best moves are what they claim to be, by exhaustive search."""

from __future__ import annotations

from typing import Any

import pytest

import semisplit
from semisplit.game import State
from tests.support.positions import POSITIONS, title

WIN, DRAW = 100, 50

# The score that only the best moves reach, and what lines without an end count as; to show a draw,
# neither way of counting may make a difference.
QUESTIONS = {
    "win": [(WIN, False)],
    "draw": [(DRAW, False), (DRAW, True)],
    "hold": [(DRAW, True)],
}


def reaches(state: State, player: int, score: int, plies: int, hope: bool) -> bool:
    """Whether a player can reach a score against every defence.

    Args:
        state: Where to begin.
        player: The number of the player.
        score: What the player wants at least.
        plies: How far to look.
        hope: What to answer for a line that does not end within so many plies.
    """
    if state.is_terminal:
        return state.scores[player - 1] >= score
    if plies == 0:
        return hope
    results = (reaches(state.apply(move), player, score, plies - 1, hope) for move in state.moves())
    return any(results) if state.player == player else all(results)


def moves_that_reach(state: State, score: int, plies: int, hope: bool) -> set[str]:
    """The moves after which the player to move reaches a score."""
    return {
        str(move)
        for move in state.moves()
        if reaches(state.apply(move), state.player, score, plies - 1, hope)
    }


@pytest.mark.parametrize("position", POSITIONS, ids=title)
def test_best_moves_are_some_of_the_legal_ones(position: dict[str, Any]) -> None:
    state = semisplit.load(position["game"]).parse_state(position["state"])
    assert str(state) == position["state"].strip("\n")
    assert 0 < len(position["best"]) < len(state.moves())
    assert set(position["best"]) < {str(move) for move in state.moves()}


@pytest.mark.parametrize(
    "position", [each for each in POSITIONS if each.get("proof", True)], ids=title
)
def test_exactly_the_best_moves_reach_the_result(position: dict[str, Any]) -> None:
    state = semisplit.load(position["game"]).parse_state(position["state"])
    for score, hope in QUESTIONS[position["result"]]:
        found = moves_that_reach(state, score, position["depth"], hope)
        assert found == set(position["best"])


@pytest.mark.parametrize(
    "position", [each for each in POSITIONS if each.get("proof", True)], ids=title
)
def test_fewer_plies_do_not_show_it(position: dict[str, Any]) -> None:
    state = semisplit.load(position["game"]).parse_state(position["state"])
    score, hope = QUESTIONS[position["result"]][-1]
    if position["depth"] > 1:
        found = moves_that_reach(state, score, position["depth"] - 1, hope)
        assert found != set(position["best"])
