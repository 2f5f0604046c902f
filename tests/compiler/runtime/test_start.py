"""What is loaded when: games from the cache need no compiler, settings no Numba."""

import subprocess
import sys

import pytest

import semisplit


def loaded_by(program: str) -> set[str]:
    """The modules that a program has loaded at its end."""
    code = f"{program}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_a_cached_game_is_played_without_the_compiler() -> None:
    semisplit.load("breakthrough", "Mod").initial_state()
    modules = loaded_by(
        "import semisplit\n"
        "game = semisplit.load('breakthrough', 'Mod')\n"
        "state = game.initial_state().apply('b2-b3')\n"
        "start = game.compiled.codec.pack(state.position)\n"
        "assert game.compiled.playouts(start, 1, 10, semisplit=True).games == 10\n"
    )
    rooms = ("analysis", "evaluate", "machine", "playout")
    compiler = (
        "semisplit.compiler.emit",
        *(f"semisplit.language.rbg.native.{room}" for room in rooms),
    )
    assert not [name for name in modules if name.startswith(compiler)]
    assert "semisplit.language.rbg.native.interface.build" not in modules


@pytest.mark.parametrize(
    "program",
    [
        "from semisplit import Budget, Settings, Agent",
        "from semisplit.search.settings import Settings",
        "from semisplit.agents import parse_agent; parse_agent('semisplit+mast-split@Mod')",
        "import semisplit; semisplit.load('breakthrough').initial_state().moves()",
    ],
)
def test_numba_is_loaded_by_searches_alone(program: str) -> None:
    assert "numba" not in loaded_by(program)


def test_llvm_is_loaded_by_who_plays() -> None:
    assert "llvmlite" not in loaded_by(
        "import semisplit; semisplit.load('chess').rules.interpreter"
    )


def test_the_front_door() -> None:
    for name in semisplit.__all__:
        assert getattr(semisplit, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Serach'"):
        semisplit.Serach  # noqa: B018
