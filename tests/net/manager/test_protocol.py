"""The manager, byte by byte, with players on plain sockets."""

import asyncio
import re
import socket
from pathlib import Path

import pytest

import semisplit
from semisplit.core.errors import IllegalMove, InputError
from semisplit.game import Game, State
from semisplit.net.manager.logs import GameLog, Logs
from semisplit.net.manager.messages import (
    read_move,
    read_player,
    write_seconds,
)
from semisplit.net.manager.server import Manager
from semisplit.net.manager.terms import MatchTerms
from semisplit.net.shared.messages import BadMessage, read_seconds
from tests.support.manager_peers import X_WINS, RawPeer, introduce, play_out, serving


def test_two_games_to_the_byte() -> None:
    with serving(MatchTerms(games=2, deadline=1.5, preparation=3.0)) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        introduce(white, black, preparation=b"3.000000")
        for _ in range(2):
            play_out(white, black, X_WINS, b"1.500000")
            white.expect(b"reset")
            black.expect(b"reset")
        white.expect_close()
        black.expect_close()
    assert served.complete
    assert served.moves.getvalue() == 2 * "1 4\n4 10\n2 4\n5 10\n3 4\nreset\n"
    assert served.results_without_times() == 2 * ["5 35 100 0"]
    assert re.fullmatch(r"[\d.e-]+", served.results.getvalue().split()[0])


def test_without_a_limit_the_largest_double_is_sent() -> None:
    no_limit = write_seconds(None)
    assert len(no_limit) == 309 + len(".000000")
    assert no_limit.startswith(b"17976931348623157")
    with serving(MatchTerms()) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        introduce(white, black, preparation=no_limit)
        play_out(white, black, X_WINS, no_limit)


def test_messages_may_come_glued_or_cut_and_with_blanks() -> None:
    with serving(MatchTerms(deadline=9.0, preparation=9.0)) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        for number, peer in enumerate((white, black), 1):
            rules = semisplit.games.text("tic_tac_toe").encode()
            peer.expect(b"9.000000", rules, str(number).encode())
        white.socket.sendall(b"ready\0  1   4 \0")
        for byte in b"ready\0":
            black.socket.sendall(bytes([byte]))
        white.expect(b"9.000000")
        black.expect(b"1 4", b"9.000000")
        black.send(b"04 10")
        white.expect(b"4 10", b"9.000000")
        white.send(b"2 4")
        black.expect(b"2 4", b"9.000000")
        black.send(b"5 10")
        white.expect(b"5 10", b"9.000000")
        white.send(b"3 4")
        black.expect(b"3 4", b"reset")
    # Moves are logged as they came.
    assert served.moves.getvalue() == "  1   4 \n04 10\n2 4\n5 10\n3 4\nreset\n"


def test_the_rules_are_the_bytes_of_the_file(tmp_path: Path) -> None:
    text = semisplit.games.text("tic_tac_toe").replace("\n", "\r\n") + "// Ende: schön\r\n"
    path = tmp_path / "mine.rbg"
    path.write_bytes(text.encode())
    with serving(MatchTerms(), str(path)) as served:
        white, black = RawPeer.connect(served.port), RawPeer.connect(served.port)
        white.expect(write_seconds(None), path.read_bytes(), b"1")
        black.expect(write_seconds(None), path.read_bytes(), b"2")
        white.send(b"ready")
        black.send(b"ready")
        play_out(white, black, X_WINS, write_seconds(None))


def test_matches_are_filled_in_the_order_of_connections() -> None:
    with serving(MatchTerms(), matches=2) as served:
        first, second, third, fourth = (RawPeer.connect(served.port) for _ in range(4))
        introduce(first, second, preparation=write_seconds(None))
        introduce(third, fourth, preparation=write_seconds(None))
        play_out(third, fourth, X_WINS, write_seconds(None))
        assert served.moves.getvalue().count("reset") <= 1
        play_out(first, second, X_WINS, write_seconds(None))
    assert served.complete
    assert served.moves.getvalue() == 2 * "1 4\n4 10\n2 4\n5 10\n3 4\nreset\n"


def test_games_for_one_and_for_three() -> None:
    rules = """
#players = {players}
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right,[e,e])
#rules = {turns} ->> {{}}
"""
    alone = rules.format(players="w(7)", turns="->w [x] [$ w=3]")
    three = rules.format(
        players="w(7), b(7), g(7)", turns="->w [x] ->b right [x] ->g [$ g=5] [$ w=2]"
    )
    for name, text, moves, result in [
        ("alone", alone, [(1, b"1 2 1 3 1 4")], "1 1 3"),
        ("three", three, [(1, b"1 2 1 3"), (2, b"2 4 2 5"), (3, b"2 6 2 7 2 8")], "3 3 2 0 5"),
    ]:
        game = Game.parse(text, name)
        with serving(MatchTerms(), game=game) as served:
            peers = [RawPeer.connect(served.port) for _ in game.players]
            for number, peer in enumerate(peers, 1):
                peer.expect(write_seconds(None), text.encode(), str(number).encode())
                peer.send(b"ready")
            for player, move in moves:
                peers[player - 1].expect(write_seconds(None))
                peers[player - 1].send(move)
                for other in peers:
                    if other is not peers[player - 1]:
                        other.expect(move)
            for peer in peers:
                peer.expect(b"reset")
        assert served.results_without_times() == [result]


