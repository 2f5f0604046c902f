"""Tournaments: games, agents and budgets from a file, and the report about them."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from semisplit.agents import parse_agent
from semisplit.core.errors import InputError, SemisplitError
from semisplit.core.settings.validation import explain
from semisplit.lab.matches.match import Match, default_length
from semisplit.lab.matches.outcome import Duel, Outcome, Puzzle, corrected, duels
from semisplit.lab.reports.document import Document, Picture, Table
from semisplit.lab.reports.figures import PERCENT, Point, can_draw, draw_intervals
from semisplit.lab.reports.standings import (
    about,
    average_table,
    by_pairing,
    cross_table,
    failure_table,
    match_table,
    puzzle_table,
    rating_table,
    ratings,
    score_table,
    seat_table,
)
from semisplit.language.registry import suffixes
from semisplit.loading import load

_MAX_SIZE = 1 << 20
MAX_MATCHES = 10_000
Names = Annotated[list[str], Field(min_length=1, max_length=1000)]


class Plan(BaseModel):
    """What the file of a tournament says."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    games: Names
    """Bundled games, or paths of descriptions, from the folder of the file."""
    agents: Names
    against: Annotated[list[str], Field(max_length=1000)] = []
    """Whom the agents play; each other if nobody is named."""
    budgets: Names
    length: Annotated[int, Field(ge=1)] | None = None
    """Games of each match, or the most there may be."""
    seed: int = 0
    stop: Literal["sprt"] | None = None


def read_plan(path: Path) -> Plan:
    """Read the file of a tournament."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_SIZE + 1)
        if len(data) > _MAX_SIZE:
            raise InputError(f"{path} is too large for a tournament")
        return Plan.model_validate(tomllib.loads(data.decode("utf-8")))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: {error}") from error
    except ValidationError as error:
        messages = (f"{path}: {explain(dict(one), Plan.model_fields)}" for one in error.errors())
        raise InputError("\n".join(messages)) from None


def plan_matches(plan: Plan, path: Path) -> list[Match]:
    """All matches of a tournament; `path` is its file, from whose folder paths in it start."""
    try:
        agents = {name: parse_agent(_resolve(name, path)) for name in plan.agents + plan.against}
        games = [load(_resolve(name, path)) for name in dict.fromkeys(plan.games)]
        _check_names("agents", [agent.name for agent in agents.values()])
        _check_names("games", [Path(name).name for name in dict.fromkeys(plan.games)])
        alone = [game for game in games if len(game.seats) == 1]
        shared = [game for game in games if len(game.seats) > 1]
        pairings = _pairings(plan.agents, plan.against or plan.agents)
        if shared and not pairings:
            raise InputError("agents: at least two different ones are needed")
        budgets = dict.fromkeys(plan.budgets)
        kinds = len(pairings) * len(shared) + len(agents) * len(alone)
        if (count := len(budgets) * kinds) > MAX_MATCHES:
            raise InputError(f"{count:,} matches are too many; {MAX_MATCHES:,} are possible")
        longest = plan.length or default_length(sequential=plan.stop == "sprt")
        length = plan.length or default_length(sequential=False)
        return [
            Match(game, (agents[a], agents[b]), longest, budget, plan.seed, path.parent)
            for budget, (a, b), game in product(budgets, pairings, shared)
        ] + [
            Match(game, (agent,), length, budget, plan.seed, path.parent)
            for budget, agent, game in product(budgets, agents.values(), alone)
        ]
    except SemisplitError as error:
        raise InputError(f"{path}: {error}") from error


def _check_names(what: str, names: list[str]) -> None:
    """In tables things are told apart by their names."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{what} need different names, not {', '.join(twice)} twice")


def _pairings(agents: list[str], opponents: list[str]) -> list[tuple[str, str]]:
    """Who plays whom: every two meet once, and nobody meets itself."""
    pairings: dict[frozenset[str], tuple[str, str]] = {}
    for a, b in product(agents, opponents):
        if a != b:
            pairings.setdefault(frozenset((a, b)), (a, b))
    return list(pairings.values())


def _resolve(name: str, path: Path) -> str:
    return str(path.parent / name) if name.endswith((*suffixes(), ".json")) else name


def report(title: str, outcomes: list[Outcome]) -> Document:
    """Tables and pictures of a tournament's results."""
    contested = corrected(duels(outcomes))
    parts: list[Table | Picture] = []
    for budget in dict.fromkeys(one.match.budget for one in outcomes):
        group = [one for one in contested if one.match.budget == budget]
        if group:
            parts += [
                average_table(group, f"Averages, {budget} per move"),
                cross_table(group, f"Cross table, {budget} per move"),
                rating_table(group, f"Elo, {budget} per move"),
                match_table(group, f"Matches, {budget} per move"),
            ]
        # Of two players, what one gets tells what the other one gets.
        scored = [one for one in outcomes if one.match.budget == budget and one.match.seats != 2]
        if scored:
            parts.append(score_table(scored, f"Average scores, {budget} per move"))
        puzzles = [one for one in scored if isinstance(one, Puzzle)]
        if puzzles:
            parts.append(puzzle_table(puzzles, f"Puzzles, {budget} per move"))
        seated = [one for one in outcomes if one.match.budget == budget and one.match.seats > 1]
        if seated:
            parts.append(seat_table(seated, f"Seats, {budget} per move"))
        if group and can_draw():
            parts += _pictures(group, budget)
    return Document(title, about(outcomes), (*failure_table(outcomes), *parts))


def _pictures(outcomes: list[Duel], budget: str) -> list[Picture]:
    scores = {
        str(pairing): [
            Point(one.match.key.game, 100 * one.record.score, one.interval.in_percent)
            for one in group
        ]
        for pairing, group in by_pairing(outcomes).items()
    }
    elo = [Point(name, rating.elo, rating.interval) for name, rating in ratings(outcomes).items()]
    return [
        Picture(
            f"Scores, {budget} per move",
            f"scores-{_file_name(budget)}",
            draw_intervals(scores, "score of the first agent in %", 50, PERCENT),
        ),
        Picture(
            f"Elo, {budget} per move",
            f"elo-{_file_name(budget)}",
            draw_intervals({"Elo": elo}, "Elo", 0),
        ),
    ]


def _file_name(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text)
