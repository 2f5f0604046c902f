"""The papers' puzzles solved again."""

from contextlib import closing

import pytest

from semisplit.lab import papers
from semisplit.lab.bench.solving import Attempt, summarize
from semisplit.lab.papers.puzzles import solve_again
from semisplit.lab.papers.reproduce import Selection
from semisplit.lab.store.database import IN_MEMORY, Store


def test_our_figures_stand_beside_the_printed_ones() -> None:
    experiment = papers.load("mtmcts-figure2")
    told: list[str] = []
    with closing(Store(IN_MEMORY)) as store:
        selection = Selection(games=["queens08lg"])
        for _ in range(2):
            table = solve_again(experiment, 2, 0.001, selection, store, told.append)
    assert [row[:3] for row in table.rows] == [
        ("queens08lg", "uct-transpositions", "2"),
        ("queens08lg", "mt-mcts", "2"),
    ]
    assert [row[4] for row in table.rows] == ["67", "22"]
    assert [row[6] for row in table.rows] == ["0.01", "1.30 (1.29)"]
    assert told.count("queens08lg, mt-mcts, 2 of 2") == 2
    assert "after 10,000 playouts (the experiment: after 10,000,000)" in table.note


def test_how_a_nonogram_ends_decides_about_the_global_score_alone() -> None:
    experiment = papers.load("mtmcts-figure1")
    selection = Selection(
        ["mt-mcts,alpha=0.5", "mt-mcts,alpha=1"],
        ["nonogram_checkerboard", "nonogram_checkerboard_counted"],
    )
    with closing(Store(IN_MEMORY)) as store:
        table = solve_again(experiment, 1, 0.02, selection, store, print)
    assert [row[9] for row in table.rows] == ["0", "0", "0", "1"]


def test_what_was_solved_is_not_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = papers.load("mtmcts-figure2")
    with closing(Store(IN_MEMORY)) as store:
        wanted = experiment, 1, 0.001, Selection(games=["queens08lg"]), store, print
        before = solve_again(*wanted)
        monkeypatch.setattr("semisplit.lab.papers.puzzles.attempts", None)
        assert solve_again(*wanted) == before


def test_means_leave_out_failures() -> None:
    made = [
        Attempt(solved, 1.0, (), playouts, seconds, 1.0, "")
        for solved, playouts, seconds in [(True, 10, 1.0), (False, 90, 9.0), (True, 20, 3.0)]
    ]
    summary = summarize(made)
    assert (summary.runs, summary.failures, summary.mean_playouts) == (3, 1, 15)
    assert (summary.mean_seconds, summary.sd_seconds, summary.decomposition_seconds) == (3, 1, 1)
