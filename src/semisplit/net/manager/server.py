"""The manager: waits for players on a port and lets them play matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.net.manager.connection import Connection
from semisplit.net.manager.logs import Logs
from semisplit.net.manager.match import ServedMatch
from semisplit.net.manager.terms import MatchTerms
from semisplit.net.shared.listening import listen

MOST_UNREAD = 1 << 16
"""Bytes of a client; the longest moves have some thousand."""
_log = logging.getLogger(__name__)


class Manager:
    """Plays one match or several at once, all of the same game."""

    def __init__(self, game: Game, terms: MatchTerms, logs: Logs, matches: int = 1):
        if "\0" in game.text:
            raise InputError("the description has a zero byte in it, which would cut it on the way")
        self._game = game
        self._terms = terms
        self._logs = logs
        self._count = matches

    async def serve(
        self, host: str, port: int, on_open: Callable[[int], None] = lambda port: None
    ) -> bool:
        """Listen until all matches are over; returns whether all games were played.

        Args:
            host: The address to listen on.
            port: The port; 0 takes one that is free.
            on_open: Is called with the port when players can connect.
        """
        # What would take long or fail, must not happen when players are waiting.
        self._game.initial_state()
        self._matches = [
            ServedMatch(number, self._game, self._terms, self._logs)
            for number in range(1, self._count + 1)
        ]
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(MOST_UNREAD, self._seat), sock=listen(host, port)
        )
        async with server:
            on_open(server.sockets[0].getsockname()[1])
            played = await asyncio.gather(*(match.play() for match in self._matches))
        return all(played)

    def _seat(self, connection: Connection) -> None:
        """Give a client the first free seat, so that matches are filled one after another."""
        for match in self._matches:
            if (player := match.table.free_seat()) is not None:
                match.table.seat(player, connection)
                return
        _log.info("%s was sent away: there is no free seat", connection.peer)
        connection.abort()
