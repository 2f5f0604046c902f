"""Master, hubs and workers in one process: who tells what, and what is counted."""

import dataclasses
import gc
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future

import pytest

import semisplit
from semisplit import Game
from semisplit.agents import parse_agent
from semisplit.search import Budget, Result
from semisplit.search.cluster.messages import Place, Plan, Report, Start
from semisplit.search.cluster.nodes import Hub, Worker
from semisplit.search.cluster.relay import Relay
from semisplit.search.cluster.search import ClusterSearch, _Turn
from semisplit.search.cluster.session import Session
from semisplit.search.parallel.exchange import ROOT_CHILD, add_tables
from tests.support.agents import mcts
from tests.support.cluster import LocalCluster, LocalNode, links_to, make_hub
from tests.support.simultaneous import WELL, matrix_game

GAME = "breakthrough"
SOON = Plan(0.1, 0.15, 1.0)
"""Enough time to find something out, and all the time to tell it."""
LONGEST = 30.0


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def start(agent: str, player: int | None = 1, game: Game | None = None) -> Start:
    config = mcts(parse_agent(agent))
    assert config.cluster
    return Start(game or semisplit.load(GAME), config.settings, config.cluster, player, 1)


def beginning(one: Start) -> Place:
    return Place(one.game.split_by(one.settings.split).initial_state().position, ())


def new_search(
    agent: str, player: int | None = 1, game: str = GAME
) -> tuple[ClusterSearch, LocalCluster]:
    one = start(agent, player, semisplit.load(game))
    nodes = LocalCluster(one.cluster)
    return ClusterSearch(
        one.game, one.settings, one.cluster, player=player, links=nodes.links
    ), nodes


def ready(nodes: LocalCluster) -> None:
    """Wait until all workers know the game."""
    until(lambda: all(isinstance(n.node, Worker) and n.node.sessions() for n in nodes.workers))


# Sessions


def new_session(one: Start, worker: int) -> Session:
    """A session that can begin to search at once."""
    session = Session(one, worker)
    session.ready.result()
    return session


def test_own_statistics_are_told_twice_and_those_of_others_never() -> None:
    one = start("orthodox,cluster=root-tree,workers=2")
    sessions = [new_session(one, worker) for worker in (0, 1)]
    here = beginning(one)
    first = [session.first(here, SOON) for session in sessions]
    assert [report.workers for report in first] == [{0}, {1}]
    assert all(report.table[ROOT_CHILD].visits == report.simulations > 0 for report in first)
    everything = Report(add_tables(report.table for report in first), frozenset({0, 1}))
    second = [session.second(here, everything, 0.05) for session in sessions]
    for before, after in zip(first, second):
        assert after.simulations >= before.simulations
        assert after.table[ROOT_CHILD].visits == after.simulations
    # In the tree there is all that is known, each part once.
    for session, report, other in zip(sessions, second, reversed(first)):
        visits = session.searcher.tree.visits
        assert visits == report.table[ROOT_CHILD].visits + other.table[ROOT_CHILD].visits


def test_what_comes_down_may_lack_ones_own_part() -> None:
    one = start("orthodox,cluster=root-tree,workers=2")
    session, other = new_session(one, 0), new_session(one, 1)
    here = beginning(one)
    session.first(here, SOON)
    theirs = other.first(here, SOON)
    own = session.second(here, theirs, 0.05)
    assert own.table[ROOT_CHILD].visits == own.simulations
    visits = session.searcher.tree.visits
    assert visits == own.simulations + theirs.table[ROOT_CHILD].visits


def test_a_worker_follows_the_game_and_keeps_its_tree() -> None:
    one = start("orthodox,cluster=root-tree,workers=1")
    session, here = new_session(one, 0), beginning(one)
    first = session.first(here, SOON)
    moved = here._replace(moves=(one.game.initial_state().moves()[0].steps,))
    at_once = Plan(0.0, 0.0, 0.0)
    later = session.first(moved, at_once)
    assert 0 < later.table[ROOT_CHILD].visits < first.table[ROOT_CHILD].visits
    # The same from the beginning: what is known is of no use.
    assert not session.first(here, at_once).table


