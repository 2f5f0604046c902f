"""How proofs are asked for: limits, stopping, and games of other kinds."""

import math
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

import semisplit
from semisplit.core.errors import InputError
from semisplit.core.strategy import SplitStrategy
from semisplit.game import Game
from semisplit.search.proof import Proof, ProofSettings, Solver, solve
from semisplit.search.proof.goal import Goal, Outcome
from semisplit.search.proof.kernels import memory as records
from tests.support.small_games import breakthrough, connect_four

SMALL = ProofSettings(table_mb=1)
ROUND = """
#players = first(100), second(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [x,e,e])
#move(who) = ->who (left + right) ->>
#rules = (move(first) move(second))*
"""


def test_a_search_makes_no_more_positions_than_it_may() -> None:
    state = Game.parse(connect_four(6, 5)).initial_state()
    proof = solve(state, SMALL, nodes=5000)
    assert proof.value is None
    assert not proof.is_solved
    assert 0 < proof.nodes < 5000 + 100
    assert proof.note == "the search was stopped"


def test_a_search_ends_in_time() -> None:
    state = Game.parse(connect_four(6, 6)).initial_state()
    begin = time.process_time()
    proof = solve(state, SMALL, seconds=0.1)
    assert proof.value is None
    assert time.process_time() - begin < 60


def test_another_thread_may_stop_a_search() -> None:
    state = Game.parse(connect_four(6, 6)).initial_state()
    solver = Solver(state.game, SMALL)
    solving = threading.Thread(target=solver.solve, args=(state,))
    solving.start()
    # It forgets requests that were made before it began.
    while solving.is_alive():
        solver.stop()
        solving.join(0.01)
    assert solver.proof is not None
    assert solver.proof.value is None


def test_pauses_come_again_and_again_and_may_stop_a_search() -> None:
    state = Game.parse(connect_four(6, 6)).initial_state()
    solver, pauses = Solver(state.game, SMALL), []

    def pause() -> None:
        pauses.append(solver.nodes)
        if len(pauses) == 20:
            solver.stop()

    solver.solve(state, pause=pause)
    assert len(pauses) == 20
    assert pauses[-1] > pauses[0]


def test_what_is_known_so_far_is_told() -> None:
    """One bound after the other: that nobody can force a win takes two searches."""
    state = Game.parse(connect_four(4, 4)).initial_state()
    whole = solve(state, SMALL)
    partly = [solve(state, SMALL, nodes=part * whole.nodes // 8) for part in range(1, 8)]
    known = [(proof.lowest, proof.highest) for proof in partly]
    assert known[0] == (0, 100)
    assert set(known) & {(0, 50), (50, 100)}
    assert (whole.lowest, whole.highest) == (50, 50)


def test_more_is_found_out_later_by_the_same_solver() -> None:
    state = Game.parse(breakthrough(4, 4, 1)).initial_state()
    solver = Solver(state.game, SMALL)
    first = solver.solve(state)
    again = solver.solve(state)
    assert (first.value, again.value) == (100, 100)
    assert again.nodes < first.nodes / 10


def test_a_way_too_long_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    state = semisplit.load("tic_tac_toe").initial_state()
    solver = Solver(state.game, SMALL)
    solver.memory.game.most_levels = 5
    proof = solver.solve(state)
    assert proof.value is None
    assert (proof.lowest, proof.highest) == (0, 100)
    assert "too long" in proof.note


def test_a_position_with_too_many_moves_is_refused() -> None:
    state = semisplit.load("tic_tac_toe").initial_state()
    solver = Solver(state.game, SMALL)
    solver.memory.game.most_children = 20
    with pytest.raises(InputError, match="too many moves"):
        solver.solve(state)


def test_play_without_an_end_is_told() -> None:
    proof = solve(Game.parse(ROUND).initial_state(), SMALL)
    assert proof.endless
    assert proof.is_solved
    assert proof.value is None
    assert proof.line == []


def test_scores_that_are_not_opposed_are_told() -> None:
    text = connect_four(4, 4).replace("[$ opponent=0]", "")
    assert solve(Game.parse(text).initial_state(), SMALL).total is None
    assert solve(Game.parse(connect_four(4, 4)).initial_state(), SMALL).total == 100


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"lowest": 50, "highest": 50, "total": 100}, "a draw, 50 to 50"),
        ({"lowest": 100, "total": 100}, "xplayer wins, 100 to 0"),
        ({"highest": 0, "limit": 0, "total": 100}, "oplayer wins, 100 to 0"),
        ({"highest": 25, "lowest": 25}, "25 for xplayer, if oplayer does nothing but play against"),
        ({"lowest": 50, "total": 100}, "at least a draw for xplayer, 50 to 100"),
        ({"highest": 50, "total": 100}, "at least a draw for oplayer, 0 to 50 for xplayer"),
        ({"highest": 75, "total": 100}, "from 0 to 75 for xplayer"),
        ({"limit": 0, "floor": 100}, "play has no end: xplayer can force no more than 0"),
    ],
)
def test_what_is_known_is_said_in_words(known: dict[str, Any], words: str) -> None:
    state = semisplit.load("tic_tac_toe").initial_state()
    proof = replace(Proof(state, 1, highest=100, limit=100), **known)
    assert proof.verdict.startswith(words)
    assert proof.to_json()["verdict"] == proof.verdict


def test_a_game_that_is_over_has_its_score() -> None:
    state = semisplit.load("tic_tac_toe").initial_state()
    while not state.is_terminal:
        state = state.apply(state.moves()[0])
    proof = solve(state, SMALL)
    assert (proof.value, proof.total) == (state.scores[0], sum(state.scores))
    assert proof.line == []
    solver = Solver(state.game, SMALL)
    for goal in (Goal(1, True, 50), Goal(1, True, 100), Goal(2, False, 50), Goal(2, False, 100)):
        is_reached = (state.scores[0] >= goal.threshold) == goal.raises
        assert solver.attempt(state, goal) == (Outcome.PROVEN if is_reached else Outcome.REFUTED)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hanoi", "has 1 player; proofs are for games of two"),
        ("connect4_3p", "has 3 players"),
        ("rps_well", "move at once"),
    ],
)
def test_games_of_other_kinds_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(semisplit.load(name).initial_state(), SMALL)


def test_a_move_that_has_been_begun_needs_its_strategy() -> None:
    game = semisplit.load("breakthrough").split_by("Mod")
    state = game.initial_state()
    state = state.apply(state.semimoves()[0])
    with pytest.raises(InputError, match="begun"):
        solve(state, SMALL, nodes=1000)
    settings = ProofSettings(1, split=SplitStrategy.parse("Mod"))
    assert solve(state, settings, nodes=1000).nodes > 0


def test_numbers_fit_into_entries_of_the_table() -> None:
    assert records.INFINITE < 1 << 20
    assert records.MOST_DISTANCE < 1 << 12
    assert math.log2(records.SLOTS * 16) == 6
