"""What a hostile or broken player gets from the manager: docs/protocol.md has the table."""

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.core.errors import PlayLimit
from semisplit.net.manager.connection import Connection
from semisplit.net.manager.messages import write_seconds
from semisplit.net.manager.terms import MatchTerms
from tests.support.manager_peers import (
    LONGEST,
    X_WINS,
    RawPeer,
    Served,
    introduce,
    play_out,
    serving,
)

LIMIT = b"9.000000"
PATIENT = MatchTerms(deadline=9.0, preparation=9.0)


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What is logged; nothing is ever dropped on the floor by asyncio."""
    with caplog.at_level(logging.INFO):
        yield caplog
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def said(log: pytest.LogCaptureFixture, text: str) -> int:
    """In how many lines something is logged."""
    assert all("\n" not in record.getMessage() for record in log.records)
    return sum(text in record.getMessage() for record in log.records)


def seat(served: Served, preparation: bytes) -> tuple[RawPeer, RawPeer]:
    white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
    introduce(white, black, preparation=preparation)
    return white, black


# Wrong and illegal moves


@pytest.mark.parametrize(
    ("message", "logged"),
    [
        (b"1 10", "'1 10' is not a legal move"),
        (b"hello", "'hello' is not a move"),
        (b"", "'' is not a move"),
        (b"\x1b[2J\xff\n", r"'\x1b[2J\xff\n' is not a move"),
        (b"1 4 " * 5000, "...' is not a legal move"),
    ],
)
def test_an_illegal_move_loses_its_game_and_no_more(
    message: bytes, logged: str, log: pytest.LogCaptureFixture
) -> None:
    with serving(MatchTerms(games=2, deadline=9.0, preparation=9.0)) as served:
        white, black = seat(served, LIMIT)
        white.expect(LIMIT)
        white.send(message)
        white.expect(b"reset")
        black.expect(b"reset")
        play_out(white, black, X_WINS, LIMIT)
    assert served.complete
    assert said(log, logged) == 1
    assert served.results_without_times() == ["0 9 0 100", "5 35 100 0"]
    moves = served.moves.getvalue().splitlines()
    assert moves[1] == "reset"
    assert len(moves) == 2 + 6


def test_an_illegal_move_ends_the_match_as_in_rbg(log: pytest.LogCaptureFixture) -> None:
    terms = MatchTerms(games=2, deadline=9.0, preparation=9.0, illegal="end")
    with serving(terms) as served:
        white, black = seat(served, LIMIT)
        play_out(white, black, X_WINS[:1], LIMIT)
        black.expect(LIMIT)
        black.send(b"1 10")
        white.expect_close()
        black.expect_close()
    assert served.complete is False
    assert said(log, "match 1 ends early: oplayer in match 1: '1 10' is not a legal move") == 1
    assert served.moves.getvalue() == "1 4\n1 10\n"
    assert served.results.getvalue() == ""


# Late moves and silence


def test_a_late_move_is_noted_within_the_grace(log: pytest.LogCaptureFixture) -> None:
    with serving(MatchTerms(deadline=0.1, preparation=9.0, grace=5.0)) as served:
        white, black = seat(served, LIMIT)
        white.expect(b"0.100000")
        time.sleep(0.2)
        white.send(X_WINS[0])
        black.expect(X_WINS[0])
        play_out(black, white, X_WINS[1:], b"0.100000")
    assert served.results_without_times() == ["5 35 100 0 timeouts=1,0"]
    assert said(log, "xplayer in match 1 was 0.") == 1


def test_a_move_that_is_too_late_loses_its_game_and_no_more(
    log: pytest.LogCaptureFixture,
) -> None:
    terms = MatchTerms(games=2, deadline=0.3, preparation=9.0, late="lose", grace=0.1)
    with serving(terms) as served:
        white, black = seat(served, LIMIT)
        white.expect(b"0.300000")
        time.sleep(0.6)
        # The answer comes before anybody is asked again, so it cannot be taken for another one.
        white.send(X_WINS[0])
        white.expect(b"reset")
        black.expect(b"reset")
        play_out(white, black, X_WINS, b"0.300000")
    assert served.complete
    assert said(log, "xplayer in match 1 was too late; the game is lost") == 1
    assert served.results_without_times() == ["0 9 0 100 timeouts=1,0", "5 35 100 0"]


def test_late_moves_count_unless_otherwise_stated() -> None:
    terms = MatchTerms(deadline=0.1, preparation=9.0, grace=0.0, patience=None)
    with serving(terms) as served:
        white, black = seat(served, LIMIT)
        white.expect(b"0.100000")
        time.sleep(0.3)
        white.send(X_WINS[0])
        black.expect(X_WINS[0])
        play_out(black, white, X_WINS[1:], b"0.100000")
    assert served.results_without_times() == ["5 35 100 0 timeouts=1,0"]


def test_silence_loses_and_ends_the_match(log: pytest.LogCaptureFixture) -> None:
    with serving(MatchTerms(games=2, deadline=0.2, preparation=9.0, patience=0.3)) as served:
        white, black = seat(served, LIMIT)
        white.expect(b"0.200000")
        black.expect_close()
        white.expect_close()
    assert served.complete is False
    assert said(log, "xplayer in match 1 said nothing for 0.5 s; the game is lost") == 1
    assert served.results_without_times() == ["0 9 0 100"]


# Getting ready


def test_who_is_never_ready_is_replaced(log: pytest.LogCaptureFixture) -> None:
    with serving(MatchTerms(deadline=9.0, preparation=0.3, patience=0.3)) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.send(b"ready")
        black.expect_close_after_rules()
        introduce_second(served, white)
    assert said(log, "oplayer in match 1 never said that it is ready") == 1
    assert served.complete


def introduce_second(served: Served, white: RawPeer) -> RawPeer:
    """Take the second seat, be ready, and play."""
    black = RawPeer.connect(served.port)
    white.skip_rules()
    black.skip_rules()
    black.send(b"ready")
    limit = write_seconds(served.terms.deadline)
    play_out(white, black, X_WINS, limit)
    return black


@pytest.mark.parametrize("message", [b"", b"here I am", b"\xff\x00\xff", b"x" * 1000])
def test_what_is_not_ready_frees_the_seat(message: bytes, log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.send(b"ready")
        black.send(message)
        black.expect_close_after_rules()
        introduce_second(served, white)
    assert said(log, "instead of 'ready' before the first game; the seat is free") == 1
    assert served.complete


def test_five_bytes_are_ready_as_in_rbg(log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.send(b"READY")
        black.send(b"ready")
        white.skip_rules()
        black.skip_rules()
        play_out(white, black, X_WINS, LIMIT)
    assert said(log, "said 'READY' for 'ready'") == 1


def test_late_ready_is_noted_once() -> None:
    terms = MatchTerms(games=2, deadline=9.0, preparation=0.1)
    with serving(terms) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.send(b"ready")
        white.skip_rules()
        black.skip_rules()
        time.sleep(0.3)
        black.send(b"ready")
        play_out(white, black, X_WINS, LIMIT)
        white.expect(b"reset")
        black.expect(b"reset")
        play_out(white, black, X_WINS, LIMIT)
    assert served.results_without_times() == [
        "5 35 100 0 timeouts=0,0(lateready)",
        "5 35 100 0",
    ]


def test_who_leaves_before_the_match_begins_is_replaced(log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT) as served:
        early = RawPeer.connect(served.port)
        wait_for(log, "connected")
        time.sleep(0.05)
        early.close()
        wait_for(log, "the seat is free")
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        introduce(white, black, preparation=LIMIT)
        play_out(white, black, X_WINS, LIMIT)
    assert served.complete


def test_who_leaves_after_ready_is_replaced(log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.skip_rules()
        white.send(b"ready")
        white.close()
        black.skip_rules()
        time.sleep(0.1)
        black.send(b"ready")
        wait_for(log, "the seat is free")
        white = RawPeer.connect(served.port)
        white.skip_rules()
        white.send(b"ready")
        play_out(white, black, X_WINS, LIMIT)
    assert served.complete


def test_who_leaves_after_ready_is_replaced_while_others_get_ready(
    log: pytest.LogCaptureFixture,
) -> None:
    with serving(PATIENT) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.skip_rules()
        white.send(b"READY")
        wait_for(log, "for 'ready'")
        white.close()
        wait_for(log, "the seat is free")
        white = RawPeer.connect(served.port)
        black.skip_rules()
        black.send(b"ready")
        white.skip_rules()
        white.send(b"ready")
        play_out(white, black, X_WINS, LIMIT)
    assert said(log, "the seat is free") == 1
    assert served.complete


def wait_for(log: pytest.LogCaptureFixture, text: str) -> None:
    end = time.monotonic() + LONGEST
    while not said(log, text):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_who_comes_too_late_is_sent_away(log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT) as served:
        white, black = seat(served, LIMIT)
        RawPeer.connect(served.port).expect_close()
        play_out(white, black, X_WINS, LIMIT)
    assert said(log, "was sent away: there is no free seat") == 1
    assert served.complete


# Connections


def test_leaving_in_the_middle_of_a_move(log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT) as served:
        white, black = seat(served, LIMIT)
        white.expect(LIMIT)
        white.socket.sendall(b"1 ")
        white.close()
        black.expect_close()
    assert served.complete is False
    assert said(log, "xplayer in match 1 left in the middle of a message; the game is lost") == 1
    assert served.results_without_times() == ["0 9 0 100"]
    assert served.moves.getvalue() == "reset\n"


def test_leaving_during_the_opponents_turn_is_noticed_at_once(
    log: pytest.LogCaptureFixture,
) -> None:
    with serving(MatchTerms()) as served:
        white, black = seat(served, write_seconds(None))
        white.expect(write_seconds(None))
        black.close()
        white.expect_close()
    assert said(log, "oplayer in match 1 left; the game is lost") == 1
    assert served.results_without_times() == ["0 9 100 0"]


def test_leaving_after_a_game_is_no_game(log: pytest.LogCaptureFixture) -> None:
    with serving(MatchTerms(games=3, deadline=9.0, preparation=9.0)) as served:
        white, black = seat(served, LIMIT)
        play_out(white, black, X_WINS, LIMIT)
        white.expect(b"reset")
        black.expect(b"reset")
        # The next game has begun when it leaves.
        white.expect(LIMIT)
        black.close()
        white.expect_close()
    assert served.complete is False
    assert said(log, "match 1 ends early: oplayer in match 1 left") == 1
    assert served.results_without_times() == ["5 35 100 0"]
    assert served.moves.getvalue().splitlines() == [*map(bytes.decode, X_WINS), "reset"]


def test_a_connection_closed_on_one_side_only(log: pytest.LogCaptureFixture) -> None:
    with serving(MatchTerms()) as served:
        white, black = seat(served, write_seconds(None))
        white.expect(write_seconds(None))
        white.socket.shutdown(socket.SHUT_WR)
        white.expect_close()
        black.expect_close()
    assert said(log, "xplayer in match 1 left; the game is lost") == 1


def test_a_reset_connection(log: pytest.LogCaptureFixture) -> None:
    with serving(MatchTerms()) as served:
        white, black = seat(served, write_seconds(None))
        # Closing without having read makes the system reset the connection.
        time.sleep(0.1)
        white.close()
        black.expect_close()
    assert said(log, "the game is lost") == 1
    assert served.results_without_times() == ["0 9 0 100"]


def test_the_last_move_counts_though_the_player_leaves() -> None:
    with serving(PATIENT) as served:
        white, black = seat(served, LIMIT)
        play_out(white, black, X_WINS[:4], LIMIT)
        white.expect(LIMIT)
        white.send(X_WINS[4])
        white.close()
        black.expect(X_WINS[4], b"reset")
    assert served.results_without_times() == ["5 35 100 0"]


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (b"1" * 200_000, "65536 bytes"),
        (b"\0" * 60_000, "1025 messages"),
        (b"1 4\0" * 5_000, "1025 messages"),
    ],
)
def test_a_flood_ends_the_connection(
    data: bytes, limit: str, log: pytest.LogCaptureFixture
) -> None:
    with serving(MatchTerms()) as served:
        white, black = seat(served, write_seconds(None))
        white.expect(write_seconds(None))
        with suppress(ConnectionError):
            black.socket.sendall(data)
        white.expect_close()
    assert said(log, f"sent more than {limit} that were not asked for; the game is lost") == 1
    assert served.results_without_times() == ["0 9 100 0"]


def test_the_other_matches_go_on(log: pytest.LogCaptureFixture) -> None:
    with serving(PATIENT, matches=2) as served:
        first, second = seat(served, LIMIT), seat(served, LIMIT)
        first[0].close()
        first[1].expect_close()
        play_out(*second, X_WINS, LIMIT)
        second[0].expect(b"reset")
    assert served.complete is False
    assert sorted(served.results_without_times()) == ["0 9 0 100", "5 35 100 0"]


def test_rules_that_cannot_be_played_on_end_the_match(
    log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(PATIENT) as served:
        white, black = seat(served, LIMIT)
        white.expect(LIMIT)

        def fail(*_: object) -> int:
            raise PlayLimit("looking for moves takes too long")

        monkeypatch.setattr(CompiledGame, "count_moves", fail)
        white.send(X_WINS[0])
        black.expect(X_WINS[0])
        black.expect_close()
    assert said(log, "match 1 ends early: looking for moves takes too long") == 1


def test_a_manager_that_is_slow_itself_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    count = CompiledGame.count_moves

    def count_slowly(*arguments: Any, **options: Any) -> int:
        time.sleep(0.06)
        return count(*arguments, **options)

    monkeypatch.setattr(CompiledGame, "count_moves", count_slowly)
    with serving(MatchTerms(deadline=0.05, preparation=9.0, grace=9.0)) as served:
        white, black = seat(served, LIMIT)
        play_out(white, black, X_WINS, b"0.050000")
    assert served.results_without_times()[0].endswith(",manager")


def test_who_does_not_take_what_is_sent_cannot_keep_a_connection_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("semisplit.net.manager.connection._CLOSING", 0.2)

    async def send_and_close() -> float:
        opened: asyncio.Queue[Connection] = asyncio.Queue()
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(1, opened.put_nowait), "127.0.0.1", 0
        )
        async with server:
            peer = socket.create_connection(server.sockets[0].getsockname())
            connection = await opened.get()
            connection.send(b"x" * 50_000_000)
            begin = time.monotonic()
            await connection.close()
            peer.close()
            return time.monotonic() - begin

    assert 0.1 < asyncio.run(send_and_close()) < 5


def test_who_is_gone_at_once_has_no_address() -> None:
    class Transport(asyncio.Transport):
        def get_extra_info(self, name: str, default: Any = None) -> Any:
            return left if name == "socket" else None

    async def connect() -> str:
        connection = Connection(1)
        connection.connection_made(Transport())
        return connection.peer

    with socket.socket() as left:
        assert asyncio.run(connect()) == "nobody"


def test_dead_machines_are_noticed() -> None:
    async def is_kept_alive() -> int:
        opened: asyncio.Queue[Connection] = asyncio.Queue()
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(1, opened.put_nowait), "127.0.0.1", 0
        )
        async with server:
            peer = socket.create_connection(server.sockets[0].getsockname())
            connection = await opened.get()
            used = connection._transport.get_extra_info("socket")
            kept: int = used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            await connection.close()
            peer.close()
            return kept

    assert asyncio.run(is_kept_alive()) == 1
