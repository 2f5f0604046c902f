"""Our host, and players that follow the protocol byte by byte."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

import pytest

import semisplit
from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.net.ggp.client import Address
from semisplit.net.ggp.host import Host, Observer, Terms
from semisplit.net.ggp.records import MatchRecord, Records
from tests.support.ggp_peers import LONGEST, RULES, ScriptedPlayer, scripted

GAME = Game.parse(RULES, "numbers.kif", engine="interpreter")
SENT = RULES.replace("?Player", "?player")
TERMS = Terms(start_clock=5, play_clock=5)


def shows(number: int) -> Callable[[bytes], bytes | None]:
    return scripted(lambda message: f"( Show {number} )".encode())


def host(
    players: list[ScriptedPlayer],
    terms: Terms = TERMS,
    folder: Path | None = None,
    game: Game = GAME,
    observer: Observer | None = None,
) -> list[MatchRecord]:
    addresses = [Address(player.address) for player in players]
    records = Records(folder) if folder else None
    hosting = Host(game, addresses, terms, records, observer, seed=1).play()
    return asyncio.run(asyncio.wait_for(hosting, LONGEST))


def test_a_whole_match_to_the_byte(tmp_path: Path) -> None:
    with ScriptedPlayer(shows(1)) as left, ScriptedPlayer(shows(2)) as right:
        (record,) = host([left, right], folder=tmp_path)
    name = record.match_id
    assert name.startswith("numbers.1.")
    assert left.messages == [
        b"( INFO )",
        f"( START {name} left ({SENT} ) 5 5)".encode(),
        f"( PLAY {name} NIL )".encode(),
        f"( PLAY {name} (( Show 1 ) ( Show 2 ) ) )".encode(),
        f"( STOP {name} (( Show 1 ) ( Show 2 ) ) )".encode(),
    ]
    assert right.messages[1] == left.messages[1].replace(b" left (", b" right (")
    first, *headers = left.heads[2].split(b"\r\n")
    assert first == b"POST / HTTP/1.0"
    assert headers == [
        b"Host: 127.0.0.1",
        b"Accept: text/delim",
        b"Sender: GAMESERVER",
        b"Receiver: tester",
        b"Content-Type: text/acl",
        f"Content-Length: {len(left.messages[2])}".encode(),
    ]
    (path,) = tmp_path.iterdir()
    assert path.name == f"{name}.json"
    kept = json.loads(path.read_text())
    assert len(kept["randomToken"]) == 32
    assert kept["startTime"] <= kept["stateTimes"][0] <= kept["stateTimes"][2]
    known = {
        "matchId": name,
        "gameMetaURL": "numbers.kif",
        "isCompleted": True,
        "isAborted": False,
        "states": [
            ["( true ( Round 1 ) )"],
            ["( true ( Round 2 ) )", "( true ( shown left 1 ) )", "( true ( shown right 2 ) )"],
            ["( true ( Round 3 ) )", "( true ( shown left 1 ) )", "( true ( shown right 2 ) )"],
        ],
        "moves": [["( Show 1 )", "( Show 2 )"]] * 2,
        "errors": [["", ""]] * 2,
        "goalValues": [0, 100],
        "previewClock": -1,
        "startClock": 5,
        "playClock": 5,
        "playerNamesFromHost": ["tester", "tester"],
        "isPlayerHuman": [False, False],
        "tournamentNameFromHost": "",
        "scrambled": False,
    }
    assert {key: kept[key] for key in known} == known


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b" \n(SHOW   1)\r\n", ""),
        (b"( Show 3 )", "IL ( Show 3 )"),
        (b"nil", "IL nil"),
        (b"", "IL "),
        (b"((((", "IL (((("),
        (b"\xff\x1b[2J", r"IL \xef\xbf\xbd\x1b[2J"),
        (b"( Show 1 ) ( Show 1 )", "IL ( Show 1 ) ( Show 1 )"),
        (b"x" * 100, f"IL {'x' * 60}..."),
        (b"x" * 100_000, "CE"),
        (b"HTTP and nothing else", "CE"),
        (b"HTTP/1.0 200 OK\r\nContent-length: 100\r\n\r\n( Show 1 )", "CE"),
        (b"HTTP/1.0 200 OK\r\n\r\n( Show 1 )", ""),
        (None, "TO"),
    ],
)
def test_what_is_no_legal_move_in_time_is_replaced_and_recorded(
    answer: bytes | None, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    terms = Terms(start_clock=5, play_clock=0 if answer is None else 5)
    with (
        caplog.at_level(logging.INFO),
        ScriptedPlayer(scripted(lambda message: answer)) as odd,
        ScriptedPlayer(shows(2)) as even,
    ):
        (record,) = host([odd, even], terms)
    assert record.errors == [[error, ""]] * 2
    assert {*record.moves[0]} <= {"( Show 1 )", "( Show 2 )"}
    assert record.is_completed
    # The player is told what was played in its place.
    assert odd.messages[3].decode().endswith(f"({' '.join(record.moves[0])} ) )")
    lines = [one.getMessage() for one in caplog.records if one.name.startswith("semisplit")]
    assert sum("a random move is made" in line for line in lines) == (2 if error else 0)
    assert all(line.isprintable() for line in lines)


def test_who_cannot_be_reached_in_a_match_has_random_moves() -> None:
    class Leaving(Observer):
        def begins(self, record: MatchRecord) -> None:
            leaving.close()

    with ExitStack() as leaving, ScriptedPlayer(shows(2)) as stays:
        left = leaving.enter_context(ScriptedPlayer(shows(1)))
        (record,) = host([left, stays], observer=Leaving())
    assert record.errors == [["CE", ""]] * 2
    assert record.is_completed


def test_who_does_not_want_to_play_has_a_part_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(message: bytes) -> bytes | None:
        return b"available" if message == b"( INFO )" else b"busy"

    with (
        caplog.at_level(logging.INFO),
        ScriptedPlayer(refuse) as one,
        ScriptedPlayer(shows(2)) as other,
    ):
        (record,) = host([one, other])
    assert f"{one.address} answered 'busy' to START" in caplog.text
    assert record.errors == [["IL busy", ""]] * 2
    assert record.player_names_from_host == [one.address, "tester"]


def test_a_player_that_is_missing_or_busy_is_waited_for_and_then_named() -> None:
    busy = ScriptedPlayer(lambda message: b"busy")
    with busy, ScriptedPlayer(shows(2)) as other:
        with pytest.raises(InputError, match=f"the player {busy.address} is busy"):
            host([busy, other], Terms(patience=0.5))
        assert len(busy.messages) > 1
    with ScriptedPlayer(shows(2)) as other, pytest.raises(InputError, match="the player http"):
        host([busy, other], Terms(patience=0.0))


def test_roles_change_from_game_to_game_and_names_are_scrambled() -> None:
    def answer(message: bytes) -> bytes | None:
        """Know nothing of names: the second function of the rules is what is done."""
        match message.split()[1]:
            case b"START":
                words = message.decode().replace("(", " ").replace(")", " ").split()
                verbs.append(words[words.index("legal") + 2])
                return b"READY"
            case b"PLAY":
                return f"( {verbs[-1].upper()} 2 )".encode()
            case b"INFO":
                return b"available"
        return b"done"

    verbs: list[str] = []
    terms = Terms(start_clock=5, play_clock=5, games=4, scramble=True)
    with ScriptedPlayer(answer) as first, ScriptedPlayer(shows(2)) as second:
        records = host([first, second], terms)
    assert [record.seats for record in records] == [[0, 1], [1, 0]] * 2
    assert len({*verbs}) == 4
    assert b"Show" not in b"".join(first.messages)
    # Who does not know the names plays at random.
    for record in records:
        place = record.seats.index(0)
        assert [errors[place] for errors in record.errors] == ["", ""]
        assert record.goal_values[place] == 100
        assert all(errors[1 - place] == "IL ( Show 2 )" for errors in record.errors)


def test_the_host_plays_the_random_role() -> None:
    rules = RULES.replace("left", "random").replace(
        "( role right )", "( role right ) ( role third )"
    )
    with ScriptedPlayer(shows(1)) as one, ScriptedPlayer(shows(2)) as other:
        (record,) = host([one, other], game=Game.parse(rules, "x.kif", engine="interpreter"))
    assert record.player_names_from_host == ["random", "tester", "tester"]
    assert record.seats == [-1, 0, 1]
    assert [moves[1:] for moves in record.moves] == [["( Show 1 )", "( Show 2 )"]] * 2
    assert record.goal_values[1:] == [0, 100]


def test_a_finished_game_is_never_played_again_and_an_interrupted_one_is(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    class Fate(Observer):
        left = 3

        def steps(self, record: MatchRecord) -> None:
            self.left -= 1
            if not self.left:
                # As if the process had been killed: nothing more is written, nobody is told.
                records.write = lambda record: None  # type: ignore[method-assign]
                raise Killed

    terms = Terms(start_clock=5, play_clock=5, games=3)
    numbers = cycle((1, 2))
    with (
        ScriptedPlayer(scripted(lambda message: f"( Show {next(numbers)} )".encode())) as one,
        ScriptedPlayer(shows(2)) as two,
    ):
        addresses = [Address(one.address), Address(two.address)]
        records = Records(tmp_path)
        with pytest.raises(Killed):
            asyncio.run(Host(GAME, addresses, terms, records, Fate()).play())
        finished, interrupted = Records(tmp_path)
        assert (finished.is_completed, interrupted.is_completed) == (True, False)
        # Every step is on the disk.
        assert len(interrupted.moves) == 1
        assert len(interrupted.states) == 2
        one.messages.clear()
        played = host([one, two], terms, tmp_path)
        assert [record.game_number for record in played] == [0, 1, 2]
        assert played[0] == finished
        assert f"( ABORT {interrupted.match_id} )".encode() == one.messages[0]
        assert sum(b"START" in message for message in one.messages) == 2
        kept = {record.match_id: record for record in Records(tmp_path)}
        assert len(kept) == 4
        assert kept[interrupted.match_id].is_aborted
        # All is done, so nobody is asked.
        one.messages.clear()
        assert host([one, two], terms, tmp_path) == played
        assert one.messages == []
        with pytest.raises(InputError, match="records of other games"):
            host([two, one], terms, tmp_path)


def test_what_cannot_be_hosted_is_told() -> None:
    one, two = Address("localhost:1"), Address("http://localhost:2/")
    with pytest.raises(InputError, match="needs 2 players, not 1"):
        Host(GAME, [one], TERMS)
    with pytest.raises(InputError, match="cannot have two roles"):
        Host(GAME, [one, one], TERMS)
    with pytest.raises(InputError, match="not in GDL"):
        Host(semisplit.load("hex"), [one, two], TERMS)
    for text in ("", "ftp://x", "http://x:0", "http://x:99999", "x/y", "a b:3"):
        with pytest.raises(InputError, match="is not the address of a player"):
            Address(text)


def test_records_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(InputError, match=r"x\.json is not the record of a match of ours"):
        [*Records(tmp_path)]
    with pytest.raises(InputError, match="cannot make the folder"):
        Records(tmp_path / "x.json" / "y")
