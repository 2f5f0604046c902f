"""One match of a manager: seating its players, and their games."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from semisplit.core.errors import IllegalMove, SemisplitError
from semisplit.game import Game, State
from semisplit.manager.connection import Connection, PeerError
from semisplit.manager.logs import Logs, Record
from semisplit.manager.messages import READY, RESET, printable, read_move, show, write_seconds
from semisplit.manager.terms import Terms

_log = logging.getLogger(__name__)


class _Lost(Exception):
    """A player has lost a game by its own fault."""

    def __init__(self, player: int, reason: str):
        self.player = player
        super().__init__(reason)


class _Gone(_Lost):
    """The same, and the player cannot go on playing."""


class _Ended(Exception):
    """The match ends without a result for the game."""


class Match:
    """A seat for each player of a game. Who cannot be seated any more finds another match."""

    def __init__(self, number: int, game: Game, terms: Terms, logs: Logs):
        self._number = number
        self._game = game
        self._terms = terms
        self._logs = logs
        self._seats: dict[int, Connection] = {}
        self._ready: set[int] = set()
        self._late_ready: set[int] = set()
        self._arrival = asyncio.Event()

    # Seating

    def free_seat(self) -> int | None:
        """The first player without a client; a seat that is left before the first game is free."""
        players = range(1, len(self._game.players) + 1)
        return next((player for player in players if player not in self._seats), None)

    def seat(self, player: int, connection: Connection) -> None:
        """Let a client play a player."""
        self._seats[player] = connection
        self._arrival.set()
        _log.info("%s connected from %s", self._name(player), connection.peer)

    async def _get_ready(self) -> None:
        """Wait until there is a client for each player and all have said that they are ready."""
        while len(self._ready) < len(self._game.players):
            await self._fill_seats()
            greeted = [player for player in sorted(self._seats) if player not in self._ready]
            for player in greeted:
                self._introduce(player)
            await asyncio.gather(*map(self._await_ready, greeted))
            await self._drop_who_left()

    async def _fill_seats(self) -> None:
        while self.free_seat() is not None:
            self._arrival.clear()
            arrival = asyncio.ensure_future(self._arrival.wait())
            events: list[asyncio.Future[Any]] = [arrival]
            events += [connection.left for connection in self._seats.values()]
            try:
                await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
            finally:
                arrival.cancel()
            await self._drop_who_left()

    def _introduce(self, player: int) -> None:
        connection = self._seats[player]
        connection.send(write_seconds(self._terms.preparation))
        connection.send(self._game.description.source.text.encode())
        connection.send(str(player).encode())

    async def _await_ready(self, player: int) -> None:
        limit, begin = self._terms.preparation, time.perf_counter()
        try:
            async with asyncio.timeout(self._terms.longest_wait(limit)):
                message = await self._seats[player].receive()
        except PeerError as error:
            await self._drop(player, error)
        except TimeoutError:
            await self._drop(player, "never said that it is ready")
        else:
            # The length is all that RBG's manager looks at.
            if len(message) != len(READY):
                await self._drop(player, f"said {show(message)} instead of 'ready'")
                return
            if message != READY:
                _log.info("%s said %s for 'ready'", self._name(player), show(message))
            if limit is not None and time.perf_counter() - begin > limit:
                self._late_ready.add(player)
                _log.info("%s was not ready in time", self._name(player))
            self._ready.add(player)

    async def _drop_who_left(self) -> None:
        for player, connection in list(self._seats.items()):
            if connection.left.done():
                await self._drop(player, connection.left.result())

    async def _drop(self, player: int, reason: str | PeerError) -> None:
        _log.info("%s %s before the first game; the seat is free", self._name(player), reason)
        self._ready.discard(player)
        self._late_ready.discard(player)
        await self._seats.pop(player).close()

    # Playing

    async def play(self) -> bool:
        """Play all games; returns whether this was possible."""
        try:
            await self._get_ready()
            for _ in range(self._terms.games):
                await self._play_game()
                self._late_ready.clear()
        except (_Gone, _Ended, SemisplitError) as error:
            _log.info("match %d ends early: %s", self._number, error)
            return False
        finally:
            await asyncio.gather(*(connection.close() for connection in self._seats.values()))
        return True

    async def _play_game(self) -> None:
        for player, connection in self._seats.items():
            if connection.left.done():
                raise _Ended(f"{self._name(player)} {connection.left.result()}")
        players = self._game.description.players
        record = Record([0] * len(players), frozenset(self._late_ready))
        begin = time.perf_counter()
        try:
            record.scores = await self._play_moves(record)
        except _Lost as lost:
            _log.info("%s; the game is lost", lost)
            bounds = enumerate(players.values(), 1)
            record.scores = tuple(0 if player == lost.player else top for player, top in bounds)
            if isinstance(lost, _Gone):
                raise
        finally:
            record.seconds = time.perf_counter() - begin
            self._logs.write(record)
        for connection in self._seats.values():
            connection.send(RESET)

    async def _play_moves(self, record: Record) -> tuple[int, ...]:
        """Play a game to its end; returns the scores."""
        state = self._game.initial_state()
        while choices := self._count_moves(state, record):
            record.choices += choices
            state = await self._play_move(state, record)
        return state.scores

    def _count_moves(self, state: State, record: Record) -> int:
        if not state.player:
            return 0
        begin = time.perf_counter()
        compiled = self._game.compiled
        count = compiled.count_moves(compiled.pack(state.position))
        limit = self._terms.deadline
        if limit is not None and time.perf_counter() - begin > limit:
            record.manager_was_late = True
        return count

    async def _play_move(self, state: State, record: Record) -> State:
        player, limit = state.player, self._terms.deadline
        self._seats[player].send(write_seconds(limit))
        begin = time.perf_counter()
        message = await self._answer(player)
        late = 0.0 if limit is None else time.perf_counter() - begin - limit
        record.moves.append(printable(message))
        if late > 0:
            record.late_moves[player - 1] += 1
            _log.info("%s was %.3f s late", self._name(player), late)
            if late > self._terms.grace and self._terms.late == "lose":
                raise _Lost(player, f"{self._name(player)} was too late")
        try:
            move, following = read_move(message, state)
        except IllegalMove as error:
            if self._terms.illegal == "end":
                raise _Ended(f"{self._name(player)}: {error}") from error
            raise _Lost(player, f"{self._name(player)}: {error}") from error
        record.made += 1
        for other, connection in self._seats.items():
            if other != player:
                connection.send(move.wire.encode())
        return following

    async def _answer(self, player: int) -> bytes:
        """What a player who has been asked says, unless somebody leaves before."""
        answer = asyncio.ensure_future(self._seats[player].receive())
        left = {
            connection.left: other for other, connection in self._seats.items() if other != player
        }
        events: list[asyncio.Future[Any]] = [answer, *left]
        wait = self._terms.longest_wait(self._terms.deadline)
        try:
            await asyncio.wait(events, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            for future, other in left.items():
                if future.done():
                    raise _Gone(other, f"{self._name(other)} {future.result()}")
            raise _Gone(player, f"{self._name(player)} said nothing for {wait:g} s")
        except PeerError as error:
            raise _Gone(player, f"{self._name(player)} {error}") from error
        finally:
            answer.cancel()

    def _name(self, player: int) -> str:
        return f"{self._game.player_name(player)} in match {self._number}"
