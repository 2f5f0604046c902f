"""An agent as a player of any host: what it answers, and when.

Answers never wait for thinking. Processes think (see `mind`), and when the time is up, the best of
what they have told so far is the answer.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from random import Random

from semisplit.agents import AgentConfig, Thought
from semisplit.agents.config import MctsConfig
from semisplit.core.errors import InputError
from semisplit.net.ggp.messages import (
    ABORTED,
    AVAILABLE,
    BUSY,
    DONE,
    NOTHING,
    READY,
    Abort,
    Info,
    Message,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    read_message,
    write_info,
)
from semisplit.net.ggp.mind import Answer, Begin, Compiled, Continue, Ending, Note, Refusal, Tells
from semisplit.net.ggp.process import Minds, Pool
from semisplit.net.shared.messages import printable, show

_NO_LIMIT = 24 * 60 * 60.0
"""Seconds from which on a clock stands for no limit at all."""
_USUAL = 10.0
"""Seconds to think if there is no limit."""
_MARGIN, _MARGIN_PART = 0.5, 0.05
"""What is kept back of a clock: seconds, or a part if that is more."""
_HASTE = 0.5
"""Seconds after the clock in which a first move is still welcome: hosts wait for one more."""
_SILENCE, _LONGEST_CLOCK = 30.0, 3600.0
"""Seconds after a whole clock in which a host has to be heard of, and the longest such clock."""
_ENDING = 2.0
"""Seconds for a process to make the last moves and tell how the match has ended."""
_LONG = 10_000
"""Characters from which on a message is read in a thread, as others want to be answered, too."""
_log = logging.getLogger(__name__)


class Observer:
    """Is told how matches go."""

    wants_thoughts = False
    """Whether anybody sees what the agent thinks on the way."""

    def begins(self, start: Start) -> None:
        """A match begins."""

    def thinks(self, match: str, thought: Thought) -> None:
        """What the agent thinks of its move, so far."""

    def moves(self, match: str, number: int, move: str, thought: Thought | None) -> None:
        """The agent has answered."""

    def ends(self, match: str, scores: tuple[int, ...] | None) -> None:
        """A match is over, with scores if it was played to its end."""


class Player:
    """An agent that plays one match, or several at once."""

    def __init__(
        self,
        config: AgentConfig,
        *,
        name: str = "semisplit",
        matches: int = 1,
        margin: float | None = None,
        silence: float = _SILENCE,
        observer: Observer | None = None,
        memory: int = 4 << 30,
        seed: int | None = None,
    ):
        """Prepare to be asked.

        Args:
            config: The agent.
            name: What it tells hosts to be called.
            matches: How many it plays at once.
            margin: Seconds of each clock to keep back; by default half a second, or 5 % if that is
                more.
            silence: Seconds after a whole clock in which a host has to be heard of.
            observer: Who wants to know how it goes.
            memory: Bytes that each of its processes may take.
            seed: For the random numbers of agents.
        """
        if isinstance(config, MctsConfig) and config.settings.split is not None:
            raise InputError(f"{config.name} splits moves, which games in GDL do not allow")
        if not re.fullmatch(r"[^\s();]{1,200}", name):
            raise InputError(f"a player's name has neither spaces nor parentheses, unlike '{name}'")
        self._name = name
        self._most = matches
        self._margin = margin
        self._silence = silence
        self._observer = observer or Observer()
        shows = self._observer.wants_thoughts
        self._pool = Pool(config, Random(seed), shows=shows, memory=memory)
        self._matches: dict[str, _Match] = {}
        self._is_ready = False

    async def prepare(self) -> None:
        """Load what can be loaded before there is a match; until then it is busy."""
        await self._pool.warm_up()
        self._is_ready = True

    def close(self) -> None:
        """Break off all matches."""
        for match in [*self._matches.values()]:
            match.end()
        self._pool.close()

    async def answer(self, text: str) -> str:
        """The answer to a message, when it is due.

        Raises:
            BadMessage: If it means nothing.
        """
        arrived = asyncio.get_running_loop().time()
        if len(text) < _LONG:
            message = read_message(text)
        else:
            message = await asyncio.to_thread(read_message, text)
        return await self._answer(message, arrived)

    async def _answer(self, message: Message, arrived: float) -> str:
        match message:
            case Info():
                return write_info(self._name, self._status)
            case Ping():
                return self._status
            case Preview():
                return READY if self._status == AVAILABLE else BUSY
            case Start():
                return await self._start(message, arrived)
        found = self._matches.get(message.match)
        if found is None or found.is_over:
            _log.info("%s is not played here", show(message.match.encode()))
            return BUSY
        match message:
            case Play():
                return await found.play(message, arrived)
            case Stop():
                found.stop(message)
                return DONE
            case Abort():
                found.end()
                return ABORTED

    @property
    def _status(self) -> str:
        playing = sum(not match.is_over for match in self._matches.values())
        return AVAILABLE if self._is_ready and playing < self._most else BUSY

    async def _start(self, start: Start, arrived: float) -> str:
        if start.match in self._matches or self._status == BUSY:
            reason = "no room for" if self._is_ready else "not ready yet for"
            _log.info("%s match %s", reason, show(start.match.encode()))
            return BUSY
        over = [match for match in self._matches.values() if match.is_over]
        if len(over) >= self._most:
            for match in over:
                match.end()
        self._observer.begins(start)
        minds = self._pool.take()
        match = _Match(start, minds, self._observer, self._margin, self._silence, self._end)
        self._matches[start.match] = match
        accepted = await match.start(arrived)
        # While others get ready, too.
        self._pool.prepare()
        return READY if accepted else BUSY

    def _end(self, match: _Match) -> None:
        if self._matches.get(match.name) is match:
            del self._matches[match.name]
            self._observer.ends(match.name, match.scores)


class _Match:
    """A match of a player."""

    def __init__(
        self,
        start: Start,
        minds: Minds,
        observer: Observer,
        margin: float | None,
        silence: float,
        on_end: Callable[[_Match], None],
    ):
        self.name = start.match
        self.is_over = False
        """Whether it occupies the player no longer."""
        self.scores: tuple[int, ...] | None = None
        """What each role gets, when the game is over."""
        self._label = show(start.match.encode())
        self._start = start
        self._minds = minds
        self._observer = observer
        self._margin = margin
        self._silence = silence
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._question = 0
        """The number of the last question."""
        self._is_heard = asyncio.Event()
        """Whether something new was told."""
        self._answered = -1
        """The last question to which there is an answer."""
        self._best = Answer(-1, NOTHING)
        self._sent: str | None = None
        """The last answer to a host; None before the first."""
        self._refusal: str | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._thinks = minds.searching is not None
        """Whether answers become better with time."""
        minds.first.attend(self._hear, lambda: self._give_up("its process has died"))
        if minds.searching is not None:
            minds.searching.attend(self._hear, self._lose_thoughts)
        now = self._loop.time()
        minds.tell(Begin(start, self._question, self._due(start.start_clock, now) - now))

    # Questions

    async def start(self, arrived: float) -> bool:
        """Get ready; returns whether the match can be played. Who thinks uses all of the clock."""
        due = self._due(self._start.start_clock, arrived)
        while not self.is_over and (self._thinks or self._answered < 0) and await self._news(due):
            pass
        self._await_host()
        return not self.is_over

    async def play(self, told: Play, arrived: float) -> str:
        """The move to be made after what was told, when it is due."""
        self._cancel_ending()
        self._question += 1
        self._is_heard.set()
        question, self._refusal = self._question, None
        clock = self._start.play_clock
        due = self._due(clock, arrived)
        seconds = due - self._loop.time()
        self._minds.tell(Continue(told, question, seconds, self._sent))
        while not self._is_settled(question) and await self._news(due):
            pass
        while not self._is_answered(question) and await self._news(arrived + clock + _HASTE):
            pass
        if question == self._question and not self.is_over:
            self._account(question)
            self._await_host()
        self._sent = self._best.move
        return self._sent

    def _account(self, question: int) -> None:
        """Tell others about an answer."""
        if self._answered < question:
            reason = self._refusal or "no legal move was found in time"
            self._log(f"{reason}; the answer is {self._best.move}")
        best = self._best
        if self._answered == question and self._thinks and not (best.thought or best.is_final):
            self._log(f"{best.move} was made without thought, as the search was not ready")
        self._observer.moves(self.name, best.position + 1, best.move, best.thought)

    def _is_answered(self, question: int) -> bool:
        """Whether there is anything to answer, be it the truth that there is nothing."""
        overtaken = self.is_over or question < self._question
        return overtaken or self._refusal is not None or self._answered == question

    def _is_settled(self, question: int) -> bool:
        """Whether nothing can be gained by waiting for longer."""
        improves = self._thinks and self._answered == question and not self._best.is_final
        return self._is_answered(question) and (self.is_over or not improves)

    def _due(self, clock: float, arrived: float) -> float:
        """When to answer, by the clock of the event loop."""
        if clock >= _NO_LIMIT:
            return arrived + _USUAL
        margin = max(_MARGIN, _MARGIN_PART * clock) if self._margin is None else self._margin
        return arrived + max(clock - margin, clock / 2)

    async def _news(self, due: float) -> bool:
        """Wait for something new; returns whether it came in time."""
        self._is_heard.clear()
        try:
            async with asyncio.timeout_at(due):
                await self._is_heard.wait()
        except TimeoutError:
            return False
        return self._loop.time() < due

    # What the process tells

    def _hear(self, what: Tells) -> None:
        match what:
            case Answer():
                self._take(what)
            case Refusal(ends=True):
                self._give_up(f"it cannot be played: {what.reason}")
            case Refusal() if what.question == self._question:
                self._refusal = what.reason
            case Ending():
                self.scores = what.scores
            case Compiled():
                self._minds.tell(what)
            case Note():
                self._log(what.text)
        self._is_heard.set()
        if self.is_over and self.scores is not None:
            self.end()

    def _take(self, answer: Answer) -> None:
        if answer.question is not None:
            self._answered = max(self._answered, answer.question)
        # What comes first may be any move, and thoughts about an earlier position may come late.
        best = self._best
        is_better = not best.is_final and (answer.thought is not None or answer.is_final)
        if answer.position > best.position or (answer.position == best.position and is_better):
            self._best = answer
        if answer.thought is not None:
            self._observer.thinks(self.name, answer.thought)

    def _lose_thoughts(self) -> None:
        """The process that searches has died, of whatever reason."""
        self._thinks = False
        self._minds.first.tell(Compiled(None))
        self._is_heard.set()
        if not self.is_over:
            self._log("the process that thinks has died; any legal moves are made")

    # The end

    def stop(self, told: Stop) -> None:
        """The match is over; soon its process will be."""
        self.is_over = True
        self._is_heard.set()
        self._question += 1
        self._minds.tell(Continue(told, self._question, answered=self._sent))
        self._set_ending(_ENDING, "it was stopped before the end of the game")

    def end(self) -> None:
        """Break it off, or end what is left of it."""
        self._cancel_ending()
        self.is_over = True
        self._is_heard.set()
        self._minds.end()
        self._on_end(self)

    def _give_up(self, reason: str) -> None:
        self._log(f"given up, as {reason}")
        self.end()

    def _log(self, text: str) -> None:
        # It may have names of the rules in it, and so anything.
        _log.info("match %s: %s", self._label, printable(text.encode()))

    def _await_host(self) -> None:
        """Give the match up if nothing is heard of its host for long."""
        if not self.is_over:
            seconds = min(self._start.play_clock, _LONGEST_CLOCK) + self._silence
            self._set_ending(seconds, f"nothing was heard of its host for {seconds:g} s")

    def _set_ending(self, seconds: float, reason: str) -> None:
        self._cancel_ending()
        self._ending = self._loop.call_later(seconds, self._give_up, reason)

    def _cancel_ending(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
