"""Large sections that are interpreted at first, and compiled meanwhile."""

import threading
from pathlib import Path
from typing import Any

import pytest

from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.native.interface import build, faster
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.play.interpret import Interpreter
from tests.language.gdl.native.test_native import CONNECTED, load


@pytest.fixture
def small_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All sections are large, and nothing has been compiled before; but for one to compare with."""
    load("connected")
    monkeypatch.setenv("SEMISPLIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(build, "MOST_GATES", 0)


def wait() -> None:
    for thread in threading.enumerate():
        if thread.name == faster.THREAD:
            thread.join(100)


@pytest.mark.usefixtures("small_limit")
def test_tables_are_exchanged_and_nothing_else_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    exchanged = []
    exchange = CompiledGame.exchange

    def noted(*arguments: Any) -> None:
        exchanged.append(arguments)
        exchange(*arguments)

    monkeypatch.setattr(CompiledGame, "exchange", noted)
    description = parse(CONNECTED, "connected")
    start = load("connected")[2].codec.pack(Interpreter(description).start)
    game = compile_game(description)
    assert set(game.facts.switches) == {"switch_moves", "switch_next", "switch_goals"}
    before = game.playouts(start, 5, 400)
    wait()
    assert len(exchanged) == 1
    assert game.playouts(start, 5, 400) == before == load("connected")[2].playouts(start, 5, 400)
    # It is kept: the next one need not wait.
    again = compile_game(description)
    assert len(exchanged) == 2
    assert again.playouts(start, 5, 400) == before


@pytest.mark.usefixtures("small_limit")
def test_what_does_not_fit_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that was compiled from anything else would read and write the wrong words."""
    exchanged = []
    monkeypatch.setattr(CompiledGame, "exchange", lambda *args: exchanged.append(args))
    description = parse(CONNECTED, "connected")
    game = compile_game(description)
    wait()
    assert len(exchanged) == 1
    faster._compile_apart(game, description, "key", "another digest")
    assert len(exchanged) == 1
