"""Child processes that an event loop listens to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from typing import Generic

from semisplit.core.child.channel import Received, Sent, pack, read
from semisplit.core.child.process import Child


class BackgroundChild(Generic[Received, Sent]):
    """A child process whose messages are given to callbacks; sending does not block."""

    def __init__(self, child: Child[Received, Sent]):
        self._child = child
        self._unsent: list[bytes] = []
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._is_stopped = False

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._child.is_alive

    def attend(
        self,
        on_message: Callable[[Received], Awaitable[None]],
        on_exit: Callable[[], Awaitable[None]],
    ) -> None:
        """Choose what is called from now on.

        Args:
            on_message: Gets each message. The next one is read when this is done.
            on_exit: Is called if the process ends by itself.
        """
        self._on_message, self._on_exit = on_message, on_exit
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        reader, self._writer = await asyncio.open_connection(sock=self._child.connection)
        with closing(self._writer), suppress(EOFError, ConnectionError):
            self._writer.writelines(self._unsent)
            while True:
                message = await read(reader)
                if not self._is_stopped:
                    await self._on_message(message)
        if not self._is_stopped:
            self._is_stopped = True
            self._end()
            await self._on_exit()

    def send(self, message: Sent) -> None:
        """Send a message; if the process has ended, it is lost, and `on_exit` is called."""
        if self._writer is None:
            self._unsent.append(pack(message))
        elif not self._writer.is_closing():
            self._writer.write(pack(message))

    def stop(self, farewell: Sent | None = None, grace: float = 0.0) -> None:
        """End the process with all that it has started; nothing is called any more.

        Args:
            farewell: A last message, if there is one.
            grace: Seconds in which the process may react to it.
        """
        if self._is_stopped:
            return
        self._is_stopped = True
        if farewell is not None and self.is_alive:
            self.send(farewell)
            asyncio.get_running_loop().call_later(grace, self._kill)
        else:
            self._kill()

    def _end(self) -> None:
        self._child.kill()
        self._child.reap()

    def _kill(self) -> None:
        self._end()
        if self._listening is None:
            self._child.close()
        else:
            self._listening.cancel()
