"""Agents on a cluster as players of managers and hosts."""

import time
from collections.abc import Callable

import pytest

import semisplit
from tests.support import ggp_peers
from tests.support.manager_peers import introduce_to_client, joining

LONGEST = 120.0


def sessions() -> set[str]:
    """The games that the first worker knows, if it has been needed."""
    import ray

    try:
        worker = ray.get_actor("worker 0")
        return set(ray.get(worker.sessions.remote(), timeout=LONGEST))
    except (ValueError, ray.exceptions.RayActorError):
        return set()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.usefixtures("cluster")
def test_a_player_of_a_manager() -> None:
    with joining("semisplit@Mod,cluster=limited,workers=2") as (manager, _):
        introduce_to_client(manager, b"1", semisplit.games.text("breakthrough").encode())
        manager.send(b"0.500000")
        state = semisplit.load("breakthrough").initial_state()
        assert manager.read().decode() in {legal.wire for legal in state.moves()}


@pytest.mark.usefixtures("cluster")
def test_a_player_of_general_game_playing() -> None:
    before = sessions()
    with ggp_peers.playing("orthodox,cluster=limited,workers=2", margin=0.3) as port:
        # The master tells the others that a match begins, how it goes, and that it was broken off.
        assert ggp_peers.say(port, ggp_peers.start(clocks="3 1")) == b"ready"
        until(lambda: bool(sessions() - before))
        begun = sessions() - before
        assert ggp_peers.say(port, "( PLAY m NIL )") in ggp_peers.SHOWS
        assert ggp_peers.say(port, "( PLAY m (( Show 2 ) ( Show 2 ) ) )") in ggp_peers.SHOWS
        assert ggp_peers.say(port, "( ABORT m )") == b"aborted"
        # Other tests may have some, too.
        until(lambda: bool(begun - sessions()))
