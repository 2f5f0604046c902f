"""Clusters of real processes, which are killed, stopped and started again."""

import os
import re
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from semisplit import load
from semisplit.agents import Agent, Thought, make_agent, parse_agent
from semisplit.agents.agent import SearchAgent
from semisplit.core.errors import InputError
from semisplit.lab.matches.play import GRACE
from semisplit.search import Budget
from semisplit.search.cluster import machines
from semisplit.ui.cli.verbs.machine.cluster import app as cluster_app
from tests.support.cluster import HOST, think_timed

LONGEST = 120.0
ALL = "orthodox,cluster=root-tree,workers=3,layers=1"


def processes(title: str) -> list[int]:
    """The processes of workers or hubs, which are children of this cluster's Ray."""
    raylets = [number for number in machines._processes() if _is_raylet(number)]
    return [
        int(status.parent.name)
        for status in Path("/proc").glob("[0-9]*/status")
        if _parent(status) in raylets and _title(status) == f"ray::{title}"
    ]


def _is_raylet(number: int) -> bool:
    with suppress(OSError):
        return b"/raylet/raylet" in Path(f"/proc/{number}/cmdline").read_bytes()
    return False


def _parent(status: Path) -> int:
    with suppress(OSError):
        found = re.search(r"PPid:\s*(\d+)", status.read_text())
        return int(found[1]) if found else 0
    return 0


def _title(status: Path) -> str:
    with suppress(OSError):
        return (status.parent / "cmdline").read_bytes().rstrip(b"\0 ").decode()
    return ""


@contextmanager
def misfortune(seed: int) -> Iterator[list[str]]:
    """Kills, stops and wakes up processes at random; gives what it has done."""
    random, is_over = Random(seed), threading.Event()
    done: list[str] = []

    def strike() -> None:
        while not is_over.wait(random.uniform(0.2, 1.2)):
            title = random.choice(["Worker", "Worker", "HubActor"])
            found = processes(title)
            if not found:
                continue
            number = random.choice(found)
            kind = random.choice([signal.SIGKILL, signal.SIGSTOP])
            with suppress(ProcessLookupError):
                os.kill(number, kind)
                done.append(f"{kind.name} {title}")
                if kind == signal.SIGSTOP:
                    is_over.wait(0.5)
                    os.kill(number, signal.SIGCONT)

    thread = threading.Thread(target=strike)
    thread.start()
    try:
        yield done
    finally:
        is_over.set()
        thread.join()


@contextmanager
def slowed(number: int) -> Iterator[None]:
    """Lets a process work for a thirtieth of the time only."""
    is_over = threading.Event()

    def hinder() -> None:
        while not is_over.is_set():
            os.kill(number, signal.SIGSTOP)
            is_over.wait(0.6)
            os.kill(number, signal.SIGCONT)
            is_over.wait(0.02)

    thread = threading.Thread(target=hinder)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def until_note(agent: Agent, note: str) -> Thought:
    """Think until a result says so, as others may use the machine, too."""
    end = time.monotonic() + LONGEST
    while True:
        thought = agent.think(Budget(seconds=1.0))
        assert thought.result
        if thought.result.note == note:
            return thought
        assert time.monotonic() < end


def until_ready(workers: int) -> None:
    """Wait until so many workers are there; who begins to think before that is in their way."""
    import ray

    end = time.monotonic() + LONGEST
    for number in range(workers):
        while time.monotonic() < end:
            with suppress(ray.exceptions.RayActorError):
                ray.get(ray.get_actor(f"worker {number}").sessions.remote(), timeout=LONGEST)
                break
            time.sleep(0.1)


def think_in_time(agent: Agent, seconds: float) -> Thought:
    thought, late = think_timed(agent, seconds)
    assert late < GRACE
    return thought


@pytest.mark.usefixtures("cluster")
def test_fifty_moves_among_processes_that_die_and_hang(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "semisplit.search.cluster")
    config = parse_agent("orthodox,cluster=limited,workers=3,layers=1")
    moves, game, random = 0, load("breakthrough"), Random(1)
    agent = make_agent(config, game, 1, 1)
    until_ready(3)
    with misfortune(seed=1) as done:
        while moves < 50 or "SIGKILL" not in " ".join(done):
            if agent.state.is_terminal:
                agent = make_agent(config, game, 1, 1)
            agent.play(think_in_time(agent, 0.15).move)
            moves += 1
            if not agent.state.is_terminal:
                agent.play(agent.state.random_move(random))
    # The master knows what it has lost.
    assert any("nothing" in record.message for record in caplog.records)


