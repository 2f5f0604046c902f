"""`semisplit flat`, and what a computer without a GPU says."""

from __future__ import annotations

import json

import pytest

import semisplit
from semisplit.compiler.gpu import driver
from semisplit.lab.bench.flat import flat_monte_carlo
from tests.support.command_line import run


def test_the_best_opening_of_tic_tac_toe_is_the_centre() -> None:
    found = json.loads(run("flat", "tic_tac_toe", "--games", "9000", "--json"))
    assert found["games"] == 9000
    assert found["moves"][0]["move"] == "b2"
    first = found["moves"][0]["score"]
    # 0.79 by counting all games.
    assert abs(first["value"] - 0.79) < 3 * first["margin"]


def test_flat_as_a_table() -> None:
    *table, last = run("flat", "tic_tac_toe", "b2", "--games", "800").splitlines()
    assert table[0].split() == ["move", "score", "moves"]
    assert len(table) == 1 + 8
    assert last.startswith("800 games in ")


def test_split_moves_are_drawn_step_by_step() -> None:
    state = semisplit.load("breakthrough", "Mod").initial_state()
    assert len(flat_monte_carlo(state, 100, gpu=False).moves) == len(state.moves())


@pytest.mark.parametrize("command", [["flat", "connect4", "--gpu"], ["bench", "hex", "--gpu"]])
def test_without_a_driver_there_is_a_sentence(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "_LIBRARIES", ())
    driver.Device.first.cache_clear()
    said = run(*command, status=1)
    assert said == (
        "error: NVIDIA's driver is not installed on this computer; playouts on a GPU need it\n"
    )
