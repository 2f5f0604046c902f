"""What keeps a player from being late. How late it is, `benchmarks.late_moves` measures."""

import asyncio
import gc
import re
import socket
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import semisplit
from semisplit.agents import Agent, Look, Reporter, Thought, make_agent, parse_agent
from semisplit.agents import report as reports
from semisplit.agents.agent import RandomAgent
from semisplit.core.errors import SemisplitError
from semisplit.game import Move
from semisplit.net.manager import client
from semisplit.net.manager.clock import Margin, short_collections, without_collections
from semisplit.net.manager.connection import Connection
from semisplit.search import Budget, Result, Search, stopping
from semisplit.search import search as searching
from semisplit.search.cycle_clock import ticks_at
from semisplit.search.engine.run import run
from semisplit.search.notation import parse_settings
from tests.support.hostile import NASTY
from tests.support.manager_peers import LONGEST, Notes, introduce_to_client, joining

AGENTS = [
    "orthodox",
    "orthodox+mast+rave",
    "semisplit-nodal@ModPlus",
    "semisplit-raw@Mod,final=robust",
    "rollup-nodal+mast-mix@Mod",
]


def search(agent: str, game: str = "breakthrough") -> Search:
    return Search(semisplit.load(game), parse_settings(agent), seed=3, memory=1 << 24)


def facts(result: Result) -> dict[str, object]:
    """What of a result does not depend on time."""
    return {
        name: value
        for name, value in result.to_json().items()
        if name not in ("seconds", "tree_share")
    }


class Clock:
    """A clock that goes on when it is told to.

    Kernels read the processor's, for which every moment of this one is over: they iterate once.
    """

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


# Searching


@pytest.mark.parametrize("agent", AGENTS)
def test_looking_changes_nothing(agent: str) -> None:
    quiet, watched = search(agent), search(agent)
    looks: list[Result] = []
    for simulations in (500, 200):
        one = quiet.run(Budget(simulations=simulations))
        pause = lambda: looks.append(watched.snapshot(3))  # noqa: E731
        other = watched.run(Budget(simulations=simulations), pause=pause)
        watched.snapshot(3)
        assert facts(one) == facts(other)
        quiet.play(one.move)
        watched.play(other.move)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_look_shows_the_best_moves_of_all(agent: str) -> None:
    one = search(agent)
    everything = one.run(Budget(simulations=400))
    look = one.snapshot(5)
    assert look.move in {best.move for best in everything.moves}
    assert [best.visits for best in look.moves] == [best.visits for best in everything.moves[:5]]
    assert {str(best.move) for best in look.moves} <= {str(best.move) for best in everything.moves}
    assert set(look.moves) <= set(everything.moves)
    state = one.state
    for move in look.variation:
        state = state.apply(move)
    assert look.variation[0] == look.move
    assert one.snapshot().moves == ()


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_in_the_tree_is_found(agent: str) -> None:
    one = search(agent)
    for simulations in (10, 400):
        one.run(Budget(simulations=simulations))
        visited = {codes: edge.number for codes, edge in one.tree.view.moves()}
        assert visited
        for move in one.state.moves():
            codes = tuple(one.game.compiled.codec.codes(move.steps) or ())
            assert one.tree.view.find(codes) == visited.get(codes)


def test_kernels_come_back_when_their_time_is_over() -> None:
    one = search("orthodox")
    assert run(one.tree.workers[0].at(one.tree.memories[0]), 1000, 2**62, 0) == 1
    assert run(one.tree.workers[0].at(one.tree.memories[0]), 1000, 2**62, 2**62) == 1000


def test_the_processors_clock_goes_on_like_the_other_one() -> None:
    search("orthodox")
    time.sleep(0.01)
    now = time.perf_counter()
    assert ticks_at(now - 1) < ticks_at(now + 1) < ticks_at(now + 100)


