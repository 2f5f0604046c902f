"""Matches: played in parallel, kept, resumed, repeatable, whatever goes wrong."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

import semisplit
from semisplit import Game, play_match
from semisplit.agents import AgentConfig, agent, make_agent, parse_agent
from semisplit.agents.config import RandomConfig
from semisplit.agents.files import write_config
from semisplit.core.errors import InputError, SemisplitError
from semisplit.lab.matches import workers
from semisplit.lab.matches.budgets import Like, parse_budget, write_budget
from semisplit.lab.matches.match import Match, decided_after, play_matches
from semisplit.lab.matches.outcome import Duel, account, corrected, outcome
from semisplit.lab.matches.play import play_game
from semisplit.lab.store.circumstances import circumstances, describe
from semisplit.lab.store.database import Store, StoredGame, StoreError
from semisplit.search import Budget
from semisplit.search.features.groups.users import register, registered
from semisplit.ui.cli.terminal import live
from semisplit.ui.cli.terminal.drawing import describe_effort
from semisplit.ui.cli.verbs.experiment.match import report_lines
from tests.support.command_line import run

COMMAND = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()", "match"]
OPTIONS = ["tic_tac_toe", "orthodox", "flat-mc", "--budget", "60sims", "--games", "40"]


def make_match(games: int = 6, seed: int = 0, a: str = "orthodox", budget: str = "40sims") -> Match:
    game = semisplit.load("tic_tac_toe")
    return Match(game, (parse_agent(a), parse_agent("random")), games, budget, seed)


def play(match: Match, path: Path, jobs: int | None = 1) -> list[StoredGame]:
    store = Store(path)
    *_, (_, games) = play_matches([match], store, jobs)
    store.close()
    return games


def rows(path: Path) -> list[tuple[Any, ...]]:
    """What was played: number, seat, agent, seed, score of each seat and moves of its game."""
    columns = "number, seat, agent, seed, score, turns"
    tables = "games JOIN seats ON game = games.id ORDER BY match, number, seat"
    with sqlite3.connect(path) as database:
        found = database.execute(f"SELECT {columns} FROM {tables}").fetchall()
    return [(*row[:-1], [turn["move"] for turn in json.loads(row[-1])]) for row in found]


# Budgets


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("500ms", Budget(seconds=0.5)),
        ("2s", Budget(seconds=2)),
        ("1.5 min", Budget(seconds=90)),
        ("10000sims", Budget(simulations=10_000)),
        ("1000000states", Budget(states=1_000_000)),
        ("20min", Budget(seconds=1200)),
        ("1234.5678s", Budget(seconds=1234.5678)),
    ],
)
def test_budgets(text: str, budget: Budget) -> None:
    assert parse_budget(text) == budget
    assert parse_budget(write_budget(budget)) == budget


@pytest.mark.parametrize(
    "text",
    [
        "",
        "500",
        "ms",
        "-1s",
        "1e9s",
        "5 hours",
        "like:orthodox",
        "like:orthodox:5sims",
        "like:orthodox:sims",
    ]
    + ["9" * 400 + unit for unit in ("s", "sims", "states")],
)
def test_bad_budgets(text: str) -> None:
    with pytest.raises(SemisplitError):
        parse_budget(text)


@pytest.mark.parametrize("text", ["0ms", "0s", "0sims", "0states", "0.9sims", "like:orthodox:0s"])
def test_nobody_can_think_without_a_budget(text: str) -> None:
    with pytest.raises(InputError, match="it has to be more than 0"):
        parse_budget(text)


def test_budget_like_another_agent() -> None:
    like = parse_budget("like:semisplit-nodal+mast-split@Mod:10ms")
    assert isinstance(like, Like)
    budget = like.measure(semisplit.load("tic_tac_toe"))
    assert budget.states is not None
    assert budget.states > 100
    alike = parse_budget("like:orthodox:10ms:sims")
    assert isinstance(alike, Like)
    budget = alike.measure(semisplit.load("tic_tac_toe"))
    assert budget.states is None
    assert budget.simulations is not None
    assert budget.simulations > 20
    with pytest.raises(InputError, match="computes no states"):
        parse_budget("like:random:1s")


# Matches


def test_iterations_that_were_given_up_are_counted_wherever_results_are_shown(
    tmp_path: Path,
) -> None:
    file, agent, store = (tmp_path / name for name in ("long.rbg", "short.json", "store.db"))
    file.write_text("""