def test_limited_workers_keep_to_their_intervals_until_they_tell() -> None:
    one = start("orthodox,cluster=limited,workers=4")
    actions = len(one.game.initial_state().moves())
    here = beginning(one)
    sessions = [new_session(one, worker) for worker in range(4)]
    reports = [session.first(here, SOON) for session in sessions]
    for report in reports:
        assert actions // 2 <= len(report.table) - 1 <= actions // 2 + 1
    assert len(add_tables(report.table for report in reports)) == actions + 1
    everything = Report(add_tables(report.table for report in reports), frozenset(range(4)))
    for session in sessions:
        assert len(session.second(here, everything, 0.1).table) == actions + 1


def test_every_player_is_told_about() -> None:
    game = Game.parse(matrix_game(WELL), "well.kif")
    session = new_session(one := start("orthodox,cluster=root-tree", None, game), 0)
    report = session.first(beginning(one), SOON)
    assert {child.player for child in report.table} == {0, 2}


def test_a_session_that_is_not_needed_ends() -> None:
    worker = Worker(0)
    one = start("orthodox,cluster=root-tree,workers=1")
    before = threading.active_count()
    worker.begin("game", one)
    worker.begin("game", one)
    assert worker.sessions() == ["game"]
    assert worker.ponder("game", beginning(one), 60.0)
    worker.end("game")
    assert worker.first("game", beginning(one), SOON) is None
    until(lambda: threading.active_count() <= before)


# Relays


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_hubs_sum_up_what_workers_tell(layers: int) -> None:
    one = start(f"orthodox,cluster=root-tree,workers=4,layers={layers}")
    nodes = LocalCluster(one.cluster)
    log: list[str] = []
    relay = Relay(nodes.links, "game", one, layers + 1, log.append)
    here = beginning(one)
    first = relay.first(here, SOON)
    assert first.workers == {0, 1, 2, 3}
    assert first.table[ROOT_CHILD].visits == first.simulations > 0
    second = relay.second(here, first, 0.1)
    assert second
    assert second.workers == {0, 1, 2, 3}
    assert not second.stale
    assert second.table[ROOT_CHILD].visits == second.simulations >= first.simulations
    assert not log
    for worker in nodes.workers:
        assert worker.calls == ["begin", "first", "second"]


def test_what_a_lost_worker_has_told_before_still_counts() -> None:
    one = start("orthodox,cluster=root-tree,workers=2")
    nodes = LocalCluster(one.cluster)
    log: list[str] = []
    relay, here = Relay(nodes.links, "game", one, 1, log.append), beginning(one)
    first = relay.first(here, SOON)
    nodes.workers[1].is_dead = True
    second = relay.second(here, first, 0.1)
    assert second
    assert second.workers == {0, 1}
    assert second.stale == {1}
    assert log == ["worker 1 is lost (ConnectionError)"]
    third = relay.first(here, SOON)
    assert third.workers == {0}
    nodes.workers[1].node = Worker(1)
    nodes.workers[1].is_dead = False
    time.sleep(0.5)
    assert relay.first(here, SOON).workers == {0, 1}
    assert log[1:] == ["worker 1 takes part again"]


def test_a_lost_hub_is_told_everything_again() -> None:
    one = start("orthodox,cluster=root-tree,workers=4,layers=1")
    nodes = LocalCluster(one.cluster)
    relay, here = Relay(nodes.links, "game", one, 2, lambda text: None), beginning(one)
    assert len(relay.first(here, SOON).workers) == 4
    nodes.hubs[0].node = make_hub(nodes.workers[:2], 1)
    second = relay.second(here, Report({}, frozenset()), 0.1)
    assert second
    assert second.stale == {0, 1}
    assert len(relay.first(here, SOON).workers) == 4