@pytest.mark.usefixtures("cluster")
def test_who_was_killed_takes_part_again() -> None:
    agent = make_agent(parse_agent(ALL), load("breakthrough"), 1, 1)
    assert isinstance(agent, SearchAgent)
    until_ready(3)
    for number in processes("Worker"):
        os.kill(number, signal.SIGKILL)
    thought = agent.think(Budget(seconds=0.3))
    assert thought.result
    assert thought.result.note == "3 of 3 workers are missing"
    until_ready(3)
    # More than the master has done alone.
    assert until_note(agent, "").simulations > agent.search.snapshot().simulations
    assert {"worker 0", "worker 1", "worker 2"} <= set(machines.status().nodes)


@pytest.mark.usefixtures("cluster")
def test_who_is_slow_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "semisplit.search.cluster")
    agent = make_agent(parse_agent("orthodox,cluster=root-tree,workers=3"), load("hex_9x9"), 1, 1)
    until_ready(3)
    until_note(agent, "")
    caplog.clear()
    with slowed(processes("Worker")[0]):
        for _ in range(10):
            agent.play(think_in_time(agent, 0.5).move)
    # The master says whom it has missed.
    assert any(re.search(r"nothing .* workers \[\d", one.message) for one in caplog.records)
    until_note(agent, "")


@pytest.mark.usefixtures("cluster")
def test_workers_do_not_give_way_to_other_processes() -> None:
    make_agent(parse_agent(ALL), load("breakthrough"), 1, 1)
    until_ready(3)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert [os.getpriority(os.PRIO_PROCESS, one) for one in processes("Worker")] == [own] * 3


def test_a_machine_that_joins_late(
    cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = make_agent(
        parse_agent("orthodox,cluster=root-tree,workers=4"), load("breakthrough"), 1, 1
    )
    until_ready(3)
    until_note(agent, "1 of 4 workers are missing")
    address, token = (cluster / "address").read_text(), (cluster / "token").read_text()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv(machines.FOLDER, str(tmp_path))
        machines.start(1, join=address, token=token)
    until_ready(4)
    until_note(agent, "")
    shown = command("status")
    assert shown.startswith(f"the cluster at {address}\n")
    assert shown.count("room for 3 workers\n") == shown.count("room for 1 worker\n") == 1
    assert "  worker 3\n" in shown


def command(*arguments: str) -> str:
    return CliRunner().invoke(cluster_app, list(arguments), catch_exceptions=False).stdout


def test_nobody_joins_a_cluster_on_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The path has to be short: there are sockets below it.
    first = tempfile.mkdtemp(prefix="semisplit-test-", dir="/tmp")
    monkeypatch.setenv(machines.FOLDER, first)
    try:
        shown = command("start", "--port", "0")
        (address,) = re.findall(r"a cluster runs at (127\.0\.0\.1:\d+), with room", shown)
        assert "others can join if it is started with --host ADDRESS" in shown
        token = machines.token()
        monkeypatch.setenv(machines.FOLDER, str(tmp_path))
        with pytest.raises(InputError, match="it is for its own machine alone"):
            command("start", "--join", address, "--token", token)
        # Another address of this machine, as others would see it.
        elsewhere = address.replace("127.0.0.1", HOST)
        with pytest.raises(InputError, match=r"cannot be reached .* --host ADDRESS"):
            command("start", "--join", elsewhere, "--token", token)
    finally:
        monkeypatch.setenv(machines.FOLDER, first)
        assert command("stop") == "stopped\n"
        shutil.rmtree(first)


@pytest.mark.usefixtures("cluster")
def test_what_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="a cluster runs here already"):
        command("start")
    monkeypatch.setenv(machines.FOLDER, str(tmp_path))
    with pytest.raises(InputError, match="its token is needed"):
        command("start", "--join", "127.0.0.1:1")
    with pytest.raises(InputError, match=r"HOST:PORT, not '192\.0\.2\.1'"):
        command("start", "--join", "192.0.2.1", "--token", "any")
    with pytest.raises(InputError, match="'fd00::1' is no address"):
        command("start", "--host", "fd00::1")
    with pytest.raises(InputError, match="no cluster runs on this machine"):
        command("status")
    assert command("stop") == "no cluster runs on this machine\n"
