"""Matches: some agents, many games, with seats that change from game to game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from semisplit.agents import AgentConfig
from semisplit.agents.config import MctsConfig
from semisplit.agents.files import write_config
from semisplit.core.errors import InputError
from semisplit.core.work import doing, limited
from semisplit.game import Game
from semisplit.lab.matches.budgets import Like, parse_budget, write_budget
from semisplit.lab.matches.play import prepare_agent
from semisplit.lab.matches.seating import Seating, seating
from semisplit.lab.matches.workers import Task, play_all
from semisplit.lab.store.database import MatchKey, Seat, Store, StoredGame
from semisplit.search import Budget
from semisplit.search.features.groups.partition import Partition
from semisplit.stats.evidence import at_any_length, verdict
from semisplit.stats.records import Pairs

MAX_GAMES = 1_000_000
LENGTH = 100
LONGEST_UNTIL_DECIDED = 1000


@dataclass(frozen=True)
class Match:
    """Who plays at what: one agent for each player of a game, or two who share the seats."""

    game: Game
    agents: tuple[AgentConfig, ...]
    games: int
    budget: str
    """As it is typed."""
    seed: int = 0
    folder: Path = Path()
    """Where a path in the budget starts."""

    def __post_init__(self) -> None:
        seats, agents = self.seats, len(self.agents)
        if agents != seats and not (agents == 2 < seats):
            players, needed = _count(seats, "player"), _count(seats, "agent")
            share = ", or two who share the seats" if seats > 2 else ""
            needs = f"a match needs {needed}{share}, not {agents}"
            raise InputError(f"{self.game.name} has {players}: {needs}")
        if not 1 <= self.games <= MAX_GAMES:
            raise InputError(f"a match has from 1 to {MAX_GAMES:,} games, not {self.games:,}")
        if not -(2**63) <= self.seed < 2**63:
            raise InputError(f"a seed is a number of 64 bits, not {self.seed}")
        parse_budget(self.budget, self.folder)
        for agent in self.agents:
            if agent.ponders:
                raise InputError(
                    f"{agent.name} searches during its opponents' turns, which would take the"
                    " processor from them: a match needs `simulate_during_opp_turn` to be false;"
                    " over the wire, with `semisplit serve` and `semisplit connect`, it may be true"
                )
            if isinstance(agent, MctsConfig):
                # What cannot be played is an error before the first game, not a loss in each.
                self.game.split_by(agent.settings.split)
                if agent.settings.groups:
                    Partition(self.game.rules, agent.settings.groups.layers)

    @property
    def seats(self) -> int:
        """How many players the game has besides chance."""
        return len(self.game.seats)

    @property
    def is_duel(self) -> bool:
        """Whether there are two agents, so that one of them may be better."""
        return len(self.agents) == 2

    @property
    def key(self) -> MatchKey:
        """What makes it this match."""
        return MatchKey(
            # Wherever the file is, it is the same match.
            Path(self.game.name).name,
            self.game.text,
            tuple(agent.name for agent in self.agents),
            tuple(_configuration(agent) for agent in self.agents),
            self.budget,
            self.seed,
        )

    @property
    def names(self) -> str:
        """The agents."""
        *others, last = (agent.name for agent in self.agents)
        if self.is_duel:
            return f"{others[0]} against {last}"
        return f"{', '.join(others)} and {last}" if others else last

    def seating(self, number: int) -> Seating:
        """Which agent sits on each seat in a game."""
        return seating(len(self.agents), self.seats, number)

    def __str__(self) -> str:
        return f"{self.names} at {self.key.game}, {self.budget} per move"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def default_length(*, sequential: bool) -> int:
    """How many games a match has; at most, if it ends when it is decided."""
    return LONGEST_UNTIL_DECIDED if sequential else LENGTH


def _seeds(seed: int, number: int, seated: Seating) -> tuple[int, ...]:
    """The seed of each seat in a game; whoever plays it, and when, it is the same."""
    seeds = []
    for seat, agent in enumerate(seated):
        # An agent is told by a letter, on its second seat by "a2" and so on.
        times = seated[: seat + 1].count(agent)
        name = chr(ord("a") + agent) + (str(times) if times > 1 else "")
        digest = hashlib.sha256(f"{seed}/{number}/{name}".encode()).digest()
        seeds.append(int.from_bytes(digest[:8], "big"))
    return tuple(seeds)


def _configuration(config: AgentConfig) -> str:
    # Nothing is kept back in matches. But they are known by what is written, and always was.
    config = replace(config, buffer=0.1 if config.buffer is None else config.buffer)
    data = {"kind": config.kind} if not config.searches else write_config(config)
    return json.dumps(data, sort_keys=True)


def finished_in_order(games: list[StoredGame], count: int) -> list[StoredGame]:
    """The games from the first on without a gap: those that count as long as others are played."""
    in_order = [game for place, game in enumerate(games) if game.number == place]
    return in_order[:count]


def play_matches(
    matches: Sequence[Match],
    store: Store,
    jobs: int | None,
    stop_level: float | None = None,
    *,
    on_cluster: bool = False,
) -> Iterator[tuple[int, list[StoredGame]]]:
    """Play what is missing of matches, one after the other.

    Gives which match it is and all its games so far: of each match at first, then after each game.

    Args:
        matches: The matches.
        store: Where their games are, and will be.
        jobs: Games at a time, each in a process of its own; None plays in this one. Agents on a
            cluster share its workers, so their games are played one by one.
        stop_level: Where a match ends when it is decided, how often that may be wrong. The games
            count in their order, so it does not depend on which of them ended first.
        on_cluster: Whether games are played on the machines of a cluster, as many as they have
            places for, instead.
    """
    agents = [agent for match in matches for agent in match.agents]
    if any(agent.on_cluster for agent in agents):
        if on_cluster:
            raise InputError("agents that are on a cluster themselves cannot be spread over it")
        jobs = None if jobs is None else 1
    begun = [begin_match(match, store) for match in matches]
    games = [store.games(number) for number, _ in begun]
    yield from enumerate(games)

    def is_over(place: int) -> bool:
        match = matches[place]
        if decided_after(match, games[place], stop_level) is not None:
            return True
        return sum(game.number < match.games for game in games[place]) == match.games

    over = [is_over(place) for place in range(len(matches))]

    def tasks() -> Iterator[Task]:
        for place, match in enumerate(matches):
            have = {game.number for game in games[place]}
            for number in range(match.games):
                if not over[place] and number not in have:
                    yield _task(match, place, number, begun[place][1])

    to_play = [
        (match, budget) for match, (_, budget), is_over in zip(matches, begun, over) if not is_over
    ]
    if any(agent.searches for match, _ in to_play for agent in match.agents):
        # Numba takes a while to load. Not every process is to compile the search.
        from semisplit.search.engine.load import load_kernels

        load_kernels()
    _prepare(to_play)
    if on_cluster:
        # Ray is not always installed.
        from semisplit.lab.matches.spread import places, play_on_cluster

        jobs, stream = places(), play_on_cluster(tasks())
    else:
        stream = play_all(tasks(), jobs)
    for task, played in stream:
        number, match = begun[task.match][0], matches[task.match]
        numbers, seated = match.game.rules.seats, match.seating(task.number)
        seats = map(Seat, numbers, match.game.seats, seated, task.seeds)
        store.add_game(number, task.number, list(seats), played, jobs)
        ended = (*games[task.match], store.game(number, task.number))
        games[task.match] = sorted(ended, key=lambda game: game.number)
        over[task.match] = is_over(task.match)
        yield task.match, games[task.match]
        # What is being played of matches that are decided is not needed.
        if all(over):
            return


def _prepare(matches: Sequence[tuple[Match, Budget]]) -> None:
    """Make each agent once, so that errors come early and not each process has to compile it."""
    needed = {
        (match.game.text, agent, budget): match
        for match, budget in matches
        for agent in match.agents
    }
    for (_, agent, budget), match in needed.items():
        with limited(), doing(f"preparing {match}"):
            prepare_agent(agent, match.game, 0, match.game.rules.seats[0], budget).close()


def _task(match: Match, place: int, number: int, budget: Budget) -> Task:
    """A game of a match."""
    seated = match.seating(number)
    agents = tuple(match.agents[agent] for agent in seated)
    return Task(place, number, match.game, budget, agents, _seeds(match.seed, number, seated))


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


def decided_after(match: Match, games: list[StoredGame], stop_level: float | None) -> int | None:
    """After how many games, a whole number of pairs, a match was decided; None if it is not."""
    if stop_level is None or not match.is_duel:
        return None
    results = [game.result for game in finished_in_order(games, match.games)]
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
