"""The processes that think, as seen from the one that answers."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from random import Random

from semisplit.ggp.mind import Make, Note, Tells, Told, Warm, think
from semisplit.manager.worker import Worker

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
        self._is_over = False

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

        def receive() -> None:
            try:
                while not self._is_over and self._connection.poll():
                    hear(self._connection.recv())
            except (EOFError, OSError):
                self.end()
                mourn()

        self._loop.add_reader(self._connection.fileno(), receive)

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
        """End it at once, whatever it does."""
        if not self._is_over:
            self._is_over = True
            self._loop.remove_reader(self._connection.fileno())
            # What it has started belongs to its group, if it has come so far to have one.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid or 0, signal.SIGKILL)
            self._process.kill()
            self._sender.start(self._bury)
            self._sender.close()

    def _bury(self) -> None:
        # To give back all its memory may take a while.
        self._process.join()
        self._connection.close()


class Pool:
    """Makes such processes; one is always being prepared for the next match."""

    def __init__(self, make: Make, random: Random):
        self.thinks = make.config.kind != "random"
        """Whether what they tell becomes better with time."""
        self._make = make
        self._random = random
        self._spare: MindProcess | None = None

    async def warm_up(self) -> None:
        """Have one that has loaded all; the first time that takes longer than a match may last."""
        self.prepare()
        assert self._spare is not None
        await self._spare.warm_up()

    def prepare(self) -> None:
        """Have one that is ready when it is needed."""
        if self._spare is None or not self._spare.is_alive:
            self._spare = MindProcess(self._make, self._random.getrandbits(32))

    def take(self) -> MindProcess:
        """One for a match."""
        self.prepare()
        assert self._spare is not None
        taken, self._spare = self._spare, None
        return taken

    def close(self) -> None:
        """End the one that nobody has needed."""
        if self._spare is not None:
            self._spare.end()
