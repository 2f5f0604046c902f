"""What hostile or broken hosts get from a player: docs/ggp.md has the table."""

import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from semisplit.agents import parse_agent
from semisplit.core.errors import InputError
from semisplit.net.ggp import server
from semisplit.net.ggp.player import Player
from tests.support.ggp_peers import (
    AVAILABLE,
    BUSY,
    LONGEST,
    RULES,
    SHOWS,
    Notes,
    body,
    connect,
    exchange,
    playing,
    read_all,
    request,
    say,
    start,
    until,
)

MANY = (
    f" ( <= ( init ( all ?a ?b ?c ?d ?e ?f ) ) {' '.join(f'( digit ?{v} )' for v in 'abcdef')} )"
    f" {' '.join(f'( digit {n} )' for n in range(30))}"
)
"""Seven hundred million fluents."""


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What is logged; no exception is ever dropped on the floor."""
    with caplog.at_level(logging.INFO):
        yield caplog
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def said(log: pytest.LogCaptureFixture, text: str) -> int:
    """In how many lines something is logged."""
    lines = [record.getMessage() for record in log.records]
    assert all("\n" not in line and "\x1b" not in line for line in lines)
    return sum(text in line for line in lines)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A player for all that does not change it."""
    with playing() as port:
        yield port


@pytest.fixture
def healthy(port: int) -> Iterator[int]:
    """The same; it must be as good as new afterwards."""
    yield port
    assert say(port, "( INFO )") == AVAILABLE


# Requests


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"hello",
        b"(((((",
        b"\x00\xff\x1b[2J" * 100,
        b"( \xff",
        b"( START m left (" + RULES.encode() + b" ) NaN 1)",
        b"( START m left (" + RULES.encode() + b" ) 1 -1)",
        b"( START m left )",
        b"( PLAY )",
    ],
)
def test_what_is_no_message_is_refused(
    message: bytes, healthy: int, log: pytest.LogCaptureFixture
) -> None:
    answer = exchange(healthy, request(message))
    assert answer.startswith(b"HTTP/1.0 400 Bad Request\r\n")
    assert len(log.records) == 1
    assert said(log, "127.0.0.1: ") == 1


@pytest.mark.parametrize(
    "data", [b"\x16\x03\x01\x02\x00\r\n\r\n", b"\r\n\r\nGET", b"X" * 99 + b"\n\n"]
)
def test_what_is_no_http_is_refused(
    data: bytes, healthy: int, log: pytest.LogCaptureFixture
) -> None:
    assert exchange(healthy, data).startswith(b"HTTP/1.0 400 ")
    assert len(log.records) == 1


def test_other_methods_are_refused(healthy: int) -> None:
    assert exchange(healthy, b"PUT / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 400 ")
    assert exchange(healthy, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 400 ")


def test_a_body_that_is_too_large_ends_the_connection(
    healthy: int, log: pytest.LogCaptureFixture
) -> None:
    with connect(healthy) as connected, suppress(ConnectionError):
        connected.sendall(request(b"( INFO )", length=10**11))
        assert read_all(connected) == b""
    assert said(log, "announced more than") == 1
    with connect(healthy) as connected, suppress(ConnectionError):
        connected.sendall(b"POST / HTTP/1.0\r\n\r\n")
        for _ in range(100):
            connected.sendall(b"(" * 100_000)
    until(lambda: said(log, "sent more than") == 1)


def test_requests_that_never_end_are_cut(
    monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.3)
    beginnings = [b"", b"POST", request(b"( INFO )", length=9), b"POST / HTTP/1.0\r\n\r\n( INFO"]
    with playing() as port, ExitStack() as stack:
        for sent in beginnings:
            connected = stack.enter_context(connect(port))
            connected.sendall(sent)
            with suppress(ConnectionError):
                assert read_all(connected) == b""
        assert said(log, "sent no whole request in 0.3 s") == len(beginnings)
        assert say(port, "( INFO )") == AVAILABLE


def test_300_connections(healthy: int, log: pytest.LogCaptureFixture) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(connect(healthy)) for _ in range(300)]
        assert say(healthy, "( INFO )") == AVAILABLE
        for connected in silent:
            connected.sendall(request(b"( INFO )"))
        for connected in silent:
            assert body(read_all(connected)) == AVAILABLE
    assert len(log.records) == 0


def test_more_connections_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    """Those who have waited for longest make room."""
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 20)
    monkeypatch.setattr(server, "MOST_UNREAD", 1_000_000)
    with playing() as port, ExitStack() as stack:
        silent = [stack.enter_context(connect(port)) for _ in range(30)]
        assert say(port, "( INFO )") == AVAILABLE
        until(lambda: said(log, "had to make room for others") >= 10)
        with suppress(ConnectionError):
            assert silent[0].recv(1) == b""
        large = [stack.enter_context(connect(port)) for _ in range(3)]
        for connected in large:
            with suppress(ConnectionError):
                connected.sendall(request(b"(" * 900_000, length=1_000_000))
        assert say(port, "( INFO )") == AVAILABLE
        with suppress(ConnectionError):
            assert read_all(large[0]) == b""


