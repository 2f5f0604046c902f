"""Games for any number of players: who sits where, what is kept of it, what it says."""

import doctest
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, multinomial, sem
from scipy.stats import t as student

from semisplit import Game, load
from semisplit.agents import agent, parse_agent
from semisplit.agents.config import AgentConfig
from semisplit.core.errors import InputError, SemisplitError
from semisplit.lab.matches import library
from semisplit.lab.matches.library import play_match
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.matches.outcome import Duel, Outcome, Puzzle, Spent, outcome
from semisplit.lab.matches.play import play_game
from semisplit.lab.matches.seating import seating
from semisplit.lab.matches.tournament import plan_matches, read_plan, report
from semisplit.lab.store.database import IN_MEMORY, Store, StoredGame
from semisplit.search import Budget
from semisplit.stats.effort import mean_effort
from semisplit.stats.evidence import at_any_length, at_fixed_length, score_interval
from semisplit.stats.records import Pairs, Rounds
from tests.support.command_line import run

ONE = """
// Every step to the right is a point.
#players = solo(3)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e,e,e])
#rules = ->solo (right [$ solo=solo+1])* [x] ->> {}
"""
THREE = """
// Who takes the square at the left gets everything.
#players = red(100), green(100), blue(100)
#pieces = e, r, g, b
#variables =
#board = rectangle(up,down,left,right, [e,e,e,e,e])
#turn(me; mark) = ->me (left* + right*) {e} [mark] ->> ({? left} + {! left} [$ me=100])
#rules = (turn(red; r) turn(green; g) turn(blue; b))*
"""


def make_match(text: str, *agents: str, games: int = 12) -> Match:
    game = Game.parse(text, "small.rbg")
    return Match(game, tuple(map(parse_agent, agents)), games, "20sims")


def play(match: Match) -> list[StoredGame]:
    *_, (_, games) = play_matches([match], Store(IN_MEMORY), None)
    return games


# Who sits where


def turns(agents: int, seats: int) -> list[tuple[int, ...]]:
    """The seatings of a match until they start again."""
    first = seating(agents, seats, 0)
    found = [first]
    while (following := seating(agents, seats, len(found))) != first:
        found.append(following)
    return found


@pytest.mark.parametrize(
    ("agents", "seats", "count"),
    [*((seats, seats, factorial(seats)) for seats in range(1, 6)), (6, 6, 6), (20, 20, 20)]
    + [(2, seats, 2**seats - 2) for seats in range(3, 8)]
    + [(2, 9, 18)],
)
def test_everybody_sits_everywhere_in_each_round(agents: int, seats: int, count: int) -> None:
    found = turns(agents, seats)
    assert len(found) == len(set(found)) == count
    length = seats if agents == seats else 2
    for begin in range(0, count, length):
        seen = Counter(place for one in found[begin : begin + length] for place in enumerate(one))
        assert seen == Counter(product(range(seats), range(agents)))


