"""One match of a manager: the games between players who are ready."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from semisplit.core.errors import IllegalMove, SemisplitError
from semisplit.game import Game, State
from semisplit.net.manager.connection import PeerError, PeerLeft
from semisplit.net.manager.logs import GameLog, Logs
from semisplit.net.manager.messages import RESET, read_move, write_seconds
from semisplit.net.manager.table import SeatingTable
from semisplit.net.manager.terms import MatchTerms
from semisplit.net.shared.messages import printable

_log = logging.getLogger(__name__)


class _Lost(Exception):
    """A player has lost a game by its own fault."""

    def __init__(self, player: int, reason: str):
        self.player = player
        super().__init__(reason)


class _Gone(_Lost):
    """A game was lost, and the player cannot go on playing."""


class _Left(_Gone):
    """A game was lost as the player has left."""


class _Ended(Exception):
    """The match ends without a result for the game."""


class ServedMatch:
    """Some games between the same players."""

    def __init__(self, number: int, game: Game, terms: MatchTerms, logs: Logs):
        self.table = SeatingTable(number, game, terms)
        self._seats = self.table.seats
        self._name = self.table.name
        self._number = number
        self._game = game
        self._terms = terms
        self._logs = logs

    async def play(self) -> bool:
        """Play all games; returns whether this was possible."""
        try:
            await self.table.get_ready()
            for number in range(self._terms.games):
                await self._play_game(number)
        except _Gone as gone:
            _log.info("%s; the game is lost and the match is over", gone)
            return False
        except (_Ended, SemisplitError) as error:
            _log.info("match %d ends early: %s", self._number, error)
            return False
        finally:
            await asyncio.gather(*(connection.close() for connection in self._seats.values()))
        return True

    async def _play_game(self, number: int) -> None:
        # Nobody is waited for in a game that is over at once, and others have their turn, too.
        await asyncio.sleep(0)
        for player, connection in self._seats.items():
            if connection.left.done():
                raise _Ended(f"{self._name(player)} {connection.left.result()}")
        players = self._game.rules.players
        late_ready = frozenset() if number else frozenset(self.table.late)
        record = GameLog([0] * len(players), late_ready)
        begin = time.perf_counter()
        try:
            record.scores = await self._play_moves(record)
        except _Lost as lost:
            if isinstance(lost, _Left) and number and not record.made:
                # It has left after the last game; this is only noticed now.
                raise _Ended(str(lost)) from lost
            bounds = enumerate(players.values(), 1)
            record.scores = tuple(0 if player == lost.player else top for player, top in bounds)
            if isinstance(lost, _Gone):
                raise
            _log.info("%s; the game is lost", lost)
        finally:
            record.seconds = time.perf_counter() - begin
            self._logs.write(record)
        for connection in self._seats.values():
            connection.send(RESET)

    async def _play_moves(self, record: GameLog) -> tuple[int, ...]:
        """Play a game to its end; returns the scores."""
        state = self._game.initial_state()
        while choices := self._count_moves(state, record):
            record.choices += choices
            state = await self._play_move(state, record)
        return state.scores

    def _count_moves(self, state: State, record: GameLog) -> int:
        if not state.player:
            return 0
        begin = time.perf_counter()
        count = self._game.reasoner.count_moves(state.position)
        limit = self._terms.deadline
        if limit is not None and time.perf_counter() - begin > limit:
            record.manager_was_late = True
        return count

    async def _play_move(self, state: State, record: GameLog) -> State:
        player, limit = state.player, self._terms.deadline
        self._seats[player].send(write_seconds(limit))
        begin = time.perf_counter()
        message = await self._answer(player)
        late = 0.0 if limit is None else self._seats[player].arrived - begin - limit
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
                    raise self._gone(other, future.result())
            raise _Gone(player, f"{self._name(player)} said nothing for {wait:g} s")
        except PeerError as error:
            raise self._gone(player, error) from error
        finally:
            answer.cancel()

    def _gone(self, player: int, error: PeerError) -> _Gone:
        kind = _Left if isinstance(error, PeerLeft) else _Gone
        return kind(player, f"{self._name(player)} {error}")
