"""The experimental figures of the papers, to print our own beside them.

There is one TOML file for each table or figure. Its keys are those of `Experiment` and of the
classes below, with `result`, `summary`, `measurement` and `solution` for the lists. Everything is
checked when a file is loaded.
"""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from semisplit import games as catalogue
from semisplit.agents import AgentConfig, parse_agent
from semisplit.core.errors import SemisplitError, UnknownName
from semisplit.core.settings.validation import explain
from semisplit.core.strategy import SplitStrategy

Reading = Literal["printed", "restored", "doubtful", "illegible", "own"]
"""How well a score could be read in a text version of the paper.

A restored one is not what the text version shows, which is impossible, but the only number like it
that agrees with the interval and the grand average. A doubtful one is what the text version shows,
but does not agree with them. An illegible one is left out. A match of our own, which the paper does
not have, has none.
"""


Name = Literal["C", "C_rave", "MSF", "epsilon", "factor", "threshold", "k"]
"""The name of a parameter; `C_rave` is C of agents with RAVE, the others are as in our notation."""
_STRICT = ConfigDict(extra="forbid", strict=True)


class BadExperiment(SemisplitError):
    """A file of figures is wrong; the message says where and why."""


@dataclass(frozen=True, config=_STRICT)
class Publication:
    """Where the figures were published."""

    author: str
    title: str
    venue: str
    year: int
    item: str
    """Which table or figure it is, like `table 5.3`."""


@dataclass(frozen=True, config=_STRICT)
class PrintedBudget:
    """What an agent may spend on a move."""

    kind: Literal["time", "states", "simulations"]
    seconds: float | None = None
    """The time; or, if states count, the time in which agent `b` computes as many of them."""
    amount: int | None = None
    """The number of states or simulations, if it is the same for all games."""


@dataclass(frozen=True, config=_STRICT)
class Setting:
    """How the figures came about."""

    games: int | None = None
    """Games of each pairing, half of them with changed seats."""
    parameters: Mapping[Name, float] = Field(default_factory=dict)
    """The agents' parameters as printed, unless an agent says otherwise."""
    budgets: Mapping[str, PrintedBudget] = Field(default_factory=dict)
    """The budgets, under the names by which results refer to them."""
    note: str = ""


@dataclass(frozen=True, config=_STRICT)
class PrintedResult:
    """How an agent scored against another in one game."""

    game: str
    a: str
    b: str
    budget: str
    score: float | None = None
    """What `a` got of the points, in percent; a draw is half a point."""
    interval: float | None = None
    """Half the width of the 95% confidence interval."""
    games: int | None = None
    reading: Reading = "printed"
    extracted: str = ""
    """What the text version shows, if the score is restored or illegible."""


@dataclass(frozen=True, config=_STRICT)
class Summary:
    """How an agent scored against another on average over all games of the test set."""

    a: str
    b: str
    budget: str
    average: float
    test_set: int
    """The number of games in the test set."""
    better: int | None = None
    """In how many of them the whole confidence interval is above 50%."""
    similar: int | None = None
    worse: int | None = None


@dataclass(frozen=True, config=_STRICT)
class Measurement:
    """What was measured in one game."""

    game: str
    moves: str
    """`orthodox`, or the split strategy."""
    values: Mapping[str, float]
    agent: str | None = None
    """The search, unless it was random play."""


@dataclass(frozen=True, config=_STRICT)
class PrintedSolution:
    """How an agent solved a puzzle; means are over runs that did not fail."""

    game: str
    agent: str
    playouts: float | None = None
    seconds: float | None = None
    """With those of the decomposition."""
    decomposition: float | None = None
    """Its seconds."""
    deviation: float | None = None
    """The standard deviation of the seconds."""
    failures: int | None = None


@dataclass(frozen=True, config=_STRICT)
class Experiment:
    """A table or figure."""

    name: str
    source: Publication
    caption: str
    setting: Setting
    results: tuple[PrintedResult, ...] = Field(default=(), alias="result")
    summaries: tuple[Summary, ...] = Field(default=(), alias="summary")
    measurements: tuple[Measurement, ...] = Field(default=(), alias="measurement")
    solutions: tuple[PrintedSolution, ...] = Field(default=(), alias="solution")
    columns: Mapping[str, str] = Field(default_factory=dict)
    """The keys of the measurements' values and what they mean."""
    complete: bool = True
    """Whether all figures of the table or figure are here and could be read."""
    note: str = ""

    def find(self, game: str, a: str, b: str, budget: str) -> PrintedResult | None:
        """The result of a pairing, however its agents are written; the other way round is another.

        Only the names of budgets are compared.
        """
        wanted = _meaning(a), _meaning(b)
        for result in self.results:
            if (result.game, result.budget) == (game, budget) and wanted == (
                _meaning(result.a),
                _meaning(result.b),
            ):
                return result
        return None


