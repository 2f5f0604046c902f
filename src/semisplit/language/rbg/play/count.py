"""Counting what the rules generate: the exact facts by which descriptions are proven."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from semisplit.core.work import Stage
from semisplit.language.answers import SemimoveTree
from semisplit.language.rbg.play.interpret import KEEPER, Interpreter, Position


class Perft(NamedTuple):
    """The size of a game tree down to a depth."""

    leaves: int
    """Positions after exactly `depth` moves of players, games that end there included."""
    nodes: int
    """All positions on the way, the root and the leaves included."""


def perft(
    game: Interpreter,
    position: Position,
    depth: int,
    *,
    mod: bool | None = None,
    stage: Stage | None = None,
) -> Perft:
    """Count the positions after `depth` player moves; keeper moves cost no depth.

    Args:
        game: The rules.
        position: Where to start.
        depth: How many moves to make.
        mod: None counts moves. A truth value makes every move from semimoves, as
            `Interpreter.semimoves` does, which must give the same numbers.
        stage: Shows how far it is.
    """
    position = game.run_keeper(position)
    if depth == 0:
        return Perft(1, 1)
    if position.player == KEEPER:
        return Perft(0, 1)
    leaves, nodes = 0, 1
    reached = _after_moves(game, position, mod)
    for place, after in enumerate(reached):
        tell_progress(stage, leaves, place, len(reached))
        below = perft(game, after, depth - 1, mod=mod)
        leaves += below.leaves
        nodes += below.nodes
    return Perft(leaves, nodes)


def tell_progress(stage: Stage | None, leaves: int, done: int, count: int) -> None:
    """Say how far a count is."""
    if stage is not None:
        stage.words = f"counted {leaves:,} leaves below {done:,} of {count:,} first moves"


def _after_moves(game: Interpreter, position: Position, mod: bool | None) -> list[Position]:
    if mod is None:
        return [after for _, after in game.moves(position)]
    reached = []
    for _, after in game.semimoves(position, mod=mod):
        reached += [after] if game.is_nodal(after) else _after_moves(game, after, mod)
    return reached


def semimove_tree(
    game: Interpreter, position: Position, move: int = 1, *, mod: bool = True
) -> SemimoveTree:
    """Count the semimoves of the given move, over all sequences of moves before it."""
    states = [game.run_keeper(position)]
    for _ in range(move - 1):
        states = [
            game.run_keeper(after)
            for state in states
            if state.player != KEEPER
            for _, after in game.moves(state)
        ]
    stages: tuple[int, ...] = ()
    dead_ends = 0
    for state in states:
        if state.player != KEEPER:
            tree = _tree_below(game, state, mod)
            stages = tuple(map(sum, zip_longest(stages, tree.stages, fillvalue=0)))
            dead_ends += tree.dead_ends
    return SemimoveTree(stages, dead_ends)


def _tree_below(game: Interpreter, position: Position, mod: bool) -> SemimoveTree:
    """The semimoves of one move from one position, stage by stage."""
    stages: list[list[tuple[Position, int]]] = [[(position, 0)]]
    """The states reached at each stage, each with the place of the state it was reached from."""
    while stages[-1]:
        stages.append(
            [
                (after, place)
                for place, (state, _) in enumerate(stages[-1])
                if len(stages) == 1 or not game.is_nodal(state)
                for _, after in game.semimoves(state, mod=mod)
            ]
        )
    dead_ends = 0
    alive: set[int] = set()
    for reached in reversed(stages[1:]):
        alive |= {place for place, (state, _) in enumerate(reached) if game.is_nodal(state)}
        dead_ends += len(reached) - len(alive)
        alive = {before for place, (_, before) in enumerate(reached) if place in alive}
    return SemimoveTree(tuple(len(reached) for reached in stages[1:-1]), dead_ends)
