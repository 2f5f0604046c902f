"""Everything but clusters works without what Windows lacks.

The processes of these tests find `tests/support/without_posix` in their path.
"""

import subprocess
import sys
import time
from pathlib import Path
from signal import SIGKILL

import pytest

from semisplit.core.system import cache_folder
from semisplit.net.ggp.records import Records
from tests.core.test_work import PROGRAM
from tests.net.ggp.test_commands import player
from tests.support.command_line import run
from tests.support.hostile import NASTY
from tests.support.pages import serving, tab
from tests.support.without_posix import __path__ as POOR

EVERYTHING = """
import pkgutil, signal
from importlib import import_module
import semisplit
assert not hasattr(signal, "SIGUSR1")
for module in pkgutil.walk_packages(semisplit.__path__, "semisplit."):
    import_module(module.name)
for name in "tic_tac_toe", "tic_tac_toe_gdl":
    for engine in "native", "interpreter":
        state = semisplit.load(name, engine=engine).initial_state()
        while not state.is_terminal:
            state = state.apply(state.moves()[0])
    search = semisplit.Search(semisplit.load(name), semisplit.Settings(), seed=1)
    assert search.run(semisplit.Budget(simulations=100)).simulations == 100
"""
LIMITED = """
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground.clingo import Limits, run_clingo
from semisplit.language.gdl.ground.translate import Translation
from tests.language.gdl.ground.test_ground import HUGE
program = Translation(parse(HUGE, "huge").clauses).text
for limits in Limits(seconds=1, lines=10**9), Limits(bytes=50 << 20, lines=10**9):
    print(run_clingo(program, limits).exceeded)
"""
GROUP = """
import os, subprocess, sys
from semisplit.core.system import end_group, lead_group
lead_group()
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
end_group(os.getpid())
"""


REFUSING = """
import llvmlite.binding as llvm
def refuse(*, use_jit_link):
    raise RuntimeError("not supported on Windows")
llvm.create_lljit_compiler = refuse
"""
PLAYED = """
from semisplit import load
for name in "breakthrough", "hex":
    game = load(name)
    start = game.compiled.codec.pack(game.initial_state().position)
    print(game.compiled.playouts(start, 1, 100))
"""


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes that are started have nothing that Windows lacks."""
    root = Path(__file__).parents[2]
    monkeypatch.setenv("PYTHONPATH", f"{POOR[0]}:{root}")


def python(program: str, status: int = 0) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.mark.usefixtures("poor")
def test_every_module_is_imported_and_games_of_each_language_are_played() -> None:
    python(EVERYTHING)


@pytest.mark.usefixtures("poor")
def test_a_match_with_two_processes(tmp_path: Path) -> None:
    match = ["match", "tic_tac_toe", "orthodox", "random", "--games", "4", "--budget", "10sims"]
    assert "4 games: " in run(*match, "--jobs", "2", "--store", str(tmp_path / "store.db"))


@pytest.mark.usefixtures("poor")
def test_pages(tmp_path: Path) -> None:
    asked = {"rules": {"name": "tic_tac_toe"}, "position": "", "moves": []}
    with serving(tmp_path) as address, tab(address) as page:
        page.ask("board", "open", **asked)
        assert page.ask("left", "think", agent="orthodox", seconds=0.1, **asked)["simulations"]


@pytest.mark.usefixtures("poor")
def test_general_game_playing(tmp_path: Path) -> None:
    with player("one") as one, player("two") as two:
        players = ["--player", one, "--player", two]
        clocks = ["--start-clock", "5", "--play-clock", "5"]
        run("ggp", "host", "tic_tac_toe.kif", *players, *clocks, "--record", str(tmp_path))
    assert [record.is_completed for record in Records(tmp_path)] == [True]


@pytest.mark.usefixtures("poor")
def test_limits_hold(tmp_path: Path) -> None:
    text = tmp_path / "game.rbg"
    text.write_text(NASTY["board of 10x1000"])
    for option, limit in (("--time-limit", "0.5"), ("--memory-limit", "0.03")):
        assert f"{option} " in run(option, limit, "moves", str(text), status=1)
    assert "interrupted: working" in python(PROGRAM.format(work="compute()"), status=3)


@pytest.mark.usefixtures("poor")
def test_grounding_is_limited() -> None:
    assert python(LIMITED).split() == ["seconds", "bytes"]


def test_what_an_encoding_lacks_is_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "arrow.kif"
    rules.write_text("(role r) (legal r →) terminal (goal r 0) (init (at →))", encoding="utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    assert "(at \\u2192)" in run("moves", str(rules))


@pytest.mark.parametrize("path", ["", POOR[0]])
def test_a_group_ends_with_all_that_it_has_started(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", path)
    begin = time.monotonic()
    # The output ends when all who could write to it have ended.
    assert python(GROUP, status=-SIGKILL) == ""
    assert time.monotonic() - begin < 60


def test_games_are_linked_without_jitlink() -> None:
    """In RBG only: in GDL, object files for Linux have a section that the other linker refuses."""
    assert python(REFUSING + PLAYED) == python(PLAYED)


def test_caches_stay_where_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/semisplit")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "semisplit"
