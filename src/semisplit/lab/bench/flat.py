"""Flat Monte-Carlo: what each move of a position is worth in random play, by very many games."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from semisplit.compiler.gpu.game import GpuGame, Results
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.errors import InputError
from semisplit.core.work import limited
from semisplit.game import Move, State
from semisplit.lab.bench.measuring import Estimate, Speed
from semisplit.language.rules import Rules

_QUANTILE = 1.96


class FlatMove(NamedTuple):
    """A move, and what is known about it."""

    move: Move
    score: Estimate
    """Of the player who makes it, as a share of the highest score."""
    length: float
    """Moves of a game after it."""


class Flat(NamedTuple):
    """What random games from a position have shown."""

    games: int
    seconds: float
    moves: list[FlatMove]
    """The best first."""


def flat_monte_carlo(state: State, games: int, *, gpu: bool, seed: int = 0) -> Flat:
    """Play random games after each move of a position, the same number after each.

    Args:
        state: Where a player is to move.
        games: How many, all in all; at least one after each move is played.
        gpu: Whether a GPU plays them.
        seed: Makes them repeatable, on processors and GPUs alike.
    """
    if state.is_terminal:
        raise InputError("the game is over, and there are no moves to compare")
    rules = state.game.rules
    with limited():
        moves = state.moves()
        compiled = rules.compile(Bundle.GAME)
        pack = compiled.codec.pack
        states = [compiled.run_keeper(pack(state.apply(move).position)) for move in moves]
    each = -(-games // len(moves))
    seeds = [seed + each * number for number in range(len(moves))]
    play = GpuGame(rules).batch_playouts if gpu else None
    begin = time.perf_counter()
    results = play(states, seeds, each) if play else _on_processor(rules, states, seeds, each)
    seconds = time.perf_counter() - begin
    player = state.player - 1
    highest = list(rules.players.values())[player]
    means = results.scores[:, player] / (each * highest)
    lengths = results.moves / each
    found = [
        FlatMove(move, Estimate(float(mean), _margin(float(mean), each)), float(length))
        for move, mean, length in zip(moves, means, lengths)
    ]
    found.sort(key=lambda one: -one.score.value)
    return Flat(each * len(moves), seconds, found)


def _margin(mean: float, games: int) -> float:
    """Half of the 95 % interval at most: scores in between would make it smaller."""
    return _QUANTILE * math.sqrt(mean * (1 - mean) / games)


def _on_processor(rules: Rules, states: list[bytes], seeds: list[int], count: int) -> Results:
    compiled, split = rules.compile(Bundle.GAME), rules.strategy is not None
    played = [
        compiled.playouts(state, seed, count, semisplit=split) for state, seed in zip(states, seeds)
    ]
    return Results(
        count,
        np.array([one.moves for one in played]),
        np.array([one.states for one in played]),
        np.array([one.scores for one in played]),
    )


def measure_gpu(rules: Rules, seconds: float) -> tuple[Speed, GpuGame]:
    """Play at random on a GPU for about some seconds, with split moves if the rules are split."""
    compiled, game = rules.compile(Bundle.GAME), GpuGame(rules)
    start = compiled.run_keeper(compiled.codec.pack(rules.start))
    count = game.blocks * game.block_threads
    while True:
        begin = time.perf_counter()
        results = game.playouts(start, count, count)
        spent = time.perf_counter() - begin
        if spent >= seconds / 2:
            break
        count *= 2
    moves, states = int(results.moves[0]), int(results.states[0])
    return Speed(moves / spent, states / spent, count / spent, moves / count), game
