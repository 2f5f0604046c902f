"""When LLVM fails: a sentence that asks for a report, and play goes on with the interpreter."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from semisplit import Game, State
from semisplit.agents import make_agent, parse_agent
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import CompileError, CompileWarning
from semisplit.search import Budget
from tests.support.prelude import PRELUDE

ANY = "(up + down + left + right)*"
RULES = f"{PRELUDE}#rules = (->w {ANY} {{e}} [x] ->b {ANY} {{e}} [o] [$ b=b+1])*"
REASON = "Instruction does not dominate all uses!"
SENTENCE = f"semisplit failed to compile .* \\({REASON}\\), .*please report this"


def own_text(path: Path) -> str:
    return f"{RULES} // {path}\n"


def fail(*arguments: object, **options: object) -> bytes:
    raise RuntimeError(f"{REASON}\n  %.22 = zext i8 %.21 to i64\n")


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Game]:
    """Loads the game with a text of its own, so that it has not been compiled before."""
    return lambda split=None: Game.parse(own_text(tmp_path), str(tmp_path / "game.rbg"), split)


@pytest.fixture
def broken(load: Callable[..., Game], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Game]:
    monkeypatch.setattr(Target, "object_code", fail)
    return load


def all_states(game: Game) -> list[State]:
    """The states of a game in which always the first move is made."""
    states = [game.initial_state()]
    while states[-1].moves():
        states.append(states[-1].apply(min(states[-1].moves(), key=str)))
    return states


@pytest.mark.parametrize("split", [None, "Mod"])
def test_play_goes_on_with_the_interpreter(broken: Callable[..., Game], split: str | None) -> None:
    game = broken(split)
    with pytest.warns(CompileWarning, match=SENTENCE) as warned:
        states = all_states(game)
    assert len(warned) == 1
    assert len(states) > 3
    interpreted = all_states(Game.parse(RULES, "other", split, engine="interpreter"))
    assert [str(state) for state in states] == [str(state) for state in interpreted]


def test_linking_fails(load: Callable[..., Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semisplit.compiler.runtime.compiled.link", fail)
    with pytest.warns(CompileWarning, match=SENTENCE):
        assert load().initial_state().moves()


def test_machine_code_is_asked_for_only_once(
    broken: Callable[..., Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CompileError, match=SENTENCE) as first:
        broken().compiled  # noqa: B018
    monkeypatch.undo()
    with pytest.raises(CompileError) as second:
        broken().compiled  # noqa: B018
    assert second.value is first.value


def test_error_survives_the_way_between_processes() -> None:
    error = CompileError("game", REASON)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("name", ["random", "flat-mc", "orthodox", "semisplit+mast-split@Mod"])
def test_agents_play_on(broken: Callable[..., Game], name: str) -> None:
    with pytest.warns(CompileWarning, match=SENTENCE):
        agent = make_agent(parse_agent(name), broken(), seed=1)
    while not agent.state.is_terminal:
        thought = agent.think(Budget(simulations=20))
        assert thought.simulations == (0 if name == "random" else 20)
        agent.play(thought.move)
    assert sum(agent.state.scores) > 0


def test_searches_do_without_guided_playouts(
    load: Callable[..., Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load("Mod").initial_state().moves()
    monkeypatch.setattr(Target, "object_code", fail)
    with pytest.warns(CompileWarning, match=f"{SENTENCE}.*searches do without"):
        agent = make_agent(parse_agent("semisplit+mast-split@Mod"), load("Mod"), seed=1)
    assert agent.think(Budget(simulations=100)).simulations == 100


def command(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line with a compiler that always fails."""
    (path / "game.rbg").write_text(own_text(path))
    program = path / "program.py"
    program.write_text(
        "from semisplit.ui.cli.main import main\n"
        "from semisplit.compiler.runtime.target import Target\n"
        "from tests.language.rbg.native.test_compile_errors import fail\n"
        "Target.object_code = Target.optimised = fail\n"
        "if __name__ == '__main__': main()"
    )
    return subprocess.run(
        [sys.executable, program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=path,
    )


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["moves", "GAME"], "w has 3 moves"),
        (["perft", "GAME", "2"], "depth 2: 6 leaves"),
        (["match", "GAME", "random", "orthodox", "--games", "2", "--budget", "5sims"], "2 games"),
    ],
)
def test_commands_that_go_on(tmp_path: Path, arguments: list[str], output: str) -> None:
    path = str(tmp_path / "game.rbg")
    done = command(tmp_path, *[path if word == "GAME" else word for word in arguments])
    assert done.returncode == 0
    assert output in done.stdout
    warnings = done.stderr.splitlines()
    assert warnings
    for line in warnings:
        assert line.startswith(f"warning: semisplit failed to compile {path} ({REASON})")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile", "GAME"],
        ["compile", "GAME", "--emit", "ir"],
        ["bench", "GAME"],
        ["bench", "--search", "GAME", "--agent", "orthodox"],
    ],
)
def test_commands_that_need_machine_code(tmp_path: Path, arguments: list[str]) -> None:
    path = str(tmp_path / "game.rbg")
    done = command(tmp_path, *[path if word == "GAME" else word for word in arguments])
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("warning: ")]
    assert line.startswith(f"error: semisplit failed to compile {path} ({REASON})")
