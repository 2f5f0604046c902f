"""The search finds what is to be found: forced wins, only defences, values of solved games."""

from functools import cache
from typing import Any

import pytest

import semisplit
from semisplit import Game, State
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from tests.support.positions import POSITIONS, title
from tests.support.search_variants import PAWNS

TRAP = "only the knight saves the king"
"""One of 40 replies to one of 30 moves wins by force; random play hardly ever sees it."""
DECIDED = [
    one
    for one in POSITIONS
    if (one["depth"] == 1 or "refuted" in one) and (one["depth"], one["name"]) != (4, TRAP)
]
"""Where every other move is certainly worse, not only slower."""
MEMORY = 1 << 28


@cache
def searcher(game: str, notation: str) -> Search:
    return Search(semisplit.load(game), parse_settings(notation), seed=1, memory=MEMORY)


@pytest.mark.parametrize("notation", ["orthodox", "semisplit-nodal@Mod", "rollup-nodal@Mod"])
@pytest.mark.parametrize("position", DECIDED, ids=title)
def test_known_best_moves(position: dict[str, Any], notation: str) -> None:
    search = searcher(position["game"], notation)
    search.set_state(search.game.parse_state(position["state"]))
    for _ in range(8):
        result = search.run(Budget(simulations=20_000))
        if str(result.move) in position["best"]:
            return
    # The best defence may lose as well, only later; then, in the end, all moves are equally bad.
    assert position["result"] == "hold"
    assert result.score < 0.2


@pytest.mark.parametrize(
    ("notation", "side"),
    [
        ("orthodox", 1),
        ("orthodox", 2),
        ("orthodox+mast+rave,C=0.7", 2),
        ("semisplit@ModShift", 1),
        ("rollup-raw@Shift", 2),
    ],
)
def test_tic_tac_toe_is_never_lost(notation: str, side: int) -> None:
    """Against everything the other side can do."""
    search = Search(semisplit.load("tic_tac_toe"), parse_settings(notation), seed=1, memory=MEMORY)
    seen: set[State] = set()

    def play(state: State) -> None:
        if state in seen:
            return
        seen.add(state)
        if state.is_terminal:
            assert state.scores[side - 1] >= 50
        elif state.player == side:
            search.set_state(state)
            play(state.apply(search.run(Budget(simulations=60_000)).move))
        else:
            for move in state.moves():
                play(state.apply(move))

    play(search.state)
    assert len(seen) > 50


@cache
def minimax(state: State) -> tuple[int, ...]:
    """The scores if everybody plays for the best score of their own."""
    if state.is_terminal:
        return state.scores
    following = (minimax(state.apply(move)) for move in state.moves())
    return max(following, key=lambda scores: scores[state.player - 1])


@cache
def parsed(text: str) -> Game:
    return Game.parse(text, "game")


@pytest.mark.parametrize(
    "notation",
    [
        "orthodox",
        "orthodox/semisplit+mast-split+rave-join@Mod",
        "semisplit-nodal@Mod",
        "semisplit-raw+mast-mix@ModPlus",
        "rollup-nodal+rave-context@Mod",
    ],
)
@pytest.mark.parametrize("text", [PAWNS, semisplit.games.text("tic_tac_toe")], ids=["pawns", "xo"])
def test_values_converge_to_minimax(text: str, notation: str) -> None:
    game = parsed(text)
    state = game.initial_state()
    value = minimax(state)[state.player - 1] / 100
    search = Search(game, parse_settings(notation), seed=1, memory=MEMORY)
    scores = [search.run(Budget(simulations=count)).score for count in (500, 100_000)]
    assert abs(scores[1] - value) <= max(0.03, 0.7 * abs(scores[0] - value))
    assert abs(scores[1] - value) < 0.08