def test_two_agents_swap_sides() -> None:
    assert turns(2, 2) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("text", "agents", "message"),
    [
        (ONE, 2, "small.rbg has 1 player: a match needs 1 agent, not 2"),
        (THREE, 1, "has 3 players: a match needs 3 agents, or two who share the seats, not 1"),
        (THREE, 4, "has 3 players: a match needs 3 agents, or two who share the seats, not 4"),
    ],
)
def test_wrong_numbers_of_agents(text: str, agents: int, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        make_match(text, *["random"] * agents)


# Matches


def test_three_agents() -> None:
    match = make_match(THREE, "flat-mc", "random", "random", games=60)
    assert str(match) == "flat-mc, random and random at small.rbg, 20sims per move"
    games = play(match)
    assert len({game.agents for game in games}) == 6
    assert {sum(game.scores) for game in games} == {1.0}
    ended = outcome(match, games)
    assert not isinstance(ended, Duel)
    means = [average.score for average in ended.averages]
    assert sum(means) == pytest.approx(1)
    for number, mean in enumerate(means):
        got = [score for game in games for score in game.scores_of(number)]
        assert mean == pytest.approx(sum(got) / 60)
    # Who knows what it is about is ahead of both others for sure.
    assert ended.averages[0].interval.low > max(one.interval.high for one in ended.averages[1:])


def test_two_agents_share_three_seats() -> None:
    match = make_match(THREE, "flat-mc", "random", games=60)
    games = play(match)
    assert {game.agents for game in games} == set(product((0, 1), repeat=3)) - {
        (0, 0, 0),
        (1, 1, 1),
    }
    ended = outcome(match, games)
    assert isinstance(ended, Duel)
    assert ended.record.games == 60
    assert ended.verdict == "better"
    # In a game somebody gets 1, on one of the three seats that each agent has in two games.
    assert sum(one.score for one in ended.averages) == pytest.approx(2 / 3)
    assert outcome(match, games, 0.05).games < 60


def test_who_wins_by_averages_over_seats() -> None:
    def result(*scores: float) -> float:
        return StoredGame(1, 0, (0, 1, 1), scores).result

    assert result(0.5, 1.0, 0.25) == 0.0
    assert result(0.5, 0.5, 0.25) == 1.0
    assert result(0.5, 1.0, 0.0) == 0.5
    assert result(0.1, 0.3, -0.1) == result(1 / 3, 2 / 3, 0.0) == 0.5


def test_every_seat_has_random_numbers_of_its_own() -> None:
    match, store = make_match(THREE, "random", "random", games=2), Store(IN_MEMORY)
    list(play_matches([match], store, None))
    assert len({row["seed"] for row in store.seat_rows(match.key)}) == 6


def test_one_agent() -> None:
    match = make_match(ONE, "random", games=30)
    assert str(match) == "random at small.rbg, 20sims per move"
    ended = outcome(match, play(match))
    (average,) = ended.averages
    assert 0 < average.interval.low < average.score < average.interval.high < 1
    best = outcome(match, play(make_match(ONE, "flat-mc", games=30)))
    assert best.averages[0].score == 1


class Failing(agent.RandomAgent):
    def think(self, budget: Budget, **_: object) -> agent.Thought:
        raise RuntimeError("out of ideas")


def test_who_fails_is_told_by_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent.FlatMonteCarlo, "think", Failing.think)
    configs = [parse_agent(name) for name in ("random", "flat-mc", "random")]
    played = play_game(Game.parse(THREE), configs, (1, 2, 3), Budget(simulations=5))
    assert played.scores == (1.0, 0.0, 1.0)
    assert played.failure == "flat-mc as green failed: RuntimeError: out of ideas"


def test_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semisplit.lab.matches.play.MAX_PLIES", 0)
    configs = [parse_agent("random")] * 3
    assert play_game(Game.parse(ONE), configs[:1], (1,), Budget(simulations=1)).scores == (0.0,)
    played = play_game(Game.parse(THREE), configs, (1, 2, 3), Budget(simulations=1))
    assert played.scores == (0.5,) * 3


# Average scores


def test_rounds() -> None:
    rounds = Rounds.of([1, 0, 0, 1, 1, 0, 1, 1], 3)
    assert rounds.scores == pytest.approx((0, 1 / 3, 2 / 3, 1))
    # Two of three seats are two thirds of a round.
    assert rounds.counts == pytest.approx((0, 1, 1, 2 / 3))
    assert rounds.score == pytest.approx(5 / 8)
    assert rounds.swapped.score == pytest.approx(3 / 8)
    assert Rounds().score == 0.5
    assert score_interval(Rounds()) == (0, 1)


def test_rounds_of_one_seat_without_draws() -> None:
    known = binomtest(7, 30).proportion_ci(0.95, method="exact")
    found = score_interval(Rounds.of([1] * 7 + [0] * 23, 1))
    assert found == pytest.approx((known.low, known.high), abs=1e-4)


@pytest.mark.parametrize("doubt", [at_fixed_length, at_any_length])
def test_rounds_of_two_seats_are_pairs(doubt: object) -> None:
    scores = [1, 0, 0.5, 1, 1, 1, 0, 0, 0.5, 0, 1, 0.5, 1]
    for score in (0.2, 0.5, 0.7):
        assert doubt(Rounds.of(scores, 2), score) == pytest.approx(  # type: ignore[operator]
            doubt(Pairs.of(scores), score)  # type: ignore[operator]
        )


