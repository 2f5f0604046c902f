"""Machines that work with tables do what those of small games do, bit by bit."""

from random import Random

import pytest

from semisplit import load
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.rbg.native.machine import tables
from tests.support.compare import check_generated_game, compiled
from tests.support.rules import rbg


@pytest.fixture
def only_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all machines of players work with tables."""
    monkeypatch.setattr(tables, "MANY_SITES", -1)


@pytest.mark.usefixtures("only_tables")
@pytest.mark.parametrize("number", [*range(8), 81, 178, 261, 364])
def test_generated_games(number: int) -> None:
    """The last ones have regions with a common end."""
    assert check_generated_game(Random(f"31.{number}"))


def compiled_with(name: str, split: str | None) -> CompiledGame:
    rules = rbg(load(name, split))
    return compiled(rules.description, rules.divided, rules.strategy)


@pytest.mark.parametrize(
    "name", ["amazons", "breakthrough", "chess", "english_draughts", "go_9x9", "the_mill_game"]
)
@pytest.mark.parametrize("split", [None, "Mod"])
def test_same_moves_and_playouts(
    name: str, split: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = load(name, split).compiled
    monkeypatch.setattr(tables, "MANY_SITES", -1)
    tabled = compiled_with(name, split)
    state = usual.run_keeper(usual.codec.pack(load(name).rules.start))
    for seed in range(20):
        assert tabled.playouts(state, seed) == usual.playouts(state, seed)
        middle = usual.playout(state, seed, max_moves=seed + 1).final
        if split:
            assert tabled.playouts(state, seed, semisplit=True) == usual.playouts(
                state, seed, semisplit=True
            )
        if usual.player(middle):
            assert tabled.moves(middle) == usual.moves(middle)
