"""The papers' experiments again: which matches they are, and our numbers beside the papers'."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from semisplit.agents import parse_agent
from semisplit.core.errors import UnknownName
from semisplit.lab.matches.match import Match
from semisplit.lab.matches.outcome import Duel, MeanScore, Outcome, corrected, duels
from semisplit.lab.papers import (
    Experiment,
    PrintedBudget,
    PrintedResult,
    Summary,
    states_per_second,
)
from semisplit.lab.reports.document import Document, Picture, Table
from semisplit.lab.reports.figures import PERCENT, Line, Point, can_draw, draw_intervals, draw_lines
from semisplit.lab.reports.standings import AVERAGE_NOTE, about, average, failure_table
from semisplit.loading import load
from semisplit.stats.evidence import score_interval
from semisplit.stats.records import PAPERS_QUANTILE, Interval, Pairs, papers_verdict

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
TOLERANCE = 0.1
"""Two scores agree only if a difference of more than this would have been seen."""


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
    scale: float
    """By what the experiment's budget was multiplied."""


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
            budget = _budget(experiment.setting.budgets[name], game, b, scale, time)
            agents = (parse_agent(a), parse_agent(b))
            match = Match(load(game), agents, games, budget)
            planned.append(Planned(match, a, b, name, time, scale))
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
    rows: tuple[PrintedResult | Summary, ...] = (*experiment.summaries, *experiment.results)
    # The papers' tables print all seconds; simulations were not limited in any of them.
    return list(
        dict.fromkeys((row.a, row.b, row.budget, budgets[row.budget].seconds or 0) for row in rows)
    )


def _games(experiment: Experiment, a: str, b: str, budget: str) -> Sequence[str]:
    for row in experiment.summaries:
        if (row.a, row.b, row.budget) == (a, b, budget):
            return LARGER_TEST_SET if row.test_set == len(LARGER_TEST_SET) else TEST_SET
    rows = [row for row in experiment.results if (row.a, row.b) == (a, b)]
    # Where each game has a clock of its own, a budget belongs to some of them only.
    own = [row.game for row in rows if row.budget == budget]
    return list(dict.fromkeys(own or (row.game for row in rows))) or TEST_SET


def _even(number: float) -> int:
    return max(2, 2 * round(number / 2))


def _budget(printed: PrintedBudget, game: str, opponent: str, scale: float, seconds: float) -> str:
    if printed.kind == "time":
        return f"{1000 * seconds:g}ms"
    if printed.kind == "simulations":
        return f"{max(1, round((printed.amount or 1) * scale))}sims"
    rates = states_per_second()[game]
    return f"{max(1, round(rates.get(opponent, rates['orthodox']) * seconds))}states"


# Ours beside the papers'


def compare(
    experiment: Experiment, planned: Sequence[Planned], outcomes: Sequence[Outcome]
) -> Document:
    """Our results and those of the paper, side by side."""
    contested = corrected(duels(outcomes))
    both = list(zip(planned, contested))
    groups: dict[tuple[str, str, str], list[tuple[Planned, Duel]]] = {}
    for plan, ended in both:
        groups.setdefault((plan.a, plan.b, plan.budget), []).append((plan, ended))
    parts: list[Table | Picture] = [*failure_table(contested)]
    if experiment.results or experiment.summaries:
        parts.append(_averages(experiment, groups))
    for number, (names, group) in enumerate(groups.items(), 1):
        title = f"{names[0]} against {names[1]}, {names[2]}"
        parts.append(_game_table(experiment, title, group))
        if can_draw() and (experiment.results or experiment.summaries):
            parts.append(_game_picture(experiment, title, f"scores-{number}", group))
    if can_draw() and not (experiment.results or experiment.summaries):
        parts += _time_pictures(both)
    scale = planned[0].scale if planned else 1.0
    paragraphs = (*describe(experiment, scale), *about(contested), _MEANING)
    return Document(experiment.name, paragraphs, tuple(parts))


_MEANING = (
    "± is the papers' own: 1.96 standard errors. Two scores differ if their distance is more than"
    " the root of the sum of the squares of how far both intervals reach. If it is not, they agree,"
    f" provided that this is at most {100 * TOLERANCE:.0f} %; otherwise the comparison is"
    " inconclusive. A question mark is a figure that could not be read for sure."
)


def describe(experiment: Experiment, scale: float = 1.0) -> tuple[str, ...]:
    """Where an experiment comes from and what it is about, and whether budgets were scaled."""
    source = experiment.source
    origin = f"{source.item} of {source.author}: {source.title}. {source.venue}, {source.year}."
    scaled = (
        f"Budgets are {scale:g} times those of the experiment. That makes it another experiment:"
        " the paper's figures stand beside ours, but nothing is said about whether they agree."
    )
    notes = experiment.note.strip(), scaled * (scale != 1)
    return origin, experiment.caption.strip(), *filter(None, notes)


