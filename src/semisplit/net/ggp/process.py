"""The processes that think, as seen from the one that answers."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import NamedTuple

from semisplit.agents import AgentConfig
from semisplit.agents.config import RandomConfig
from semisplit.core.system import end_group
from semisplit.net.ggp.mind import Make, Note, Over, Tells, Told, Warm, think
from semisplit.net.manager.worker import Worker

_FAREWELL = 2.0
"""Seconds in which a process may tell others who search with it that the match is over."""
_log = logging.getLogger(__name__)


class MindProcess:
    """A process that is good for one match."""

    def __init__(self, make: Make, seed: int):
        # Not forked: a fork of a process with threads may hang, and Numba has threads.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=think, args=(theirs, make, seed), daemon=True)
        self._process.start()
        theirs.close()
        self._loop = asyncio.get_running_loop()
        # It need not be listening, and rules are longer than what fits into a pipe.
        self._sender = Worker()
        # Not every system's event loop can wait for a pipe.
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._hear: Callable[[Tells], None]
        self._mourn: Callable[[], None]
        self._is_over = False
        self._has_others = make.config is not None and make.config.on_cluster

    @property
    def is_alive(self) -> bool:
        """Whether it has not died."""
        return self._process.is_alive()

    def attend(self, hear: Callable[[Tells], None], mourn: Callable[[], None]) -> None:
        """Listen to it from now on.

        Args:
            hear: Is given all that it tells.
            mourn: Is called if it ends by itself.
        """
        self._hear, self._mourn = hear, mourn
        if self._listener.ident is None:
            self._listener.start()

    def _listen(self) -> None:
        # The loop is closed if nobody listens any more.
        with suppress(RuntimeError):
            with suppress(EOFError, OSError):
                while True:
                    self._loop.call_soon_threadsafe(self._receive, self._connection.recv())
            self._loop.call_soon_threadsafe(self._lose)

    def _receive(self, what: Tells) -> None:
        if not self._is_over:
            self._hear(what)

    def _lose(self) -> None:
        if not self._is_over:
            self.end()
            self._mourn()

    async def warm_up(self) -> None:
        """Wait until all is loaded that does not depend on rules."""
        is_over: asyncio.Future[None] = self._loop.create_future()

        def end() -> None:
            if not is_over.done():
                is_over.set_result(None)

        def hear(what: Tells) -> None:
            if isinstance(what, Note):
                _log.info("%s", what.text)
            elif isinstance(what, Warm):
                end()

        self.attend(hear, end)
        await is_over

    def tell(self, what: Told) -> None:
        """Tell it something; if it has died, that is noticed elsewhere."""

        def send() -> None:
            with suppress(OSError):
                self._connection.send(what)

        self._sender.start(send)

    def end(self) -> None:
        """End it at once, whatever it does, unless others search with it who have to be told."""
        if not self._is_over:
            self._is_over = True
            if self._has_others and self.is_alive:
                self.tell(Over())
                self._loop.call_later(_FAREWELL, self._kill)
            else:
                self._kill()

    def _kill(self) -> None:
        assert self._process.pid
        end_group(self._process.pid)
        self._process.kill()
        self._sender.start(self._bury)
        self._sender.close()

    def _bury(self) -> None:
        # To give back all its memory may take a while.
        self._process.join()
        if self._listener.ident is not None:
            self._listener.join()
        self._connection.close()


class Minds(NamedTuple):
    """The processes of one match."""

    first: MindProcess
    """Has a legal move at hand."""
    searching: MindProcess | None
    """Finds better ones, if the agent thinks."""

    def tell(self, what: Told) -> None:
        """Tell all something."""
        for one in filter(None, self):
            one.tell(what)

    def end(self) -> None:
        """End all at once."""
        for one in filter(None, self):
            one.end()


class Pool:
    """Makes such processes; those for the next match are always being prepared."""

    def __init__(self, config: AgentConfig, random: Random, *, shows: bool, memory: int):
        """Prepare to make processes.

        Args:
            config: The agent.
            random: Gives the seeds of agents.
            shows: Whether somebody looks on.
            memory: The most bytes that each may take.
        """
        self._first = Make(None, shows, memory, hopes=not isinstance(config, RandomConfig))
        self._searching = None if isinstance(config, RandomConfig) else Make(config, shows, memory)
        self._random = random
        self._spare: Minds | None = None

    async def warm_up(self) -> None:
        """Load what does not depend on rules; the first time that takes longer than a match may."""
        for one in filter(None, self.prepare()):
            await one.warm_up()

    def prepare(self) -> Minds:
        """Have some that are ready when they are needed."""
        if self._spare is None or not all(one.is_alive for one in filter(None, self._spare)):
            self.close()
            searching = None if self._searching is None else self._start(self._searching)
            self._spare = Minds(self._start(self._first), searching)
        return self._spare

    def _start(self, make: Make) -> MindProcess:
        return MindProcess(make, self._random.getrandbits(32))

    def take(self) -> Minds:
        """Those for a match."""
        taken, self._spare = self.prepare(), None
        return taken

    def close(self) -> None:
        """End those that nobody has needed."""
        if self._spare is not None:
            self._spare.end()
