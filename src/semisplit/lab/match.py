"""Matches: two agents, many games, sides swapped after each game of a pair."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version

from semisplit.agent import AgentConfig
from semisplit.agent.config import write_config
from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.lab.budgets import Like, parse_budget, write_budget
from semisplit.lab.statistics import Record
from semisplit.lab.store import MatchKey, Store, StoredGame
from semisplit.lab.workers import Task, play_all
from semisplit.search import Budget


@dataclass(frozen=True)
class Match:
    """Who plays whom at what."""

    game: Game
    a: AgentConfig
    b: AgentConfig
    games: int
    budget: str
    """As it is typed."""
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.game.players) != 2:
            raise InputError(
                f"a match is between two agents, but {self.game.description.source.name}"
                f" has {len(self.game.players)} players"
            )
        parse_budget(self.budget)

    @property
    def key(self) -> MatchKey:
        """What makes it this match."""
        source = self.game.description.source
        return MatchKey(
            source.name,
            source.text,
            self.a.name,
            self.b.name,
            _configuration(self.a),
            _configuration(self.b),
            self.budget,
            self.seed,
        )

    def task(self, number: int) -> Task:
        """A game of the match."""
        seeds = tuple(_seed(self.seed, number, agent) for agent in ("a", "b"))
        agents = (self.a, self.b)
        if seat_of_a(number) == 2:
            return Task(number, agents[::-1], seeds[::-1])
        return Task(number, agents, seeds)


def seat_of_a(number: int) -> int:
    """Which player A is in a game of a match."""
    return 1 + number % 2


def _seed(seed: int, number: int, agent: str) -> int:
    """The seed of an agent in a game; whoever plays it, and when, it is the same."""
    digest = hashlib.sha256(f"{seed}/{number}/{agent}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _configuration(config: AgentConfig) -> str:
    data = write_config(config) if config.kind == "mcts" else {"kind": config.kind}
    return json.dumps(data, sort_keys=True)


def versions() -> dict[str, str]:
    """What results may depend on."""
    packages = {name: version(name) for name in ("semisplit", "numba", "llvmlite", "numpy")}
    return {"python": platform.python_version(), **packages}


def record_of(games: list[StoredGame]) -> Record:
    """Wins, draws and losses of A."""
    wins = sum(game.score_a > game.score_b for game in games)
    losses = sum(game.score_a < game.score_b for game in games)
    return Record(wins, len(games) - wins - losses, losses)


def finished_in_order(games: list[StoredGame], count: int) -> list[StoredGame]:
    """The games from the first on without a gap: those that count as long as others are played."""
    in_order = [game for place, game in enumerate(games) if game.number == place]
    return in_order[:count]


def play_match(
    match: Match,
    store: Store,
    jobs: int,
    is_decided: Callable[[Record], bool] | None = None,
) -> Iterator[list[StoredGame]]:
    """Play what is missing of a match; gives all games so far at first and after each game.

    Args:
        match: The match.
        store: Where its games are, and will be.
        jobs: Games at a time.
        is_decided: Whether no more games are needed. It is asked about the games in their order, so
            the answer does not depend on which of them ended first.
    """
    number, budget = begin_match(match, store)
    games = store.games(number)
    yield games
    have = {game.number for game in games}
    tasks = [match.task(place) for place in range(match.games) if place not in have]
    if not tasks or decided_after(games, match.games, is_decided) is not None:
        return
    for task, played in play_all(match.game, budget, tasks, jobs):
        seat = seat_of_a(task.number)
        seeds = (task.seeds[seat - 1], task.seeds[2 - seat])
        store.add_game(number, task.number, seat, seeds, played)
        games = store.games(number)
        yield games
        if decided_after(games, match.games, is_decided) is not None:
            return


def begin_match(match: Match, store: Store) -> tuple[int, Budget]:
    """The number of a match in the store, and its budget, measured if need be."""
    found = store.find_match(match.key)
    if found is None:
        asked = parse_budget(match.budget)
        budget = asked.measure(match.game) if isinstance(asked, Like) else asked
        found = store.match(match.key, write_budget(budget), versions())
    number, used = found
    budget_used = parse_budget(used)
    assert isinstance(budget_used, Budget)
    return number, budget_used


def decided_after(
    games: list[StoredGame], count: int, is_decided: Callable[[Record], bool] | None
) -> int | None:
    """After how many games, a whole number of pairs, a match was decided; None if it is not."""
    if is_decided is None:
        return None
    in_order = finished_in_order(games, count)
    for end in range(2, len(in_order) + 1, 2):
        if is_decided(record_of(in_order[:end])):
            return end
    return None
