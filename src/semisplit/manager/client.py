"""An agent as a player of any manager that speaks the protocol."""

from __future__ import annotations

import asyncio
import math
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import TypeVar

from semisplit.agent import Agent, AgentConfig, Thought, make_agent
from semisplit.core.errors import IllegalMove, InputError
from semisplit.core.work import doing, limited
from semisplit.game import Game, Move, State
from semisplit.manager.connection import Connection, PeerError, PeerLeft
from semisplit.manager.messages import (
    READY,
    RESET,
    BadMessage,
    read_move,
    read_player,
    read_seconds,
)
from semisplit.rbg.limits import MAX_TEXT
from semisplit.search import Budget
from semisplit.search.kernels.load import load_kernels

MOST_UNREAD = 4 * MAX_TEXT + (1 << 16)
"""Bytes of a manager: the longest rules there may be, in UTF-8, and what comes with them."""
_CONNECTING = 10.0
"""Seconds after which a manager that does not answer is given up."""
_NO_LIMIT = 24 * 60 * 60.0
"""Seconds from which on a deadline stands for no limit at all."""
_USUAL = 10.0
"""Seconds for a move if there is no limit."""
_ENDING = 2.0
"""Seconds in which an agent has to end its work when the manager has left."""
T = TypeVar("T")


class Observer:
    """Is told how a match goes, and does nothing about it. Thoughts come from another thread."""

    def begins(self, game: Game, player: int) -> None:
        """The rules have come, and which player the agent is."""

    def thinks(self, state: State, thought: Thought) -> None:
        """What the agent thinks of its move, so far."""

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        """A move was made in a state, with a thought if it is the agent's."""

    def ended(self, state: State) -> None:
        """A game has ended in a state, which need not be a final one."""


class _Interrupted(Exception):
    """The agent need not think any more."""


