"""Random play, orthodox and semisplit, with the statistics of a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from semisplit.core.errors import PlayLimit
from semisplit.language.rbg.play.interpret import KEEPER, Interpreter, Position

MAX_MOVES = 100_000
"""Moves after which a simulation is given up."""


@dataclass
class SimulationCounts:
    """What happened in one or several simulations."""

    games: int = 0
    moves: int = 0
    """Moves made, which is the number of nodal states reached."""
    states: int = 0
    """All states reached, those left again because they were dead included."""
    choices: int = 0
    """(Semi)moves computed, over all states."""
    semimoves: int = 0
    """Semimoves of the moves that were made."""


def simulate(
    game: Interpreter,
    position: Position,
    random: Random,
    statistics: SimulationCounts,
    *,
    mod: bool | None = None,
) -> Position:
    """Play at random until nobody can move and return the final position.

    Args:
        game: The rules.
        position: Where to start.
        random: The source of all choices.
        statistics: Is added to.
        mod: None draws among moves. A truth value draws among semimoves, as
            `Interpreter.semimoves` lists them, and backtracks out of dead states.
    """
    statistics.games += 1
    for _ in range(MAX_MOVES):
        position = game.run_keeper(position)
        after = random_move(game, position, random, statistics, mod=mod)
        if after is None:
            return position
        position = after
    raise PlayLimit(f"the game did not end after {MAX_MOVES} moves")


def random_move(
    game: Interpreter,
    position: Position,
    random: Random,
    statistics: SimulationCounts,
    *,
    mod: bool | None = None,
) -> Position | None:
    """The position after a random move, None if there is no move; see `simulate`."""
    if position.player == KEEPER:
        return None
    if mod is None:
        after = _orthodox_random_move(game, position, random, statistics)
    else:
        after = _semisplit_random_move(game, position, random, statistics, mod)
    statistics.moves += after is not None
    return after


def _orthodox_random_move(
    game: Interpreter, position: Position, random: Random, statistics: SimulationCounts
) -> Position | None:
    moves = [after for _, after in game.moves(position)]
    statistics.choices += len(moves)
    if not moves:
        return None
    statistics.states += 1
    statistics.semimoves += 1
    return random.choice(moves)


def _semisplit_random_move(
    game: Interpreter, position: Position, random: Random, statistics: SimulationCounts, mod: bool
) -> Position | None:
    """Draw semimoves until a nodal state is reached; None if there is no move.

    Algorithm 1 of "Split Moves for Monte-Carlo Tree Search", with a stack for its recursion.
    """
    levels: list[list[Position]] = []
    while True:
        untried = [after for _, after in game.semimoves(position, mod=mod)]
        statistics.choices += len(untried)
        random.shuffle(untried)
        levels.append(untried)
        while not levels[-1]:
            levels.pop()
            if not levels:
                return None
        position = levels[-1].pop()
        statistics.states += 1
        if game.is_nodal(position):
            statistics.semimoves += len(levels)
            return position
