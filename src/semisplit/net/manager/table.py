"""The table of a match: a seat for each player, and who is ready to play."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from semisplit.game import Game
from semisplit.net.manager.connection import Connection, PeerError
from semisplit.net.manager.messages import READY, write_seconds
from semisplit.net.manager.terms import MatchTerms
from semisplit.net.shared.messages import show

_log = logging.getLogger(__name__)


class SeatingTable:
    """Seats players until all are ready; who leaves or is not ready before makes room."""

    def __init__(self, number: int, game: Game, terms: MatchTerms):
        self._number = number
        self._game = game
        self._terms = terms
        self.seats: dict[int, Connection] = {}
        """The client of each player, from 1."""
        self.late: set[int] = set()
        """Who was not ready in time."""
        self._ready: set[int] = set()
        self._arrival = asyncio.Event()

    def free_seat(self) -> int | None:
        """The first player without a client."""
        players = range(1, len(self._game.players) + 1)
        return next((player for player in players if player not in self.seats), None)

    def seat(self, player: int, connection: Connection) -> None:
        """Let a client play a player."""
        self.seats[player] = connection
        self._arrival.set()
        _log.info("%s connected from %s", self.name(player), connection.peer)

    def name(self, player: int) -> str:
        """What a player is called in the log."""
        return f"{self._game.player_name(player)} in match {self._number}"

    async def get_ready(self) -> None:
        """Wait until there is a client for each player and all have said that they are ready."""
        while len(self._ready) < len(self._game.players):
            await self._fill_seats()
            greeted = [player for player in sorted(self.seats) if player not in self._ready]
            for player in greeted:
                self._introduce(player)
            await asyncio.gather(*map(self._await_ready, greeted))
            await self._drop_who_left()

    async def _fill_seats(self) -> None:
        while self.free_seat() is not None:
            self._arrival.clear()
            arrival = asyncio.ensure_future(self._arrival.wait())
            events: list[asyncio.Future[Any]] = [arrival]
            events += [connection.left for connection in self.seats.values()]
            try:
                await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
            finally:
                arrival.cancel()
            await self._drop_who_left()

    def _introduce(self, player: int) -> None:
        connection = self.seats[player]
        connection.send(write_seconds(self._terms.preparation))
        connection.send(self._game.text.encode())
        connection.send(str(player).encode())

    async def _await_ready(self, player: int) -> None:
        limit, begin = self._terms.preparation, time.perf_counter()
        try:
            async with asyncio.timeout(self._terms.longest_wait(limit)):
                message = await self.seats[player].receive()
        except PeerError as error:
            await self._drop(player, error)
            return
        except TimeoutError:
            await self._drop(player, "never said that it is ready")
            return
        # The length is all that RBG's manager looks at.
        if len(message) != len(READY):
            await self._drop(player, f"said {show(message)} instead of 'ready'")
            return
        if message != READY:
            _log.info("%s said %s for 'ready'", self.name(player), show(message))
        if limit is not None and time.perf_counter() - begin > limit:
            self.late.add(player)
            _log.info("%s was not ready in time", self.name(player))
        self._ready.add(player)
        # Others may take long to get ready; the seat must not be lost until then.
        self.seats[player].left.add_done_callback(lambda _: self._free_who_left())

    def _free_who_left(self) -> None:
        """Free the seats of those who were ready, unless all are and the games begin."""
        if len(self._ready) < len(self._game.players):
            for player in sorted(self._ready):
                if (left := self.seats[player].left).done():
                    self._free(player, left.result())

    async def _drop_who_left(self) -> None:
        for player, connection in list(self.seats.items()):
            # Another one may sit there since.
            if connection.left.done() and self.seats.get(player) is connection:
                await self._drop(player, connection.left.result())

    async def _drop(self, player: int, reason: str | PeerError) -> None:
        await self._free(player, reason).close()

    def _free(self, player: int, reason: str | PeerError) -> Connection:
        _log.info("%s %s before the first game; the seat is free", self.name(player), reason)
        self._ready.discard(player)
        self.late.discard(player)
        return self.seats.pop(player)