class Silent(Worker):
    """Hangs until it is woken up."""

    def __init__(self) -> None:
        super().__init__(0)
        self.awake = threading.Event()

    def first(self, session: str, place: Place, plan: Plan) -> Report | None:
        self.awake.wait(LONGEST)
        return super().first(session, place, plan)


def test_nobody_waits_for_who_does_not_answer() -> None:
    one = start("orthodox,cluster=root-tree,workers=2")
    silent = Silent()
    nodes = [LocalNode("worker 0", silent), LocalNode("worker 1", Worker(1))]
    log: list[str] = []
    relay, here = Relay(links_to(nodes), "game", one, 1, log.append), beginning(one)
    state = one.game.initial_state()
    for _ in range(3):
        while relay.first(here, Plan(0.05, 0.1, 0.2)).workers != {1}:
            assert log.count("worker 0 does not answer") < 2
        move = state.moves()[0]
        state, here = state.apply(move), Place(here.origin, (*here.moves, move.steps))
    assert nodes[0].calls == ["begin", "first"]
    assert log == ["worker 0 does not answer"]
    silent.awake.set()
    until(lambda: relay.first(here, SOON).workers == {0, 1})
    assert log[-1] == "worker 0 takes part again"


def test_who_has_not_answered_for_long_is_asked_again() -> None:
    one = start("orthodox,cluster=root-tree,workers=1")
    node = LocalNode("worker 0", Worker(0))
    (link,) = links_to([node])
    log: list[str] = []
    relay, here = Relay([link], "game", one, 1, log.append), beginning(one)
    assert relay.first(here, SOON).workers == {0}
    there = Place(here.origin, (one.game.initial_state().moves()[0].steps,))
    answering, link.call = link.call, lambda method, *arguments: Future()
    link.patience = 0.5
    assert not relay.first(there, Plan(0.05, 0.1, 0.2)).workers
    link.call = answering
    until(lambda: relay.first(here, SOON).workers == {0})
    assert log == ["worker 0 does not answer", "worker 0 takes part again"]
    assert node.calls == ["begin", "first", "begin", "first"]


# The master


def run_with_all(search: ClusterSearch) -> Result:
    """Search until nobody was late, as others may use the machine, too."""
    for seconds in (0.5, 1.0, 2.0, 4.0, 8.0):
        result = search.run(Budget(seconds=seconds), details=False)
        if not result.note:
            return result
    raise AssertionError(result.note)


@pytest.mark.parametrize(
    "agent",
    [
        "orthodox,cluster=root-tree,workers=2",
        "orthodox,threads=2,cluster=limited,workers=3,layers=1",
        "semisplit@Mod,cluster=limited,workers=2,overlap=1",
        "rollup-nodal+mast-split@Mod,cluster=root-tree,workers=2",
        "groups[proximity,border],cluster=root-tree,workers=2",
    ],
)
def test_a_master_plays_with_all(agent: str) -> None:
    search, nodes = new_search(agent)
    ready(nodes)
    for _ in range(2):
        result = run_with_all(search)
        # All simulations of workers are in the result, and in the master's tree besides its own.
        own = search.exchange.own()[ROOT_CHILD].visits
        in_tree = search.tree.visits
        assert in_tree > own
        assert result.simulations > search.snapshot().simulations
        search.play(result.move)
        assert search.tree.visits <= own


@pytest.mark.parametrize("layers", [0, 1])
def test_a_majority_of_machines_decides(layers: int) -> None:
    agent = f"orthodox,cluster=root-tree,workers=3,layers={layers},merge=majority"
    search, nodes = new_search(agent)
    ready(nodes)
    result = run_with_all(search)
    # The master votes as well.
    assert sum(search.votes.values()) == 4
    codes = search.game.compiled.codec.codes(result.move.steps)
    assert search.votes[0, tuple(codes or ())] == max(search.votes.values())
    # Nobody may vote for a move that is not known here.
    (first, *_) = search.tree.view.moves()
    search.votes = Counter({(0, (-1,)): 3, (0, first[0]): 1})
    look = search.snapshot(3)
    assert look.variation[0] == look.move == search.tree.move(search.state, first[0])
    search.run(Budget(simulations=1))
    assert not search.votes


