"""The papers' experiments again: which matches they are, and our numbers beside the papers'."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import semisplit
from semisplit.agent import parse_agent
from semisplit.core.errors import UnknownName
from semisplit.lab.document import Document, Picture, Table
from semisplit.lab.figures import Line, Point, can_draw, draw_intervals, draw_lines
from semisplit.lab.match import Match, Outcome, percent
from semisplit.lab.papers import Experiment, PrintedBudget, Result, Summary, states_per_second
from semisplit.lab.standings import Average, average, failure_table
from semisplit.lab.statistics import Record, papers_interval, verdict, wilson_interval

GAMES_OF_A_MATCH = 240
"""Where a paper does not say it: as in the thesis."""
FIGURE_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)
"""For the pictures, whose times are not in the papers' texts."""
FIGURE_PAIRING = ("semisplit-nodal@Mod", "orthodox")
TEST_SET = (
    "amazons",
    "breakthrough",
    "breakthru",
    "chess",
    "chess_king_capture",
    "english_draughts",
    "fox_and_hounds",
    "go_constsum",
    "knightthrough",
    "pentago",
    "skirmish",
    "the_mill_game",
)
"""The games of the AAAI paper; the thesis has the others as well, which Mod does not split."""
LARGER_TEST_SET = (*TEST_SET, "gomoku_standard", "hex", "reversi")


@dataclass(frozen=True)
class Planned:
    """A match of an experiment, and the names by which the paper's figures are found."""

    match: Match
    a: str
    b: str
    budget: str
    """As the experiment calls it."""
    seconds: float
    """The time; or, if states count, the time in which the opponent computes as many."""


@dataclass(frozen=True)
class Selection:
    """A part of an experiment: nothing chosen of a kind means all."""

    agents: Collection[str] = ()
    games: Collection[str] = ()
    budgets: Collection[str] = ()


def plan_experiment(
    experiment: Experiment, scale: float, selection: Selection, length: int | None = None
) -> list[Planned]:
    """The matches of an experiment.

    Args:
        experiment: The experiment.
        scale: Shrinks the number of games and the budgets.
        selection: Which matches are wanted.
        length: The number of games of each match, if it is not that of the paper, scaled.
    """
    everything = [
        (a, b, name, seconds, game)
        for a, b, name, seconds in _pairings(experiment)
        for game in _games(experiment, a, b, name)
    ]
    check_known("agent", selection.agents, {row[0] for row in everything})
    check_known("budget", selection.budgets, {row[2] for row in everything})
    check_known("game", selection.games, {row[4] for row in everything})
    games = length or _even((experiment.setting.games or GAMES_OF_A_MATCH) * scale)
    planned = []
    for a, b, name, seconds, game in everything:
        wanted = ((a, selection.agents), (name, selection.budgets), (game, selection.games))
        if all(not chosen or value in chosen for value, chosen in wanted):
            time = seconds * scale
            budget = _budget(experiment.setting.budgets[name], game, b, time)
            match = Match(semisplit.load(game), parse_agent(a), parse_agent(b), games, budget)
            planned.append(Planned(match, a, b, name, time))
    return planned


def check_known(kind: str, chosen: Collection[str], known: Collection[str]) -> None:
    """Refuse a choice of what is not there."""
    for value in chosen:
        if value not in known:
            raise UnknownName(kind, value, sorted(known))


def _pairings(experiment: Experiment) -> list[tuple[str, str, str, float]]:
    """Both agents, the name of the budget, and its time."""
    budgets = experiment.setting.budgets
    if not (experiment.results or experiment.summaries):
        return [(*FIGURE_PAIRING, name, time) for name in budgets for time in FIGURE_SECONDS]
    rows: tuple[Result | Summary, ...] = (*experiment.summaries, *experiment.results)
    # The papers' tables print all seconds; simulations were not limited in any of them.
    return list(
        dict.fromkeys((row.a, row.b, row.budget, budgets[row.budget].seconds or 0) for row in rows)
    )


def _games(experiment: Experiment, a: str, b: str, budget: str) -> Sequence[str]:
    for row in experiment.summaries:
        if (row.a, row.b, row.budget) == (a, b, budget):
            return LARGER_TEST_SET if row.test_set == len(LARGER_TEST_SET) else TEST_SET
    printed = [row.game for row in experiment.results if (row.a, row.b) == (a, b)]
    return list(dict.fromkeys(printed)) or TEST_SET


def _even(number: float) -> int:
    return max(2, 2 * round(number / 2))


def _budget(printed: PrintedBudget, game: str, opponent: str, seconds: float) -> str:
    if printed.kind == "time":
        return f"{1000 * seconds:g}ms"
    rates = states_per_second()[game]
    return f"{max(1, round(rates.get(opponent, rates['orthodox']) * seconds))}states"


# Ours beside the papers'


def compare(
    experiment: Experiment, planned: Sequence[Planned], outcomes: Sequence[Outcome]
) -> Document:
    """Our results and those of the paper, side by side."""
    both = list(zip(planned, outcomes))
    groups: dict[tuple[str, str, str], list[tuple[Planned, Outcome]]] = {}
    for plan, ended in both:
        groups.setdefault((plan.a, plan.b, plan.budget), []).append((plan, ended))
    parts: list[Table | Picture] = [*failure_table(outcomes)]
    if experiment.results or experiment.summaries:
        parts.append(_averages(experiment, groups))
    for number, (names, group) in enumerate(groups.items(), 1):
        title = f"{names[0]} against {names[1]}, {names[2]}"
        parts.append(_game_table(experiment, title, group))
        if can_draw() and (experiment.results or experiment.summaries):
            parts.append(_game_picture(experiment, title, f"scores-{number}", group))
    if can_draw() and not (experiment.results or experiment.summaries):
        parts += _time_pictures(both)
    return Document(experiment.name, (*describe(experiment), _MEANING), tuple(parts))