def test_pauses_belong_to_the_time_of_a_search(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stopping, "time", clock)
    pauses = 0

    def pause() -> None:
        nonlocal pauses
        pauses += 1
        clock.now += 0.1

    result = search("orthodox").run(Budget(seconds=0.5, buffer=0.15), pause=pause)
    assert pauses == 4
    assert result.seconds == pytest.approx(0.4)


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """There is time for no simulation; until `undo`."""
    monkeypatch.setattr(searching, "_LEAST_WORK", 1)
    monkeypatch.setattr(searching, "_WORK_PER_SECOND", 0)
    monkeypatch.setattr(stopping, "SLICE", -1)
    monkeypatch.setattr(searching, "MAX_FAILURES", 10**9)
    return monkeypatch


@pytest.mark.parametrize("agent", ["orthodox", "orthodox+mast+rave", "orthodox+age"])
def test_simulations_that_take_longer_than_there_is_time_are_given_up(
    agent: str, no_work: pytest.MonkeyPatch
) -> None:
    one = search(agent, "amazons")
    result = one.run(Budget(seconds=0.05))
    assert (result.simulations, result.score) == (0, 0.0)
    assert result.abandoned > 0
    assert result.note.startswith("there was not enough time for a single simulation; ")
    assert re.search(r"\d iterations? (was|were) given up$", result.note)
    one.play(result.move)
    no_work.undo()
    assert one.run(Budget(seconds=0.05)).simulations > 0


@pytest.mark.usefixtures("no_work")
def test_a_move_is_made_where_there_are_more_than_can_be_listed() -> None:
    # 1,413,720 of them, for which a tree has room.
    game = semisplit.Game.parse(NASTY["10^9 moves"].replace("^6", "^4"))
    one = Search(game, parse_settings("orthodox"), seed=1)
    one.play(one.run(Budget(seconds=0.05), details=False).move)
    assert one.state.player_name == "b"


def test_a_random_agent_does_not_look_at_all_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (make_agent(parse_agent("random"), semisplit.load("amazons"), 1) for _ in range(2))
    all_moves = other.state.moves()
    monkeypatch.setattr(semisplit.State, "moves", lambda self: pytest.fail("all were listed"))
    assert one.think(Budget(seconds=1)).move.steps in {move.steps for move in all_moves}
    assert one.think(Budget(seconds=1)).move.steps != other.think(Budget(seconds=1)).move.steps


# Reports