def test_who_leaves_is_not_waited_for(healthy: int, log: pytest.LogCaptureFixture) -> None:
    for sent in (b"", b"POST", request(b"( INFO )"), request(b"( INFO )", length=99)):
        with connect(healthy) as connected:
            connected.sendall(sent)
    assert len(log.records) == 0


# Matches


def test_a_match_that_is_not_played_here(healthy: int, log: pytest.LogCaptureFixture) -> None:
    for message in ("( PLAY x NIL )", "( STOP x NIL )", "( ABORT x )", "( PLAY \x1b[2J NIL )"):
        assert say(healthy, message) == b"busy"
    assert said(log, "is not played here") == 4


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("", "there are no rules"),
        ("(role left) ((", "is not"),
        (RULES + " ( p ?x )", "?x"),
        ("( role left ) ( " * 3000, "nested too deeply"),
        (RULES + " ( p a )" * 60_000, "more than"),
        (RULES.replace("left", "right"), "there is no role 'left'"),
        (RULES + " ( <= \x1b[2J ( not \x1b[2J ) )", r"'\x1b[2j' depends on its own negation"),
    ],
)
def test_hostile_rules_are_refused(
    rules: str, reason: str, healthy: int, log: pytest.LogCaptureFixture
) -> None:
    message = start(rules=rules, clocks="60 1")
    answer = exchange(healthy, request(message.encode()))
    if answer.startswith(b"HTTP/1.0 400"):
        assert said(log, "parentheses that are not closed") == 1
    else:
        assert body(answer) == b"busy"
        assert said(log, "match 'm': given up, as it cannot be played") == 1
        assert said(log, reason) == 1
    assert len(log.records) == 1


def test_rules_that_take_for_ever(healthy: int, log: pytest.LogCaptureFixture) -> None:
    assert say(healthy, start(rules=RULES + MANY, clocks="1 1")) == b"ready"
    assert say(healthy, "( INFO )") == BUSY
    assert say(healthy, "( PLAY m NIL )") == b"nil"
    assert said(log, "match 'm': no legal move was found in time; the answer is nil") == 1
    assert say(healthy, "( ABORT m )") == b"aborted"


def test_some_legal_moves_are_enough(healthy: int, log: pytest.LogCaptureFixture) -> None:
    rules = RULES + MANY.replace("init (", "legal left (")
    assert say(healthy, start(rules=rules, clocks="15 15")) == b"ready"
    assert say(healthy, "( PLAY m NIL )") != b"nil"
    assert said(log, "match 'm': to find all legal moves takes too long; the move is one") == 1
    assert say(healthy, "( ABORT m )") == b"aborted"


def test_rules_that_take_too_much_memory(log: pytest.LogCaptureFixture) -> None:
    with playing(memory=128 << 20) as port:
        assert say(port, start(rules=RULES + MANY, clocks="60 1")) == b"busy"
        assert said(log, "takes more than 0.125 GB of memory; its process ends") == 1
        assert said(log, "given up, as its process has died") == 1


def test_no_time_at_all() -> None:
    with playing("flat-mc") as port:
        assert say(port, start(clocks="0 0")) == b"ready"
        assert say(port, "( PLAY m NIL )") in (*SHOWS, b"nil")
        # By now it knows the rules.
        until(lambda: say(port, "( PLAY m NIL )") in SHOWS)


def test_all_the_time_in_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semisplit.net.ggp.player._USUAL", 0.5)
    with playing("flat-mc") as port:
        assert say(port, start(clocks="1000000000 inf")) == b"ready"
        assert say(port, "( PLAY m NIL )") in SHOWS
        assert say(port, "( ABORT m )") == b"aborted"


def test_moves_that_cannot_have_been_made_change_nothing(log: pytest.LogCaptureFixture) -> None:
    notes = Notes()
    with playing(observer=notes) as port:
        assert say(port, start()) == b"ready"
        wrong = [
            "( ( Show 1 ) )",
            "( ( Show 1 ) ( Show 3 ) )",
            "( ( Show 1 ) ( ) )",
            "( ( Show 1 ) ?x )",
            "( a b c d e )",
            "( " + "( a " * 1000 + ") " * 1000 + "b )",
        ]
        for moves in wrong:
            assert say(port, f"( PLAY m {moves} )") in SHOWS
        assert len(log.records) == len(wrong)
        assert say(port, "( PLAY m ( ( Show 2 ) ( Show 1 ) ) )") in SHOWS
        assert say(port, "( STOP m ( ( Show 2 ) ( Show 1 ) ) )") == b"done"
        assert notes.ended.get(timeout=LONGEST) == (100, 0)


