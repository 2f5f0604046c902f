"""Playouts from many states in one call."""

import pytest

from semisplit import load as load_game
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.text.ast import Term
from tests.language.gdl.native.test_native import TAKING, expected, load


def some_states(compiled: CompiledGame, start: bytes, number: int) -> list[bytes]:
    """The first states, breadth first, then those in which the game is over."""
    states = [start]
    for state in states:
        for codes in compiled.moves(state) if compiled.player(state) else ():
            after = compiled.play(state, codes)
            assert after is not None
            states.append(after)
        if len(states) > number:
            break
    ends = {compiled.playouts(start, seed).final for seed in range(20)}
    return [*states[: number - len(ends)], *ends]


@pytest.mark.parametrize("name", ["tic_tac_toe", "rps_well", "connected", "connect4_3p"])
def test_a_single_state_is_played_as_ever(name: str) -> None:
    _, interpreter, compiled = load(name)
    start = compiled.codec.pack(interpreter.start)
    for count in (1, 3, 256):
        (sums,) = compiled.batch_playouts([start], [5], count)
        assert sums == compiled.playouts(start, 5, count).scores


@pytest.mark.parametrize(
    ("name", "number", "count"), [("tic_tac_toe", 70, 5000), ("rps_well", 3, 20000)]
)
def test_each_state_gets_its_own_scores(name: str, number: int, count: int) -> None:
    """More playouts than lanes, whose states change in the midst of a batch of lanes."""
    _, interpreter, compiled = load(name)
    start = compiled.run_keeper(compiled.codec.pack(interpreter.start))
    states = [start] * 3 if number == 3 else some_states(compiled, start, number)
    sums = compiled.batch_playouts(states, range(len(states)), count)
    for state, scores in zip(states, sums):
        mean = expected(compiled, state)
        for role, score in enumerate(scores):
            spread = max(0.0, mean[2 + role] - mean[role] ** 2) ** 0.5
            assert abs(score / count - mean[role]) <= 5 * spread / count**0.5 + 1e-9


def test_states_whose_turns_are_not_proven_are_played_too() -> None:
    description = parse(TAKING, "taking")
    compiled, interpreter = compile_game(description), Interpreter(description)
    start = compiled.codec.pack(interpreter.start)
    both = [Term("control", (Term(role),)) for role in "ab"]
    strange = compiled.codec.pack(interpreter.begin(frozenset([Term("left", (Term("3"),)), *both])))
    count = 5000
    sums = compiled.batch_playouts([start, strange, start], [1, 2, 3], count)
    # One in three takes the right thing, at each of its turns: one of them, or two.
    for scores, chances in zip(sums, ((1 / 3, 1 / 3), (5 / 9, 5 / 9), (1 / 3, 1 / 3))):
        for score, chance in zip(scores, chances):
            spread = 100 * (chance * (1 - chance)) ** 0.5
            assert abs(score / count - 100 * chance) < 5 * spread / count**0.5


def test_all_seeds_matter() -> None:
    _, interpreter, compiled = load("tic_tac_toe")
    start = compiled.codec.pack(interpreter.start)
    play = compiled.batch_playouts
    assert play([start] * 3, [1, 2, 3], 50) == play([start] * 3, [1, 2, 3], 50)
    assert play([start] * 3, [1, 2, 3], 50) != play([start] * 3, [1, 2, 4], 50)
    assert play([start] * 3, [1, 2, 3], 50) != play([start] * 3, [2, 1, 3], 50)


def test_games_without_lanes_are_played_state_by_state() -> None:
    game = load_game("connect4")
    compiled = game.compiled
    assert compiled.facts.lanes == 1
    states, state = [], game.initial_state()
    for _ in range(4):
        states.append(compiled.codec.pack(state.position))
        state = state.apply(state.moves()[0])
    sums = compiled.batch_playouts(states, [7, 8, 9, 10], 20)
    assert sums == [
        compiled.playouts(each, seed, 20).scores for each, seed in zip(states, (7, 8, 9, 10))
    ]


def test_what_cannot_be_played_is_refused() -> None:
    _, interpreter, compiled = load("tic_tac_toe")
    start = compiled.codec.pack(interpreter.start)
    for states, seeds, count in (([], [], 1), ([start], [1, 2], 1), ([start], [1], 0)):
        with pytest.raises(ValueError, match="at least one"):
            compiled.batch_playouts(states, seeds, count)
