"""What a short while of random play tells about games."""

import json
from dataclasses import replace

import pytest

import semisplit
from semisplit import Game
from semisplit.agents.auto.features import Features, measure_features
from tests.support.command_line import run
from tests.support.facts import FACTS


def without_times(features: Features) -> Features:
    return replace(features, whole_ns=0.0, split_ns=0.0)


@pytest.mark.parametrize("name", ["breakthrough", "knightthrough", "reversi"])
def test_features_are_those_of_random_play(name: str) -> None:
    # There is as much time as it takes.
    found = measure_features(semisplit.load(name), seconds=100)
    whole, known = FACTS[name]["orthodox"], FACTS[name]["mod"]
    assert found.depth == pytest.approx(known["depth"], rel=0.1)
    assert found.result == pytest.approx(known["scores"][0] / 100, abs=0.1)
    assert found.moves == pytest.approx(whole["legal_moves"], rel=0.35)
    assert found.states_per_move == pytest.approx(known["semistates_per_nodal"], rel=0.15)
    assert 0 < found.learning < 0.5
    assert found.whole_ns > 0
    assert found.split_ns > 0


def test_the_same_seed_gives_the_same() -> None:
    game = semisplit.load("connect4")
    first, again = (measure_features(game, seed=3, seconds=100) for _ in range(2))
    assert without_times(first) == without_times(again)
    assert without_times(measure_features(game, seed=4, seconds=100)) != without_times(first)


def test_dead_states_are_counted() -> None:
    text = """
    #players = w(100), b(100)
    #pieces = e, x
    #variables =
    #board = rectangle(up,down,left,right,[x,e,e,e])
    #rules = ->w (left* + right*) ({x} [e] ->b {} + {e} [x] [x] {! {x}} ->b) [$ w=100] ->>
    """
    found = measure_features(Game.parse(text))
    # Of four first semimoves only one leads to a move.
    assert found.moves == 1
    assert found.dead > 0.3


def test_games_in_gdl_are_not_split() -> None:
    found = measure_features(semisplit.load("tic_tac_toe.kif"))
    assert found.split_ns == found.whole_ns
    assert found.semimoves == found.moves
    assert found.states_per_move == 1
    assert found.dead == 0


def test_the_command() -> None:
    lines = run("explain", "connect4", "--features").splitlines()
    assert [line.split()[0] for line in lines] == list(Features.__dataclass_fields__)
    printed = json.loads(run("explain", "connect4", "--features", "--json"))
    assert printed["players"] == 2
    assert printed["moves"] == pytest.approx(6.7, abs=0.5)
