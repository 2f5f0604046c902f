"""Matches: two agents, many games, sides swapped after each game of a pair."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from semisplit.agent import AgentConfig, make_agent
from semisplit.agent.config import write_config
from semisplit.core.errors import InputError, SemisplitError
from semisplit.core.work import doing, limited
from semisplit.game import Game
from semisplit.lab.budgets import Like, parse_budget, write_budget
from semisplit.lab.statistics import Record, papers_interval
from semisplit.lab.store import MatchKey, Store, StoredGame
from semisplit.lab.workers import Task, play_all
from semisplit.search import Budget
from semisplit.search.kernels.load import load_kernels

MAX_GAMES = 1_000_000


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
        if self.games > MAX_GAMES:
            raise InputError(f"a match has at most {MAX_GAMES:,} games, not {self.games:,}")
        if not -(2**63) <= self.seed < 2**63:
            raise InputError(f"a seed is a number of 64 bits, not {self.seed}")
        parse_budget(self.budget)

    @property
    def key(self) -> MatchKey:
        """What makes it this match."""
        source = self.game.description.source
        return MatchKey(
            # Wherever the file is, it is the same match.
            Path(source.name).name,
            source.text,
            self.a.name,
            self.b.name,
            _configuration(self.a),
            _configuration(self.b),
            self.budget,
            self.seed,
        )

    def __str__(self) -> str:
        return f"{self.a.name} against {self.b.name} at {self.key.game}, {self.budget} per move"


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


def record_of(games: list[StoredGame]) -> Record:
    """Wins, draws and losses of A."""
    wins = sum(game.score_a > game.score_b for game in games)
    losses = sum(game.score_a < game.score_b for game in games)
    return Record(wins, len(games) - wins - losses, losses)


def finished_in_order(games: list[StoredGame], count: int) -> list[StoredGame]:
    """The games from the first on without a gap: those that count as long as others are played."""
    in_order = [game for place, game in enumerate(games) if game.number == place]
    return in_order[:count]


def play_matches(
    matches: Sequence[Match],
    store: Store,
    jobs: int,
    is_decided: Callable[[Record], bool] | None = None,
) -> Iterator[tuple[int, list[StoredGame]]]:
    """Play what is missing of matches, one after the other.

    Gives which match it is and all its games so far: of each match at first, then after each game.

    Args:
        matches: The matches.
        store: Where their games are, and will be.
        jobs: Games at a time.
        is_decided: Whether a match needs no more games. It is asked about the games in their order,
            so the answer does not depend on which of them ended first.
    """
    begun = [begin_match(match, store) for match in matches]
    games = [store.games(number) for number, _ in begun]
    yield from enumerate(games)

    def missing(place: int) -> list[int]:
        if decided_after(games[place], matches[place].games, is_decided) is not None:
            return []
        have = {game.number for game in games[place]}
        return [number for number in range(matches[place].games) if number not in have]

    def tasks() -> Iterator[Task]:
        for place, match in enumerate(matches):
            for number in missing(place):
                if decided_after(games[place], match.games, is_decided) is None:
                    yield _task(match, place, number, begun[place][1])

    to_play = [match for place, match in enumerate(matches) if missing(place)]
    if to_play:
        # So that not every process compiles them.
        load_kernels()
    for match in to_play:
        _prepare(match)
    for task, played in play_all(tasks(), jobs):
        number, seat = begun[task.match][0], seat_of_a(task.number)
        seeds = (task.seeds[seat - 1], task.seeds[2 - seat])
        store.add_game(number, task.number, seat, seeds, played)
        games[task.match] = store.games(number)
        yield task.match, games[task.match]
        # What is being played of matches that are decided is not needed.
        if is_decided is not None and not any(map(missing, range(len(matches)))):
            return


def _prepare(match: Match) -> None:
    """Compile what agents need, unless it takes too long, so that not every process does it."""
    for config in (match.a, match.b):
        # What goes wrong is the agent's fault, and loses its games.
        with limited(), doing(f"preparing {match}"), suppress(SemisplitError):
            make_agent(config, match.game, 0).close()


def _task(match: Match, place: int, number: int, budget: Budget) -> Task:
    """A game of a match."""
    seeds = tuple(_seed(match.seed, number, agent) for agent in ("a", "b"))
    agents = (match.a, match.b)
    if seat_of_a(number) == 2:
        seeds, agents = seeds[::-1], agents[::-1]
    return Task(place, number, match.game, budget, agents, seeds)


def begin_match(match: Match, store: Store) -> tuple[int, Budget]:
    """The number of a match in the store, and its budget, measured if need be."""
    found = store.find_match(match.key)
    if found is None:
        used = store.find_measured(match.key) or _measure(match)
        found = store.match(match.key, used)
    number, used = found
    budget = parse_budget(used)
    assert isinstance(budget, Budget)
    return number, budget


def _measure(match: Match) -> str:
    asked = parse_budget(match.budget)
    return write_budget(asked.measure(match.game) if isinstance(asked, Like) else asked)


def decided_after(
    games: list[StoredGame], count: int, is_decided: Callable[[Record], bool] | None
) -> int | None:
    """After how many games, a whole number of pairs, a match was decided; None if it is not."""
    if is_decided is None:
        return None
    in_order = finished_in_order(games, count)
    record = Record()
    for end in range(2, len(in_order) + 1, 2):
        record += record_of(in_order[end - 2 : end])
        if is_decided(record):
            return end
    return None


def percent(score: float, margin: float) -> str:
    """A score and the half of its interval, in percent."""
    return f"{100 * score:.1f} ± {100 * margin:.1f}"


@dataclass(frozen=True)
class Outcome:
    """How a match ended."""

    match: Match
    record: Record
    failures: tuple[str, ...]
    """Why games were not played to their end."""

    @property
    def score(self) -> str:
        """What A got, in percent, with its interval."""
        return percent(self.record.score, papers_interval(self.record).margin)


def outcome(
    match: Match, games: list[StoredGame], is_decided: Callable[[Record], bool] | None = None
) -> Outcome:
    """Count the games of a match: up to its end, or to where it was decided."""
    end = decided_after(games, match.games, is_decided)
    counted = finished_in_order(games, end or match.games)
    failures = tuple(f"game {one.id}: {one.failure}" for one in counted if one.failure)
    return Outcome(match, record_of(counted), failures)