def test_the_doubt_is_that_of_random_weights() -> None:
    """As Learned-Miller and Thomas define it, by simulation."""
    rounds = Rounds.of([0.1, 0.3, 0.35, 0.7, 0.9, 0.9, 1.0], 1)
    sample = [0.0, 0.1, 0.3, 0.35, 0.7, 0.9, 0.9, 1.0]
    weights = np.random.default_rng(1).dirichlet(np.ones(8), size=100_000)
    for score in (0.3, 0.5, 0.6):
        frequency = np.mean(weights @ sample < score)
        assert at_fixed_length(rounds, score) == pytest.approx(frequency, abs=0.006)


@pytest.mark.parametrize("chances", [(0.3, 0.3, 0.2, 0.2), (0.05, 0, 0, 0.95), (0.6, 0.3, 0.1, 0)])
def test_coverage_of_average_scores(chances: tuple[float, ...]) -> None:
    """Of all that can happen in four rounds of three agents, with its probabilities."""
    truth = sum(chance * third / 3 for third, chance in enumerate(chances))
    covered = 0.0
    for counts in product(range(5), repeat=4):
        if sum(counts) == 4:
            low, high = score_interval(Rounds((0, 1 / 3, 2 / 3, 1), counts))
            covered += multinomial.pmf(counts, 4, chances) * (low <= truth <= high)
    assert covered >= 0.95


def test_numba_is_loaded_when_somebody_searches() -> None:
    modules = (
        *("stats.evidence", "stats.ratings", "lab.reports.standings"),
        *("lab.matches.tournament", "lab.matches.library"),
    )
    imports = "".join(f"import semisplit.{name}\n" for name in modules)
    play = (
        "semisplit.lab.matches.library.play_match('tic_tac_toe', ['random', 'flat-mc'], 2, '5sims')"
    )
    script = f"import sys\n{imports}{play}\nassert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


