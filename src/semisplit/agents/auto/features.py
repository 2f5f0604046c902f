"""Features of a game, from a tenth of a second of random play."""

from __future__ import annotations

import statistics
import time
from contextlib import suppress
from dataclasses import dataclass, fields
from random import Random

from semisplit.compiler.runtime.compiled import CompiledGame, Playouts
from semisplit.core.errors import PlayLimit
from semisplit.core.strategy import SplitStrategy
from semisplit.game import Game
from semisplit.search import Budget, Settings
from semisplit.search.features.mast.settings import Mast
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.settings import Simulation, Tree

_MOD = SplitStrategy.parse("Mod")
_STATES = 30_000
"""Nodal states to play through at random, of whole and of split moves each."""
_GAMES = 500
"""Games in which these may be."""
_LISTED = 600
"""States whose (semi)moves are listed, of whole and of split moves each."""
_MANY = 10_000
"""Moves that are enough, whatever more of them there may be."""
_SIMULATIONS = 2_000
"""Of the search from which MAST learns."""
_MEMORY = 1 << 26


@dataclass(frozen=True)
class Features:
    """Averages over random games; those of split moves are with Mod, if the game can be split."""

    players: int
    moves: float
    """Of a state, to choose from."""
    semimoves: float
    """Of a state, to choose from, if moves are split."""
    states_per_move: float
    """On the way to the next nodal state, if moves are split: dead ones included."""
    dead: float
    """The share of them that are dead."""
    depth: float
    """Moves of a game."""
    depth_spread: float
    """The standard deviation of that, as a part of it."""
    result: float
    """The score of the first player, from 0 to 1."""
    result_spread: float
    """The standard deviation of that."""
    whole_ns: float
    """Nanoseconds that a nodal state takes in a playout of whole moves."""
    split_ns: float
    """Nanoseconds that a state takes in a playout of split moves."""
    learning: float
    """The standard deviation of what MAST thinks of the first (semi)moves, after a short search."""

    def __str__(self) -> str:
        width = max(len(field.name) for field in fields(self))
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return "\n".join(f"{name:<{width}}  {value:,.4g}" for name, value in values.items())


def measure_features(game: Game, seed: int = 0, seconds: float = 0.1) -> Features:
    """Play a game at random, for a while.

    What is played is limited in states, so that all but the times depend on the seed alone; in
    large games it ends when the time is up.
    """
    whole = game.split_by(None)
    split = game.split_by(_MOD) if game.rules.can_split else whole
    games, split_ns = _play(split, seed, seconds / 4)
    whole_ns = split_ns
    if split is not whole:
        _, whole_ns = _play(whole, seed, seconds / 4)
    scores = [one.scores[0] / max(1, next(iter(game.rules.players.values()))) for one in games]
    depths = [one.moves for one in games]
    depth = statistics.fmean(depths)
    counts = _list(split, whole, seed, seconds / 4)
    affordable = int(1e9 * seconds / 4 / (2 * split_ns * max(1.0, depth)))
    return Features(
        players=len(game.players),
        moves=counts.whole_moves / max(1, counts.positions),
        semimoves=counts.semimoves / max(1, counts.states),
        states_per_move=counts.states / max(1, counts.moves),
        dead=counts.dead / max(1, counts.states),
        depth=depth,
        depth_spread=statistics.pstdev(depths) / max(1.0, depth),
        result=statistics.fmean(scores),
        result_spread=statistics.pstdev(scores),
        whole_ns=whole_ns,
        split_ns=split_ns,
        learning=_learning(game, seed, max(1, min(_SIMULATIONS, affordable))),
    )


def _play(game: Game, seed: int, seconds: float) -> tuple[list[Playouts], float]:
    """Some games, and the nanoseconds of their nodal states; the beginning of one if it is slow."""
    compiled, semisplit = game.compiled, game.split is not None
    start = compiled.run_keeper(compiled.codec.pack(game.rules.start))
    length, begin = 1, time.perf_counter()
    while (one := compiled.playout(start, seed, max_moves=length, semisplit=semisplit)).moves:
        spent = time.perf_counter() - begin
        if one.moves < length:
            break
        if spent > seconds / 4:
            return [one], 1e9 * spent / (2 * length - 1)
        length *= 2
    games, tries, begin = list[Playouts](), 0, time.perf_counter()
    while tries < _GAMES and sum(one.moves for one in games) < _STATES:
        if games and time.perf_counter() > begin + seconds / 2:
            break
        tries += 1
        try:
            games.append(compiled.playouts(start, seed + tries, semisplit=semisplit))
        except PlayLimit:
            # In some games a playout in thousands gets lost; but not one after the other.
            if tries == _GAMES and not games:
                raise
    begin = time.perf_counter()
    # All in one call, as calling takes longer than a short game.
    with suppress(PlayLimit):
        compiled.playouts(start, seed + 1, len(games), semisplit=semisplit)
    spent = time.perf_counter() - begin
    return games, 1e9 * spent / max(1, sum(one.moves for one in games))


@dataclass
class _Counts:
    """What was met on the way through random moves, semimove by semimove."""

    positions: int = 0
    whole_moves: int = 0
    """In all positions."""
    moves: int = 0
    """That were made."""
    states: int = 0
    semimoves: int = 0
    """In all states."""
    dead: int = 0

    def make_move(self, compiled: CompiledGame, state: bytes, random: Random) -> bytes | None:
        """The state after a move; None if there is none."""
        listed = compiled.semimoves(state) if compiled.facts.split else compiled.moves(state)
        self.states += 1
        self.semimoves += len(listed)
        random.shuffle(listed)
        for codes in listed:
            following = compiled.play(state, codes)
            assert following is not None
            if compiled.is_nodal(following):
                self.moves += 1
                return following
            if (end := self.make_move(compiled, following, random)) is not None:
                return end
        self.dead += 1
        return None


def _list(split: Game, whole: Game, seed: int, seconds: float) -> _Counts:
    """List the moves and semimoves of some positions."""
    compiled, orthodox, random = split.compiled, whole.compiled, Random(seed)
    start = state = compiled.run_keeper(compiled.codec.pack(split.rules.start))
    counts, end = _Counts(), time.perf_counter() + seconds
    while counts.states < _LISTED and (not counts.states or time.perf_counter() < end):
        count = orthodox.count_moves(orthodox.codec.pack(compiled.codec.unpack(state)), _MANY)
        if count == 0 and state == start:
            break
        if count == 0:
            state = start
            continue
        counts.positions += 1
        counts.whole_moves += count
        after = counts.make_move(compiled, state, random)
        assert after is not None
        state = compiled.run_keeper(after)
    return counts


def _learning(game: Game, seed: int, simulations: int) -> float:
    """How differently MAST thinks of the first (semi)moves after a short search."""
    # Numba takes a while to load.
    from semisplit.search.search import Search

    settings = Settings(mast=Mast(Variant.STANDARD))
    if game.rules.can_split:
        settings = Settings(Tree.SEMISPLIT, Simulation.SEMISPLIT, _MOD, mast=Mast(Variant.SPLIT))
    search = Search(game, settings, seed=seed, memory=_MEMORY)
    if search.state.is_terminal:
        return 0.0
    result = search.run(Budget(simulations=simulations))
    return statistics.pstdev(one.mast or 0.0 for one in result.semimoves)
