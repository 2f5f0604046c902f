"""Guided playouts: what they write down are legal moves, and they prefer the best scores."""

import numpy as np
import pytest

import semisplit
from semisplit.core.errors import PlayLimit
from semisplit.game import Game
from semisplit.games import names
from semisplit.native.abi import End
from semisplit.native.compiled import Scratch

TRACE = np.dtype([("step", "i4"), ("player", "i4"), ("end", "i4")])
STRATEGIES = ("Mod", "ModPlus")


def play(game: Game, seed: int, epsilon: float, scores: np.ndarray) -> tuple[np.ndarray, bytes]:  # type: ignore[type-arg]
    """A guided playout from the start: what was written down, and the final state."""
    compiled, guided = game.compiled, game.guided
    scratch = Scratch(guided.facts)
    scratch.reset()
    trace = np.zeros(1 << 20, TRACE)
    context = scratch.context
    context.epsilon, context.scores = int(epsilon * 2**53), scores.ctypes.data
    context.trace, context.trace_end = trace.ctypes.data, trace[-1000:].ctypes.data
    state = scratch.state(compiled.pack(game.initial_state().position))
    sums = np.zeros(len(game.players), "i8")
    arguments = state, seed, 1, sums.ctypes.data, scratch.address
    guided._functions["guided_playouts"](*arguments)
    scratch.check()
    written = trace[: (context.trace - trace.ctypes.data) // TRACE.itemsize]
    assert (written["end"] == End.MOVE).sum() == context.moves
    assert sums.tolist() == list(compiled.scores(state.raw))
    return written, state.raw


def all_scores(game: Game, score: float) -> np.ndarray:  # type: ignore[type-arg]
    facts = game.compiled.facts
    return np.full(facts.players * facts.words + 64, score, "f4")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", names())
def test_what_was_played_is_legal(name: str, strategy: str) -> None:
    game = semisplit.load(name, strategy)
    compiled = game.compiled
    scores = all_scores(game, 0.0)
    scores[:] = np.random.default_rng(1).integers(0, 4, len(scores))
    state = compiled.pack(game.initial_state().position)
    try:
        written, final = play(game, 5, 0.3, scores)
    except PlayLimit:
        pytest.skip("this game does not end")
    begin = 0
    for end in np.flatnonzero(written["end"] == End.MOVE) + 1:
        move = written[begin:end]
        assert set(move["player"]) == {compiled.player(state)}
        following = compiled.play(state, compiled.steps(move["step"].tolist()))
        assert following is not None
        state, begin = compiled.run_keeper(following), end
    assert state == final
    assert begin == len(written)


def test_the_best_is_preferred() -> None:
    game = semisplit.load("breakthrough", "Mod")
    facts = game.compiled.facts
    scores = all_scores(game, 0.1)
    first, last = map(game.initial_state().parse_move, ("a2-b3", "h2-g3"))
    words = [facts.word(step) for step in first.steps]
    scores[words] = 0.5
    assert {tuple(play(game, seed, 0.0, scores)[0]["step"][:2]) for seed in range(50)} == {
        tuple(words)
    }
    scores[facts.word(last.steps[0])] = 0.5
    starts = [int(play(game, seed, 0.0, scores)[0]["step"][0]) for seed in range(400)]
    assert set(starts) == {words[0], facts.word(last.steps[0])}
    assert 150 < starts.count(words[0]) < 250
    anyhow = {int(play(game, seed, 1.0, scores)[0]["step"][0]) for seed in range(400)}
    assert len(anyhow) == 8