# What users see


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with games for one and three players."""
    (tmp_path / "one.rbg").write_text(ONE)
    (tmp_path / "three.rbg").write_text(THREE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


OPTIONS = ("--games", "12", "--budget", "20sims", "--jobs", "1")


def test_the_command_with_three(folder: Path) -> None:
    printed = run("match", "three.rbg", "random", "flat-mc", "random", *OPTIONS)
    assert "random, flat-mc and random at three.rbg" in printed
    assert "12 games" in printed
    assert "Elo" not in printed
    # The best one first.
    names = re.findall(r"average score of (\S+): \d+\.\d \(", printed)
    assert names == ["flat-mc", "random", "random"]
    command = ("match", "three.rbg", "random", "flat-mc", "random", *OPTIONS, "--json")
    told = json.loads(run(*command).splitlines()[-1])
    assert list(told) == ["game", "games", "distinct", "agents", "seats"]
    assert [list(seats) for seats in told["seats"]] == [["red", "green", "blue"]] * 3
    assert [one["agent"] for one in told["agents"]] == ["random", "flat-mc", "random"]
    replayed = run("replay", "semisplit.db", "1")
    assert "red: random\ngreen: flat-mc\nblue: random\n" in replayed
    refused = run("match", "three.rbg", *["random"] * 3, "--stop", "sprt", status=1)
    assert "--stop is for two agents" in refused


def test_the_command_with_two_for_three(folder: Path) -> None:
    told = json.loads(run("match", "three.rbg", "flat-mc", "random", *OPTIONS, "--json"))
    assert told["wins"] + told["draws"] + told["losses"] == told["games"] == 12
    assert len(told["agents"]) == 2


def test_the_command_with_one(folder: Path) -> None:
    printed = run("match", "one.rbg", "flat-mc", *OPTIONS)
    assert "12 games, 1 of them different\naverage score of flat-mc: 100.0 (" in printed
    assert "solved 12 of 12: 100.0 (73.5 to 100.0) %\na solution took 20 (20 to 20) sim" in printed
    told = json.loads(run("match", "one.rbg", "flat-mc", *OPTIONS, "--json").splitlines()[-1])
    assert told["solved"] == 12
    assert told["simulations"] == {"mean": 20.0, "sd": 0.0, "ci95": [20.0, 20.0]}


def test_scores_by_seat() -> None:
    match = make_match(THREE, "random", "flat-mc", games=4)
    games = [
        StoredGame(0, 0, (0, 1, 1), (0.5, 0.0, 1.0)),
        StoredGame(1, 1, (0, 1, 0), (0.0, 1.0, 0.5)),
    ]
    assert outcome(match, games).by_seat == ((0.25, None, 0.5), (None, 0.5, 1.0))


def test_efforts_are_those_of_solutions() -> None:
    match = make_match(ONE, "random", games=4)
    games = [StoredGame(i, i, (0,), (score,)) for i, score in enumerate([1.0, 0.5, 1.0, 1.0])]
    ended = outcome(match, games)
    assert isinstance(ended, Puzzle)
    assert ended.solved == [True, False, True, True]
    assert ended.efforts is None
    spent = tuple(Spent(simulations, 0.1) for simulations in (10, 1000, 30, 50))
    counted = replace(ended, spent=spent).efforts
    assert counted is not None
    assert counted[0].mean == 30
    assert counted[0].deviation == 20


@pytest.mark.parametrize("count", [2, 3, 5, 6, 10, 100])
def test_intervals_of_means_are_those_of_student(count: int) -> None:
    measured = [float(i * i) for i in range(count)]
    found = mean_effort(measured)
    assert found.interval is not None
    low, high = student.interval(0.95, count - 1, np.mean(measured), sem(measured))
    assert found.interval.low == pytest.approx(max(0.0, low), rel=2e-3)
    assert found.interval.high == pytest.approx(high, rel=2e-3)


TOURNAMENT = """
games = ["one.rbg", "tic_tac_toe", "three.rbg"]
agents = ["flat-mc", "random"]
budgets = ["10sims"]
stop = "sprt"
"""


def test_tournaments(folder: Path) -> None:
    path = folder / "cup.toml"
    path.write_text(TOURNAMENT)
    matches = plan_matches(read_plan(path), path)
    assert [(match.key.agents, match.seats, match.games) for match in matches] == [
        (("flat-mc", "random"), 2, 1000),
        (("flat-mc", "random"), 3, 1000),
        (("flat-mc",), 1, 100),
        (("random",), 1, 100),
    ]
    path.write_text(TOURNAMENT.replace("stop", "length = 4\n#"))
    told = run("tournament", str(path), "--jobs", "1", "--json").splitlines()
    lines = [json.loads(line) for line in told if line.startswith("{")]
    assert [line["games"] for line in lines] == [4] * 4
    html = (folder / "cup" / "report.html").read_text()
    assert "Average scores, 10sims per move" in html
    assert "over all games and seats" in html


def test_tournaments_of_single_players(folder: Path) -> None:
    path = folder / "cup.toml"
    path.write_text(TOURNAMENT.replace(', "tic_tac_toe", "three.rbg"', ""))
    matches = plan_matches(read_plan(path), path)
    outcomes: list[Outcome] = [outcome(match, []) for match in matches]
    table, puzzles = report("cup", outcomes).parts
    assert puzzles.title == "Puzzles, 10sims per move"
    assert table.title == "Average scores, 10sims per move"


# For programs


def test_the_example_in_the_docstring() -> None:
    result = doctest.testmod(library)
    assert result.attempted > 2
    assert result.failed == 0


def test_play_match_goes_on_with_any_number_of_processes(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    game = Game.parse(THREE, "small.rbg")

    def averages(games: int, jobs: int | None) -> list[float]:
        agents: list[AgentConfig | str] = ["flat-mc", parse_agent("random")]
        played = play_match(game, agents, games, "10sims", jobs=jobs, store=store)
        assert played.games == games
        assert played.circumstances[0]["jobs"] == "1"
        return [average.score for average in played.averages]

    first = averages(4, 1)
    assert averages(6, None) == averages(6, 1) != first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "from 1 to 1,000,000 games, not 0"),
        ({"jobs": 0}, "at least 1 game has to be played at a time, not 0"),
        ({"budget": "much"}, "'much' is not a budget"),
        ({"store": "/no/store.db"}, "folder does not exist"),
    ],
)
def test_wrong_calls_of_play_match(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SemisplitError, match=message):
        play_match("tic_tac_toe", ["random", "random"], **options)


def test_texts_of_moves_tell_them_apart_where_there_are_few() -> None:
    agents = (parse_agent("random"),) * 2
    for name, few in (("breakthrough", True), ("amazons", False)):
        game = load(name)
        first = play_game(game, agents, (1, 2), Budget(simulations=1)).turns[0]
        move = game.initial_state().parse_move(first.move)
        assert first.text == (str(move) if few else game.write_move(move.steps))
        assert (len(game.initial_state().moves()) <= 200) == few
