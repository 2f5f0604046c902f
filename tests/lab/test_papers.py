"""The papers' figures can be read, and agree with each other as far as they were printed twice."""

import math
from collections.abc import Iterator
from typing import get_args

import pytest

from semisplit import games as catalogue
from semisplit.agents import parse_agent
from semisplit.core.errors import SemisplitError, UnknownName
from semisplit.lab import papers
from semisplit.lab.papers import BadExperiment, Experiment, PrintedResult, Summary
from semisplit.search.notation import parse_settings

# In these, a score and the number of games give the confidence interval.
WITHOUT_DRAWS = {"amazons", "breakthrough", "fox_and_hounds", "hex", "knightthrough"}
# The AAAI paper does not print the number of games, but all its intervals fit this.
AAAI_GAMES = 300


def experiments() -> list[Experiment]:
    return [papers.load(name) for name in papers.names()]


def all_results() -> Iterator[tuple[Experiment, PrintedResult]]:
    return ((experiment, result) for experiment in experiments() for result in experiment.results)


def rows(experiment: Experiment, summary: Summary) -> list[PrintedResult]:
    """The results of which a summary is the average."""
    pairing = (summary.a, summary.b, summary.budget)
    return [row for row in experiment.results if (row.a, row.b, row.budget) == pairing]


def readable(results: list[PrintedResult]) -> bool:
    return all(result.reading in ("printed", "restored") for result in results)


def test_all_tables_and_figures_are_there() -> None:
    tables = [f"thesis-5.{number}" for number in range(1, 8)]
    figures = ["aaai22-figure2", "thesis-figure5.1", "mtmcts-figure1", "mtmcts-figure2"]
    hybrid = [f"hybrid-table{number}" for number in (1, 2, 3)]
    others = ["aaai22-table1", "aaai22-table2", "grouping-nodes", *hybrid]
    assert set(papers.names()) == {*others, *tables, *figures}
    for experiment in experiments():
        assert experiment.complete or experiment.note
        measured = experiment.results or experiment.summaries or experiment.measurements
        assert measured or experiment.solutions or not experiment.complete


@pytest.mark.parametrize("name", papers.names())
def test_agents_and_games_exist(name: str) -> None:
    experiment = papers.load(name)
    rows: list[PrintedResult | Summary] = [*experiment.results, *experiment.summaries]
    for row in rows:
        assert parse_agent(row.a).kind == parse_agent(row.b).kind == "mcts"
    played = [row.game for row in experiment.results] + [
        measured.game for measured in experiment.measurements
    ]
    assert {*played} <= {*catalogue.names()}


def test_numbers_of_rows() -> None:
    sizes = {
        experiment.name: (len(experiment.results), len(experiment.summaries))
        for experiment in experiments()
    }
    assert sizes["aaai22-table2"] == (16 * 12, 16 * 2 + 2)
    assert (sizes["thesis-5.3"], sizes["thesis-5.5"]) == ((4 * 11, 0), (2 * 11, 0))
    assert (sizes["thesis-5.2"], sizes["thesis-5.4"]) == ((0, 6 * 4 * 2), (0, 11 * 2))
    assert (sizes["thesis-5.6"], sizes["thesis-5.7"]) == ((0, 5), (0, 7))
    for experiment in experiments():
        pairings = [(row.game, row.a, row.b, row.budget) for row in experiment.results]
        assert len(set(pairings)) == len(pairings)


def test_averages_are_those_of_the_rows() -> None:
    checked, unreadable = 0, []
    for experiment in experiments():
        for summary in experiment.summaries:
            if not (results := rows(experiment, summary)):
                continue
            assert len(results) == summary.test_set
            scores = [result.score for result in results if result.score is not None]
            close = len(scores) == len(results) and math.isclose(
                sum(scores) / len(scores), summary.average, abs_tol=0.2
            )
            checked += close
            if not close:
                assert not readable(results)
                unreadable.append(summary.a)
    assert checked == 14
    assert unreadable == ["semisplit-nodal@Mod", "semisplit-nodal/orthodox@Mod"]


def test_the_open_score_is_what_the_average_leaves() -> None:
    table = papers.load("aaai22-table2")
    summary = next(row for row in table.summaries if row.a == "semisplit-nodal@Mod")
    known = sum(result.score or 0 for result in rows(table, summary))
    assert 28 <= 12 * summary.average - known <= 35


def verdict(result: PrintedResult) -> str:
    assert result.score is not None
    distance, interval = result.score - 50, result.interval or 0
    return "similar" if abs(distance) <= interval else "better" if distance > 0 else "worse"


def test_counts_agree_with_intervals() -> None:
    checked = 0
    for experiment in experiments():
        for summary in experiment.summaries:
            results = rows(experiment, summary)
            if summary.better is None or not results:
                continue
            verdicts = [verdict(result) for result in results]
            counts = [verdicts.count(word) for word in ("better", "similar", "worse")]
            assert counts == [summary.better, summary.similar, summary.worse]
            checked += 1
    assert checked == 1


def test_counts_add_up() -> None:
    for experiment in experiments():
        for summary in experiment.summaries:
            counts = [summary.better, summary.similar, summary.worse]
            total = sum(count for count in counts if count is not None)
            # The thesis says twelve games there.
            other = 15 if experiment.name == "thesis-5.6" else summary.test_set
            assert total in (0, other)


def half_width(percent: float, games: int) -> float:
    """Half the confidence interval of a score without draws, by Student's distribution."""
    part = min(max(percent / 100, 0), 1)
    return 100 * 1.97 * math.sqrt(part * (1 - part) / (games - 1))


