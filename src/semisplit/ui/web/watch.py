"""Watching matches: how they stand, and their games move by move."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from pydantic import validate_call

from semisplit.agents.config import AgentConfig
from semisplit.agents.files import read_config
from semisplit.agents.names import SIMPLE, parse_agent
from semisplit.core.errors import InputError, SemisplitError, UnknownName
from semisplit.game import Game
from semisplit.lab.matches.match import MAX_GAMES, Match
from semisplit.lab.matches.outcome import Outcome, duels, outcome
from semisplit.lab.reports.document import Document
from semisplit.lab.reports.standings import (
    average_table,
    cross_table,
    failure_table,
    match_table,
    rating_table,
    score_table,
)
from semisplit.lab.store.database import Store, StoredMatch
from semisplit.ui.play.entry import splitting
from semisplit.ui.web.catalogue import stores
from semisplit.ui.web.record import Record, game_json, state_json
from semisplit.ui.web.report import document_json
from semisplit.ui.web.worker import PageChannel, PageLimits, Service

_MOST_GAMES = 1000
"""Games of a match that are listed."""


class Watcher(Service):
    """Reads stores, also while others write to them."""

    def __init__(self, page: PageChannel, limits: PageLimits):
        super().__init__(page, limits)
        self._record: Record | None = None

    @validate_call
    def do_stores(self) -> list[str]:
        """The stores there are."""
        return list(stores(self.limits.folders))

    @validate_call
    def do_standing(self, store: str, known: int) -> dict[str, Any] | None:
        """How all matches of a store stand; None if there are no more games than are known."""
        with self._opened(store) as opened:
            matches = opened.matches()
            games = {match.id: opened.games(match.id) for match in matches}
        played = sum(map(len, games.values()))
        if played == known:
            return None
        outcomes: list[Outcome] = []
        unreadable = 0
        for match in matches:
            try:
                outcomes.append(outcome(_match(match), games[match.id]))
            except SemisplitError:
                unreadable += 1
        return {
            "played": played,
            "unreadable": unreadable,
            "matches": [
                {
                    "id": match.id,
                    "game": match.game,
                    "agents": match.agents,
                    "budget": match.budget,
                    "played": len(games[match.id]),
                }
                for match in matches
            ],
            **document_json(_document(store, outcomes)),
        }

    @validate_call
    def do_games(self, store: str, match: int) -> list[dict[str, Any]]:
        """The games of a match, the latest first."""
        with self._opened(store) as opened:
            found = opened.games(match)
        return [
            {
                "id": game.id,
                "number": game.number + 1,
                "agents": game.agents,
                "scores": game.scores,
                "failure": game.failure,
            }
            for game in reversed(found[-_MOST_GAMES:])
        ]

    @validate_call
    def do_replay(self, store: str, game: int) -> dict[str, Any]:
        """A game, ready to be walked through."""
        with self._opened(store) as opened:
            played = opened.replay(game)
        split = splitting(Game.parse(played.rules, played.game))
        record = Record(split.initial_state())
        for turn in played.turns:
            record.add_wire(turn.move)
        self._record = record
        return {
            "about": game_json(split, played.game),
            "agents": played.agents,
            "failure": played.failure,
            "turns": [vars(turn) for turn in played.turns],
            **state_json(record.state(len(record.turns))),
        }

    @validate_call
    def do_show(self, at: int, turned: bool) -> str:
        """A picture of the position after so many moves."""
        if self._record is None:
            raise InputError("no game has been opened")
        return self._record.picture(max(0, min(at, len(self._record.turns))), turned=turned)

    @contextmanager
    def _opened(self, name: str) -> Iterator[Store]:
        found = stores(self.limits.folders)
        if name not in found:
            raise UnknownName("store", name, found)
        with closing(Store(found[name], read_only=True)) as store:
            yield store


def _match(stored: StoredMatch) -> Match:
    """A match as it was played, as far as it takes to count its games."""
    pairs = zip(stored.agents, stored.configurations)
    agents = tuple(_agent(name, configuration) for name, configuration in pairs)
    game = Game.parse(stored.rules, stored.game)
    # A budget may name a file, which is not for pages to read; what was used never does.
    budget = stored.used if stored.budget.startswith("like:") else stored.budget
    return Match(game, agents, MAX_GAMES, budget, stored.seed)


def _agent(name: str, configuration: str) -> AgentConfig:
    kind = json.loads(configuration).get("kind")
    return parse_agent(kind) if kind in SIMPLE else read_config(configuration, name)


def _document(title: str, outcomes: list[Outcome]) -> Document:
    """The tables of all matches, those of each budget together."""
    parts = list(failure_table(outcomes))
    for budget in dict.fromkeys(one.match.budget for one in outcomes):
        group = [one for one in outcomes if one.match.budget == budget and one.games]
        contested = duels(group)
        if contested:
            parts += [
                average_table(contested, f"Averages, {budget} per move"),
                cross_table(contested, f"Cross table, {budget} per move"),
                rating_table(contested, f"Elo, {budget} per move"),
                match_table(contested, f"Matches, {budget} per move"),
            ]
        others = [one for one in group if one.match.seats != 2]
        if others:
            parts.append(score_table(others, f"Average scores, {budget} per move"))
    return Document(title, (), tuple(parts))