async def join(
    host: str,
    port: int,
    config: AgentConfig,
    observer: Observer | None = None,
    seed: int | None = None,
) -> None:
    """Connect to a manager and play until it closes the connection.

    Args:
        host: Where the manager is.
        port: Its port.
        config: The agent.
        observer: Who wants to know how it goes.
        seed: Makes the agent repeatable, as far as it can be.

    Raises:
        SemisplitError: If the manager cannot be reached, does not keep to the protocol, or leaves
            in the middle of a game; also if the agent cannot play the game.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(_CONNECTING):
            _, connection = await loop.create_connection(
                lambda: Connection(MOST_UNREAD), host, port, family=socket.AF_INET
            )
    except TimeoutError as error:
        raise InputError(f"no answer from {host}:{port}") from error
    except UnicodeError as error:
        raise InputError(f"'{host}' cannot be the name of a machine") from error
    except OSError as error:
        # What asyncio says about a failed call only repeats the address.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror or error
        raise InputError(f"cannot connect to {host}:{port}: {reason}") from error
    try:
        await _Player(connection, config, observer or Observer(), Random(seed)).play()
    except PeerError as error:
        raise PeerError(f"the manager {connection.peer} {error}; the match was not over") from error
    except BadMessage as error:
        raise BadMessage(f"the manager {connection.peer} broke the protocol: {error}") from error
    finally:
        await connection.close()


class _Player:
    """The client's side of a connection."""

    def __init__(
        self, connection: Connection, config: AgentConfig, observer: Observer, random: Random
    ):
        self._connection = connection
        self._config = config
        self._observer = observer
        self._random = random

    async def play(self) -> None:
        """Play until the manager closes the connection where it may."""
        read_seconds(await self._connection.receive())
        text = await self._connection.receive()
        number = await self._connection.receive()
        game = await self._work(self._read_rules, text)
        self._number = read_player(number, len(game.players))
        self._observer.begins(game, self._number)
        if self._config.kind == "mcts":
            # When they are used for the first time, this takes a while, whatever the rules.
            await self._work(load_kernels, more_seconds=math.inf)
        agent = await self._work(self._prepare, game)
        self._connection.send(READY)
        games = 0
        while True:
            try:
                await self._play_game(agent)
            except PeerLeft:
                # Managers leave when they have had enough games, and need not say so.
                if (games and not self._has_begun) or agent.state.is_terminal:
                    return
                raise
            finally:
                await self._close(agent)
            games += 1
            self._observer.ended(agent.state)
            agent = await self._work(self._make_agent, game)

    async def _work(
        self, function: Callable[..., T], *arguments: object, more_seconds: float = 0
    ) -> T:
        """Let a thread do what may take long, within the limits of the program and some seconds.

        Nothing can stop a game of the agent against itself that rules make last for hours. So a
        thread that does not end is left behind when the manager has gone or the person gives up.

        Raises:
            PeerError: If the manager has left, and the work does not end.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def finish(report: Callable[..., None], outcome: object) -> None:
            if not done.done():
                report(outcome)

        def work() -> None:
            report: Callable[..., None] = done.set_result
            try:
                with limited(more_seconds):
                    outcome: object = function(*arguments)
            except BaseException as error:
                report, outcome = done.set_exception, error
            # The loop is closed if nobody waits for the thread any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(finish, report, outcome)

        threading.Thread(target=work, daemon=True).start()
        left = self._connection.left
        await asyncio.wait((done, left), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((done,), timeout=_ENDING)
        if not done.done():
            raise left.result()
        return done.result()

    @staticmethod
    def _read_rules(text: bytes) -> Game:
        try:
            return Game.parse(text.decode(), "rules")
        except UnicodeDecodeError as error:
            raise BadMessage(f"byte {error.start} of the rules is not UTF-8") from error

    async def _close(self, agent: Agent) -> None:
        with suppress(PeerError, TimeoutError):
            async with asyncio.timeout(_ENDING):
                await self._work(agent.close)

    def _make_agent(self, game: Game) -> Agent:
        return make_agent(self._config, game, self._random.getrandbits(32))

    def _prepare(self, game: Game) -> Agent:
        """An agent that has compiled all it needs."""
        with doing("preparing to play by the manager's rules"):
            agent = self._make_agent(game)
            if not agent.state.is_terminal:
                agent.think(Budget(simulations=1))
            return agent

    async def _play_game(self, agent: Agent) -> None:
        """Play until the manager says `reset`."""
        self._has_begun = False
        while (message := await self._connection.receive()) != RESET:
            state = agent.state
            if state.is_terminal:
                raise BadMessage("the game is over, and no 'reset' came")
            if state.player != self._number:
                with limited(), doing("looking for the move of another player"):
                    move, thought = self._read(message, state), None
            elif (found := await self._think(agent, read_seconds(message))) is None:
                continue
            else:
                move, thought = found.move, found
                self._connection.send(move.wire.encode())
            self._has_begun = True
            await self._work(agent.play, move)
            self._observer.moved(state, move, thought)
            if agent.state.player != self._number:
                agent.wait(Budget(seconds=_USUAL))

    def _read(self, message: bytes, state: State) -> Move:
        try:
            return read_move(message, state)[0]
        except IllegalMove as error:
            raise BadMessage(f"{error} in this position") from error

    async def _think(self, agent: Agent, limit: float) -> Thought | None:
        """What the agent wants to play; None if the manager has not waited for it."""
        # The agent may have been busy with an earlier move when the question came.
        spent = time.perf_counter() - self._connection.arrived
        seconds = max(0.0, limit - spent) if limit < _NO_LIMIT else _USUAL
        state = agent.state

        def watch(thought: Thought) -> None:
            if self._connection.has_news:
                raise _Interrupted
            self._observer.thinks(state, thought)

        budget = Budget(seconds=seconds, buffer=self._config.buffer)
        try:
            think = partial(agent.think, budget, watch=watch)
            return await self._work(think, more_seconds=seconds)
        except _Interrupted:
            return None