#players = w(100), b(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e,e,e,e,e,e,e,e,e,e,e,e,e])
#turn = (left* + right*) {e} [x] ({x} + [e] [x] [e] [x])
#rules = ->w turn ->b turn [$ w=100] ->> {}
""")
    data = write_config(parse_agent("semisplit@Mod"))
    data["algorithm"]["parameters"]["max_semidepth"] = 2
    agent.write_text(json.dumps(data))
    asked = ["--budget", "8sims", "--games", "2", "--store", str(store), "--jobs", "1"]
    said = run("match", str(file), str(agent), "random", *asked)
    assert re.search(r"^short gave up \d+ iterations$", said, re.MULTILINE)
    assert re.search(r"8 simulations \(\d+ given up\)", run("replay", str(store), "1"))
    one = make_agent(parse_agent(str(agent)), semisplit.load(str(file)), 1)
    thought = one.think(Budget(simulations=8))
    assert re.search(r"after 8 simulations, \d+ given up$", describe_effort(thought))
    assert thought.result is not None
    assert "given up: moves have more semimoves than max_semidepth, 2" in thought.result.note
    bench = run("bench", "--search", str(file), "--agent", str(agent), "--seconds", "0")
    assert "given up: moves have more semimoves than max_semidepth, 2" in bench


def test_sides_are_swapped_and_everything_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    games = play(make_match(), path)
    assert [game.number for game in games] == list(range(6))
    assert [game.agents for game in games] == [(0, 1), (1, 0)] * 3
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        match = dict(database.execute("SELECT * FROM matches").fetchone())
        agent = dict(database.execute("SELECT * FROM agents").fetchone())
        game = dict(database.execute("SELECT * FROM games").fetchone())
        seats = [dict(row) for row in database.execute("SELECT * FROM seats WHERE game = 1")]
    assert match["rules"] == semisplit.games.text("tic_tac_toe")
    assert json.loads(agent["configuration"])["algorithm"]["name"] == "MCTS"
    assert json.loads(game["versions"]).keys() > {"semisplit", "numba", "python"}
    turn = json.loads(game["turns"])[0]
    assert turn.keys() == {"player", "move", "text", "seconds", "simulations", "states", "score"}
    assert turn["simulations"] == 40
    assert [(seat["seat"], seat["player"]) for seat in seats] == [(1, "xplayer"), (2, "oplayer")]
    own = [turn for turn in json.loads(game["turns"]) if turn["player"] == 1]
    assert seats[0]["simulations"] == 40 * len(own)
    assert seats[0]["states"] == sum(turn["states"] for turn in own)
    assert seats[0]["seconds"] == pytest.approx(sum(turn["seconds"] for turn in own))


def test_same_games_with_any_number_of_processes(tmp_path: Path) -> None:
    play(make_match(), tmp_path / "one.db", jobs=1)
    play(make_match(), tmp_path / "three.db", jobs=3)
    play(make_match(seed=1), tmp_path / "other.db", jobs=1)
    assert rows(tmp_path / "one.db") == rows(tmp_path / "three.db")
    assert rows(tmp_path / "one.db") != rows(tmp_path / "other.db")


def test_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    play(make_match(games=3), path)
    before = rows(path)
    games = play(make_match(games=5), path)
    assert len(games) == 5
    assert rows(path)[:6] == before
    # Another match has games of its own.
    assert len(play(make_match(games=2, seed=7), path)) == 2
    assert len(rows(path)) == 2 * 7


def test_killed_at_any_moment_nothing_is_lost_or_played_twice(tmp_path: Path) -> None:
    path, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    random = Random(1)
    command = [*COMMAND, *OPTIONS, "--store", str(path), "--jobs", "2"]
    finished = 0
    for _ in range(8):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.2, 3))
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = len(rows(path)) if path.exists() and _has_tables(path) else 0
        assert now >= finished
        finished = now
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
    command = [*COMMAND, *OPTIONS, "--store", str(whole), "--jobs", "1"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
    assert [row[0] for row in rows(path)[::2]] == list(range(40))
    assert rows(path) == rows(whole)


def _has_tables(path: Path) -> bool:
    with sqlite3.connect(path) as database:
        return bool(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def test_interrupting_prints_the_command_that_goes_on(tmp_path: Path) -> None:
    command = [*COMMAND, "hex_9x9", "orthodox", "random", "--budget", "50ms", "--games", "999"]
    command += ["--store", str(tmp_path / "store.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    while not (tmp_path / "store.db").exists():
        time.sleep(0.1)
    time.sleep(3)
    os.killpg(process.pid, signal.SIGINT)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "semisplit match hex_9x9 orthodox random --budget 50ms --games 999" in printed


def stored(numbers: range, score: float = 1.0) -> list[StoredGame]:
    return [StoredGame(n, n, (0, 1), (score, 1 - score)) for n in numbers]


def won(results: Sequence[float]) -> tuple[StoredGame, ...]:
    """Games in which A got this."""
    return tuple(StoredGame(n, n, (0, 1), (one, 1 - one)) for n, one in enumerate(results))


def test_a_decided_match_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    options = ("orthodox", "random", "--budget", "100sims", "--stop", "sprt")
    result = json.loads(run("match", "breakthrough", *options, "--store", str(path), "--json"))
    assert result["verdict"] == "better"
    assert result["games"] in range(16, 60, 2)
    # It is the sequential test that says so, not what would be said about as many games.
    shorter = (*options, "--games", "12", "--store", str(path), "--json")
    assert json.loads(run("match", "breakthrough", *shorter))["verdict"] == "too few games"


def test_when_a_match_is_decided_does_not_depend_on_the_order() -> None:
    games = stored(range(20))
    assert decided_after(make_match(games=100), games[:15], 0.05) is None
    assert decided_after(make_match(games=100), games[:16], 0.05) == 16
    assert decided_after(make_match(games=100), games, 0.05) == 16
    assert decided_after(make_match(games=100), games[:4] + games[5:], 0.05) is None
    assert decided_after(make_match(games=14), games, 0.05) is None
    assert decided_after(make_match(games=100), games, None) is None
    # One of many matches needs more.
    assert decided_after(make_match(games=100), stored(range(40)), 0.05 / 12) == 26
    assert [game.result for game in stored(range(2)) + stored(range(1), 0.5)] == [1, 1, 0.5]


def test_an_even_match_ends() -> None:
    games = stored(range(0, 300, 2)) + stored(range(1, 300, 2), 0.0)
    games.sort(key=lambda game: game.number)
    ended = outcome(make_match(games=1000), games, 0.05)
    assert isinstance(ended, Duel)
    assert ended.verdict == "similar"
    assert ended.record.games < 200
    assert ended.record.wins == ended.record.losses


def test_verdicts_of_many_matches_are_corrected() -> None:
    clear, close = won([0.5] * 4 + [1] * 96), won([0] * 8 + [1, 0] * 32 + [1] * 28)
    outcomes = [Duel(make_match(), games) for games in (close, clear, close)]
    assert outcomes[0].verdict == "better"
    assert corrected(outcomes[:1])[0].full_verdict == "better"
    verdicts = [one.full_verdict for one in corrected(outcomes)]
    assert verdicts == ["undecided (alone: better)", "better", "undecided (alone: better)"]


def test_what_is_known_about_the_games(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    match = make_match(games=6)
    games = play(match, path)
    store = Store(path)
    told = account(outcome(match, games), store)
    lines = {tuple(row[-1]) for row in rows(path)}
    assert told.distinct == len(lines)
    (seen,) = told.circumstances
    assert seen == {**circumstances(), "jobs": "1"}
    assert seen["processor"]
    assert int(seen["cores"]) >= 1
    assert describe([seen, {**seen, "jobs": "3"}]).endswith("jobs 1 and 3")
    assert told.warning == ""
    # The same name, but other rules: another match.
    edited = Game.parse(semisplit.games.text("tic_tac_toe") + "// edited\n", "tic_tac_toe")
    other = replace(match, game=edited)
    assert (
        "6 games do not count, played with other rules"
        in account(outcome(other, []), store).warning
    )


def test_edited_rules_are_told(tmp_path: Path) -> None:
    rules = tmp_path / "mine.rbg"
    rules.write_text(semisplit.games.text("tic_tac_toe"))
    options = ["random", "random", "--budget", "1sims", "--jobs", "1"]
    options += ["--store", str(tmp_path / "store.db")]
    assert "do not count" not in run("match", str(rules), *options, "--games", "3")
    rules.write_text(rules.read_text() + "// another version\n")
    assert "3 games do not count" in run("match", str(rules), *options, "--games", "2")


def test_output(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store.db"))
    options = ("tic_tac_toe", "orthodox", "random", "--games", "4", "--budget", "50sims", *store)
    printed = run("match", *options)
    assert "orthodox against random at tic_tac_toe, 50sims per move" in printed
    assert "4 games:" in printed
    result = json.loads(run("match", *options, "--json").splitlines()[-1])
    counts = ["games", "distinct", "wins", "draws", "losses"]
    assert list(result) == ["game", "a", "b", *counts, "score", "ci95", "verdict", "seats"]
    low, high = result["ci95"]
    assert 0 <= low <= result["score"] <= high <= 1
    assert result["verdict"] == "too few games"
    assert f"score {100 * result['score']:.1f} ({100 * low:.1f} to {100 * high:.1f}) %" in printed
    assert result["wins"] + result["draws"] + result["losses"] == result["games"] == 4
    before = sorted(tmp_path.iterdir())
    tmp_path.chmod(0o500)
    replayed = run("replay", str(tmp_path / "store.db"), "1")
    data = json.loads(run("replay", str(tmp_path / "store.db"), "1", "--json"))
    tmp_path.chmod(0o700)
    assert sorted(tmp_path.iterdir()) == before
    assert "xplayer: orthodox" in replayed or "xplayer: random" in replayed
    assert "50 simulations" in replayed
    assert data["game"] == "tic_tac_toe"
    seats = {seat["player"]: seat for seat in data["seats"]}
    assert {seat["agent"] for seat in seats.values()} == {"orthodox", "random"}
    assert f"xplayer: {seats['xplayer']['agent']}" in replayed
    assert sum(seat["score"] for seat in seats.values()) == 1
    assert [turn["player"] for turn in data["turns"][:3]] == ["xplayer", "oplayer", "xplayer"]
    assert all(f". {turn['player']} {turn['text']} " in replayed for turn in data["turns"])
    assert data["failure"] is None
    assert "the game is over" in replayed


def test_repeated_games_are_told() -> None:
    ended = replace(outcome(make_match(), stored(range(6))), distinct=6)
    assert report_lines(ended)[1] == "6 games: 6 won, 0 drawn, 0 lost"
    assert report_lines(replace(ended, distinct=4))[1].startswith("6 games, 4 of them different: 6")


def test_failures_are_told() -> None:
    games = [StoredGame(n, n, (0, 1), (0.5, 0.5), "no end") for n in range(2)]
    assert report_lines(outcome(make_match(), games[:1]))[-1] == "1 failure: game 0: no end"
    lines = report_lines(outcome(make_match(), games))
    assert lines[-1] == "2 failures, the first: game 0: no end"


def test_the_speed_of_long_games_is_known() -> None:
    progress = live._progress(Console(quiet=True))
    bar = progress.add_task("", total=9, rate="")
    for number in range(4):
        progress.get_time = lambda: 100.0 * number  # noqa: B023  # it is asked at once
        progress.update(bar, completed=number)
    assert progress.tasks[bar].speed == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tic_tac_toe", "orthodox", "randon"), "did you mean 'random'"),
        (("tic_tac_tow", "orthodox", "random"), "did you mean 'tic_tac_toe'"),
        (("tic_tac_toe", "orthodox", "random", "--budget", "much"), "'much' is not a budget"),
        (("tic_tac_toe", "orthodox", "random", "--store", "/no/store.db"), "folder does not exist"),
    ],
)
def test_wrong_input(arguments: tuple[str, ...], message: str) -> None:
    assert message in run("match", *arguments, status=1)


@pytest.mark.parametrize(
    ("option", "message"), [("--games", "from 1 to 1,000,000 games"), ("--seed", "64 bits")]
)
def test_numbers_that_are_too_large(option: str, message: str) -> None:
    printed = run("match", "tic_tac_toe", "orthodox", "random", option, "9" * 30, status=1)
    assert message in printed


def test_a_file_is_the_same_game_wherever_it_is(tmp_path: Path) -> None:
    keys = set()
    for folder in (tmp_path / "here", tmp_path / "there"):
        folder.mkdir()
        (folder / "mine.rbg").write_text(semisplit.games.text("tic_tac_toe"))
        game = semisplit.load(str(folder / "mine.rbg"))
        keys.add(Match(game, (parse_agent("random"),) * 2, 2, "1sims").key)
    assert {key.game for key in keys} == {"mine.rbg"}
    assert len(keys) == 1


# The store


def test_damaged_and_foreign_stores(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="damaged or no store at all"):
        Store(damaged)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE other (x)")
    with pytest.raises(StoreError, match="not a store of this version"):
        Store(foreign)
    with pytest.raises(StoreError, match="there is no game 5"):
        Store(tmp_path / "empty.db").replay(5)
    assert "there is no store" in run("replay", str(tmp_path / "missing.db"), "1", status=1)


def test_reading_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    play(make_match(games=1), path)
    before = path.read_bytes()
    Store(path, read_only=True).replay(1)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before
    # What a program that is still playing has written can be read as well.
    writing = Store(path)
    writing.match(make_match(seed=5).key, "40sims")
    writing.add_measurement("measured", {"speed": [1, 0]})
    assert Path(f"{path}-wal").stat().st_size
    found = Store(path, read_only=True).measurement("measured")
    assert found is not None
    assert found[0] == {"speed": [1, 0]}
    with pytest.raises(StoreError, match="may not be written"):
        Store(path, read_only=True).add_measurement("other", {})
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(StoreError, match="not a store"):
        Store(empty, read_only=True)
    assert empty.stat().st_size == 0


@pytest.mark.parametrize("verb", ["match", "replay"])
def test_a_folder_is_no_store(verb: str, tmp_path: Path) -> None:
    arguments = {
        "match": ("tic_tac_toe", "random", "random", "--store", str(tmp_path)),
        "replay": (str(tmp_path), "1"),
    }
    assert f"{tmp_path}: it is a folder" in run(verb, *arguments[verb], status=1).replace("\n", "")


def test_a_store_can_be_made_by_several_at_once(tmp_path: Path) -> None:
    script = "from pathlib import Path; from semisplit.lab.store.database import Store; input();"
    command = [sys.executable, "-c", f"{script} Store(Path({str(tmp_path / 'store.db')!r}))"]
    makers = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(4)]
    time.sleep(3)
    for one in makers:
        assert one.stdin is not None
        one.stdin.write(b"\n")
        one.stdin.flush()
    assert [one.wait(timeout=60) for one in makers] == [0, 0, 0, 0]


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = Store(path)
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="disk is full"):
        list(play_matches([make_match(games=50)], store, 1))


# When agents fail


class Failing(agent.RandomAgent):
    def think(self, budget: Budget, **_: object) -> agent.Thought:
        raise RuntimeError("out of ideas")


class Slow(agent.RandomAgent):
    def think(self, budget: Budget, **_: object) -> agent.Thought:
        time.sleep(1.2)
        return super().think(budget)


@pytest.mark.parametrize(
    ("kind", "message"), [(Failing, "RuntimeError: out of ideas"), (Slow, "instead of 0.05 s")]
)
def test_who_fails_loses(
    kind: type[agent.RandomAgent], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = agent.make_agent

    def make(
        config: AgentConfig, game: Game, seed: int, player: int, *, budget: Budget
    ) -> agent.Agent:
        return kind(config, game, seed) if config.name == "bad" else made(config, game, seed)

    monkeypatch.setattr("semisplit.lab.matches.play.make_agent", make)
    configs = (RandomConfig("bad"), parse_agent("random"))
    game = semisplit.load("tic_tac_toe")
    played = play_game(game, configs, (1, 2), Budget(seconds=0.05))
    assert played.scores == (0.0, 1.0)
    assert played.failure is not None
    assert message in played.failure
    assert play_game(game, configs[::-1], (1, 2), Budget(seconds=0.05)).scores == (1.0, 0.0)


def work_with_a_mortal_agent(*arguments: Any) -> None:
    """What a process does in which flat-mc dies once, when there is a file named `poison`."""
    think = agent.FlatMonteCarlo.think

    def drink(self: agent.FlatMonteCarlo, budget: Budget, **options: Any) -> Any:
        with suppress(FileNotFoundError):
            Path("poison").unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return think(self, budget, **options)

    agent.FlatMonteCarlo.think = drink  # type: ignore[method-assign]
    workers._work(*arguments)


def work_by(target: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes do something else."""
    monkeypatch.setattr(workers, "_work", target)


