"""Playing one game between agents.

An agent that raises an error, or that takes longer than its time and a grace of one second, loses
the game; the others get their highest score. One that does not come back at all is the caller's
business. A game without an end after 10,000 moves is a draw.
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
OnTurn = Callable[[int, float | None], None]


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
    on_turn: OnTurn = lambda player, seconds: None,
) -> Played:
    """Play a game to its end.

    Args:
        game: The game.
        agents: Who plays, in the order of the players.
        seeds: For the random numbers of each agent.
        budget: For each move.
        on_turn: Is told who is about to do something, and in how many seconds if they count.
    """
    state = game.initial_state()
    turns: list[Turn] = []
    players: list[Agent] = []
    try:
        for player, (config, seed) in enumerate(zip(agents, seeds), 1):
            on_turn(player, None)
            players.append(_make_agent(player, config, game, seed))
        while not state.is_terminal:
            if len(turns) == MAX_PLIES:
                scores = (0.5,) * len(agents)
                return Played(tuple(turns), scores, f"no end after {MAX_PLIES} moves")
            on_turn(state.player, budget.seconds)
            turn, state = _make_turn(state, players, budget)
            turns.append(turn)
    except _Lost as lost:
        scores = tuple(float(player != lost.player) for player in range(1, len(agents) + 1))
        return Played(tuple(turns), scores, str(lost))
    finally:
        for one in players:
            one.close()
    bounds = game.rules.players.values()
    return Played(tuple(turns), tuple(score / top for score, top in zip(state.scores, bounds)))


def _make_agent(player: int, config: AgentConfig, game: Game, seed: int) -> Agent:
    try:
        return make_agent(config, game, seed)
    except Exception as error:
        raise _Lost(player, _reason(config, error)) from error


def _make_turn(state: State, agents: list[Agent], budget: Budget) -> tuple[Turn, State]:
    player = state.player
    for number, agent in enumerate(agents, 1):
        if number != player:
            try:
                agent.wait(budget)
            except Exception as error:
                raise _Lost(number, _reason(agent.config, error)) from error
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