# Messages


@pytest.fixture
def state() -> State:
    return semisplit.load("breakthrough").initial_state()


def test_every_legal_move_is_read_from_the_wire(state: State) -> None:
    for move in state.moves():
        read, following = read_move(move.wire.encode(), state)
        assert read == move
        assert following == state.apply(move)


@pytest.mark.parametrize("space", [b"  ", b"\t", b"\n", b"\r\n", b"\v", b"\f"])
def test_any_white_space_is_between_numbers_as_in_rbg(space: bytes, state: State) -> None:
    move, _ = read_move(space + space.join([b"49", b"2", b"41", b"3"]) + space, state)
    assert move.wire == "49 2 41 3"
    assert read_player(b"2" + space, 2) == 2


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b" ",
        b"ready",
        b"1",
        b"49",
        b"49 2",  # a move begun
        b"49 2 41",
        b"49 2 41 3 9 9 17 10",  # two moves
        b"49 2 41 3 41 3",
        b"49 2 33 3",
        b"0 2 41 3",
        b"49 -2 41 3",
        b"49 +2 41 3",
        b"49 2\x0041 3",
        b"49 2 41 3.0",
        b"49 2 99999999999999999999 3",
        b"49 2 41 999999999",
        b"49 2 41 0",
        b"49 0 41 3",
        b"\xff\xfe\x80",
        "\uff14\uff19 2 41 3".encode(),
        b"1 1 " * 10_000,
    ],
)
def test_what_is_no_legal_move(message: bytes, state: State) -> None:
    with pytest.raises(IllegalMove) as raised:
        read_move(message, state)
    assert len(str(raised.value)) < 300
    assert str(raised.value).isprintable()


def test_times_and_players() -> None:
    assert write_seconds(3) == b"3.000000"
    assert read_seconds(b"1.500000") == 1.5
    assert read_seconds(write_seconds(None)) > 1e308
    for wrong in (b"", b"nan", b"-1", b"soon", b"1" * 500, b"\xff"):
        with pytest.raises(BadMessage):
            read_seconds(wrong)
    assert read_player(b"2", 2) == 2
    for wrong in (b"0", b"3", b"-1", b"", b"one", b"1" * 20):
        with pytest.raises(BadMessage):
            read_player(wrong, 2)


def test_games_that_are_over_at_once_leave_others_their_turn() -> None:
    game = Game.parse(
        "#players = w(1) #pieces = e #variables = #board = rectangle(u,d,l,r,[e]) #rules = ->> {}"
    )
    with serving(MatchTerms(games=1_000_000), game) as served:
        player = RawPeer.connect(served.port)
        player.skip_rules()
        player.send(b"ready")
        player.expect(b"reset", b"reset")
        player.close()
    assert served.complete is False


# Logs


def test_lines_of_results() -> None:
    record = GameLog([0, 1], frozenset({1, 2}), made=5, choices=35, scores=(100, 0))
    record.seconds = 0.5007071
    assert record.result() == "0.500707 5 35 100 0 timeouts=0(lateready),1(lateready)"
    record.late_ready, record.manager_was_late = frozenset(), True
    assert record.result() == "0.500707 5 35 100 0 timeouts=0,1,manager"
    record.late_moves, record.manager_was_late, record.seconds = [0, 0], False, 1234567.0
    assert record.result() == "1.23457e+06 5 35 100 0"


def test_logs_grow_and_tell_if_they_cannot(tmp_path: Path) -> None:
    moves, results = tmp_path / "moves", tmp_path / "results"
    for _ in range(2):
        with Logs.open(str(moves), str(results)) as logs:
            logs.write(GameLog([0], moves=["1 2"], scores=(1,)))
            logs.write(GameLog([0], moves=["3 4"]))
    assert moves.read_text() == 2 * "1 2\nreset\n3 4\n"
    assert results.read_text() == 2 * "0 0 0 1\n"
    with (
        pytest.raises(InputError, match="cannot write /no/where: No such file"),
        Logs.open(None, "/no/where"),
    ):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_log_on_a_full_disk_is_told() -> None:
    with (
        pytest.raises(OSError, match="No space left"),  # Closing the file says it once more.
        Logs.open("/dev/full", None) as logs,
        pytest.raises(InputError, match="cannot write /dev/full: No space left"),
    ):
        logs.write(GameLog([0], moves=["1 2"]))


# What cannot be served


def test_a_port_in_use_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        manager = Manager(semisplit.load("tic_tac_toe"), MatchTerms(), Logs())
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{port}: .*in use"):
            asyncio.run(manager.serve("127.0.0.1", port))


def test_no_address_is_not_all_of_them() -> None:
    manager = Manager(semisplit.load("tic_tac_toe"), MatchTerms(), Logs())
    with pytest.raises(InputError, match="the address to listen on is empty"):
        asyncio.run(manager.serve("", 0))


def test_rules_with_a_zero_byte_are_refused() -> None:
    text = semisplit.games.text("tic_tac_toe") + "// \0"
    with pytest.raises(InputError, match="zero byte"):
        Manager(Game.parse(text), MatchTerms(), Logs())
