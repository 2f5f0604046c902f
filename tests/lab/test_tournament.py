"""Tournaments: what a file says is played, and the report says what was played."""

import csv
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet
from scipy.stats import binomtest

import semisplit
from semisplit.agents import parse_agent
from semisplit.core.errors import InputError
from semisplit.lab.matches.budgets import Like, parse_budget
from semisplit.lab.matches.match import Match, begin_match
from semisplit.lab.matches.outcome import Duel
from semisplit.lab.matches.tournament import plan_matches, read_plan, report
from semisplit.lab.reports.document import Document, Picture, Table
from semisplit.lab.reports.figures import PERCENT, Line, Point, draw_intervals, draw_lines
from semisplit.lab.reports.standings import (
    about,
    average,
    average_table,
    cross_table,
    failure_table,
    match_table,
    ratings,
)
from semisplit.lab.store.database import Store, StoredGame
from semisplit.stats.evidence import at_any_length
from semisplit.stats.records import Interval
from tests.support.command_line import run

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


def ended(game: str, a: str, b: str, wins: int, losses: int, failure: str | None = None) -> Duel:
    """A match without draws; the wins came first, and the third game failed."""
    match = Match(semisplit.load(game), (parse_agent(a), parse_agent(b)), 20, "10sims")
    scores = [(1.0, 0.0)] * wins + [(0.0, 1.0)] * losses
    games = [StoredGame(n, n, (0, 1), one) for n, one in enumerate(scores)]
    games[3] = replace(games[3], failure=failure)
    return Duel(match, tuple(games), distinct=wins)