def test_intervals_fit_the_scores() -> None:
    for experiment, result in all_results():
        if result.score is None or result.interval is None or result.reading == "doubtful":
            continue
        games = result.games or experiment.setting.games or AAAI_GAMES
        rounding = 0.05 if experiment.setting.games else 0.5
        below, above = sorted(
            half_width(score, games) for score in (result.score - rounding, result.score + rounding)
        )
        assert result.interval <= above + 0.06, (experiment.name, result)
        if result.game in WITHOUT_DRAWS:
            assert result.interval >= below - 0.1, (experiment.name, result)


def test_only_a_sure_win_has_no_interval() -> None:
    lost = [
        (result.a, result.game)
        for _, result in all_results()
        if result.interval is None and result.score != 100 and result.reading != "own"
    ]
    assert lost == [
        ("semisplit-nodal/orthodox@Mod", "breakthrough"),
        ("rollup-nodal/orthodox@Mod", "skirmish"),
    ]


def test_random_play_is_consistent() -> None:
    rates: dict[str, float] = {}
    for row in papers.load("aaai22-table1").measurements:
        values = row.values
        rate, simulations = values["nodal_states_per_second"], values["simulations_per_second"]
        depth = values["nodal_states_per_simulation"]
        assert rate / simulations == pytest.approx(depth, abs=0.6)
        assert values["all_states_per_simulation"] >= depth
        orthodox = rates.setdefault(row.game, rate)
        assert 100 * rate / orthodox == pytest.approx(values["relative_speed"], abs=0.5)


def test_printed_parameters_are_our_defaults() -> None:
    plain, both = parse_settings("orthodox"), parse_settings("orthodox+mast-mix+rave")
    assert both.mast is not None
    assert both.rave is not None
    ours = {
        "C": plain.exploration,
        "C_rave": both.exploration,
        "MSF": plain.min_simulations_factor,
        "epsilon": both.mast.epsilon,
        "factor": both.mast.decay_factor,
        "threshold": both.mast.threshold,
        "k": both.rave.equivalence,
    }
    printed = [experiment.setting.parameters for experiment in experiments()]
    assert {name for parameters in printed for name in parameters} == set(get_args(papers.Name))
    for parameters in printed:
        assert parameters == {name: ours[name] for name in parameters}


def test_find_does_not_depend_on_spelling() -> None:
    table = papers.load("thesis-5.3")
    found = table.find("breakthrough", "semisplit@mod,C=0.4", "orthodox", "timed")
    assert found is not None
    assert (found.score, found.interval) == (55.4, 6.3)
    assert table.find("breakthrough", "orthodox", "semisplit@Mod", "timed") is None


SOURCE = 'source = { author = "A", title = "T", venue = "V", year = 2000, item = "table 1" }'
HEADER = f"""
{SOURCE}
caption = "what is compared"
setting.budgets.timed = {{ kind = "time", seconds = 1 }}
columns.speed = "states in a second"
"""
ROW = 'game = "chess", a = "semisplit@Mod", b = "orthodox", budget = "timed"'


def test_read() -> None:
    table = papers.read("mine", HEADER + f"result = [{{ {ROW}, score = 51.5, games = 10 }}]")
    assert table.results[0].score == 51.5
    assert table.setting.budgets["timed"].seconds == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("caption =", "Invalid value"),
        ("colour = 1", "colour is not known"),
        ("results = []", "results is not known"),
        ("result = 1", "result: input should be a valid"),
        ("result = [1]", r"result\.0 has to be"),
        ("result = [{ a = 'orthodox' }]", r"result\.0\.budget is missing"),
        (f"result = [{{ {ROW}, score = true }}]", r"result\.0\.score: input should be"),
        (f"result = [{{ {ROW}, score = 101 }}]", "is impossible"),
        (f"result = [{{ {ROW} }}]", "a score, or that it is illegible"),
        (f"result = [{{ {ROW}, score = 1, reading = 'restored' }}]", "'extracted' is for"),
        (f"result = [{{ {ROW}, score = 1, reading = 'guessed' }}]", "reading: input should be"),
        (f"result = [{{ {ROW.replace('chess', 'ches')}, score = 1 }}]", "no game 'ches'"),
        (f"result = [{{ {ROW.replace('@Mod', '')}, score = 1 }}]", "needs a split strategy"),
        (f"result = [{{ {ROW.replace('timed', 'fixed')}, score = 1 }}]", "no budget 'fixed'"),
        ("setting.parameters.D = 1", "parameters.D"),
        ("setting.budgets.other = { kind = 'patience' }", "kind: input should be"),
        ("measurement = [{ game = 'chess', moves = 'Mud', speed = 1 }]", "strategy 'Mud'"),
        ("measurement = [{ game = 'chess', moves = 'Mod', sped = 1 }]", "sped is not known"),
    ],
)
def test_wrong_files_are_refused(text: str, reason: str) -> None:
    with pytest.raises(SemisplitError, match=reason):
        papers.read("mine", HEADER + text)


@pytest.mark.parametrize(
    "part", ["setting = 1", "columns = 1", "setting.budgets = 1", "setting.budgets.timed = 1"]
)
def test_parts_have_to_be_tables(part: str) -> None:
    with pytest.raises(BadExperiment, match="has to be keys with values"):
        papers.read("mine", f"{SOURCE}\n{part}")


def test_unknown_name() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'thesis-5\.1'"):
        papers.load("thesis5.1")
