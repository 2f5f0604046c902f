"""The papers' experiments: which matches they are, and how ours are set beside theirs."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

import semisplit
from semisplit.agents import parse_agent
from semisplit.core.errors import UnknownName
from semisplit.lab import papers
from semisplit.lab.bench.measuring import Estimate, measure_shape
from semisplit.lab.matches.match import Match
from semisplit.lab.matches.outcome import Duel, Outcome, outcome
from semisplit.lab.matches.play import Played
from semisplit.lab.papers import Experiment, PrintedResult, Summary
from semisplit.lab.papers.remeasure import _cells, remeasure
from semisplit.lab.papers.reproduce import (
    GAMES_OF_A_MATCH,
    LARGER_TEST_SET,
    TEST_SET,
    Planned,
    Selection,
    agreement,
    compare,
    plan_experiment,
)
from semisplit.lab.reports.document import Picture, Table
from semisplit.lab.store.database import IN_MEMORY, Seat, Store, StoredGame
from semisplit.stats.records import Interval, Record
from semisplit.ui.cli.verbs.experiment.reproduce import _results
from tests.support.agents import mcts
from tests.support.command_line import run

PLAYED = [name for name in papers.names() if not papers.load(name).measurements]
EVERYTHING = Selection()


def ended(planned: Planned, record: Record) -> Duel:
    """A match in which nobody had an advantage by the side: the games of a pair go together."""
    scores = [(1.0, 0.0), (0.0, 1.0)] * record.losses
    scores += [(1.0, 0.0)] * (record.wins - record.losses)
    games = (StoredGame(n, n, (0, 1), one) for n, one in enumerate(scores))
    return Duel(planned.match, tuple(games))


def tables(
    experiment: Experiment, planned: Sequence[Planned], record: Record
) -> dict[str, list[tuple[str, ...]]]:
    outcomes = [ended(one, record) for one in planned]
    document = compare(experiment, planned, outcomes)
    return {part.title: list(part.rows) for part in document.parts if isinstance(part, Table)}


@pytest.mark.parametrize("name", PLAYED)
def test_all_pairings_are_planned(name: str) -> None:
    experiment = papers.load(name)
    planned = plan_experiment(experiment, 1.0, EVERYTHING)
    assert {one.match.games for one in planned} == {experiment.setting.games or GAMES_OF_A_MATCH}
    pairings = {(one.a, one.b, one.budget) for one in planned}
    rows: list[PrintedResult | Summary] = [*experiment.results, *experiment.summaries]
    assert pairings >= {(row.a, row.b, row.budget) for row in rows}
    for result in experiment.results:
        key = (result.game, result.a, result.b, result.budget)
        assert any((one.match.key.game, one.a, one.b, one.budget) == key for one in planned)
    for summary in experiment.summaries:
        games = [
            one.match.key.game
            for one in planned
            if (one.a, one.b, one.budget) == (summary.a, summary.b, summary.budget)
        ]
        assert games == list(LARGER_TEST_SET if summary.test_set == 15 else TEST_SET)


@pytest.mark.parametrize("name", PLAYED)
def test_agents_have_the_printed_parameters(name: str) -> None:
    experiment = papers.load(name)
    printed = experiment.setting.parameters
    for one in plan_experiment(experiment, 1.0, EVERYTHING):
        for agent in (one.a, one.b):
            settings = mcts(parse_agent(agent)).settings
            if "C=" not in agent and "C" in printed:
                assert settings.exploration == printed["C_rave" if settings.rave else "C"]


def test_budgets() -> None:
    table = papers.load("aaai22-table2")

    def budgets(agent: str) -> dict[tuple[str, str], str]:
        planned = plan_experiment(table, 1.0, Selection(agents=[agent]))
        return {(one.match.key.game, one.budget): one.match.budget for one in planned}

    plain, guided = budgets("semisplit-nodal@Mod"), budgets("rollup-nodal+mast-split@Mod")
    assert plain["breakthrough", "timed"] == guided["breakthrough", "timed"] == "500ms"
    assert plain["breakthrough", "fixed"] == "942744states"
    # The opponent has MAST and RAVE, and computes fewer states.
    assert guided["breakthrough", "fixed"] == "587486states"
    (small,) = plan_experiment(
        table, 0.01, Selection(["semisplit-nodal@Mod"], ["chess"], ["fixed"])
    )
    assert small.match.games == 2
    assert small.match.budget == "1056states"


def invent(match: Match, store: Store) -> Outcome:
    """Fill a store with two games of a match that nobody played, and read how they ended."""
    number, _ = store.match(match.key, match.budget)
    for game in range(2):
        seats = (Seat(1, "first", game, 0), Seat(2, "second", 1 - game, 0))
        store.add_game(number, game, seats, Played((), (1.0, 0.0)), None)
    return outcome(match, store.games(number))


@pytest.mark.parametrize("name", PLAYED)
def test_all_printed_figures_stand_beside_ours(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = papers.load(name)
    monkeypatch.setattr("semisplit.lab.papers.reproduce.can_draw", lambda: False)
    with closing(Store(IN_MEMORY)) as store:
        planned = plan_experiment(experiment, 1.0, EVERYTHING, length=2)
        outcomes = [invent(one.match, store) for one in planned]
    parts = compare(experiment, planned, outcomes).parts
    shown = {part.title: part.rows for part in parts if isinstance(part, Table)}
    for summary in experiment.summaries:
        (row,) = (
            row for row in shown["Averages"] if row[:3] == (summary.a, summary.b, summary.budget)
        )
        assert row[6] == f"{summary.average:g}"
        assert row[8] in ("agrees", "differs", "inconclusive")
    for result in experiment.results:
        if result.score is not None:
            rows = shown[f"{result.a} against {result.b}, {result.budget}"]
            (row,) = (row for row in rows if row[0] == result.game)
            assert row[6].startswith(f"{result.score:.1f} ± ")
            assert row[7] in ("agrees", "differs", "inconclusive")


@pytest.mark.parametrize("name", ["thesis-5.3", "thesis-5.7"])
def test_a_scaled_budget_is_another_experiment(name: str) -> None:
    experiment = papers.load(name)
    planned = plan_experiment(experiment, 0.5, Selection(agents=["semisplit-nodal@Mod"]))
    document = compare(experiment, planned, [ended(one, Record(60, 0, 60)) for one in planned])
    assert "Budgets are 0.5 times" in " ".join(document.paragraphs)
    cells = {row[-1] for part in document.parts if isinstance(part, Table) for row in part.rows}
    assert "other budget" in cells
    assert not cells & {"agrees", "differs", "inconclusive"}


def test_figures_have_several_times() -> None:
    planned = plan_experiment(papers.load("aaai22-figure2"), 1.0, Selection(games=["chess"]))
    assert len({one.match.budget for one in planned}) == 10
    record = Record(130, 0, 110)
    document = compare(
        papers.load("aaai22-figure2"), planned, [ended(one, record) for one in planned]
    )
    assert [part.name for part in document.parts if isinstance(part, Picture)] == [
        "time-timed",
        "time-fixed",
    ]


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(agents=["semisplit-nodal@mod"]), "semisplit-nodal@Mod"),
        (Selection(games=["chest"]), "chess"),
        (Selection(budgets=["time"]), "timed"),
    ],
)
def test_wrong_selections(selection: Selection, message: str) -> None:
    with pytest.raises(UnknownName, match=f"did you mean '{message}'"):
        plan_experiment(papers.load("aaai22-table2"), 1.0, selection)


def test_ours_beside_theirs() -> None:
    table = papers.load("thesis-5.3")
    selection = Selection(["semisplit-nodal@Mod"], ["amazons", "breakthrough", "breakthru"])
    planned = plan_experiment(table, 1.0, selection)
    shown = tables(table, planned, Record(133, 0, 107))
    rows = shown["semisplit-nodal@Mod against orthodox, timed"]
    assert [row[0] for row in rows] == ["amazons", "breakthrough", "breakthru"]
    assert rows[0][2] == "240"
    assert rows[0][4].startswith("55.4 (")
    assert rows[0][6:] == ("98.3 ± 1.6", "differs")
    assert rows[1][6:] == ("55.4 ± 6.3", "agrees")
    all_won = tables(table, planned, Record(240, 0, 0))
    rows = all_won["semisplit-nodal@Mod against orthodox, timed"]
    assert [row[-1] for row in rows] == ["agrees", "differs", "agrees"]
    # Four games are not enough to agree, but sometimes to differ.
    few = tables(table, planned, Record(2, 0, 2))["semisplit-nodal@Mod against orthodox, timed"]
    assert [row[-1] for row in few] == ["differs", "inconclusive", "differs"]
    assert {row[5] for row in few} == {"too few games"}


@pytest.mark.parametrize(
    ("ours", "interval", "theirs", "margin", "expected"),
    [
        (0.5, (0.01, 0.99), 0.5, 0.06, "inconclusive"),
        (0.5, (0.01, 0.99), 1.0, 0.01, "differs"),
        (0.5, (0.44, 0.56), 0.58, 0.06, "agrees"),
        (0.5, (0.44, 0.56), 0.60, 0.06, "differs"),
        (0.9, (0.70, 0.95), 0.80, 0.03, "inconclusive"),
        (0.9, (0.70, 0.95), 0.99, 0.03, "differs"),
        (1.0, (0.97, 1.0), 0.99, 0.01, "agrees"),
    ],
)
def test_agreement(
    ours: float, interval: tuple[float, float], theirs: float, margin: float, expected: str
) -> None:
    assert agreement(ours, Interval(*interval), theirs, margin) == expected


def test_agreement_of_measurements() -> None:
    key = "all_states_per_simulation"
    assert _cells(key, Estimate(64.1, 0.2), 64)[2] == "agrees"
    assert _cells(key, Estimate(70.0, 0.2), 64)[2] == "differs"
    assert _cells(key, Estimate(70.0, 9.0), 64)[2] == "inconclusive"


def test_averages_beside_theirs() -> None:
    table = papers.load("thesis-5.7")
    agents = [row.a for row in table.summaries[:2]]
    planned = plan_experiment(table, 1.0, Selection(agents=agents))
    rows = tables(table, planned, Record(142, 0, 98))["Averages"]
    assert len(rows) == 2
    for row, printed in zip(rows, table.summaries):
        assert row[3] == "12"
        assert row[4].startswith("59.2 (")
        assert row[5] == "12:0:0"
        assert row[6] == f"{printed.average:g}"
        assert row[7] == f"{printed.better}:{printed.similar}:{printed.worse}"
        # Twelve matches of 240 games: 1.8 %, and ours.
        close = abs(printed.average - 59.17) < 2.5
        assert row[8] == ("agrees" if close else "differs")
    # An average over some of the games is not that of the paper.
    part = plan_experiment(table, 1.0, Selection(agents=agents, games=["chess"]))
    assert tables(table, part, Record(1, 0, 1))["Averages"][0][6:] == ("", "", "")


def test_shapes_agree_with_the_paper() -> None:
    for printed in papers.load("aaai22-table1").measurements[:3]:
        split = None if printed.moves == "orthodox" else printed.moves
        shape = measure_shape(semisplit.load("breakthrough", split), 2.0)
        # Four times the error seldom happens; the paper's own error is in its rounding.
        for ours, key, rounding in (
            (shape.nodal_states, "nodal_states_per_simulation", 0.5),
            (shape.all_states, "all_states_per_simulation", 0.5),
            (shape.branching, "branching", 0.01),
        ):
            assert abs(ours.value - printed.values[key]) < 2 * ours.margin + rounding


def test_printed_scores_stand_beside_ours_for_programs() -> None:
    experiment = papers.load("thesis-5.3")
    planned = plan_experiment(experiment, 1.0, EVERYTHING)
    results = _results(experiment, planned, [ended(one, Record(6, 0, 2)) for one in planned])
    assert {result["score"] for result in results} == {0.75}
    printed = {(one.game, one.a, one.b, one.budget): one.score for one in experiment.results}
    assert len(results) == len(printed)
    for result in results:
        score = printed[result["game"], result["a"], result["b"], result["budget"]]
        assert result["paper"] == (None if score is None else score / 100)


def test_the_command(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    options = ("--scale", "0.002", "--game", "pentago", "--agent", "semisplit-nodal@Mod", *out)
    shown = run("reproduce", "aaai22-table2", *options, "--jobs", "1")
    assert "pentago" in shown
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "games.csv").read_text().count("pentago") == 4
    data = json.loads(run("reproduce", "aaai22-table2", *options, "--jobs", "1", "--json"))
    assert [(one["game"], one["games"]) for one in data["matches"]] == [("pentago", 2)] * 2
    assert all(
        len(row) == len(table["header"]) for table in data["tables"] for row in table["rows"]
    )
    shown = run("reproduce", "thesis-5.1", "--scale", "0.001", "--game", "breakthrough", *out)
    assert "table 5.1" in shown
    assert "1,885,488" in shown
    assert "processor" in (tmp_path / "report.html").read_text()
    assert "did you mean" in run("reproduce", "aaai22-table3", *out, status=1)


def test_measurements_are_not_made_twice(tmp_path: Path) -> None:
    printed = papers.load("aaai22-table1")
    with closing(Store(tmp_path / "games.db")) as store:

        def measure(scale: float, *games: str) -> Table:
            return remeasure(printed, scale, games, store, lambda _: None)

        first = measure(0.01, "breakthrough")
        both = measure(0.01, "breakthrough", "chess")
        assert both.rows[: len(first.rows)] == first.rows
        assert len(both.rows) == 2 * len(first.rows)
        assert measure(0.01, "breakthrough", "chess") == both
        assert measure(0.02, "breakthrough") != first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--game", "amazon"), "did you mean 'amazons'"),
        (("--agent", "orthodox"), "nobody plays in thesis-5.1"),
        (("--games", "2"), "nobody plays in thesis-5.1"),
    ],
)
def test_wrong_choices_of_measurements(
    options: tuple[str, str], message: str, tmp_path: Path
) -> None:
    printed = run("reproduce", "thesis-5.1", *options, "--out", str(tmp_path), status=1)
    assert message in printed
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("table", ["hybrid-table2", "hybrid-table3"])
def test_each_game_has_the_clock_of_the_paper(table: str) -> None:
    experiment = papers.load(table)
    planned = plan_experiment(experiment, 0.1, Selection())
    assert len(planned) == 9
    clocks = {one.match.key.game: one.match.budget for one in planned}
    assert clocks["othello"] == "1500ms"
    assert clocks["connect4_7"] == clocks["farmers"] == "500ms"
    assert all(one.match.agents[0].on_cluster for one in planned)
    for one in planned:
        assert experiment.find(one.match.key.game, one.a, one.b, one.budget)
