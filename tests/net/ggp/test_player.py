"""Our player, asked by a host that follows the protocol byte by byte."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from urllib.parse import quote_plus

import pytest

from semisplit.agents import parse_agent
from semisplit.net.ggp.player import Player
from semisplit.net.ggp.process import Pool
from semisplit.net.ggp.server import serve
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
    running,
    say,
    start,
    until,
)

JOINT = "( Show 1 ) ( Show 2 )"


@pytest.fixture(scope="module")
def idle() -> Iterator[int]:
    """A player that is only asked how it is."""
    with playing() as port:
        yield port


def test_a_whole_match_to_the_byte() -> None:
    notes = Notes()
    with playing(observer=notes) as port:
        assert say(port, "( INFO )") == AVAILABLE
        assert say(port, start()) == b"ready"
        assert say(port, "( INFO )") == BUSY
        first = say(port, "( PLAY m NIL )")
        assert first in SHOWS
        assert say(port, f"( PLAY m ({first.decode()} ( Show 2 ) ) )") in SHOWS
        assert say(port, f"( STOP m ({JOINT} ) )") == b"done"
        assert say(port, "( INFO )") == AVAILABLE
        assert notes.ended.get(timeout=LONGEST) == (0, 100)
    assert len(notes.moved) == 2


def test_the_first_bytes_that_ever_came_from_a_host(idle: int) -> None:
    """The same request as in the specification, spelt out."""
    sent = (
        b"POST / HTTP/1.0\r\n"
        b"Accept: text/delim\r\n"
        b"Host: localhost\r\n"
        b"Sender: GAMESERVER\r\n"
        b"Receiver: \r\n"
        b"Content-Type: text/acl\r\n"
        b"Content-Length: 8\r\n"
        b"\r\n"
        b"( INFO )"
    )
    assert body(exchange(idle, sent)) == AVAILABLE


def test_other_ways_to_ask() -> None:
    with playing() as port:
        get = f"GET /{quote_plus('( INFO )')} HTTP/1.0\r\n\r\n".encode()
        assert body(exchange(port, get)) == AVAILABLE
        assert body(exchange(port, b"GET /%28%20info%20%29 HTTP/1.0\r\n\r\n")) == AVAILABLE
        assert body(exchange(port, b"OPTIONS / HTTP/1.0\r\n\r\n")) == b""
        lower = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-LENGTH:8\r\n\r\n( INFO )"
        assert body(exchange(port, lower)) == AVAILABLE
        chunked = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert body(exchange(port, chunked + b"8\r\n( INFO )\r\n0\r\n\r\n")) == AVAILABLE
        assert say(port, "( PING )") == b"available"
        assert say(port, f"( PREVIEW ({RULES} ) 10 )") == b"ready"
        started = f"GET /{quote_plus(start())} HTTP/1.0\r\n\r\n".encode()
        assert body(exchange(port, started)) == b"ready"
        assert say(port, "(ping)") == b"busy"
        assert say(port, f"( PREVIEW ({RULES} ) 10 )") == b"busy"
        assert say(port, start("other")) == b"busy"
        assert say(port, start()) == b"busy"
        assert say(port, "(play m ())") in SHOWS
        # Without parentheses around the list, and in other spellings.
        assert say(port, "(Play m (show 1)(SHOW 2))") in SHOWS
        assert say(port, "(abort m)") == b"aborted"
        assert say(port, "(play m nil)") == b"busy"


def test_a_message_without_a_length_ends_with_its_parentheses_or_the_connection(
    idle: int,
) -> None:
    head = b"POST / HTTP/1.0\r\nHost: x\r\n\r\n"
    assert body(exchange(idle, head + b"( INFO )")) == AVAILABLE
    with connect(idle) as connected:
        connected.sendall(head + b"INFO")
        connected.shutdown(socket.SHUT_WR)
        assert body(read_all(connected)) == AVAILABLE


def test_a_length_in_characters_and_bytes_that_are_no_text() -> None:
    rules = RULES.replace("number", "n\u00famero")
    with playing(matches=2) as port:
        message = start("a", rules=rules)
        sent = request(message.encode(), length=len(message))
        assert len(message) < len(message.encode())
        assert body(exchange(port, sent)) == b"ready"
        assert say(port, "( PLAY a NIL )") in SHOWS
        broken = start("b", rules=rules).encode("latin-1")
        assert say(port, broken) == b"ready"
        assert say(port, "( PLAY b NIL )") in SHOWS


def test_bytes_may_come_one_by_one(idle: int) -> None:
    with connect(idle) as connected:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in request(b"( INFO )"):
            connected.sendall(bytes([byte]))
        assert body(read_all(connected)) == AVAILABLE


def test_info_is_answered_while_a_match_is_thought_about() -> None:
    with playing("flat-mc") as port:
        starting = threading.Thread(target=say, args=(port, start(clocks="100 100")))
        starting.start()
        until(lambda: say(port, "( INFO )") == BUSY)
        assert starting.is_alive()
        assert say(port, "( ABORT m )") == b"aborted"
        starting.join()
        assert say(port, "( INFO )") == AVAILABLE


def test_what_comes_while_a_player_gets_ready_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would begin when the host has gone."""
    is_warm = threading.Event()

    async def warm_up(pool: Pool) -> None:
        await asyncio.to_thread(is_warm.wait)

    monkeypatch.setattr(Pool, "warm_up", warm_up)
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    opened: list[int] = []

    def serving(on_open: Callable[[int], None]) -> Coroutine[None, None, None]:
        player = Player(parse_agent("random"), name="tester")
        on_open(port)
        return serve(player, "127.0.0.1", port, opened.append)

    with running(serving):
        until(lambda: answers(port))
        assert say(port, "( INFO )") == BUSY
        assert say(port, start()) == b"busy"
        assert not opened
        is_warm.set()
        until(lambda: opened == [port])
        assert say(port, "( INFO )") == AVAILABLE
        assert say(port, start()) == b"ready"


