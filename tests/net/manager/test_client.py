"""An agent as a player, with a manager on a plain socket that follows the protocol to the byte."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import semisplit
from semisplit.agents import parse_agent
from semisplit.agents.agent import RandomAgent
from semisplit.agents.config import MctsConfig
from semisplit.core.errors import SemisplitError
from semisplit.net.manager import client
from semisplit.net.manager.client import join
from semisplit.net.manager.messages import write_seconds
from semisplit.net.manager.terms import MatchTerms
from semisplit.search import Budget
from tests.support.command_line import run
from tests.support.hostile import LIMITS
from tests.support.manager_peers import (
    LONGEST,
    RULES,
    Notes,
    introduce_to_client,
    joining,
    serving,
)

CLI = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()"]


@pytest.mark.parametrize("agent", ["random", "flat-mc", "semisplit-nodal+mast-split@ModPlus"])
def test_two_games_to_the_byte(agent: str) -> None:
    game = semisplit.load("tic_tac_toe")
    with joining(agent) as (manager, notes):
        introduce_to_client(manager, b"1")
        for _ in range(2):
            state = game.initial_state()
            while not state.is_terminal:
                if state.player == 1:
                    manager.send(b"0.200000")
                    state = state.apply(manager.read().decode())
                else:
                    move = state.moves()[0]
                    manager.send(move.wire.encode())
                    state = state.apply(move)
            manager.send(b"reset")
            assert state.is_terminal
    assert notes.failure is None
    assert notes.player == 1
    assert [one.is_terminal for one in notes.games] == [True, True]


def test_messages_may_come_glued_or_cut() -> None:
    with joining() as (manager, _):
        data = b"1.000000\0" + RULES + b"\0" + b"2\0"
        for start in range(0, len(data), 100):
            manager.socket.sendall(data[start : start + 100])
            time.sleep(0.001)
        manager.expect(b"ready")
        manager.socket.sendall(b"1 4\0" + write_seconds(None) + b"\0")
        assert manager.read().endswith(b" 10")


def test_split_agents_send_whole_moves_by_the_numbers_of_the_rules() -> None:
    with joining("semisplit-nodal@ModPlusShift") as (manager, _):
        introduce_to_client(manager, b"1", semisplit.games.text("breakthrough").encode())
        manager.send(b"0.300000")
        move = manager.read().decode()
        state = semisplit.load("breakthrough").initial_state()
        assert move in {legal.wire for legal in state.moves()}


def test_the_deadline_less_the_buffer_is_used_and_thoughts_are_shown() -> None:
    config = MctsConfig("thinker", buffer=0.3)
    with joining(config) as (manager, notes):
        introduce_to_client(manager, b"1")
        begin = time.monotonic()
        manager.send(b"1.500000")
        manager.read()
        seconds = time.monotonic() - begin
    assert seconds > 0.8
    assert notes.thoughts >= 1


@pytest.mark.parametrize("limit", [b"0.000000", b"60.000000", write_seconds(None)])
@pytest.mark.parametrize("budget", [Budget(simulations=700), Budget(states=5000)])
def test_a_budget_of_the_player_is_spent_whatever_time_there_is(
    limit: bytes, budget: Budget
) -> None:
    with joining("orthodox", budget) as (manager, notes):
        introduce_to_client(manager, b"1")
        begin = time.monotonic()
        manager.send(limit)
        manager.read()
        assert time.monotonic() - begin < 10
    (thought,) = notes.made
    assert budget.simulations in (None, thought.simulations)
    assert budget.states is None or 5000 <= thought.states < 5010


@pytest.mark.parametrize("limit", [b"0.000000", b"0.050000"])
def test_a_deadline_shorter_than_the_buffer_gets_a_move(limit: bytes) -> None:
    with joining("orthodox") as (manager, _):
        introduce_to_client(manager, b"1")
        manager.send(limit)
        assert manager.read().endswith(b" 4")


def test_without_a_limit_the_agent_sets_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_USUAL", 0.1)
    with joining("orthodox") as (manager, _):
        introduce_to_client(manager, b"1")
        manager.send(write_seconds(None))
        assert manager.read().endswith(b" 4")


def test_a_reset_breaks_off_thinking_and_the_next_game_begins() -> None:
    with joining("orthodox") as (manager, notes):
        introduce_to_client(manager, b"1")
        manager.send(b"60.000000")
        time.sleep(0.1)
        manager.send(b"reset", b"0.100000")
        assert manager.read().endswith(b" 4")
    assert len(notes.games) == 1
    assert len(notes.moves) == 1


def test_a_reset_during_the_opponents_turn_ends_pondering() -> None:
    before = threading.active_count()
    with joining(MctsConfig("thinker", ponders=True)) as (manager, notes):
        introduce_to_client(manager, b"1")
        manager.send(b"0.200000")
        manager.read()
        manager.send(b"reset", b"0.200000")
        manager.read()
    assert len(notes.games) == 1
    # A thread that has told its result has a moment left to live.
    end = time.monotonic() + LONGEST
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before
    assert "left" in str(notes.failure)


def test_the_manager_leaves_while_the_agent_thinks() -> None:
    with joining("orthodox") as (manager, notes):
        introduce_to_client(manager, b"1")
        manager.send(b"0.100000")
        first = manager.read()
        game = semisplit.load("tic_tac_toe")
        answer = game.initial_state().apply(first.decode()).moves()[0]
        manager.send(answer.wire.encode(), b"600.000000")
        time.sleep(0.1)
    assert "the manager 127.0.0.1:" in str(notes.failure)
    assert "left" in str(notes.failure)


def test_an_agent_that_cannot_be_stopped_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def think_for_ever(*_: object, **__: object) -> None:
        assert released.wait(LONGEST)

    monkeypatch.setattr(client, "_ENDING", 0.2)
    monkeypatch.setattr(RandomAgent, "think", think_for_ever)
    begin = time.monotonic()
    with joining() as (manager, notes):
        manager.send(b"1.0", RULES, b"1")
        time.sleep(0.1)
    released.set()
    assert time.monotonic() - begin < LONGEST / 2
    assert "left; the match was not over" in str(notes.failure)


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([b"soon", RULES, b"1"], "'soon' is not a time"),
        ([b"1.0", RULES, b"3"], "'3' is not the number of one of 2 players"),
        ([b"1.0", RULES, b"\xff"], r"'\xff' is not the number"),
        ([b"1.0", b"\xff\xfe", b"1"], "byte 0 of the rules is not UTF-8"),
        ([b"1.0", b"#rules = up", b"1"], "error: "),
        ([b"1.0", b"\x1b[2J", b"1"], "error: "),
        ([b"1.0", b"", b"1"], "error: "),
        ([b"1.0", b"x" * 2_000_000], "bytes that were not asked for"),
        ([b"1.0", b"x" * 300_000, b"1"], "the text has 300000 characters"),
        ([b"1.0", LIMITS[1][1].encode(), b"1"], LIMITS[1][2]),
        ([], "left"),
        ([b"1.0"], "left"),
        ([b"1.0", RULES], "left"),
    ],
)
def test_a_manager_that_makes_no_sense(
    messages: list[bytes], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It leaves at once, but what it has said is read to the end.
    monkeypatch.setattr(client, "_ENDING", LONGEST)
    with joining() as (manager, notes):
        with suppress(ConnectionError, OSError):
            manager.send(*messages)
            manager.socket.shutdown(socket.SHUT_WR)
        manager.wait_for_end()
    assert reason in str(notes.failure)
    assert "\x1b" not in str(notes.failure)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"1 10", "broke the protocol: '1 10' is not a legal move in this position"),
        (b"\xff\xfe", "is not a move"),
        (b"0.500000", "is not a move"),
        (b"", "is not a move"),
        (b"x" * 2_000_000, "bytes that were not asked for"),
    ],
)
def test_moves_that_make_no_sense(message: bytes, reason: str) -> None:
    with joining() as (manager, notes):
        introduce_to_client(manager, b"2")
        with suppress(ConnectionError):
            manager.send(message)
        manager.wait_for_end()
    assert reason in str(notes.failure)


def test_a_manager_that_leaves_before_the_first_game() -> None:
    with joining() as (manager, notes):
        introduce_to_client(manager, b"1")
    assert "left; the match was not over" in str(notes.failure)


def test_a_flood_between_games_is_not_the_end_of_a_match() -> None:
    with joining() as (manager, notes):
        introduce_to_client(manager, b"1")
        manager.send(b"reset")
        with suppress(ConnectionError):
            manager.send(b"x" * 2_000_000)
        manager.wait_for_end()
    assert "bytes that were not asked for" in str(notes.failure)


def test_a_time_that_makes_no_sense() -> None:
    with joining() as (manager, notes):
        introduce_to_client(manager, b"1")
        manager.send(b"1 4")
        manager.wait_for_end()
    assert "'1 4' is not a time" in str(notes.failure)


def test_a_game_that_goes_on_though_it_is_over() -> None:
    with joining() as (manager, notes):
        introduce_to_client(
            manager,
            b"1",
            b"#players = w(1) #pieces = e #variables = #board = "
            b"rectangle(u,d,l,r,[e]) #rules = ->w [e] ->> {}",
        )
        manager.send(b"1.0")
        manager.read()
        manager.send(b"1.0")
        manager.wait_for_end()
    assert "the game is over, and no 'reset' came" in str(notes.failure)


def test_an_agent_that_fails_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: RandomAgent, *_: object, **__: object) -> None:
        raise SemisplitError("out of ideas")

    monkeypatch.setattr("semisplit.agents.agent.RandomAgent.think", fail)
    with joining() as (manager, notes):
        manager.send(b"1.0", RULES, b"1")
        manager.wait_for_end()
    assert str(notes.failure) == "out of ideas"


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(SemisplitError, match=f"cannot connect to 127.0.0.1:{port}: .*refused"):
        asyncio.run(join("127.0.0.1", port, parse_agent("random")))
    with pytest.raises(SemisplitError, match=r"cannot connect to nowhere\.invalid:1"):
        asyncio.run(join("nowhere.invalid", 1, parse_agent("random")))

    async def never(*_: object, **__: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(client, "_CONNECTING", 0.05)
    monkeypatch.setattr(asyncio.BaseEventLoop, "create_connection", never)
    with pytest.raises(SemisplitError, match=r"no answer from 127\.0\.0\.1:9"):
        asyncio.run(join("127.0.0.1", 9, parse_agent("random")))


# Both ends of our own


def test_many_matches_at_once_log_every_move_once() -> None:
    with serving(MatchTerms(games=5, deadline=30.0, preparation=60.0), matches=20) as served:
        notes = [Notes() for _ in range(40)]

        async def play() -> None:
            config = parse_agent("random")
            await asyncio.gather(*(join("127.0.0.1", served.port, config, n) for n in notes))

        asyncio.run(play())
    assert served.complete
    lines = served.moves.getvalue().splitlines()
    results = served.results_without_times()
    assert lines.count("reset") == len(results) == 100
    assert 2 * (len(lines) - 100) == sum(len(note.moves) for note in notes)
    assert sum(int(result.split()[0]) for result in results) == len(lines) - 100
    assert_games_are_complete(lines, results)


def assert_games_are_complete(lines: list[str], results: list[str]) -> None:
    """The moves up to each `reset` are a game from its beginning to its end."""
    state = semisplit.load("tic_tac_toe").initial_state()
    finished = iter(results)
    for line in lines:
        if line != "reset":
            state = state.apply(line)
            continue
        assert state.is_terminal
        assert next(finished).split()[2:] == [str(score) for score in state.scores]
        state = state.game.initial_state()


def test_the_command_line(tmp_path: Path) -> None:
    moves, results = tmp_path / "moves.log", tmp_path / "results.log"
    options = ["--port", "0", "--games", "2", "--deadline", "5000", "--preparation", "60000"]
    options += ["--log-moves", str(moves), "--log-results", str(results)]
    server = subprocess.Popen(
        [*CLI, "serve", "tic_tac_toe", *options], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    first_line = server.stderr.readline()
    assert first_line.startswith("waiting for players on 127.0.0.1 port ")
    port = first_line.split()[-1]
    command = [*CLI, "connect", "127.0.0.1", port, "--agent", "random"]
    players = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]
    outputs = [player.communicate(timeout=60)[0] for player in players]
    assert server.wait(60) == 0
    assert [player.returncode for player in players] == [0, 0]
    assert moves.read_text().count("reset") == len(results.read_text().splitlines()) == 2
    for output in outputs:
        assert output.count("the game is over:") == 2
        assert "(at random)" in output
    assert {output.split()[1] for output in outputs} == {"xplayer;", "oplayer;"}
    assert "cannot connect to 127.0.0.1" in run("connect", "127.0.0.1", port, status=1)


@pytest.mark.parametrize("is_file", [True, False])
def test_statistics_of_moves_are_written_after_each_turn(tmp_path: Path, is_file: bool) -> None:
    file = tmp_path / "states.log"
    with serving(MatchTerms(games=1, deadline=0.001, preparation=60.0)) as served:
        opponent = join("127.0.0.1", served.port, parse_agent("random"))
        other = threading.Thread(target=asyncio.run, args=(opponent,), daemon=True)
        other.start()
        options = ["--agent", "orthodox+mast", "--simulations-limit", "300"]
        options += ["--states", str(file) if is_file else "stdout"]
        printed = run("connect", "127.0.0.1", str(served.port), *options)
        other.join(LONGEST)
    lines = (file.read_text() if is_file else printed).splitlines()
    turns = [i for i, line in enumerate(lines) if "after 300 simulations" in line]
    assert len(turns) >= 2
    assert printed.count("after 300 simulations") == len(turns)
    for turn in turns:
        assert lines[turn + 1].split() == ["visits", "score", "mast", "rave", "move"]
    table = [line.split() for line in lines[turns[0] + 2 : turns[0] + 10]]
    assert {len(row) for row in table} == {5}
    assert 200 < sum(int(row[0]) for row in table) <= 300
    assert "-" not in {row[2] for row in table}
    assert {row[4] for row in table} < {f"{x}{y}" for x in "abc" for y in "123"}


def test_wrong_usage() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert "already in use" in run("serve", "chess", "--port", port, status=1)
    assert "cannot write /no/log" in run(
        "serve", "tic_tac_toe", "--port", "0", "--log-moves", "/no/log", status=1
    )
    assert "not both" in run(
        "connect", "x", "1", "--simulations-limit", "5", "--states-limit", "5", status=1
    )
    assert "cannot write /no/log" in run("connect", "x", "1", "--states", "/no/log", status=1)
    assert "65535" in run("serve", "chess", "--port", "70000", status=2)
    for host in ("x..y", "x" * 70):
        assert "cannot be the name" in run("connect", host, "1", status=1)
        assert "cannot be the name" in run(
            "serve", "tic_tac_toe", "--port", "0", "--host", host, status=1
        )
