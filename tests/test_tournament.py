"""Tournaments: what a file says is played, and the report says what was played."""

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from pyarrow import parquet

import semisplit
from semisplit.agent import parse_agent
from semisplit.core.errors import InputError
from semisplit.lab.document import Document, Picture, Table
from semisplit.lab.figures import Line, Point, draw_intervals, draw_lines
from semisplit.lab.match import Match, Outcome
from semisplit.lab.standings import (
    average,
    average_table,
    cross_table,
    failure_table,
    match_table,
    ratings,
)
from semisplit.lab.statistics import Record
from semisplit.lab.tournament import plan_matches, read_plan, report
from tests.test_cli import run

TOURNAMENT = """
games = ["tic_tac_toe", "small.rbg"]
agents = ["orthodox", "flat-mc", "random"]
budgets = ["30sims", "60sims"]
length = 4
"""


def write(folder: Path, text: str = TOURNAMENT) -> Path:
    (folder / "small.rbg").write_text(semisplit.games.text("tic_tac_toe"))
    path = folder / "cup.toml"
    path.write_text(text)
    return path


def ended(game: str, a: str, b: str, record: Record, *failures: str) -> Outcome:
    match = Match(semisplit.load(game), parse_agent(a), parse_agent(b), 10, "10sims")
    return Outcome(match, record, failures)


OUTCOMES = [
    ended("hex", "orthodox", "random", Record(10, 0, 0)),
    ended("connect4", "orthodox", "random", Record(5, 0, 5), "game 3: random failed"),
    ended("hex", "orthodox", "flat-mc", Record(2, 0, 8)),
    ended("connect4", "orthodox", "flat-mc", Record(0, 0, 10)),
    ended("hex", "flat-mc", "random", Record(10, 0, 0)),
    ended("connect4", "flat-mc", "random", Record(9, 0, 1)),
]


# The plan


def test_everybody_plays_everybody(tmp_path: Path) -> None:
    path = write(tmp_path)
    matches = plan_matches(read_plan(path), path)
    assert len(matches) == 2 * 3 * 2
    assert len({match.key for match in matches}) == 12
    assert {match.games for match in matches} == {4}
    assert str(matches[0]) == "orthodox against flat-mc at tic_tac_toe, 30sims per move"
    assert matches[1].key.game == "small.rbg"


def test_everybody_plays_some(tmp_path: Path) -> None:
    path = write(tmp_path, TOURNAMENT + 'against = ["random"]\nseed = 7\n')
    matches = plan_matches(read_plan(path), path)
    assert {(match.a.name, match.b.name) for match in matches} == {
        ("orthodox", "random"),
        ("flat-mc", "random"),
    }
    assert {match.seed for match in matches} == {7}


def test_what_is_named_twice_is_played_once(tmp_path: Path) -> None:
    text = """
        games = ["tic_tac_toe", "tic_tac_toe"]
        agents = ["orthodox", "random", "orthodox"]
        against = ["random", "orthodox", "random"]
        budgets = ["30sims", "30sims"]
    """
    path = write(tmp_path, text)
    (match,) = plan_matches(read_plan(path), path)
    assert (match.a.name, match.b.name) == ("orthodox", "random")