_MEANING = (
    "± is half of a 95 % interval. Two scores agree if they differ by no more than the root of the"
    " sum of the squares of both. A question mark is a figure that could not be read for sure."
)


def describe(experiment: Experiment) -> tuple[str, ...]:
    """Where an experiment comes from and what it is about."""
    source = experiment.source
    origin = f"{source.item} of {source.author}: {source.title}. {source.venue}, {source.year}."
    return origin, experiment.caption.strip(), *([experiment.note.strip()] * bool(experiment.note))


def _averages(
    experiment: Experiment, groups: dict[tuple[str, str, str], list[tuple[Planned, Outcome]]]
) -> Table:
    rows = []
    for (a, b, budget), group in groups.items():
        ours = average([ended for _, ended in group])
        printed = _printed_average(experiment, a, b, budget)
        whole = printed is not None and printed.test_set == len(group)
        cells = _average_cells(ours, printed) if whole else ("", "", "")
        rows.append((a, b, budget, str(len(group)), str(ours), ours.counts, *cells))
    header = ("A", "B", "budget", "games", "ours in %", "ours", "paper in %", "paper", "")
    note = (
        "Averages over games, and in how many of them A is better:similar:worse. The papers print"
        " no intervals of averages: theirs are taken to be as wide as ours."
    )
    return Table("Averages", header, tuple(rows), note)


def _printed_average(experiment: Experiment, a: str, b: str, budget: str) -> Summary | None:
    found = (row for row in experiment.summaries if (row.a, row.b, row.budget) == (a, b, budget))
    return next(found, None)


def _average_cells(ours: Average, printed: Summary | None) -> tuple[str, str, str]:
    assert printed is not None
    counts = ""
    if printed.better is not None:
        counts = f"{printed.better}:{printed.similar}:{printed.worse}"
    theirs = printed.average / 100
    return f"{printed.average:g}", counts, _agree(ours.score, theirs, ours.margin, ours.margin)


def _agree(ours: float, theirs: float, margin: float, their_margin: float) -> str:
    return "agrees" if abs(ours - theirs) <= math.hypot(margin, their_margin) else "differs"


def _game_table(
    experiment: Experiment, title: str, group: Sequence[tuple[Planned, Outcome]]
) -> Table:
    rows = []
    for plan, ended in group:
        printed = _printed(experiment, plan)
        theirs, agreement = "", ""
        if printed is not None and printed.score is not None:
            margin = _printed_margin(experiment, printed)
            theirs = percent(printed.score / 100, margin)
            theirs += "?" if printed.reading == "doubtful" else ""
            score = printed.score / 100
            agreement = _agree(ended.record.score, score, _margin(ended.record), margin)
        match, record = plan.match, ended.record
        ours = (match.key.game, match.budget, str(record.games), ended.score, verdict(record))
        rows.append((*ours, theirs, agreement))
    header = ("game", "budget per move", "games", "ours in %", "A is", "paper in %", "")
    return Table(title, header, tuple(rows))


def _printed(experiment: Experiment, plan: Planned) -> Result | None:
    return experiment.find(plan.match.key.game, plan.a, plan.b, plan.budget)


def _margin(record: Record) -> float:
    """Half of the interval, which is not empty if all games were won."""
    return max(papers_interval(record).margin, wilson_interval(record).margin)


def _printed_margin(experiment: Experiment, printed: Result) -> float:
    """Half of the printed interval; none is printed if all games were won."""
    if printed.interval is not None:
        return printed.interval / 100
    return wilson_interval(Record(wins=experiment.setting.games or GAMES_OF_A_MATCH)).margin


def _game_picture(
    experiment: Experiment, title: str, name: str, group: Sequence[tuple[Planned, Outcome]]
) -> Picture:
    series: dict[str, list[Point]] = {"ours": [], "paper": []}
    for plan, ended in group:
        game = plan.match.key.game
        series["ours"].append(Point(game, 100 * ended.record.score, 100 * _margin(ended.record)))
        printed = _printed(experiment, plan)
        if printed is not None and printed.score is not None:
            margin = 100 * _printed_margin(experiment, printed)
            series["paper"].append(Point(game, printed.score, margin))
    drawn = {key: points for key, points in series.items() if points}
    return Picture(title, name, draw_intervals(drawn, "score of the first agent in %", 50))


def _time_pictures(both: Sequence[tuple[Planned, Outcome]]) -> list[Picture]:
    pictures = []
    for budget in dict.fromkeys(plan.budget for plan, _ in both):
        lines: dict[str, list[tuple[float, float, float]]] = {}
        for plan, ended in both:
            if plan.budget == budget:
                point = (plan.seconds, 100 * ended.record.score, 100 * _margin(ended.record))
                lines.setdefault(plan.match.key.game, []).append(point)
        drawn = draw_lines(
            [Line(game, points) for game, points in lines.items()],
            "seconds per move" if budget == "timed" else "seconds that gave the states per move",
            "score of the first agent in %",
            50,
        )
        pictures.append(Picture(f"Scores over time, {budget}", f"time-{budget}", drawn))
    return pictures