def test_a_process_that_dies_loses_its_game_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("poison").touch()
    work_by(work_with_a_mortal_agent, monkeypatch)
    games = play(make_match(games=8, a="flat-mc"), tmp_path / "store.db", jobs=2)
    assert len(games) == 8
    failures = [game.failure for game in games if game.failure]
    assert len(failures) == 1
    assert "it ended with status -9" in failures[0]


class Hanging(agent.RandomAgent):
    def think(self, budget: Budget, **_: object) -> agent.Thought:
        time.sleep(600)
        return super().think(budget)


def work_with_a_hanging_agent(*arguments: Any) -> None:
    """What a process does in which flat-mc does not come back; its module is loaded anew there."""
    agent.FlatMonteCarlo.think = Hanging.think  # type: ignore[assignment, method-assign]
    workers.PATIENCE = 2.0
    workers._work(*arguments)


def test_who_does_not_come_back_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work_by(work_with_a_hanging_agent, monkeypatch)
    monkeypatch.setattr(workers, "_LOOK", 0.1)
    games = play(make_match(games=2, a="flat-mc", budget="10ms"), tmp_path / "store.db", jobs=2)
    assert [game.scores for game in games] == [(0.0, 1.0), (1.0, 0.0)]
    assert "flat-mc as xplayer failed: its process was lost, its time was up long ago" in str(
        games[0].failure
    )