def test_tournaments_without_an_end(tmp_path: Path) -> None:
    agents = ", ".join(f'"orthodox,C=0.{number:03}"' for number in range(200))
    path = write(tmp_path, TOURNAMENT.replace('"orthodox", "flat-mc", "random"', agents))
    with pytest.raises(InputError, match="79,600 matches are too many"):
        plan_matches(read_plan(path), path)
    path = write(tmp_path, TOURNAMENT.replace('"30sims"', ", ".join(['"30sims"'] * 2000)))
    with pytest.raises(InputError, match="at most 1000 items"):
        read_plan(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"orthodox"', '"ortodox"'), "did you mean 'orthodox'"),
        (('"tic_tac_toe"', '"tic_tac"'), "did you mean 'tic_tac_toe'"),
        (('"small.rbg"', '"none.rbg"'), "none.rbg: No such file"),
        (('"small.rbg"', '"small.rbg", "./small.rbg"'), "games need different names"),
        (('"30sims"', '"30 apples"'), "'30 apples' is not a budget"),
        (("length", "lenght"), "lenght is not known; did you mean 'length'"),
        (("length = 4", "length = 0"), "length: input should be greater than or equal to 1"),
        (("games =", "games"), "line 2, column 7"),
        (("budgets", "against"), "budgets is missing"),
        (('"orthodox", "flat-mc", "random"', '"random"'), "at least two different ones"),
    ],
)
def test_wrong_files(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = write(tmp_path, TOURNAMENT.replace(*change))
    printed = run("tournament", str(path), status=1)
    assert "cup.toml: " in printed
    assert message in printed


def test_agents_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    config = json.dumps(
        {
            "general": {
                "buffer_time": 0,
                "simulate_during_opp_turn": False,
                "reasoning_overhead": 1,
            },
            "algorithm": {
                "name": "MCTS",
                "tree_strategy": "orthodox",
                "simulation_strategy": "orthodox",
                "parameters": {"exploration_constant": 0.4},
            },
            "heuristics": [],
        }
    )
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.json").write_text(config)
    files = '"one/mine.json", "two/mine.json"'
    path = write(tmp_path, TOURNAMENT.replace('"orthodox", "flat-mc", "random"', files))
    with pytest.raises(InputError, match="different names"):
        plan_matches(read_plan(path), path)
    one = TOURNAMENT.replace('"orthodox"', '"one/mine.json"')
    path = write(tmp_path, one)
    assert plan_matches(read_plan(path), path)[0].a.name == "mine"


def test_missing_and_huge_files(tmp_path: Path) -> None:
    assert "No such file" in run("tournament", str(tmp_path / "none.toml"), status=1)
    path = tmp_path / "huge.toml"
    path.write_text("#" * (1 << 21))
    assert "too large" in run("tournament", str(path), status=1)
    path.write_bytes(b"\xff\xfe")
    assert "utf-8" in run("tournament", str(path), status=1)


def test_the_file_in_the_docs(tmp_path: Path) -> None:
    page = Path(__file__).parent.parent / "docs" / "matches.md"
    found = re.search(r"^```toml\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    plan = read_plan(write(tmp_path, found[1]))
    assert plan.length == 100
    assert plan.against == ["orthodox"]
    assert plan.stop == "sprt"


# A whole one


def test_a_tournament(tmp_path: Path) -> None:
    path = write(tmp_path)
    printed = run("tournament", str(path), "--jobs", "1", "--json")
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert len(lines) == 12
    assert {line["games"] for line in lines} == {4}
    folder = tmp_path / "cup"
    with (folder / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 48
    assert rows == [
        {key: "" if value is None else str(value) for key, value in row.items()}
        for row in parquet.read_table(folder / "games.parquet").to_pylist()
    ]
    first = rows[0]
    assert int(first["plies"]) == len(first["moves"].split())
    # A moves first, so it has one move more in games of an odd number of them.
    moves_of_a = (int(first["plies"]) + 1) // 2
    assert int(first["simulations_a"]) == 30 * moves_of_a
    wins = sum(float(row["score_a"]) > 0.5 for row in rows[:4])
    assert wins == lines[0]["wins"]
    html = (folder / "report.html").read_text()
    assert "Cross table, 60sims per move" in html
    assert html.count("<svg") == 4
    assert re.search(r"(src|href)=\"http", html) is None
    # All has been played.
    before = (folder / "games.csv").read_bytes()
    run("tournament", str(path))
    assert (folder / "games.csv").read_bytes() == before


# Standings


def test_averages() -> None:
    mean = average(OUTCOMES[:2])
    assert mean.score == 0.75
    # The first margin is 0.
    assert mean.margin == pytest.approx(1.96 * (0.25 / 9) ** 0.5 / 2)
    assert mean.counts == "1:1:0"
    rows = average_table(OUTCOMES, "").rows
    assert rows[0] == ("orthodox", "random", "2", "75.0 ± 16.3", "1:1:0")
    assert rows[1][-1] == "0:0:2"


def test_cross_table() -> None:
    table = cross_table(OUTCOMES, "")
    assert table.header == ("", "orthodox", "random", "flat-mc")
    assert [row[0] for row in table.rows] == ["orthodox", "random", "flat-mc"]
    scores = {
        (row[0], name): cell.split()[0]
        for row in table.rows
        for name, cell in zip(table.header[1:], row[1:])
        if cell
    }
    assert scores["orthodox", "random"] == "75.0"
    assert scores["random", "orthodox"] == "25.0"
    assert scores["flat-mc", "orthodox"] == "90.0"
    assert ("random", "random") not in scores


def test_ratings_and_failures() -> None:
    assert list(ratings(OUTCOMES)) == ["flat-mc", "orthodox", "random"]
    (failures,) = failure_table(OUTCOMES)
    assert failures.rows[0][1] == "game 3: random failed"
    assert failure_table(OUTCOMES[:1]) == []
    assert match_table(OUTCOMES, "").rows[0][-1] == "better"


# Documents and pictures


def test_documents_are_safe_to_open(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    picture = Picture("drawn", "drawn", "<svg></svg>")
    document = Document(
        evil, (evil,), (Table(evil, (evil,), (("a|b\nc",), ("worse",)), evil), picture)
    )
    html = document.write(tmp_path).read_text()
    assert "<script" not in html
    assert '<td class="worse">' in html
    markdown = (tmp_path / "report.md").read_text()
    assert "<script" not in markdown
    assert "| a/b c |" in markdown
    assert "](drawn.svg)" in markdown
    assert (tmp_path / "drawn.svg").exists()


def test_pictures() -> None:
    points = [Point("breakthrough", 60.0, 5.0), Point("<hex> $\\no$ {", 40.0, 0.0)]
    drawn = draw_intervals({"one": points, "two": points[:1]}, "score", 50)
    lines = draw_lines([Line("hex", [(0.1, 50, 2), (1, 60, 2)])], "seconds", "score", 50)
    for svg in (drawn, lines):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "breakthrough" in drawn
    assert drawn == draw_intervals({"one": points, "two": points[:1]}, "score", 50)


def test_without_extras_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semisplit.lab.tournament.can_draw", lambda: False)
    document = report("cup", OUTCOMES)
    assert not any(isinstance(part, Picture) for part in document.parts)
    assert document.parts[0].title == "Failures"