def _averages(
    experiment: Experiment, groups: dict[tuple[str, str, str], list[tuple[Planned, Duel]]]
) -> Table:
    rows = []
    for (a, b, budget), group in groups.items():
        ours = average([ended for _, ended in group])
        verdicts = [papers_verdict(ended.record) for _, ended in group]
        counts = _write_counts(*(verdicts.count(word) for word in ("better", "similar", "worse")))
        printed = _printed_average(experiment, a, b, budget)
        cells = ("", "", "")
        if printed is not None and printed.test_set == len(group):
            cells = _average_cells(experiment, ours, printed, group[0][0].scale)
        rows.append((a, b, budget, str(len(group)), str(ours), counts, *cells))
    header = ("A", "B", "budget", "kinds of games", "ours in %", "ours", "paper in %", "paper", "")
    note = (
        f"{AVERAGE_NOTE} Beside the scores: at how many games A is better:similar:worse, as the"
        " papers count, which is without regard to few games and many comparisons. They print no"
        " intervals of averages; theirs are taken to be those of independent games without draws."
    )
    return Table("Averages", header, tuple(rows), note)


def _write_counts(*counts: int | None) -> str:
    return ":".join(map(str, counts))


def _printed_average(experiment: Experiment, a: str, b: str, budget: str) -> Summary | None:
    found = (row for row in experiment.summaries if (row.a, row.b, row.budget) == (a, b, budget))
    return next(found, None)


def _average_cells(
    experiment: Experiment, ours: MeanScore, printed: Summary, scale: float
) -> tuple[str, str, str]:
    counts = ""
    if printed.better is not None:
        counts = _write_counts(printed.better, printed.similar, printed.worse)
    theirs = printed.average / 100
    games = _games_of_a_match(experiment) * printed.test_set
    margin = PAPERS_QUANTILE * math.sqrt(theirs * (1 - theirs) / games)
    judged = _judge(scale, ours.score, ours.interval, theirs, margin)
    return f"{printed.average:g}", counts, judged


def _games_of_a_match(experiment: Experiment) -> int:
    return experiment.setting.games or GAMES_OF_A_MATCH


def _judge(scale: float, ours: float, interval: Interval, theirs: float, margin: float) -> str:
    """Whether scores agree, if their budgets are the same."""
    return agreement(ours, interval, theirs, margin) if scale == 1 else "other budget"


def agreement(ours: float, interval: Interval, theirs: float, margin: float) -> str:
    """Whether our score and a paper's agree or differ, as far as that can be told."""
    below, above = ours - interval.low, interval.high - ours
    if abs(theirs - ours) > math.hypot(above if theirs > ours else below, margin):
        return "differs"
    return "agrees" if math.hypot(max(below, above), margin) <= TOLERANCE else "inconclusive"


def _game_table(experiment: Experiment, title: str, group: Sequence[tuple[Planned, Duel]]) -> Table:
    rows = []
    for plan, ended in group:
        printed = _printed(experiment, plan)
        cells = ("", "")
        if printed is not None and printed.score is not None:
            score, margin = printed.score / 100, _printed_margin(experiment, printed)
            doubtful = "?" if printed.reading == "doubtful" else ""
            cells = (
                f"{printed.score:.1f} ± {100 * margin:.1f}{doubtful}",
                _judge(plan.scale, ended.record.score, ended.interval, score, margin),
            )
        match, played = plan.match, map(str, (ended.games, ended.distinct))
        names = (match.key.game, match.budget)
        rows.append((*names, *played, ended.standing, ended.full_verdict, *cells))
    header = (
        *("game", "budget per move", "played", "distinct", "ours in %", "A is"),
        *("paper in %", ""),
    )
    return Table(title, header, tuple(rows))


def _printed(experiment: Experiment, plan: Planned) -> PrintedResult | None:
    return experiment.find(plan.match.key.game, plan.a, plan.b, plan.budget)


def _printed_margin(experiment: Experiment, printed: PrintedResult) -> float:
    """Half of the printed interval; if all games were won none is printed, and ours is taken."""
    if printed.interval is not None:
        return printed.interval / 100
    pairs = _games_of_a_match(experiment) / 2
    return 1 - score_interval(Pairs((0, 0, 0, 0, pairs))).low


def _game_picture(
    experiment: Experiment, title: str, name: str, group: Sequence[tuple[Planned, Duel]]
) -> Picture:
    series: dict[str, list[Point]] = {"ours": [], "paper": []}
    for plan, ended in group:
        game = plan.match.key.game
        score, interval = 100 * ended.record.score, ended.interval.in_percent
        series["ours"].append(Point(game, score, interval))
        printed = _printed(experiment, plan)
        if printed is not None and printed.score is not None:
            margin = 100 * _printed_margin(experiment, printed)
            theirs = Interval(printed.score - margin, printed.score + margin)
            series["paper"].append(Point(game, printed.score, theirs))
    drawn = {key: points for key, points in series.items() if points}
    return Picture(title, name, draw_intervals(drawn, "score of the first agent in %", 50, PERCENT))


def _time_pictures(both: Sequence[tuple[Planned, Duel]]) -> list[Picture]:
    pictures = []
    for budget in dict.fromkeys(plan.budget for plan, _ in both):
        lines: dict[str, list[tuple[float, float, Interval]]] = {}
        for plan, ended in both:
            if plan.budget == budget:
                point = (plan.seconds, 100 * ended.record.score, ended.interval.in_percent)
                lines.setdefault(plan.match.key.game, []).append(point)
        drawn = draw_lines(
            [Line(game, points) for game, points in lines.items()],
            "seconds per move" if budget == "timed" else "seconds that gave the states per move",
            "score of the first agent in %",
            50,
            PERCENT,
        )
        pictures.append(Picture(f"Scores over time, {budget}", f"time-{budget}", drawn))
    return pictures