def test_a_host_that_is_never_heard_of_again(log: pytest.LogCaptureFixture) -> None:
    with playing(silence=0.3) as port:
        assert say(port, start(clocks="1 0")) == b"ready"
        assert say(port, "( PLAY m NIL )") in SHOWS
        assert say(port, "( INFO )") == BUSY
        until(lambda: say(port, "( INFO )") == AVAILABLE)
        assert said(log, "match 'm': given up, as nothing was heard of its host for 0.3 s") == 1
        assert say(port, start()) == b"ready"


def test_who_does_not_wait_for_an_answer(log: pytest.LogCaptureFixture) -> None:
    with playing("flat-mc") as port:
        assert say(port, start(clocks="1 30")) == b"ready"
        with connect(port) as first, connect(port) as second:
            first.sendall(request(b"( PLAY m NIL )"))
            time.sleep(0.2)
            # The first question is answered when the next one comes, the second by the end.
            second.sendall(request(b"( PLAY m ( ( Show 1 ) ( Show 1 ) ) )"))
            assert body(read_all(first)) in SHOWS
            time.sleep(0.2)
            assert say(port, "( STOP m NIL )") == b"done"
            assert body(read_all(second)) in SHOWS
        until(lambda: said(log, "stopped before the end of the game") == 1)


def thinkers() -> set[int]:
    """The processes that this one has started to think."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_child = f"PPid:\t{os.getpid()}\n" in (path / "status").read_text()
            if is_child and "spawn_main" in (path / "cmdline").read_text():
                found.add(int(path.name))
    return found


def test_a_process_that_dies_costs_thinking_but_no_move(log: pytest.LogCaptureFixture) -> None:
    before = thinkers()
    with playing("flat-mc") as port:
        searching, first = sorted(thinkers() - before)
        assert say(port, start(clocks="1 1")) == b"ready"
        assert say(port, "( PLAY m NIL )") in SHOWS
        os.kill(searching, signal.SIGKILL)
        assert say(port, "( PLAY m ( ( Show 1 ) ( Show 1 ) ) )") in SHOWS
        assert said(log, "the process that thinks has died; any legal moves are made") == 1
        os.kill(first, signal.SIGKILL)
        until(lambda: say(port, "( INFO )") == AVAILABLE)
        assert said(log, "match 'm': given up, as its process has died") == 1
        assert say(port, start(clocks="1 1")) == b"ready"
    until(lambda: thinkers() == before)


def test_a_process_that_hangs_makes_no_answer_late(log: pytest.LogCaptureFixture) -> None:
    before = thinkers()
    with playing("flat-mc") as port:
        _, first = sorted(thinkers() - before)
        assert say(port, start(clocks="2 3")) == b"ready"
        assert say(port, "( PLAY m NIL )") in SHOWS
        os.kill(first, signal.SIGSTOP)
        assert say(port, "( PLAY m ( ( Show 1 ) ( Show 1 ) ) )") == b"( Show 2 )"
        assert said(log, "no legal move was found in time") == 0
        os.kill(first, signal.SIGCONT)


def test_matches_leave_nothing_behind(log: pytest.LogCaptureFixture) -> None:
    before = thinkers()
    with playing() as port:
        for number in range(6):
            assert say(port, start(f"m{number}", clocks="1 1")) == b"ready"
            word = "ABORT" if number % 2 else "STOP"
            assert say(port, f"( {word} m{number} NIL )") in (b"aborted", b"done")
            # One that plays, one that ends and one for the next match.
            until(lambda: len(thinkers() - before) <= 3)
    until(lambda: thinkers() == before)


def test_an_exception_in_thinking_costs_no_move(log: pytest.LogCaptureFixture) -> None:
    """A search gives up on a game without an end."""
    rules = RULES.replace("( <= terminal ( true ( Round 3 ) ) )", "( <= terminal ( true never ) )")
    with playing("flat-mc") as port:
        assert say(port, start(rules=rules, clocks="1 1")) == b"ready"
        assert say(port, "( PLAY m NIL )") in SHOWS
        until(lambda: said(log, "thinking failed (PlayLimit: ") >= 1)


def test_what_cannot_be_served_is_told(port: int) -> None:
    config = parse_agent("semisplit-nodal@Mod")
    with pytest.raises(InputError, match="splits moves"):
        Player(config)
    for name in ("", "a b", "a(b"):
        with pytest.raises(InputError, match="name has neither spaces"):
            Player(parse_agent("random"), name=name)
