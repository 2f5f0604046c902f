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

from semisplit.agents import Agent, AgentConfig, Look, Reporter, Thought, make_agent
from semisplit.agents.warm import warm_up
from semisplit.core.errors import IllegalMove, InputError
from semisplit.core.limits import MAX_TEXT
from semisplit.core.work import doing, limited
from semisplit.game import Game, Move, State
from semisplit.net.manager.background import BackgroundThread
from semisplit.net.manager.clock import Margin, short_collections, without_collections
from semisplit.net.manager.connection import Connection, PeerError, PeerLeft
from semisplit.net.manager.messages import READY, RESET, read_move, read_player
from semisplit.net.shared.messages import BadMessage, read_seconds
from semisplit.search import Budget

MOST_UNREAD = 4 * MAX_TEXT + (1 << 16)
"""Bytes of a manager: the longest rules there may be, in UTF-8, and what comes with them."""
_CONNECTING = 10.0
"""Seconds after which a manager that does not answer is given up."""
_NO_LIMIT = 24 * 60 * 60.0
"""Seconds from which on a deadline stands for no limit at all."""
_USUAL = 10.0
"""Seconds for a move if there is no limit."""
_SHORTEST = 0.1
"""Seconds in which an agent can choose how to search, if it does."""
_ENDING = 2.0
"""Seconds in which an agent has to end its work when the manager has left."""
_SHOWN, _ALL = 5, 1 << 30
"""Moves whose scores are shown while an agent thinks, and in statistics."""
T = TypeVar("T")


class Observer:
    """Gets events of a match, from another thread, and does nothing about them.

    A clock may be running, so it should not take long. In some games it takes long to ask a move
    for its text, which depends on all legal moves.
    """

    wants_thoughts = False
    """Whether anybody sees what the agent thinks on the way."""
    wants_statistics = False
    """Whether anybody sees what is known in the end about all moves that the agent could make."""

    def begins(self, game: Game, player: int) -> None:
        """The rules have come, and which player the agent is."""

    def thinks(self, state: State, thought: Thought) -> None:
        """What the agent thinks of its move, so far."""

    def moved(self, state: State, move: Move, thought: Thought | None) -> None:
        """A move was made in a state, with a thought if it is the agent's."""

    def ended(self, state: State) -> None:
        """A game has ended in a state, which need not be a final one."""


async def join(
    host: str,
    port: int,
    config: AgentConfig,
    observer: Observer | None = None,
    seed: int | None = None,
    budget: Budget | None = None,
) -> None:
    """Connect to a manager and play until it closes the connection.

    Args:
        host: Where the manager is.
        port: Its port.
        config: The agent.
        observer: Gets the events of the match.
        seed: Makes the agent repeatable, as far as it can be.
        budget: Simulations or states for each move, whatever time the manager gives.

    Raises:
        SemisplitError: If the manager cannot be reached, does not keep to the protocol, or leaves
            in the middle of a game; also if the agent cannot play the game.
    """
    loop = asyncio.get_running_loop()
    # Else a clock may run meanwhile.
    await asyncio.to_thread(warm_up, config)
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
    player = _Player(connection, config, observer or Observer(), Random(seed), budget)
    try:
        await player.play()
    except PeerError as error:
        raise PeerError(f"the manager {connection.peer} {error}; the match was not over") from error
    except BadMessage as error:
        raise BadMessage(f"the manager {connection.peer} broke the protocol: {error}") from error
    finally:
        player.close()
        await connection.close()


class _Answer:
    """The answer to a question, and the thread that finds it: there is a good one at any moment.

    As long as the agent thinks, it is the move that was best after half of the time so far, or
    later.
    """

    def __init__(self, connection: Connection, agent: Agent, reporter: Reporter | None, end: float):
        self._connection = connection
        self._agent = agent
        self._reporter = reporter
        self._end = end
        self._begin = self._next = time.perf_counter()
        self._lock = threading.Lock()
        self.best: Thought | None = None
        """What the agent thinks so far."""
        self.given: Thought | None = None
        """What has been sent."""
        self.delay = 0.0
        """By how much it was later than planned."""
        self._is_dropped = False

    def watch(self, look: Look) -> None:
        """Is called while the agent thinks."""
        if self.given or self._connection.has_news:
            # What the agent thinks now is not needed.
            self._is_dropped = True
            self._agent.stop()
            return
        now = time.perf_counter()
        if now >= self._next:
            self.best = look(0)
            self._next = now + (now - self._begin)
        if self._reporter is not None:
            self._reporter.watch(look, self._end)

    def give(self, thought: Thought, send: Callable[[bytes], None]) -> None:
        """Send a move, unless one has been sent or nobody waits for it."""
        with self._lock:
            if self.given is None and not self._is_dropped:
                send(thought.move.wire.encode())
                self.given = thought
                self.delay = max(0.0, time.perf_counter() - self._end)