def test_who_ponders_is_refused() -> None:
    thinker = replace(parse_agent("orthodox"), name="thinker", ponders=True)
    with pytest.raises(InputError, match="thinker searches during its opponents' turns"):
        play_match("tic_tac_toe", ["random", thinker], games=2, budget="10ms")


@pytest.mark.parametrize("jobs", [None, 2])
def test_agents_that_cannot_be_made_end_a_match_before_it_begins(
    jobs: int | None, tmp_path: Path
) -> None:
    register("broken", lambda state, previous, move: state.nothing, ["one"])
    try:
        with pytest.raises(
            InputError, match=r"groups\[broken\] cannot play tic_tac_toe: the group"
        ):
            play(make_match(games=2, a="groups[broken]"), tmp_path / "store.db", jobs=jobs)
    finally:
        del registered["broken"]
    with closing(Store(tmp_path / "store.db")) as store:
        assert not store.games(1)


def work_without_an_agent(*arguments: Any) -> None:
    """What a process does in which flat-mc cannot be made."""

    def fail(*_: object) -> None:
        raise MemoryError("no room")

    agent.FlatMonteCarlo.__init__ = fail  # type: ignore[assignment, method-assign]
    workers._work(*arguments)


def die(*_: object) -> None:
    os._exit(3)


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (work_without_an_agent, "flat-mc cannot play tic_tac_toe: MemoryError: no room"),
        (die, "ended with status 3 before a first move"),
    ],
)
def test_agents_that_cannot_be_made_elsewhere_lose_no_games(
    work: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work_by(work, monkeypatch)
    with pytest.raises(InputError, match=message):
        play(make_match(games=4, a="flat-mc"), tmp_path / "store.db", jobs=2)
    with closing(Store(tmp_path / "store.db")) as store:
        assert not store.games(1)


OWN_GROUPING = """
from semisplit import play_match
from semisplit.search.features.groups import TARGET, register

if __name__ == "__main__":
    few = 2

    def corner(state, previous, move):
        return 0 if move[TARGET] >= 0 and state.neighbours[move[TARGET]] == few else -1

    register("corner", corner, ["corner"])
    agents = ["groups[corner]", "random"]
    ended = play_match("tic_tac_toe", agents, 8, "50sims", jobs=2, store="store.db")
    print(ended.score)
"""


def test_a_users_grouping_in_a_match_with_two_processes(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN_GROUPING)
    command = [sys.executable, "own.py"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert printed.returncode == 0, printed.stderr
    assert float(printed.stdout) > 0.5
    with closing(Store(tmp_path / "store.db")) as store:
        assert [game.failure for game in store.games(1)] == [None] * 8


def test_no_process_outlives_the_command(tmp_path: Path) -> None:
    command = [*COMMAND, "hex", "orthodox", "orthodox", "--budget", "2s", "--jobs", "2"]
    command += ["--store", str(tmp_path / "store.db")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while len(_processes(process.pid)) < 3:
        time.sleep(0.1)
    process.kill()
    process.wait()
    end = time.monotonic() + 30
    while time.monotonic() < end and _processes(process.pid):
        time.sleep(0.1)
    assert not _processes(process.pid)


def _processes(group: int) -> list[str]:
    """Those of a group."""
    command = ["pgrep", "-g", str(group)]
    return subprocess.run(command, capture_output=True, text=True).stdout.split()