OUTCOMES = [
    ended("hex", "orthodox", "random", 20, 0),
    ended("connect4", "orthodox", "random", 10, 10, "random failed"),
    ended("hex", "orthodox", "flat-mc", 4, 16),
    ended("connect4", "orthodox", "flat-mc", 0, 20),
    ended("hex", "flat-mc", "random", 20, 0),
    ended("connect4", "flat-mc", "random", 18, 2),
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
    assert {match.key.agents for match in matches} == {
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
    assert match.key.agents == ("orthodox", "random")


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


CONFIG = json.dumps(
    {
        "general": {"buffer_time": 0, "simulate_during_opp_turn": False, "reasoning_overhead": 1},
        "algorithm": {
            "name": "MCTS",
            "tree_strategy": "orthodox",
            "simulation_strategy": "orthodox",
            "parameters": {"exploration_constant": 0.4},
        },
        "heuristics": [],
    }
)


def test_agents_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.json").write_text(CONFIG)
    files = '"one/mine.json", "two/mine.json"'
    path = write(tmp_path, TOURNAMENT.replace('"orthodox", "flat-mc", "random"', files))
    with pytest.raises(InputError, match="different names"):
        plan_matches(read_plan(path), path)
    one = TOURNAMENT.replace('"orthodox"', '"one/mine.json"')
    path = write(tmp_path, one)
    assert plan_matches(read_plan(path), path)[0].agents[0].name == "mine"


def test_paths_in_budgets_start_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(CONFIG)
    path = write(tmp_path, TOURNAMENT.replace("60sims", "like:mine.json:10ms"))
    match = plan_matches(read_plan(path), path)[-1]
    # Wherever the folder is, it is the same match.
    assert match.key.budget == "like:mine.json:10ms"
    like = parse_budget(match.budget, match.folder)
    assert isinstance(like, Like)
    assert like.agent.name == "mine"
    with closing(Store(tmp_path / "store.db")) as store:
        assert begin_match(match, store)[1].states


def test_a_list_is_no_configuration(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("[1, 2]")
    path = write(tmp_path, TOURNAMENT.replace('"orthodox"', '"mine.json"'))
    with pytest.raises(
        InputError, match=r"mine: the file has to be keys with values, not \[1, 2\]"
    ):
        plan_matches(read_plan(path), path)


def test_missing_and_huge_files(tmp_path: Path) -> None:
    assert "No such file" in run("tournament", str(tmp_path / "none.toml"), status=1)
    path = tmp_path / "huge.toml"
    path.write_text("#" * (1 << 21))
    assert "too large" in run("tournament", str(path), status=1)
    path.write_bytes(b"\xff\xfe")
    assert "utf-8" in run("tournament", str(path), status=1)


def test_the_file_in_the_docs(tmp_path: Path) -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "matches.md"
    found = re.search(r"^```toml\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    plan = read_plan(write(tmp_path, found[1]))
    assert plan.length == 500
    assert plan.against == ["orthodox"]
    assert plan.stop == "sprt"


# A whole one


def read_both(path: Path) -> list[dict[str, str]]:
    """Rows that are the same in both formats."""
    with path.with_suffix(".csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {key: "" if value is None else str(value) for key, value in row.items()}
        for row in parquet.read_table(path.with_suffix(".parquet")).to_pylist()
    ]
    return rows


def test_a_tournament(tmp_path: Path) -> None:
    path = write(tmp_path)
    printed = run("tournament", str(path), "--jobs", "1", "--json")
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert len(lines) == 12
    assert {line["games"] for line in lines} == {4}
    folder = tmp_path / "cup"
    games, seats = (read_both(folder / name) for name in ("games", "seats"))
    assert (len(games), len(seats)) == (48, 96)
    first = games[0]
    assert int(first["plies"]) == len(first["moves"].split())
    # Who moves first has one move more in games of an odd number of them.
    moves = (int(first["plies"]) + 1) // 2
    assert (seats[0]["id"], seats[0]["agent"]) == (first["id"], "orthodox")
    assert int(seats[0]["simulations"]) == 30 * moves
    scores = [float(seat["score"]) for seat in seats[:8] if seat["agent"] == "orthodox"]
    assert sum(score > 0.5 for score in scores) == lines[0]["wins"]
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
    # All in all 15 pairs were won and 5 lost: Clopper and Pearson's interval.
    known = binomtest(15, 20).proportion_ci(0.95, method="exact")
    assert mean.interval == pytest.approx((known.low, known.high), abs=1e-6)
    assert mean.swapped.interval == pytest.approx((1 - known.high, 1 - known.low), abs=1e-6)
    # A longer match counts no more than the others.
    longer = ended("connect4", "orthodox", "random", 500, 500)
    assert average([OUTCOMES[0], longer]).interval == pytest.approx(mean.interval)
    rows = average_table(OUTCOMES, "").rows
    assert rows[0] == ("orthodox", "random", "2", "75.0 (50.9 to 91.3)", "1, 0, 0, 1")
    assert rows[1][-1] == "0, 0, 1, 1"


def test_reports_say_what_numbers_mean() -> None:
    told = " ".join(about(OUTCOMES))
    assert "120 games were played, in 6 matches." in told
    assert "6 matches at once, and corrected for that by Holm's method" in told
    assert "Holm" not in " ".join(about(OUTCOMES[:1]))
    seen = ({"processor": "fast", "jobs": "2"},)
    known = replace(OUTCOMES[0], warning="6 games do not count", circumstances=seen)
    told = " ".join(about([known]))
    assert "Circumstances: processor fast, jobs 2." in told
    assert "6 games do not count" in told
    assert "Matches ended when they were decided" not in told
    assert "Matches ended when they were decided" in " ".join(
        about([replace(known, doubt=at_any_length)])
    )


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
    table = match_table(OUTCOMES, "")
    first = dict(zip(table.header, table.rows[0]))
    assert (first["played"], first["distinct"], first["A is"]) == ("20", "20", "better")
    assert first["Elo of A minus B"] == "+140 to +inf"


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
    points = [
        Point("breakthrough", 60.0, Interval(55, 66)),
        Point("<hex> $\\no$ {", 40.0, Interval(40, 40)),
    ]
    drawn = draw_intervals({"one": points, "two": points[:1]}, "score", 50)
    measured = [(0.1, 50, Interval(40, 70)), (1, 60, Interval(50, 65))]
    lines = draw_lines([Line("hex", measured)], "seconds", "score", 50, PERCENT)
    for svg in (drawn, lines):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "breakthrough" in drawn
    assert drawn == draw_intervals({"one": points, "two": points[:1]}, "score", 50)


def test_pictures_of_scores_stay_within_0_and_100() -> None:
    """As papers' intervals do not: they are drawn as far as there are scores."""
    far, near = Point("hex", 98.0, Interval(90, 106)), Point("hex", 98.0, Interval(90, 100))
    assert draw_intervals({"paper": [far]}, "score", 50, PERCENT) == draw_intervals(
        {"paper": [near]}, "score", 50, PERCENT
    )


def test_files_are_written_completely_or_not_at_all(tmp_path: Path) -> None:
    """The limit of a file's size is met as a full disk would be."""
    (tmp_path / "report.md").write_text("an older one")
    script = f"""
import resource
from pathlib import Path
from semisplit.core.errors import InputError
from semisplit.lab.reports.document import Document
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
try:
    Document("title", ("long " * 700,), ()).write(Path({str(tmp_path)!r}))
except InputError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert f"cannot write {tmp_path}/report.html: File too large" in done.stdout
    assert "the games are in the store" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]
    assert (tmp_path / "report.md").read_text() == "an older one"


def test_without_extras_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semisplit.lab.matches.tournament.can_draw", lambda: False)
    document = report("cup", [*OUTCOMES])
    assert not any(isinstance(part, Picture) for part in document.parts)
    assert document.parts[0].title == "Failures"
