"""Random play, written down: what states there are, and what moves did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.language.gdl.decompose.lanes import Lanes, make_values, pack, set_inputs, unpack
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags, Integers

LANES = 512
"""Games at a time, if fluents and moves are not too many."""
STEPS = 128
"""Moves in each lane, at most."""
GAMES = 2048
"""So many games that have come to their end are enough."""
_MEMORY = 1 << 27
"""Bytes that a log may take."""


@dataclass(frozen=True, eq=False)
class Log:
    """Transitions of random play, one in each column."""

    games: int
    """Games that were begun."""
    states: Flags
    """A row for each fluent."""
    moves: Flags
    """A row for each move: whether it was made."""
    after: Flags
    """The states after that."""
    forced: Flags
    """A row for each move: whether it was made, and its role had no other."""
    games_of: Integers
    """The number of the game of each transition."""
    times: Integers
    """The number of moves made before, in this game."""
    ended: Flags
    """The states in which games ended: a row for each fluent, a column for each state."""


def play(structure: Structure, seed: int) -> Log:
    """Play at random in many lanes; who has come to the end begins again."""
    program = structure.program
    size = 2 * STEPS * max(1, len(program.fluents) + len(program.moves))
    number = min(max(64, _MEMORY // size // 64 * 64), LANES)
    random = np.random.default_rng(seed)
    roles = np.array([role for role, _ in program.moves], np.int64)
    of_role = [np.flatnonzero(roles == role) for role in range(len(program.roles))]
    lanes = Lanes(structure, structure.next)
    moves = Lanes(structure, np.append(structure.legal, structure.terminal))
    values = make_values(structure, number // 64)
    state = np.repeat(program.initial[:, None], number, axis=1)
    game, time, games = np.arange(number), np.zeros(number, np.int64), number
    columns: list[list[NDArray[Any]]] = []
    ended: list[Flags] = []
    for _ in range(STEPS):
        set_inputs(values, structure.fluents, pack(state))
        moves.compute(values, known=True)
        legal = unpack(values[structure.legal])
        goes_on = ~unpack(values[structure.terminal][None])[0]
        made, forced = np.zeros_like(legal), np.zeros_like(legal)
        for rows in of_role:
            count = np.count_nonzero(legal[rows], axis=0)
            goes_on &= count > 0
            made[rows] = _choose(legal[rows], count, random)
            forced[rows] = made[rows] & (count == 1)
        set_inputs(values, structure.moves, pack(made))
        lanes.compute(values, known=True)
        after = unpack(values[structure.next])
        some = np.flatnonzero(goes_on)
        columns.append([row.take(some, -1) for row in (state, made, after, forced, game, time)])
        ended.append(state[:, ~goes_on])
        state = np.where(goes_on, after, program.initial[:, None])
        time = np.where(goes_on, time + 1, 0)
        game = np.where(goes_on, game, games + np.cumsum(~goes_on) - 1)
        games += int((~goes_on).sum())
        if games - number >= GAMES:
            break
    states, moves_made, afters, forced, of, times = (
        np.concatenate(rows, axis=-1) for rows in zip(*columns)
    )
    ends = np.concatenate(ended, axis=1)
    return Log(games, states, moves_made, afters, forced, of, times, ends)


def _choose(legal: Flags, count: Integers, random: np.random.Generator) -> Flags:
    """One of the legal moves in each column, each equally likely."""
    number = (random.random(legal.shape[1]) * count).astype(np.int64)
    # Where the legal moves are, those of each column together.
    places = np.flatnonzero(np.ascontiguousarray(legal.T))
    chosen = np.zeros(legal.size, bool)
    chosen[places[(np.cumsum(count) - count + number)[count > 0]]] = True
    return chosen.reshape(legal.T.shape).T


def distinct(table: Flags) -> Integers:
    """The first of all columns that are the same."""
    return np.unique(_keys(table), return_index=True)[1]


def _keys(table: Flags) -> NDArray[Any]:
    """Something that differs where columns do, and has their order: integers for short ones."""
    bits = np.packbits(table, axis=0)
    if len(bits) > 8:
        return np.ascontiguousarray(bits.T).view(np.dtype((np.void, len(bits)))).ravel()
    words = np.zeros((bits.shape[1], 8), np.uint8)
    words[:, : len(bits)] = bits.T
    return words.view(">u8").ravel().astype(np.uint64)


def sample(states: Flags, most: int, seed: int) -> Flags:
    """Some different states, of at least one.

    Their number is a multiple of 64, so that they are whole words; some may be there twice.
    """
    first = distinct(states)
    chosen = np.random.default_rng(seed).permutation(first)[:most]
    return states[:, np.resize(chosen, -(-len(chosen) // 64) * 64)]


def count_distinct(table: Flags) -> int:
    """How many different columns there are."""
    if len(table) > 16:
        return len(np.unique(_keys(table)))
    keys = np.zeros(table.shape[1], np.uint16)
    for row in table:
        keys = 2 * keys + row
    seen = np.zeros(1 << len(table), bool)
    seen[keys] = True
    return int(np.count_nonzero(seen))
