"""Solving puzzles: looking for a line that reaches the highest score, once or many times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

from semisplit.agents.agent import make_search
from semisplit.agents.config import AgentConfig
from semisplit.core.errors import InputError
from semisplit.core.work import doing, limited
from semisplit.game import Game, Move
from semisplit.search import Budget

_MEMORY = 1 << 32
"""Bytes that trees may take: they should not be full before ten million playouts."""


@dataclass(frozen=True)
class Attempt:
    """A search for a solution."""

    solved: bool
    score: float
    """What the best line reaches, from 0 to 1."""
    line: tuple[Move, ...]
    playouts: int
    """Until the solution was found, or in all."""
    seconds: float
    """Of the search, without what came before it."""
    decomposition_seconds: float
    """In which the game was decomposed; 0 if it was not."""
    note: str
    """What the search has done otherwise than it was asked to."""


def attempts(
    game: Game, agent: AgentConfig, budget: Budget, runs: int, seed: int = 0
) -> Iterator[Attempt]:
    """Solve a puzzle several times, each time with other random numbers.

    Args:
        game: For one player.
        agent: An agent that searches.
        budget: What a search may take.
        runs: How often.
        seed: Of the first search; those that follow count on from there.
    """
    if game.rules.chance:
        raise InputError(f"{game.name} is a game of chance, and no moves solve that for certain")
    if len(game.players) > 1:
        raise InputError(
            f"{game.name} has {len(game.players)} players; only what one or two play can be solved"
        )
    for number in range(runs):
        with limited(), doing(f"preparing {agent.name} for {game.name}"):
            search = make_search(agent, game, seed + number, memory=_MEMORY)
        result = search.run(budget, details=False)
        yield Attempt(
            result.score == 1.0,
            result.score if result.line else 0.0,
            result.line,
            result.simulations,
            result.seconds,
            getattr(search, "decomposition_seconds", 0.0),
            result.note,
        )


@dataclass(frozen=True)
class Summary:
    """What some attempts have come to. Means are over those that found a solution."""

    runs: int
    failures: int
    mean_playouts: float | None
    mean_seconds: float | None
    """With decomposition."""
    sd_seconds: float | None
    decomposition_seconds: float

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


def summarize(made: Sequence[Attempt]) -> Summary:
    """The failures of some attempts, and the means of the others."""
    solved = [one for one in made if one.solved]
    seconds = [one.seconds + one.decomposition_seconds for one in solved]
    return Summary(
        len(made),
        len(made) - len(solved),
        fmean(one.playouts for one in solved) if solved else None,
        fmean(seconds) if solved else None,
        pstdev(seconds) if solved else None,
        fmean(one.decomposition_seconds for one in made) if made else 0.0,
    )