@pytest.mark.parametrize("agent", ["flat-mc", "orthodox"])
def test_nobody_looks_unless_somebody_watches(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    look = Search.snapshot

    def counted(self: Search, count: int = 0) -> Result:
        looks.append(count)
        return look(self, count)

    monkeypatch.setattr(Search, "snapshot", counted)
    player = make_agent(parse_agent(agent), semisplit.load("breakthrough"), 1)
    player.think(Budget(simulations=2000))
    calls = 0

    def watch(_: Look) -> None:
        nonlocal calls
        calls += 1

    player.think(Budget(seconds=0.1), watch=watch)
    assert calls > 0
    assert looks == []


def test_telling_more_is_thinking_the_same() -> None:
    game = semisplit.load("breakthrough")
    for agent in ("flat-mc", "orthodox", "semisplit-nodal@Mod"):
        one, other = (make_agent(parse_agent(agent), game, 1) for _ in range(2))
        brief = one.think(Budget(simulations=60))
        full = other.think(Budget(simulations=60), best=3)
        assert (brief.move, brief.score) == (full.move, full.score)
        if full.result is not None:
            assert len(full.result.moves) == 3


def test_reports_are_rare_where_they_take_long(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "time", clock)
    times: list[float] = []
    cost = 0.01

    def show(_: Thought) -> None:
        times.append(clock.now)
        clock.now += cost

    reporter = Reporter(show)
    look: Look = lambda _: SimpleNamespace()  # type: ignore[assignment, return-value] # noqa: E731

    def watch_for(seconds: float, end: float | None = None) -> int:
        begin = len(times)
        for _ in range(round(seconds / 0.005)):
            clock.now += 0.005
            reporter.watch(look, end)
        return len(times) - begin

    assert 3 <= watch_for(1.0) <= 4
    cost = 0.5
    watch_for(1.0)
    assert watch_for(20.0) <= 3
    # Nor is one begun that could not be completed.
    clock.now += 20.0
    assert watch_for(1.0, clock.now + 1.0) == 0
    assert watch_for(1.0, clock.now + 10.0) == 1


def test_moves_are_listed_only_for_who_wants_to_see_them(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    look = Search.snapshot

    def counted(self: Search, count: int = 0) -> Result:
        counts.append(count)
        return look(self, count)

    monkeypatch.setattr(Search, "snapshot", counted)
    monkeypatch.setattr(Notes, "wants_thoughts", False)
    with joining("orthodox") as (manager, notes):
        introduce_to_client(manager, b"1")
        counts.clear()
        manager.send(b"0.500000")
        manager.read()
    assert set(counts) == {0}
    assert notes.thoughts == 0


# The clock of a player


def test_the_margin_is_learnt() -> None:
    margin = Margin()
    assert margin.seconds(10.0) == 0.1
    for _ in range(100):
        margin.learn(0.0)
    assert margin.seconds(10.0) == pytest.approx(0.02)
    margin.learn(0.05)
    risen = margin.seconds(10.0)
    assert risen > 0.1
    margin.learn(0.001)
    assert 0.1 < margin.seconds(10.0) < risen
    # Who has been very late once shall go on thinking.
    margin.learn(30.0)
    assert margin.seconds(0.6) == 0.3
    # But who is told to keep much keeps it.
    assert Margin(0.5).seconds(0.6) == 0.5


def test_a_margin_that_is_asked_for_never_shrinks() -> None:
    margin = Margin(0.1)
    for _ in range(200):
        margin.learn(0.0)
    assert margin.seconds(0.6) == 0.1
    margin.learn(0.05)
    assert margin.seconds(0.6) > 0.1


def test_collections_are_as_they_were_after_all() -> None:
    def fail() -> None:
        with without_collections(), short_collections():
            with without_collections(), short_collections():
                pass
            assert not gc.isenabled()
            assert gc.get_freeze_count() > 0
            raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        fail()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.disable()
    try:
        with without_collections():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> list[Callable[..., Thought]]:
    """How the agent `random` thinks in a match, if there is anything in the list."""
    functions: list[Callable[..., Thought]] = []
    think = RandomAgent.think

    def think_so(agent: RandomAgent, budget: Budget, **options: object) -> Thought:
        if functions and budget.seconds is not None:
            return functions[0](agent, budget, **options)
        return think(agent, budget)

    monkeypatch.setattr(RandomAgent, "think", think_so)
    return functions


def thought_of(agent: Agent) -> Thought:
    return Thought(agent.state.moves()[0], None, 0, 0, 0.0)


@pytest.mark.parametrize("fails", [False, True])
def test_no_garbage_is_collected_while_an_agent_thinks(
    fails: bool, thinking: list[Callable[..., Thought]]
) -> None:
    seen: list[tuple[bool, bool]] = []

    def think(agent: Agent, budget: Budget, **_: object) -> Thought:
        seen.append((gc.isenabled(), gc.get_freeze_count() > 0))
        if fails:
            raise SemisplitError("out of ideas")
        return thought_of(agent)

    thinking.append(think)
    with joining() as (manager, _):
        introduce_to_client(manager, b"1")
        manager.send(b"1.000000")
        manager.wait_for_end() if fails else manager.read()
    assert seen == [(False, True)]
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_the_best_move_so_far_is_sent_if_the_agent_does_not_come_back(
    thinking: list[Callable[..., Thought]], monkeypatch: pytest.MonkeyPatch
) -> None:
    has_answered, is_stopped = threading.Event(), threading.Event()
    monkeypatch.setattr(RandomAgent, "stop", lambda _: is_stopped.set())

    def think(
        agent: Agent, budget: Budget, *, best: int = 0, watch: Callable[[Look], None]
    ) -> Thought:
        watch(lambda _: thought_of(agent))
        assert has_answered.wait(LONGEST)
        # The agent is told that nobody waits for it.
        while not is_stopped.is_set():
            watch(lambda _: thought_of(agent))
        return Thought(agent.state.moves()[1], None, 0, 0, 0.0)

    thinking.append(think)
    with joining() as (manager, notes):
        introduce_to_client(manager, b"1")
        manager.send(b"0.300000")
        assert manager.read() == b"1 4"
        has_answered.set()
        # It knows what it has said.
        thinking[:] = [lambda agent, *_, **__: thought_of(agent)]
        manager.send(b"2 10", b"1.000000")
        assert manager.read() == b"3 4"
    assert notes.moves == ["a3", "b3", "c3"]


def test_time_that_has_passed_before_the_question_is_heard_counts(
    thinking: list[Callable[..., Thought]], monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets: list[float] = []

    def think(agent: Agent, budget: Budget, **_: object) -> Thought:
        assert budget.seconds is not None
        budgets.append(budget.seconds)
        return thought_of(agent)

    play = RandomAgent.play

    def play_slowly(agent: RandomAgent, move: Move) -> None:
        time.sleep(0.2)
        play(agent, move)

    monkeypatch.setattr(RandomAgent, "play", play_slowly)
    thinking.append(think)
    with joining() as (manager, _):
        introduce_to_client(manager, b"2")
        # The agent is busy with the move.
        manager.send(b"1 4", b"100.000000")
        manager.read()
        # The manager counts what it needs itself.
        manager.send(b"3 4")
        time.sleep(0.4)
        manager.send(b"100.000000")
        manager.read()
        # But not if it has waited for somebody.
        manager.send(b"5 4")
        time.sleep(0.4)
        manager.send(b"0.400000")
        manager.read()
    assert budgets[0] < 100 - 0.2 - 0.02
    assert budgets[1] < 100 - 0.4 - 0.02
    assert budgets[2] <= 0.2


def test_the_observer_is_told_when_the_agent_has_answered(
    thinking: list[Callable[..., Thought]],
) -> None:
    told: list[list[str]] = []

    def think(agent: Agent, budget: Budget, **_: object) -> Thought:
        told.append(list(notes.moves))
        return thought_of(agent)

    thinking.append(think)
    with joining() as (manager, notes):
        introduce_to_client(manager, b"2")
        for move in (b"1 4", b"3 4"):
            manager.send(move, b"1.000000")
            manager.read()
    assert told == [[], ["a3", "b3"]]
    assert notes.moves == ["a3", "b3", "c3", "a2"]


def test_the_agent_for_the_next_game_is_there_before_it_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Agent] = []

    def make(*arguments: Any, **options: Any) -> Agent:
        made.append(make_agent(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(client, "make_agent", make)
    with joining() as (manager, _):
        introduce_to_client(manager, b"1")
        before = len(made)
        manager.send(b"1.000000")
        manager.read()
        end = time.monotonic() + LONGEST
        while len(made) == before:
            assert time.monotonic() < end
            time.sleep(0.01)
        manager.send(b"reset", b"1.000000")
        manager.read()


def test_an_answer_from_another_thread_does_not_overtake_what_waits() -> None:
    written: list[bytes] = []

    class Transport(asyncio.Transport):
        waiting = 1

        def get_extra_info(self, name: str, default: Any = None) -> Any:
            return here if name == "socket" else None

        def is_closing(self) -> bool:
            return False

        def get_write_buffer_size(self) -> int:
            return self.waiting

        def write(self, data: Any) -> None:
            written.append(data)

    async def send() -> None:
        connection, transport = Connection(1), Transport()
        connection.connection_made(transport)
        await asyncio.to_thread(connection.send_from_thread, b"first")
        await asyncio.sleep(0)
        transport.waiting = 0
        await asyncio.to_thread(connection.send_from_thread, b"second")
        await asyncio.sleep(0)

    with socket.create_server(("127.0.0.1", 0)) as server:
        here = socket.create_connection(server.getsockname())
        there, _ = server.accept()
        with here, there:
            asyncio.run(send())
            assert written == [b"first\0"]
            assert there.recv(100) == b"second\0"
            here.shutdown(socket.SHUT_WR)
            asyncio.run(send())
    # What cannot be sent is left to the loop, which knows what to do about it.
    assert written == [b"first\0", b"first\0", b"second\0"]
