"""Games of one player: the best line found is kept, and played."""

from types import SimpleNamespace
from typing import Any

import pytest

import semisplit
from semisplit.game import Game
from semisplit.search import Budget, Search
from semisplit.search.features.line.line import replay
from semisplit.search.notation import parse_settings

_FILL = """
#players = solver(3)
#pieces = e, a, b
#variables =
#board = rectangle(up, down, left, right, [e, e, e] [e, e, e])
#anySquare = (up* + down*)(left* + right*)
#put(piece) = ->solver anySquare {e} [piece] anySquare {e} [piece]
#row = anySquare {a} right {a} right {a}
#rules = put(a) put(b) put(a) ->> ({? row} [$ solver = 3] + {! row} [$ solver = 1]) ->> {}
"""
"""Three in a row are worth 3, whatever else is worth 1; moves consist of two steps."""


def check(search: Search, least: float) -> None:
    """Follow the line that has been found to its end, where it must have the score it promises."""
    result = search.run(Budget(simulations=3000))
    assert result.line[0] == result.move
    assert 0 < result.line_simulation <= 3000
    assert result.score >= least
    state = search.state
    for move in result.line:
        state = state.apply(move)
    assert state.is_terminal
    (highest,) = search.game.rules.players.values()
    assert state.scores == (round(result.score * highest),)


@pytest.mark.parametrize("agent", ["orthodox", "orthodox+MAST", "orthodox+RAVE"])
@pytest.mark.parametrize(("name", "least"), [("hanoi", 0.2), ("buttons", 1.0)])
def test_the_line_leads_where_it_promises(name: str, least: float, agent: str) -> None:
    check(Search(semisplit.load(name), parse_settings(agent), seed=1), least)


@pytest.mark.parametrize(
    "agent",
    ["orthodox", "semisplit-raw@Mod", "semisplit-nodal@Mod", "semisplit-nodal+MAST-split@Mod"],
)
def test_lines_of_split_moves(agent: str) -> None:
    check(Search(Game.parse(_FILL), parse_settings(agent), seed=1), 1.0)


def test_a_line_that_cannot_be_better_is_played_without_search() -> None:
    search = Search(semisplit.load("buttons"), parse_settings("orthodox"), seed=1)
    result = search.run(Budget(simulations=100_000))
    assert result.simulations == result.line_simulation < 100_000
    for left in range(len(result.line), 0, -1):
        result = search.run(Budget(simulations=100))
        assert len(result.line) == left
        search.play(result.move)
    assert search.state.is_terminal
    assert search.state.scores == (100,)


def test_who_leaves_the_line_needs_another_one() -> None:
    search = Search(semisplit.load("buttons"), parse_settings("orthodox"), seed=1)
    line = search.run(Budget(simulations=100_000)).line
    other = next(move for move in search.state.moves() if move != line[0])
    search.play(other)
    result = search.run(Budget(simulations=100_000))
    assert result.simulations > 0
    assert result.score < 1.0 or result.line != line[1:]


def test_games_of_several_players_have_no_line() -> None:
    search = Search(semisplit.load("tic_tac_toe"), parse_settings("orthodox"), seed=1)
    result = search.run(Budget(simulations=100))
    assert result.line == ()
    assert "line" not in result.to_json()


@pytest.mark.parametrize("junk", [b"", b"-"])
def test_a_playout_is_made_again_whatever_else_is_in_the_memory_of_a_state(junk: bytes) -> None:
    def play(state: bytes, codes: tuple[int, ...]) -> bytes:
        return state.rstrip(b"-") + bytes([64 + codes[0]]) + junk

    game: Any = SimpleNamespace(
        facts=SimpleNamespace(lanes=1),
        playout=lambda start, seed, *, max_moves, semisplit: SimpleNamespace(
            moves=3, final=(start + b"BAC")[: len(start) + max_moves]
        ),
        moves=lambda state: [(1,), (2,), (3,)],
        play=play,
        run_keeper=lambda state: state,
        codec=SimpleNamespace(unpack=lambda state: state.rstrip(b"-")),
    )
    assert list(replay(game, b"", 0, semisplit=False)) == [(2,), (1,), (3,)]
