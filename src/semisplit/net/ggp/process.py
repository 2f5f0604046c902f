"""The processes that think, as seen from the one that answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from semisplit.agents import AgentConfig
from semisplit.agents.config import RandomConfig
from semisplit.core.child import Child
from semisplit.core.child.background import BackgroundChild
from semisplit.net.ggp.mind import Make, Note, Over, Tells, Told, Warm, think

_FAREWELL = 2.0
"""Seconds in which a process may tell others who search with it that the match is over."""
_log = logging.getLogger(__name__)


class MindProcess:
    """A process that is good for one match."""

    def __init__(self, make: Make, seed: int):
        self._child = BackgroundChild[Tells, Told](Child(think, make, seed))
        self._has_others = make.config is not None and make.config.on_cluster

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._child.is_alive

    def attend(self, on_message: Callable[[Tells], None], on_exit: Callable[[], None]) -> None:
        """Choose what is called from now on: with each message, and if it ends by itself."""

        async def pass_on(message: Tells) -> None:
            try:
                on_message(message)
            except Exception:
                # The next message may be the move.
                _log.exception("a message of a process that thinks was lost")

        async def end() -> None:
            on_exit()

        self._child.attend(pass_on, end)

    async def warm_up(self) -> None:
        """Wait until all is loaded that does not depend on rules."""
        is_over = asyncio.Event()

        def on_message(message: Tells) -> None:
            if isinstance(message, Note):
                _log.info("%s", message.text)
            elif isinstance(message, Warm):
                is_over.set()

        self.attend(on_message, is_over.set)
        await is_over.wait()

    def tell(self, what: Told) -> None:
        """Send a message."""
        self._child.send(what)

    def end(self) -> None:
        """End it at once, unless others search with it, which have to be told first."""
        self._child.stop(Over() if self._has_others else None, _FAREWELL)


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
        thinks = not isinstance(config, RandomConfig)
        self._first = Make(None, shows, memory, hopes=thinks)
        self._searching = Make(config, shows, memory, hopes=True) if thinks else None
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
