"""Matches: two agents, many games, sides swapped after each game of a pair."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from semisplit.agent import AgentConfig, make_agent
from semisplit.agent.config import write_config
from semisplit.core.errors import InputError, SemisplitError
from semisplit.core.work import doing, limited
from semisplit.game import Game
from semisplit.lab.budgets import Like, parse_budget, write_budget
from semisplit.lab.evidence import at_any_length, verdict
from semisplit.lab.records import Pairs
from semisplit.lab.store import MatchKey, Store, StoredGame
from semisplit.lab.workers import Task, play_all
from semisplit.search import Budget
from semisplit.search.kernels.load import load_kernels

MAX_GAMES = 1_000_000
LENGTH = 100
LONGEST_UNTIL_DECIDED = 1000


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
    folder: Path = Path()
    """Where a path in the budget starts."""

    def __post_init__(self) -> None:
        if len(self.game.players) != 2:
            raise InputError(
                f"a match is between two agents, but {self.game.name}"
                f" has {len(self.game.players)} players"
            )
        if self.games > MAX_GAMES:
            raise InputError(f"a match has at most {MAX_GAMES:,} games, not {self.games:,}")
        if not -(2**63) <= self.seed < 2**63:
            raise InputError(f"a seed is a number of 64 bits, not {self.seed}")
        parse_budget(self.budget, self.folder)

    @property
    def key(self) -> MatchKey:
        """What makes it this match."""
        source = self.game.rules.source
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


def default_length(*, sequential: bool) -> int:
    """How many games a match has; at most, if it ends when it is decided."""
    return LONGEST_UNTIL_DECIDED if sequential else LENGTH


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


def results_of(games: list[StoredGame]) -> list[float]:
    """What A got in each game: 1, 1/2 or 0."""
    wins = [(game.score_a > game.score_b) - (game.score_a < game.score_b) for game in games]
    return [(1 + win) / 2 for win in wins]


def finished_in_order(games: list[StoredGame], count: int) -> list[StoredGame]:
    """The games from the first on without a gap: those that count as long as others are played."""
    in_order = [game for place, game in enumerate(games) if game.number == place]
    return in_order[:count]


def play_matches(
    matches: Sequence[Match],
    store: Store,
    jobs: int,
    stop_level: float | None = None,
) -> Iterator[tuple[int, list[StoredGame]]]:
    """Play what is missing of matches, one after the other.

    Gives which match it is and all its games so far: of each match at first, then after each game.

    Args:
        matches: The matches.
        store: Where their games are, and will be.
        jobs: Games at a time.
        stop_level: Where a match ends when it is decided, how often that may be wrong. The games
            count in their order, so it does not depend on which of them ended first.
    """
    begun = [begin_match(match, store) for match in matches]
    games = [store.games(number) for number, _ in begun]
    yield from enumerate(games)

    def is_over(place: int) -> bool:
        count = matches[place].games
        if decided_after(games[place], count, stop_level) is not None:
            return True
        return sum(game.number < count for game in games[place]) == count

    over = [is_over(place) for place in range(len(matches))]

    def tasks() -> Iterator[Task]:
        for place, match in enumerate(matches):
            have = {game.number for game in games[place]}
            for number in range(match.games):
                if not over[place] and number not in have:
                    yield _task(match, place, number, begun[place][1])

    to_play = [match for match, is_over in zip(matches, over) if not is_over]
    if to_play:
        # So that not every process compiles them.
        load_kernels()
    for match in to_play:
        _prepare(match)
    for task, played in play_all(tasks(), jobs):
        number, seat = begun[task.match][0], seat_of_a(task.number)
        seeds = (task.seeds[seat - 1], task.seeds[2 - seat])
        store.add_game(number, task.number, seat, seeds, played, jobs)
        games[task.match] = store.games(number)
        over[task.match] = is_over(task.match)
        yield task.match, games[task.match]
        # What is being played of matches that are decided is not needed.
        if all(over):
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
    asked = parse_budget(match.budget, match.folder)
    return write_budget(asked.measure(match.game) if isinstance(asked, Like) else asked)


def decided_after(games: list[StoredGame], count: int, stop_level: float | None) -> int | None:
    """After how many games, a whole number of pairs, a match was decided; None if it is not."""
    if stop_level is None:
        return None
    results = results_of(finished_in_order(games, count))
    pairs = Pairs()
    for end in range(2, len(results) + 1, 2):
        pairs += Pairs.of(results[end - 2 : end])
        if _is_decided(pairs, stop_level):
            return end
    return None


# The same results are asked about again after every game.
@cache
def _is_decided(pairs: Pairs, level: float) -> bool:
    return verdict(pairs, at_any_length, level) not in ("undecided", "too few games")
