"""The bundled games in GDL against known facts: counts of states, and random play."""

import json
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from semisplit import games, load
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.registry import format_rules
from tests.support.command_line import run
from tests.support.gdl_facts import (
    LEVELS,
    RANDOM_PLAY,
    affordable,
    compiled_levels,
    interpreted_levels,
)

NAMES = games.names("kif")
WORK = {"farmers": 30, "othello": 60, "pentago_gdl": 60}
"""How many moves the interpreter can make in half a second, if less than 200."""
COMPILED_WORK = 20_000
PLAYOUTS = 10_000


def gdl_rules(name: str) -> GdlRules:
    rules = load(name, engine="interpreter").rules
    assert isinstance(rules, GdlRules)
    return rules


@cache
def compiled(name: str) -> CompiledGame:
    return compile_game(gdl_rules(name).description)


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load("breakthrough").text == games.text("breakthrough.rbg")
    assert load("breakthrough_gdl").text == games.text("breakthrough.kif")
    assert load("nim").text == games.text("nim.kif")
    monkeypatch.chdir(tmp_path)
    assert load("breakthrough.kif").text == games.text("breakthrough.kif")
    Path("breakthrough.kif").write_text(games.text("nim"))
    assert load("breakthrough.kif").text == games.text("nim")


def test_listing() -> None:
    rows = {row["game"]: row for row in json.loads(run("games", "--json"))}
    assert [*rows] == games.names()
    assert rows["nim"]["title"] == "Nim"
    assert rows["nim"]["players"] == ["first", "second"]
    assert {name for name, row in rows.items() if row["language"] == "GDL"} == set(NAMES)


def test_all_games_have_facts() -> None:
    assert set(LEVELS) == set(NAMES)
    assert set(RANDOM_PLAY) == set(NAMES) - {"two_thirds"}  # One step, of which all is counted.


@pytest.mark.parametrize("name", NAMES)
def test_text(name: str) -> None:
    rules = gdl_rules(name)
    assert rules.description.warnings == ()
    assert format_rules(rules.source.text, name) == rules.source.text
    assert games.title(rules.source.text)


@pytest.mark.parametrize("name", NAMES)
def test_perft(name: str) -> None:
    known = affordable(LEVELS[name], WORK.get(name, 200))
    assert [level for _, level in zip(known, interpreted_levels(gdl_rules(name)))] == known


@pytest.mark.parametrize("name", NAMES)
def test_compiled_perft(name: str) -> None:
    known = affordable(LEVELS[name], COMPILED_WORK)
    found = compiled_levels(gdl_rules(name), compiled(name))
    assert [level for _, level in zip(known, found)] == known


@pytest.mark.parametrize("name", NAMES)
def test_every_game_ends_with_one_goal_for_each_role(name: str) -> None:
    game, random = gdl_rules(name), Random(0)
    rules = game.interpreter
    state = rules.start.fluents
    while not rules.is_terminal(state):
        state = rules.next_state(state, tuple(map(random.choice, rules.legal(state))))
    goals = rules.goals(state)
    assert all(len(goals[player - 1]) == 1 for player in game.seats)


@pytest.mark.parametrize("name", RANDOM_PLAY)
def test_random_play(name: str) -> None:
    known = RANDOM_PLAY[name]
    start = compiled(name).codec.pack(gdl_rules(name).start)
    played = compiled(name).playouts(start, seed=1, count=PLAYOUTS)
    sums = (played.moves, *played.scores)
    means, errors = (known.length, *known.goals), (known.length_error, *known.goal_errors)
    for total, expected, error in zip(sums, means, errors, strict=True):
        # The known error says how far single games are from the mean.
        allowed = 4 * error * sqrt(1 + known.games / PLAYOUTS)
        assert abs(total / PLAYOUTS - expected) <= allowed + 0.02
