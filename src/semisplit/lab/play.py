"""Playing one game between agents.

An agent that raises an error, or that takes longer than its time and a grace of one second, loses
the game; the others get their highest score. A game without an end after 10,000 moves is a draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from semisplit.agent import Agent, AgentConfig, Thought, make_agent
from semisplit.core.errors import IllegalMove
from semisplit.game import Game, State
from semisplit.search import Budget

GRACE = 1.0
"""Seconds by which a time may be exceeded: another process may have been in the way."""
MAX_PLIES = 10_000


@dataclass(frozen=True)
class Turn:
    """A move that was made."""

    player: int
    move: str
    """As on the wire."""
    text: str
    seconds: float
    simulations: int
    states: int
    score: float | None
    """What the agent expected, from 0 to 1."""


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

    def __init__(self, player: int, reason: str):
        self.player = player
        super().__init__(reason)


def play_game(
    game: Game,
    agents: Sequence[AgentConfig],
    seeds: Sequence[int],
    budget: Budget,
    on_turn: Callable[[int], None] = lambda player: None,
) -> Played:
    """Play a game to its end.

    Args:
        game: The game.
        agents: Who plays, in the order of the players.
        seeds: For the random numbers of each agent.
        budget: For each move.
        on_turn: Is told who is about to move.
    """
    state = game.initial_state()
    turns: list[Turn] = []
    try:
        players = _make_agents(agents, game, seeds, on_turn)
        while not state.is_terminal:
            if len(turns) == MAX_PLIES:
                scores = (0.5,) * len(agents)
                return Played(tuple(turns), scores, f"no end after {MAX_PLIES} moves")
            on_turn(state.player)
            turn, state = _make_turn(state, players, budget)
            turns.append(turn)
    except _Lost as lost:
        scores = tuple(float(player != lost.player) for player in range(1, len(agents) + 1))
        return Played(tuple(turns), scores, str(lost))
    bounds = game.description.players.values()
    return Played(tuple(turns), tuple(score / top for score, top in zip(state.scores, bounds)))


def _make_agents(
    agents: Sequence[AgentConfig],
    game: Game,
    seeds: Sequence[int],
    on_turn: Callable[[int], None],
) -> list[Agent]:
    made: list[Agent] = []
    for player, (config, seed) in enumerate(zip(agents, seeds), 1):
        on_turn(player)
        try:
            made.append(make_agent(config, game, seed))
        except Exception as error:
            raise _Lost(player, _reason(config, error)) from error
    return made


def _make_turn(state: State, agents: list[Agent], budget: Budget) -> tuple[Turn, State]:
    player = state.player
    for number, agent in enumerate(agents, 1):
        if number != player:
            agent.wait(budget)
    thought, seconds = _think(agents[player - 1], player, budget)
    try:
        following = state.apply(thought.move)
    except IllegalMove as error:
        raise _Lost(player, _reason(agents[player - 1].config, error)) from error
    turn = Turn(
        player,
        thought.move.wire,
        str(state.move(thought.move.steps)),
        round(seconds, 6),
        thought.simulations,
        thought.states,
        thought.score,
    )
    for number, agent in enumerate(agents, 1):
        try:
            agent.play(thought.move)
        except Exception as error:
            raise _Lost(number, _reason(agent.config, error)) from error
    return turn, following


def _think(agent: Agent, player: int, budget: Budget) -> tuple[Thought, float]:
    begin = time.perf_counter()
    try:
        thought = agent.think(budget)
    except Exception as error:
        raise _Lost(player, _reason(agent.config, error)) from error
    seconds = time.perf_counter() - begin
    if budget.seconds is not None and seconds > budget.seconds + GRACE:
        late = f"{agent.config.name} took {seconds:.2f} s instead of {budget.seconds:g} s"
        raise _Lost(player, late)
    return thought, seconds


def _reason(config: AgentConfig, error: Exception) -> str:
    return f"{config.name} failed: {type(error).__name__}: {error}"