class _Player:
    """The client's side of a connection."""

    def __init__(
        self,
        connection: Connection,
        config: AgentConfig,
        observer: Observer,
        random: Random,
        budget: Budget | None,
    ):
        self._connection = connection
        self._config = config
        self._observer = observer
        self._random = random
        self._budget = budget
        self._worker = BackgroundThread()
        self._margin = Margin(config.buffer)
        self._reporter = Reporter(self._report, _SHOWN) if observer.wants_thoughts else None
        self._position_since = math.inf
        """When the position arose, by `time.perf_counter`, as far as it is known."""
        self._untold: list[Callable[[], None]] = []
        """Events for the observer, until there is time."""
        self._next_agent: Agent | None = None
        """For the next game, which may begin on the clock."""

    def close(self) -> None:
        """Let the agent end."""
        self._worker.close()

    async def play(self) -> None:
        """Play until the manager closes the connection where it may."""
        seconds = read_seconds(await self._connection.receive())
        self._config = self._config.prepared_within(max(_SHORTEST, seconds / 2))
        text = await self._connection.receive()
        number = await self._connection.receive()
        game = await self._work(self._read_rules, text)
        self._number = read_player(number, len(game.players))
        self._observer.begins(game, self._number)
        await self._work(self._rehearse, game)
        agent = await self._work(self._make_agent, game)
        with short_collections():
            self._connection.send(READY)
            try:
                await self._play_games(game, agent)
            finally:
                self._tell()

    async def _play_games(self, game: Game, agent: Agent) -> None:
        games = 0
        while True:
            try:
                await self._play_game(game, agent)
            except PeerLeft:
                # Managers leave when they have had enough games, and need not say so.
                if (games and not self._has_begun) or self._state.is_terminal:
                    return
                raise
            finally:
                await self._close(agent)
            games += 1
            self._untold.append(partial(self._observer.ended, self._state))
            if self._next_agent is None:
                self._next_agent = await self._work(self._make_agent, game)
            agent, self._next_agent = self._next_agent, None

    async def _work(self, function: Callable[..., T], *arguments: object) -> T:
        """Let a thread do what may take long, within the limits of the program."""

        def work() -> T:
            with limited():
                return function(*arguments)

        return await self._finish(self._worker.start(work))

    async def _finish(self, done: asyncio.Future[T]) -> T:
        """Wait for a thread.

        Nothing can stop a game of the agent against itself that rules make last for hours. So a
        thread that does not end is left behind when the manager has gone or the person gives up.

        Raises:
            PeerError: If the manager has left, and the work does not end.
        """
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

    def _make_agent(self, game: Game, seed: int | None = None) -> Agent:
        seed = self._random.getrandbits(32) if seed is None else seed
        return make_agent(self._config, game, seed, budget=self._budget or Budget(seconds=1))

    def _rehearse(self, game: Game) -> None:
        """Do all that is done during a game, so that it has been compiled or loaded then."""
        with doing("preparing to play by the manager's rules"):
            agent = self._make_agent(game, 0)
            if not agent.state.is_terminal:
                agent.play(agent.think(Budget(simulations=1), best=_SHOWN).move)

    async def _play_game(self, game: Game, agent: Agent) -> None:
        """Play until the manager says `reset`."""
        self._has_begun = False
        self._state = game.initial_state()
        while (message := await self._connection.receive()) != RESET:
            if self._state.is_terminal:
                raise BadMessage("the game is over, and no 'reset' came")
            if self._state.player != self._number:
                self._position_since = self._connection.arrived
                with limited(), doing("looking for the move of another player"):
                    move, thought = self._read(message), None
            elif (found := await self._think(agent, read_seconds(message))) is None:
                continue
            else:
                self._position_since = time.perf_counter()
                move, thought = found.move, found
            self._has_begun = True
            await self._work(self._go_on, agent, move, thought)
        self._position_since = self._connection.arrived

    def _go_on(self, agent: Agent, move: Move, thought: Thought | None) -> None:
        """Make a move; and what can wait, unless the agent has to think now."""
        before, self._state = self._state, self._state.apply(move)
        agent.play(move)
        self._untold.append(partial(self._observer.moved, before, move, thought))
        is_its_turn = self._state.player == self._number
        if thought is not None or not is_its_turn:
            self._tell()
        if not is_its_turn:
            if self._next_agent is None and not self._connection.has_news:
                # Where there is no room for two, the next one is made when this one is gone.
                with suppress(InputError):
                    self._next_agent = self._make_agent(before.game)
            agent.wait(self._budget or Budget(seconds=_USUAL))

    def _tell(self) -> None:
        """Give the observer the events that have waited."""
        while self._untold:
            self._untold.pop(0)()

    def _read(self, message: bytes) -> Move:
        try:
            return read_move(message, self._state)[0]
        except IllegalMove as error:
            raise BadMessage(f"{error} in this position") from error

    async def _think(self, agent: Agent, limit: float) -> Thought | None:
        """Answer with what the agent wants to play; None if the manager has not waited for it."""
        begin = self._connection.arrived
        if limit < _NO_LIMIT:
            # RBG's manager counts from the last move on, and so what itself takes to find out
            # whether the game goes on. Who has waited for longer has not counted it.
            begin = max(begin - limit / 2, min(begin, self._position_since))
        else:
            limit = _USUAL
        margin = self._margin.seconds(limit) + self._connection.round_trip
        end = math.inf if self._budget else begin + limit - margin
        answer = _Answer(self._connection, agent, self._reporter, end)
        known = _ALL if self._observer.wants_statistics else 0

        def think() -> None:
            # By now some of the time is over.
            seconds = max(0.0, end - time.perf_counter())
            # Each thread uses processor time, which is what is limited.
            threads = agent.config.threads
            with limited(more_seconds=seconds * threads):
                budget = self._budget or Budget(seconds=seconds)
                thought = agent.think(budget, best=known, watch=answer.watch)
                answer.give(thought, self._connection.send_from_thread)

        with without_collections():
            thinking = self._worker.start(think)
            # The agent may be late, as others use the processor or as one simulation takes long.
            patience = max(0.0, end + margin / 2 - time.perf_counter())
            await asyncio.wait(
                (thinking, self._connection.left),
                timeout=patience,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if answer.best and not thinking.done() and not self._connection.has_news:
                answer.give(answer.best, self._connection.send)
            await self._finish(thinking)
        if answer.given:
            self._margin.learn(answer.delay)
        return answer.given

    def _report(self, thought: Thought) -> None:
        self._observer.thinks(self._state, thought)