def answers(port: int) -> bool:
    """Whether anybody listens."""
    with suppress(OSError), connect(port):
        return True
    return False


def test_the_search_plays_well_and_shows_what_it_thinks() -> None:
    """Who shows 2 wins, whatever the other does."""
    notes = Notes()
    with playing("orthodox", observer=notes) as port:
        assert say(port, start(clocks="1 4")) == b"ready"
        until(lambda: bool(notes.thoughts))
        assert say(port, f"( PLAY m ({JOINT} ) )") == b"( Show 2 )"
    thought = notes.thoughts[-1]
    assert str(thought.move) == "(Show 2)"
    assert thought.score == pytest.approx(1, abs=0.1)
    assert thought.result is not None
    assert thought.result.moves


def test_what_is_too_large_to_be_compiled_in_time_is_played_by_the_interpreter() -> None:
    """Nobody knows but who plays that the game is over before it becomes large."""
    variables = [f"?{letter}" for letter in "abcdef"]
    large = (
        " ( <= ( next seed ) ( true ( Round 3 ) ) )"
        f" ( <= ( next ( grid {' '.join(variables)} ) ) ( true seed )"
        f" {' '.join(f'( digit {variable} )' for variable in variables)} )"
        f" {' '.join(f'( digit {number} )' for number in range(20))}"
    )
    notes = Notes()
    with playing("flat-mc", observer=notes) as port:
        assert say(port, start(rules=RULES + large, clocks="1 1")) == b"ready"
        assert say(port, "( PLAY m NIL )") in SHOWS
        assert say(port, f"( PLAY m ({JOINT} ) )") in SHOWS
        assert say(port, f"( STOP m ({JOINT} ) )") == b"done"
        assert notes.ended.get(timeout=LONGEST) == (0, 100)
    assert not notes.thoughts


def test_several_matches_at_once() -> None:
    with playing(matches=2) as port:
        assert say(port, start("a", "left")) == b"ready"
        assert say(port, "( INFO )") == AVAILABLE
        assert say(port, start("b", "right")) == b"ready"
        assert say(port, "( INFO )") == BUSY
        assert say(port, start("c")) == b"busy"
        assert say(port, "( PLAY b NIL )") in SHOWS
        assert say(port, "( PLAY a NIL )") in SHOWS
        assert say(port, "( STOP a NIL )") == b"done"
        assert say(port, start("c")) == b"ready"


def test_moves_of_a_single_role_without_parentheses_around_them() -> None:
    rules = (
        "(role me) (init (at 1)) (<= (legal me (go ?n)) (n ?n)) (n 1) (n 2)"
        "(<= (next (at ?n)) (does me (go ?n))) (<= terminal (true (at 2))) (goal me 100)"
    )
    notes = Notes()
    with playing(observer=notes) as port:
        assert say(port, start(role="ME", rules=rules)) == b"ready"
        assert say(port, "( PLAY m NIL )") in (b"( go 1 )", b"( go 2 )")
        assert say(port, "( PLAY m (go 1) )") in (b"( go 1 )", b"( go 2 )")
        assert say(port, "( STOP m (go 2) )") == b"done"
        assert notes.ended.get(timeout=LONGEST) == (100,)


def test_the_only_move_is_answered_at_once() -> None:
    rules = (
        "(role me) (role you) (legal me Wait) (legal you (go 1)) (legal you (go 2)) (init a)"
        "(<= terminal (not (true a))) (goal me 0) (goal you 0)"
    )
    with playing("flat-mc", margin=0.0) as port:
        began = time.monotonic()
        assert say(port, start(role="me", rules=rules, clocks="1 1000")) == b"ready"
        # The time to get ready is there to be used.
        assert time.monotonic() - began > 0.9
        assert say(port, "( PLAY m NIL )") == b"Wait"
