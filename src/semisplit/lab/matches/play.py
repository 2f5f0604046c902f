"""Playing one game between agents.

An agent that raises an error, or that takes longer than its time and a grace of one second, loses
the game; the others get their highest score. One that does not come back at all is the caller's
business. A game without an end after 10,000 moves is a draw; one for a single player is lost. An
agent that cannot be made is an error, not a loss.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from semisplit.agents import Agent, AgentConfig, Thought, make_agent
from semisplit.core.errors import IllegalMove, InputError, ManyMoves, SemisplitError
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.search import Budget

GRACE = 1.0
"""Seconds by which a time may be exceeded: another process may have been in the way."""
MAX_PLIES = 10_000
_FEW = 200
"""Moves that can be compared in a few milliseconds."""
OnTurn = Callable[[int, float | None], None]


@dataclass(frozen=True)
class Turn:
    """A move that was made."""

    player: int
    move: str
    """As on the wire."""
    text: str
    """For people; where there are many moves another one may have the same."""
    seconds: float
    simulations: int
    states: int
    score: float | None
    """What the agent expected, from 0 to 1."""
    abandoned: int = 0
    """Iterations that were given up."""


@dataclass(frozen=True)
class Played:
    """A game that is over."""

    turns: tuple[Turn, ...]
    scores: tuple[float, ...]
    """Of each player, as a part of the player's bound."""
    failure: str | None = None
    """Why it was not played to its end, if it was not."""


class _Lost(Exception):
    """An agent has lost by its own fault."""

    def __init__(self, player: int, how: str):
        self.player = player
        super().__init__(how)


def lost_by(
    player: int, how: str, game: Game, agents: Sequence[AgentConfig], turns: Sequence[Turn] = ()
) -> Played:
    """A game that the agent of a player has lost by its own fault."""
    seats = game.rules.seats
    scores = tuple(float(seat != player) for seat in seats)
    who = f"{agents[seats.index(player)].name} as {game.player_name(player)}"
    return Played(tuple(turns), scores, f"{who} {how}")


def play_game(
    game: Game,
    agents: Sequence[AgentConfig],
    seeds: Sequence[int],
    budget: Budget,
    on_turn: OnTurn = lambda player, seconds: None,
) -> Played:
    """Play a game to its end.

    Args:
        game: The game.
        agents: The agents, in the order of the players; chance needs none.
        seeds: For the random numbers of each agent.
        budget: For each move.
        on_turn: Is called with the player who begins to think, and the seconds if they count.

    Raises:
        InputError: If an agent cannot be made.
    """
    state = game.initial_state()
    turns: list[Turn] = []
    players: dict[int, Agent] = {}
    dice = Random(repr(seeds))
    try:
        for player, config, seed in zip(game.rules.seats, agents, seeds):
            players[player] = prepare_agent(config, game, seed, player, budget)
        while not state.is_terminal:
            if len(turns) == MAX_PLIES:
                draw = 0.5 if len(agents) > 1 else 0.0
                scores = (draw,) * len(agents)
                return Played(tuple(turns), scores, f"no end after {MAX_PLIES} moves")
            made, state = _make_move(state, players, dice, budget, on_turn)
            turns += made
    except _Lost as lost:
        return lost_by(lost.player, str(lost), game, agents, turns)
    finally:
        for one in players.values():
            one.close()
    parts = [score / top for score, top in zip(state.scores, game.rules.players.values())]
    return Played(tuple(turns), tuple(parts[player - 1] for player in game.rules.seats))


def prepare_agent(
    config: AgentConfig, game: Game, seed: int, player: int | None, budget: Budget
) -> Agent:
    """An agent for a game; that it cannot be made is no fault of its play, so nobody loses."""
    try:
        return make_agent(config, game, seed, player, budget=budget)
    except Exception as error:
        reason = error if isinstance(error, SemisplitError) else f"{type(error).__name__}: {error}"
        raise InputError(f"{config.name} cannot play {game.name}: {reason}") from error


def _make_move(
    state: State, agents: dict[int, Agent], dice: Random, budget: Budget, on_turn: OnTurn
) -> tuple[list[Turn], State]:
    """Let all who have a part in the next move choose it, without knowing that of the others."""
    deciders = state.deciders
    rules, following = state.game.rules, state
    steps: Steps = ()
    turns: list[Turn] = []
    for player in deciders:
        if player == rules.chance:
            thought, seconds = Thought(state.random_move(dice), None, 0, 0, 0.0), 0.0
        else:
            on_turn(player, budget.seconds)
            thought, seconds = _think(agents[player], player, budget)
        part = Move(rules.part(thought.move.steps, player), state.game.write_move)
        try:
            following = following.apply(part)
        except IllegalMove as error:
            raise _Lost(player, _reason(error)) from error
        steps += part.steps
        text = str(part) if len(deciders) > 1 else _text(state, steps)
        effort = round(seconds, 6), thought.simulations, thought.states, thought.score
        turns.append(Turn(player, part.wire, text, *effort, thought.abandoned))
    move = Move(steps, state.game.write_move)
    for number, agent in agents.items():
        try:
            agent.play(move)
        except Exception as error:
            raise _Lost(number, _reason(error)) from error
    return turns, following


def _text(state: State, steps: Steps) -> str:
    """The text of a move, such that no other reads the same, unless that takes long to find out."""
    try:
        state.moves(_FEW)
    except ManyMoves:
        return state.game.write_move(steps)
    return str(state.move(steps))


def _think(agent: Agent, player: int, budget: Budget) -> tuple[Thought, float]:
    begin = time.perf_counter()
    try:
        thought = agent.think(budget)
    except Exception as error:
        raise _Lost(player, _reason(error)) from error
    seconds = time.perf_counter() - begin
    if budget.seconds is not None and seconds > budget.seconds + GRACE:
        raise _Lost(player, f"took {seconds:.2f} s instead of {budget.seconds:g} s")
    return thought, seconds


def _reason(error: Exception) -> str:
    return f"failed: {type(error).__name__}: {error}"
