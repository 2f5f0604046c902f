"""Guided playouts, and moves as numbers.

What playouts write down are legal moves, and they prefer the best scores. Numbers stand for the
same moves that are listed otherwise, and making them comes to the same.
"""

import ctypes

import numpy as np
import pytest
from numpy.typing import NDArray

import semisplit
from semisplit.compiler.runtime.abi import End
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.scratch import Scratch
from semisplit.core.errors import CompileLimit, PlayLimit
from semisplit.game import Game
from semisplit.games import names
from tests.support.rules import present

TRACE = np.dtype([("step", "i4"), ("player", "i4"), ("end", "i4")])
NUMBERED = [
    "breakthrough",
    "connect4",
    "fox_and_hounds",
    "gomoku_free_style",
    "gomoku_standard",
    "hex",
    "hex_9x9",
    "knightthrough",
    "reversi",
    "tic_tac_toe",
    "yavalath",
]
"""Games whose moves are no more than a square, or two."""


def play(
    game: Game, guided: CompiledGame, seed: int, epsilon: float, scores: NDArray[np.float32]
) -> tuple[NDArray[np.void], bytes]:
    """A guided playout from the start: what was written down, and the final state."""
    compiled = game.compiled
    scratch = Scratch(guided.facts.frame_bytes, guided.facts.group_bytes)
    scratch.reset()
    trace = np.zeros(1 << 20, TRACE)
    context = scratch.context
    context.epsilon, context.scores = int(epsilon * 2**53), scores.ctypes.data
    context.trace, context.trace_end = trace.ctypes.data, trace[-1000:].ctypes.data
    state = ctypes.create_string_buffer(
        compiled.codec.pack(game.initial_state().position), compiled.facts.state_bytes
    )
    sums = np.zeros(len(game.players), "i8")
    arguments = state, seed, 1, sums.ctypes.data, scratch.address
    guided._functions["guided_playouts"](*arguments)
    scratch.check()
    written = trace[: (context.trace - trace.ctypes.data) // TRACE.itemsize]
    assert (written["end"] == End.MOVE).sum() == context.moves
    assert sums.tolist() == list(compiled.scores(state.raw))
    return written, state.raw


def random_scores(game: Game, words: int) -> NDArray[np.float32]:
    """Scores among which there are equal ones."""
    count = len(game.players) * words + 64
    return np.random.default_rng(1).integers(0, 4, count).astype("f4")


GUIDED = [name for name in names("rbg") if "arimaa" not in name]


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        *((name, "Mod") for name in GUIDED),
        *((name, "ModPlus") for name in GUIDED[::5]),
    ],
)
def test_semimoves_that_were_played_are_legal(name: str, strategy: str) -> None:
    game = semisplit.load(name, strategy)
    compiled = game.compiled
    state = compiled.codec.pack(game.initial_state().position)
    try:
        scores = random_scores(game, compiled.facts.codes)
        written, final = play(game, game.guided, 5, 0.3, scores)
    except PlayLimit:
        pytest.skip("this game does not end")
    begin = 0
    for end in (np.flatnonzero(written["end"] == End.MOVE) + 1).tolist():
        move = written[begin:end]
        assert set(move["player"]) == {compiled.player(state)}
        following = compiled.play(state, move["step"].tolist())
        assert following is not None
        state, begin = compiled.run_keeper(following), end
    assert state == final
    assert begin == len(written)


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_stand_for_moves(name: str) -> None:
    game = semisplit.load(name)
    compiled, numbered = game.compiled, game.numbered
    facts = numbered.facts
    state = compiled.codec.pack(game.initial_state().position)
    scores = random_scores(game, facts.numbers)
    written, final = play(game, numbered, 5, 0.3, scores)
    scratch = Scratch(facts.frame_bytes, facts.group_bytes)
    found = np.zeros(facts.numbers, "i4")
    for number, player, _ in written.tolist():
        scratch.reset()
        scratch.context.buffer = found.ctypes.data
        numbered._functions["list_numbers"](
            ctypes.create_string_buffer(state, len(state)), scratch.address
        )
        listed = found[: scratch.context.found].tolist()
        assert number in listed
        assert player == compiled.player(state)
        codes = [numbered.codec.number_codes(each) for each in listed]
        assert [numbered.codec.number(each) for each in codes] == listed
        assert sorted(map(tuple, codes)) == sorted(compiled.moves(state))
        following = compiled.play(state, numbered.codec.number_codes(number))
        assert following is not None
        made = ctypes.create_string_buffer(state, len(state))
        chosen = ctypes.c_int32(number)
        assert numbered._functions["apply_number"](
            made, ctypes.addressof(chosen), 1, scratch.address
        )
        state = compiled.run_keeper(following)
        assert state == made.raw
    assert state == final


def test_large_games_do_without() -> None:
    with pytest.raises(CompileLimit):
        semisplit.load("arimaa_split", "Mod").guided  # noqa: B018


@pytest.mark.parametrize("name", ["amazons", "chess", "english_draughts", "pentago"])
def test_games_whose_moves_are_more_have_no_numbers(name: str) -> None:
    assert semisplit.load(name).numbered.facts.numbers == 0


def test_the_best_semimoves_are_preferred() -> None:
    game = semisplit.load("breakthrough", "Mod")
    facts = game.compiled.facts
    scores = np.full(2 * facts.codes + 64, 0.1, "f4")
    first, other = (
        present(game.compiled.codec.codes(game.initial_state().parse_move(text).steps))
        for text in ("a2-b3", "h2-g3")
    )

    def starts(epsilon: float) -> list[tuple[int, ...]]:
        games = (play(game, game.guided, seed, epsilon, scores)[0] for seed in range(400))
        return [tuple(written["step"][:2].tolist()) for written in games]

    scores[first] = 0.5
    assert set(starts(0.0)) == {tuple(first)}
    scores[other[0]] = 0.5
    drawn = [start[0] for start in starts(0.0)]
    assert set(drawn) == {first[0], other[0]}
    assert abs(drawn.count(first[0]) - 200) < 5 * 10
    assert len({start[0] for start in starts(1.0)}) == 8


def test_the_best_moves_are_preferred() -> None:
    game = semisplit.load("breakthrough")
    numbered = game.numbered
    best = [
        numbered.codec.number(present(game.compiled.codec.codes(move.steps)))
        for move in map(game.initial_state().parse_move, ("a2-b3", "h2-g3"))
    ]
    scores = np.full(2 * numbered.facts.numbers + 64, 0.1, "f4")
    scores[best] = 0.5
    drawn = [int(play(game, numbered, seed, 0.0, scores)[0]["step"][0]) for seed in range(400)]
    assert set(drawn) == set(best)
    assert abs(drawn.count(best[0]) - 200) < 5 * 10
    anyhow = {int(play(game, numbered, seed, 1.0, scores)[0]["step"][0]) for seed in range(900)}
    assert len(anyhow) == len(game.initial_state().moves())