def test_machines_vote_by_what_they_have_found_out_themselves() -> None:
    one = start("orthodox,cluster=root-tree,workers=1,merge=majority")
    session, here = new_session(one, 0), beginning(one)
    first = session.first(here, SOON)
    assert sum(first.votes.values()) == 1
    second = session.second(here, Report(first.table, frozenset({1})), 0.0)
    assert session.searcher.vote() == second.votes
    visits = session.searcher.tree.visits
    assert visits == second.table[ROOT_CHILD].visits


def test_a_master_whose_workers_are_gone_plays_alone() -> None:
    search, nodes = new_search("orthodox,cluster=root-tree,workers=2")
    ready(nodes)
    for node in nodes.workers:
        node.is_dead = True
    result = search.run(Budget(seconds=0.3), details=False)
    assert result.note == "2 of 2 workers are missing"
    assert result.simulations == search.snapshot().simulations > 0


def test_budgets_that_are_no_time_are_the_masters() -> None:
    search, nodes = new_search("orthodox,cluster=root-tree,workers=1")
    assert search.run(Budget(simulations=10)).simulations == 10
    until(lambda: bool(nodes.workers[0].calls))
    assert nodes.workers[0].calls == ["begin"]


def test_a_clock_that_is_over_before_it_begins() -> None:
    search, nodes = new_search("orthodox,cluster=root-tree,workers=1")
    ready(nodes)
    assert search.run(Budget(seconds=0.1, buffer=0.2), details=False).simulations > 0


def test_pondering_workers_search_along() -> None:
    search, nodes = new_search("orthodox,cluster=limited,workers=1")
    ready(nodes)

    class Enough(Exception):
        pass

    end = time.monotonic() + LONGEST

    def pause() -> None:
        if "ponder" in nodes.workers[0].calls or time.monotonic() > end:
            raise Enough

    with pytest.raises(Enough):
        search.run(Budget(seconds=1e9), pause=pause)
    assert "first" not in nodes.workers[0].calls


def test_a_search_that_nobody_needs_ends_its_sessions() -> None:
    search, nodes = new_search("orthodox,cluster=root-tree,workers=1")
    ready(nodes)
    search.run(Budget(seconds=0.2), details=False)
    del search
    gc.collect()
    worker = nodes.workers[0].node
    until(lambda: not worker.sessions())


def test_hubs_do_not_know_what_they_were_not_told() -> None:
    hub = Hub(lambda: [], 1)
    one = start("orthodox,cluster=root-tree")
    here = beginning(one)
    assert hub.first("game", here, SOON) is None
    hub.begin("game", one)
    assert hub.second("game", here, Report({}, frozenset()), 0.0) is None
    assert hub.first("game", here, SOON._replace(first=0.0)) == Report({}, frozenset())
    hub.end("game")
    assert hub.sessions() == []


def test_a_line_that_a_worker_has_found_is_played() -> None:
    search, _ = new_search("orthodox,cluster=root-tree,workers=1", game="nonogram_g")
    alone = search.run(Budget(simulations=10))
    line = (search.state.moves()[0],)
    turn = _Turn(search, Place(search.state.position, ()), 1e9)
    turn._report = Report({}, frozenset({0}), line=(line[0].steps,), line_score=0.5)
    worse = turn.complete(dataclasses.replace(alone, line=(), score=0.9))
    assert (worse.move, worse.score, worse.line) == (line[0], 0.5, line)
    assert worse.variation == line
    better = dataclasses.replace(alone, line=line, score=0.6)
    assert turn.complete(better).score == 0.6