def _meaning(agent: str) -> AgentConfig:
    """An agent without its name."""
    return replace(parse_agent(agent), name="")


def names() -> list[str]:
    """The names of all tables and figures, sorted."""
    entries = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(".toml") for name in entries if name.endswith(".toml"))


@cache
def load(name: str) -> Experiment:
    """Read the figures of a table or figure, and check them."""
    if name not in names():
        raise UnknownName("table or figure", name, names())
    return read(name, (files(__name__) / f"{name}.toml").read_text(encoding="utf-8"))


def read(name: str, text: str) -> Experiment:
    """Read and check figures from the text of a file."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadExperiment(f"{name}: {error}") from None
    columns, rows = table.get("columns"), table.get("measurement")
    if isinstance(columns, dict) and isinstance(rows, list):
        table["measurement"] = [_measurement(row, columns) for row in rows]
    try:
        # As JSON, where a list is as good as a tuple.
        experiment = _FILE.validate_json(
            json.dumps({"name": name, "setting": {}, **table}, default=str)
        )
    except ValidationError as error:
        reasons = (f"{name}: {explain(dict(one), ())}" for one in error.errors())
        raise BadExperiment("\n".join(reasons)) from None
    _check(experiment)
    return experiment


_FILE: TypeAdapter[Experiment] = TypeAdapter(Experiment)


def _measurement(row: Any, columns: Mapping[str, str]) -> Any:
    """A row with what was measured apart from the rest."""
    if not isinstance(row, dict):
        return row
    values = {key: row[key] for key in row if key in columns}
    return {"values": values, **{key: row[key] for key in row if key not in columns}}


@cache
def states_per_second() -> dict[str, dict[str, float]]:
    """The states that two orthodox agents computed in a second of the first move, for each game.

    They are of the authors' machine, measured over ten seconds, and stand in the program that ran
    the experiments of the thesis: its budgets in states are what these agents compute in a time.
    """
    text = (files(__name__) / "rates.csv").read_text(encoding="utf-8")
    return {
        row.pop("game"): {agent: float(rate) for agent, rate in row.items()}
        for row in csv.DictReader(text.splitlines())
    }


def _check(experiment: Experiment) -> None:
    """Check that names of games, agents and budgets mean something, and scores are possible."""
    budgets = experiment.setting.budgets
    rows: tuple[PrintedResult | Summary, ...] = (*experiment.results, *experiment.summaries)
    for row in rows:
        where = f"{experiment.name}, {row.a} against {row.b}"
        _check_agents(where, row.a, row.b)
        _refuse(row.budget not in budgets, where, f"there is no budget '{row.budget}'")
    for result in experiment.results:
        where = f"{experiment.name}, {result.game}, {result.a} against {result.b}"
        _check_game(where, result.game)
        _check_score(where, result)
    for measurement in experiment.measurements:
        where = f"{experiment.name}, {measurement.game}, {measurement.moves}"
        _check_game(where, measurement.game)
        if measurement.moves != "orthodox":
            SplitStrategy.parse(measurement.moves)
        if measurement.agent:
            _check_agents(where, measurement.agent)

    for solution in experiment.solutions:
        where = f"{experiment.name}, {solution.game}, {solution.agent}"
        _check_game(where, solution.game)
        _check_agents(where, solution.agent)


def _check_game(where: str, game: str) -> None:
    _refuse(game not in catalogue.names(), where, f"there is no game '{game}'")


def _check_agents(where: str, *agents: str) -> None:
    for agent in agents:
        try:
            parse_agent(agent)
        except SemisplitError as error:
            raise BadExperiment(f"{where}: {error}") from None


def _check_score(where: str, result: PrintedResult) -> None:
    has_none = result.reading in ("illegible", "own")
    _refuse(
        has_none != (result.score is None), where, "a score, or that it is illegible, is needed"
    )
    replaced = result.reading in ("restored", "illegible")
    _refuse(replaced != bool(result.extracted), where, "'extracted' is for scores that are not it")
    possible = result.score is None or 0 <= result.score <= 100
    _refuse(not possible, where, f"a score of {result.score}% is impossible")


def _refuse(condition: bool, where: str, reason: str) -> None:
    if condition:
        raise BadExperiment(f"{where}: {reason}")
