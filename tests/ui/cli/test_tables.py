"""Whatever is shown on a narrow terminal, no name is cut."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import semisplit
from semisplit import games as catalogue
from semisplit.lab.reports.document import Table
from semisplit.ui.cli.terminal.drawing import draw_moves
from semisplit.ui.cli.terminal.live import _progress
from semisplit.ui.cli.terminal.tables import print_table
from semisplit.ui.cli.verbs.experiment.reproduce import _status
from tests.support.command_line import run

WIDTHS = [40, 80]
AGENT = "orthodox/semisplit+mast-context+rave-join@Mod"


def console(width: int, **options: Any) -> Console:
    return Console(width=width, file=io.StringIO(), color_system=None, **options)


def shown(where: Console) -> str:
    assert isinstance(where.file, io.StringIO)
    return where.file.getvalue()


@pytest.mark.parametrize("width", WIDTHS)
def test_names_of_games(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    listed = run("games")
    assert {*catalogue.names()} <= {*listed.split()}
    assert "…" not in listed


@pytest.mark.parametrize("width", WIDTHS)
def test_names_of_agents(width: int) -> None:
    header = ("game", "A", "B", "played", "score of A in %", "A is")
    row = ("breakthrough", AGENT, AGENT.replace("context", "split"), "12", "50.0", "similar")
    where = console(width)
    print_table(Table(f"{AGENT} against all others", header, (row,) * 3), where)
    assert {*row} <= {*shown(where).split()}
    assert shown(where).count(AGENT) == 4


WORDS = st.text("abc-@,", min_size=1, max_size=30)
CELLS = st.lists(WORDS, max_size=4).map(" ".join)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=2), st.sampled_from([10, 40, 80]))
def test_no_word_is_cut(rows: list[tuple[str, ...]], width: int) -> None:
    where = console(width)
    header, *rest = rows
    print_table(Table("", header, tuple(rest)), where)
    words = [word for row in rest for cell in row for word in cell.split()]
    found = shown(where).split()
    assert all(found.count(word) >= words.count(word) for word in words)


def test_numbers_stand_under_each_other() -> None:
    where = console(80)
    print_table(Table("", ("agent", "Elo"), (("mini", "+5"), ("random", "-120"))), where)
    assert [line.rstrip() for line in shown(where).splitlines()] == [
        "agent    Elo",
        "────────────",
        "mini      +5",
        "random  -120",
    ]


@pytest.mark.parametrize("width", [8, *WIDTHS])
def test_moves(width: int) -> None:
    moves = semisplit.load("double_ttt_choice").initial_state().moves()
    where = console(width)
    where.print(draw_moves(moves, {}))
    assert "…" not in shown(where)
    assert "".join(shown(where).split()) == "".join(str(move).replace(" ", "") for move in moves)


def test_what_is_done_at_the_moment() -> None:
    where = console(30, force_terminal=True)
    with _status(where) as status:
        status.update(f"hanoi, groups[border], {AGENT}")
    assert "groups[border]" in shown(where)
    assert "…" not in shown(where)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_played_at_the_moment(width: int) -> None:
    where = console(width, force_terminal=True)
    with _progress(where) as progress:
        bar = progress.add_task("nonogram_checkerboard 50.0 (40.0 to 60.0)", total=9, rate="")
        progress.update(bar, completed=3, rate="12.5 games/min")
    assert "nonogram_checkerboard" in shown(where)
    assert "…" not in shown(where)
