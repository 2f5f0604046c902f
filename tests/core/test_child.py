"""Processes that work for this one: what they are sent, what they send, and how they end."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from semisplit.core.child import Child, Parent, Program, ready
from semisplit.core.child.background import BackgroundChild

PATIENCE = 60.0
LARGE = 1 << 22


def echo(parent: Parent[Any, Any], factor: int) -> None:
    """Send back all that comes, so many times."""
    while True:
        parent.send(parent.receive() * factor)


def peeks(parent: Parent[Any, Any]) -> None:
    """Send what can be seen before it is taken."""
    while parent.peek() is None:
        time.sleep(0.01)
    parent.send([parent.peek(), parent.peek(), parent.receive(), parent.receive()])


def with_a_child(parent: Parent[Any, Any]) -> None:
    """Start a process that would run for long, and do nothing."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    parent.send([os.getpid(), started.pid])
    time.sleep(600)


def writes(parent: Parent[Any, Any], path: Path) -> None:
    """Write what comes, to a file, and end."""
    parent.send("begun")
    path.write_text(parent.receive())


def ends(_: Parent[Any, Any], status: int) -> None:
    os._exit(status)


def comes_true(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def runs(pid: int) -> bool:
    return psutil.pid_exists(pid) and bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)


def test_messages_of_any_size_go_both_ways() -> None:
    with closing(Child[Any, Any](echo, 2)) as child:
        for message in ("a", [1], b"x" * LARGE):
            child.send(message)
            assert child.receive() == message * 2
        child.kill()
        assert child.wait() == -9


def test_a_message_can_be_looked_at_before_it_is_received() -> None:
    with closing(Child[Any, Any](peeks)) as child:
        child.send("first")
        child.send("second")
        assert child.receive() == ["first", "first", "first", "second"]
        child.kill()


def test_only_children_with_news_are_ready() -> None:
    silent, speaking, dying = children = (
        Child[Any, Any](echo, 1),
        Child[Any, Any](echo, 1),
        Child[Any, Any](ends, 3),
    )
    assert dying.wait() == 3
    speaking.send(1)
    assert comes_true(lambda: set(ready(children, 0.1)) == {speaking, dying})
    assert speaking.receive() == 1
    with pytest.raises(EOFError):
        dying.receive()
    for child in children:
        child.kill()
        child.close()
    assert silent.wait() == -9


def test_a_child_ends_with_all_that_it_has_started() -> None:
    child = Child[Any, Any](with_a_child)
    pids = child.receive()
    assert all(map(runs, pids))
    child.kill()
    child.reap()
    child.close()
    assert comes_true(lambda: not any(map(runs, pids)))


def test_a_child_ends_with_its_parent() -> None:
    """Even if it does not listen."""
    program = (
        f"import sys, time; sys.path.insert(0, {os.getcwd()!r})\n"
        "from tests.core import test_child as t\n"
        "print(*t.Child(t.with_a_child).receive(), flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        parent.kill()
    assert comes_true(lambda: not any(map(runs, pids)))


def test_an_event_loop_gets_messages_in_order_and_the_end() -> None:
    async def talk() -> list[Any]:
        child = BackgroundChild[Any, Any](Child(echo, 1))
        gotten: asyncio.Queue[Any] = asyncio.Queue()

        async def on_exit() -> None:
            await gotten.put("exit")

        child.send(0)
        child.attend(gotten.put, on_exit)
        child.send(b"x" * LARGE)
        child.send("abc")
        # A number times a text is no text: the child fails.
        child.send(None)
        async with asyncio.timeout(PATIENCE):
            result = [await gotten.get() for _ in range(4)]
        child.send("lost")
        # It was told to end, which takes the system a moment.
        assert comes_true(lambda: not child.is_alive)
        return result

    assert asyncio.run(talk()) == [0, b"x" * LARGE, "abc", "exit"]


def test_a_child_may_react_to_a_farewell(tmp_path: Path) -> None:
    async def part() -> str:
        child = BackgroundChild[Any, Any](Child(writes, tmp_path / "received"))
        begun = asyncio.Event()

        async def on_message(_: Any) -> None:
            begun.set()

        async def on_exit() -> None:
            pytest.fail("it was stopped")

        child.attend(on_message, on_exit)
        async with asyncio.timeout(PATIENCE):
            await begun.wait()
            child.stop("farewell", PATIENCE)
            child.stop()
            while child.is_alive:
                await asyncio.sleep(0.01)
        return (tmp_path / "received").read_text()

    assert asyncio.run(part()) == "farewell"


def test_a_program_reads_and_writes_and_does_not_outlive_its_block() -> None:
    code = (
        "import sys; print(sys.argv[1], len(sys.stdin.read())); print('E' * 10**6, file=sys.stderr)"
    )
    with Program(code, "word") as program:
        assert b"".join(program.run("x" * LARGE)) == f"word {LARGE}\n".encode()
        assert program.succeeded()
        assert program.errors() == "E" * 10**6
    begin = time.monotonic()
    with Program("import time; time.sleep(600)"):
        pass
    with Program("raise SystemExit(2)") as program:
        assert not b"".join(program.run("x" * LARGE))
        assert not program.succeeded()
    assert time.monotonic() - begin < PATIENCE
