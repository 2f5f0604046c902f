"""What thinks in a match: processes of its own, which may be killed at any moment.

Rules come from strangers. What they do to the memory, the processor or the compiler is felt here
and nowhere else, and when the match is over nothing is left of it.

There are two for each match. The first one has the interpreter and little to do, so it has a legal
move at hand within milliseconds, however busy the machine is. The other one compiles the game, also
for the first one, and searches on and on, whoever is to move, and tells what is best so far.
"""

from __future__ import annotations

import gc
import logging
import math
import os
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import NoReturn, TypeAlias

from semisplit.agents import Agent, AgentConfig, Look, Thought, make_agent
from semisplit.agents.config import AutoConfig
from semisplit.agents.imperfect.belief import Seen
from semisplit.agents.imperfect.sampling import SamplingAgent
from semisplit.agents.names import write_agent
from semisplit.agents.warm import warm_up
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.child import Parent
from semisplit.core.errors import (
    InputError,
    NotCompiled,
    PlayLimit,
    RuleError,
    SemisplitError,
    UnknownName,
)
from semisplit.core.work import LimitReached, Limits, limited, set_limits
from semisplit.game import Game, Move
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.names import as_asked
from semisplit.language.gdl.play.interpret import Steps
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term
from semisplit.net.ggp.hidden import HiddenCourse
from semisplit.net.ggp.messages import NOTHING, Play, Start, Stop, spaced
from semisplit.net.ggp.stepping import Course, Stepper, Way
from semisplit.search import Budget

_FOR_EVER = Budget(seconds=1e9)
_SHORTEST = 0.1
"""Seconds in which an agent can choose how to search, if it does."""
_INTERVAL = 0.1
"""Seconds between two answers, each better than the one before; at first it is less."""
_EARLIER = 0.05
"""Seconds before an answer is due in which the last one has to come through."""
_SHOWN = 5
"""Moves whose scores are told if somebody looks on."""


# What it is told


@dataclass(frozen=True)
class Begin:
    """A match begins."""

    start: Start
    question: int
    seconds: float
    """In which it has to be ready."""


@dataclass(frozen=True)
class Continue:
    """What a host has told; that may be that it only asks again."""

    told: Play | Stop
    question: int
    seconds: float = 0.0
    """In which a move is wanted, if one is."""
    answered: str | None = None
    """What was answered to the last question; None if there was none."""


@dataclass(frozen=True)
class Compiled:
    """The process that searches has compiled the game, or will not; it tells so itself."""

    name: str | None
    """Under which it is in the cache."""


@dataclass(frozen=True)
class Over:
    """The match is over, or was broken off; soon the process will be ended."""


# What it tells


@dataclass(frozen=True)
class Answer:
    """A legal move."""

    position: int
    """How many moves were made before."""
    move: str
    """In the spelling of the rules."""
    question: int | None = None
    """The latest question that it answers; None if none has come through yet."""
    is_final: bool = False
    """Whether there will be no better one."""
    thought: Thought | None = None
    """What it is based on."""


@dataclass(frozen=True)
class Refusal:
    """What was told cannot be."""

    question: int
    reason: str
    ends: bool
    """Whether the match cannot be played at all."""


@dataclass(frozen=True)
class Ending:
    """The game is over by the rules."""

    scores: tuple[int, ...]


@dataclass(frozen=True)
class Warm:
    """All is loaded that does not depend on rules."""


@dataclass(frozen=True)
class Note:
    """Something for the log."""

    text: str


Told: TypeAlias = Begin | Continue | Compiled | Over
Tells: TypeAlias = Answer | Refusal | Ending | Compiled | Warm | Note


@dataclass(frozen=True)
class Make:
    """What a mind is like."""

    config: AgentConfig | None
    """How to search; None has any legal move at hand."""
    shows: bool
    """Whether somebody looks on."""
    memory: int
    """The most bytes that it may take."""
    hopes: bool = False
    """Whether another process compiles the game."""


def think(parent: Parent[Told, Tells], make: Make, seed: int) -> None:
    """Play one match.

    Args:
        parent: Sends how the match goes, and gets what is thought of it.
        make: What it is like.
        seed: For its random numbers.
    """
    mind = _Mind(parent, make, seed)

    def give_up(reached: LimitReached) -> NoReturn:
        mind.tell(Note(str(reached)))
        os._exit(1)

    consequence = "its process ends"
    set_limits(Limits(math.inf, make.memory, lambda words: None, give_up, lambda _: consequence))
    try:
        with limited():
            mind.live()
    except LimitReached as reached:
        give_up(reached)


class _Mind:
    """Keeps track of the match."""

    def __init__(self, parent: Parent[Told, Tells], make: Make, seed: int):
        self._parent = parent
        self._random = Random(seed)
        self._searcher = _Searcher(self, make.config, make.shows, seed) if make.config else None
        self._hopes = make.hopes
        self._open: Begin | Continue | None = None
        """A question that waits for the compiled game."""
        self._way = Way.INTERPRETED
        # What would be printed belongs into the log of the process that can be seen.
        warnings.showwarning = lambda message, *_, **__: self.tell(Note(str(message)))
        logging.getLogger().addHandler(_Forwarding(self))

    def tell(self, what: Tells) -> None:
        """Send a message, from any thread."""
        self._parent.send(what)

    def live(self) -> NoReturn:
        """Follow the match until the process is ended."""
        if self._searcher is None:
            self.tell(Warm())
        else:
            self._searcher.start()
        while True:
            told = self._parent.receive()
            if isinstance(told, Over):
                if self._searcher is not None:
                    self._searcher.end()
                continue
            if isinstance(told, Compiled):
                self._use_compiled(told.name)
            elif isinstance(told, Begin):
                self._try(told, partial(self._begin, told.start))
            else:
                self._hear(told)
                if self._open is None:
                    self._try(told, self._go_on)
                else:
                    self._open = told

    def _hear(self, told: Continue) -> None:
        if isinstance(self._course, HiddenCourse):
            self._course.tell(told.told.parts, told.answered)
        else:
            self._course.tell(told.told.moves)

    def _try(self, told: Begin | Continue, keep_up: Callable[[], None]) -> None:
        """Keep up with the match, and answer."""
        ends = isinstance(told, Begin)
        try:
            keep_up()
            if self._searcher is not None:
                self._searcher.ask(told, self._course.made)
                return
            answer: Answer | Refusal = self._any_move(told.question)
        except (PlayLimit, RecursionError) as error:
            if self._hopes:
                self._open = told
                if self._searcher is None:
                    self.tell(Note(f"{_in_one_line(error)}; the compiled game is waited for"))
                return
            answer = Refusal(told.question, _in_one_line(error), ends)
        except (SemisplitError, MemoryError) as error:
            answer = Refusal(told.question, _in_one_line(error), ends)
        if self._searcher is None:
            self.tell(answer)

    def _use_compiled(self, name: str | None) -> None:
        """Step by the compiled game from now on, and answer what was open."""
        self._hopes = False
        if name is not None and self._searcher is None:
            self._course.use_compiled()
            # Next time it will have other names.
            cache.forget(name)
        if self._open is not None:
            self._try(self._open, self._go_on)
            self._open = None

    def _begin(self, start: Start) -> None:
        rules = GdlRules(parse(as_asked(start.rules), "the rules"))
        roles = [role.name for role in rules.description.roles]
        name = rules.description.names.name(start.role)
        if name not in roles:
            raise UnknownName("role", start.role, roles)
        self._rules = rules
        role = roles.index(name)
        self._course: Course | HiddenCourse
        try:
            if rules.hides:
                believes = self._searcher is None
                seed = self._random.getrandbits(32)
                self._course = HiddenCourse(rules, role, seed, believes=believes)
            else:
                self._course = Course(rules, role)
        except PlayLimit as error:
            raise InputError(f"the initial state cannot be found: {error}") from error
        if self._searcher is not None:
            stepper = None if isinstance(self._course, HiddenCourse) else self._course.stepper
            self._searcher.begin(rules, role + 1, start, stepper)

    def _go_on(self) -> None:
        """Make the moves of all roles that were told."""
        for choices in self._course.catch_up():
            if self._searcher is not None:
                self._searcher.go_on(choices())

    def _any_move(self, question: int) -> Answer:
        legal, way = self._course.moves()
        if (Way.PARTIAL in {way, self._way} and way != self._way) or self._open is not None:
            self.tell(Note(way))
        self._way = way
        if not legal:
            self.tell(Ending(self._course.scores()))
        move = self.write(self._random.choice(legal)) if legal else NOTHING
        is_only = len(legal) < 2 and way != Way.PARTIAL
        return Answer(self._course.made, move, question, is_final=is_only)

    def write(self, move: Term) -> str:
        """A move in the spelling of the rules."""
        return spaced(write_term(move, self._rules.description.spelling))


class _Searcher(threading.Thread):
    """The thread that searches."""

    def __init__(self, mind: _Mind, config: AgentConfig, shows: bool, seed: int):
        super().__init__(daemon=True)
        self._mind = mind
        self._config = config
        self._seed = seed
        self._shown = _SHOWN if shows else 0
        self._changed = threading.Condition()
        self._game: Game | None = None
        self._player = 0
        self._budget = Budget(seconds=1)
        self._moves: list[Steps | Seen] = []
        """All moves of the match, of those who had a choice, or what was seen of them."""
        self._due = 0.0
        """When the latest question has to be answered, by `time.monotonic`."""
        self._asked = -1, -1
        """The latest question, and after how many moves it was asked."""
        self._is_over = False

    def begin(self, rules: GdlRules, player: int, start: Start, stepper: Stepper | None) -> None:
        """Begin to search, for a player given by number; a stepper gets the compiled game."""
        with self._changed:
            self._stepper = stepper
            self._player = player
            self._budget = Budget(seconds=start.play_clock)
            self._config = self._config.prepared_within(max(_SHORTEST, start.start_clock / 4))
            self._game = Game(rules)
            self._changed.notify()

    def go_on(self, made: Steps | Seen) -> None:
        """Search after a move of all who had a choice."""
        with self._changed:
            self._moves.append(made)
            self._changed.notify()

    def ask(self, told: Begin | Continue, made: int) -> None:
        """A move is wanted after so many."""
        with self._changed:
            self._due = time.monotonic() + told.seconds
            self._asked = told.question, made
            self._changed.notify()

    def end(self) -> None:
        """Let go of the agent, so that others who search for it hear that it is over."""
        with self._changed:
            self._is_over = True
            self._changed.notify()

    def run(self) -> None:
        """Search until the match or the process ends."""
        try:
            self._search()
        except Exception as error:
            self._tell_failure(error, "the agent plays at random from now on")

    def _search(self) -> None:
        self._warm_up()
        with self._changed:
            self._changed.wait_for(lambda: self._game is not None)
            assert self._game is not None
        game = self._game
        self._compile(game)
        agent = make_agent(self._chosen(game), game, self._seed, self._player, budget=self._budget)
        made = 0
        while not self._is_over:
            while made < len(self._moves):
                move = self._moves[made]
                if isinstance(move, Seen):
                    assert isinstance(agent, SamplingAgent)
                    agent.see(*move)
                else:
                    agent.play(Move(move, game.write_move))
                made += 1
            asked, _ = self._asked
            if not agent.state.is_terminal:
                self._think(agent, made, asked)
            with self._changed:
                self._changed.wait_for(partial(self._has_news, made, asked))
        del agent
        gc.collect()

    def _compile(self, game: Game) -> None:
        """Compile the game, also for the process that answers."""
        name = None
        try:
            compiled = game.rules.compile(Bundle.GAME)
            if self._stepper is not None:
                self._stepper.compiled = compiled
            name = game.rules.object_name(Bundle.GAME)
        except NotCompiled:
            # The agent says so.
            pass
        finally:
            self._mind.tell(Compiled(name))

    def _chosen(self, game: Game) -> AgentConfig:
        """How to search, which may depend on the game; nothing of that is kept."""
        if not isinstance(self._config, AutoConfig):
            return self._config
        # Few agents choose, and NumPy takes a while to load.
        from semisplit.agents.auto.choice import resolve

        chosen = resolve(self._config, game, self._budget, keeps=False)
        self._mind.tell(Note(f"{self._config.name} searches as {write_agent(chosen)}"))
        return chosen

    def _has_news(self, made: int, asked: int) -> bool:
        """Whether there is anything else to do than to think about the same position."""
        # Who is alone goes on with it all the time, and need not know when it is asked about it.
        is_asked = self._thinks_by_the_clock and asked != self._asked[0]
        return made < len(self._moves) or is_asked or self._is_over

    @property
    def _thinks_by_the_clock(self) -> bool:
        """Whether the search has to know when it is over.

        Machines that search with it report by the clock, and several positions are searched one
        after the other.
        """
        assert self._game is not None
        return self._config.on_cluster or self._game.rules.hides

    def _warm_up(self) -> None:
        """Load what any search needs, before there are rules."""
        warm_up(self._config)
        self._mind.tell(Warm())

    def _think(self, agent: Agent, made: int, asked: int) -> None:
        """Tell what the agent thinks of a position, until there is another one."""
        begin = following = time.perf_counter()
        has_news = False

        def watch(look: Look) -> None:
            nonlocal following, has_news
            if has_news := self._has_news(made, asked):
                agent.stop()
                return
            now = time.perf_counter()
            if now >= following:
                self._tell(look(self._shown), made)
                following = now + min(_INTERVAL, now - begin)

        try:
            left = self._due - _EARLIER - time.monotonic()
            if self._thinks_by_the_clock and left > 0:
                thought = agent.think(Budget(seconds=left), watch=watch)
                if has_news:
                    return
                self._tell(thought, made)
            if isinstance(agent, SamplingAgent):
                return
            thought = agent.think(_FOR_EVER, watch=watch)
            if not has_news:
                self._tell(thought, made, is_final=True)
        except Exception as error:
            self._tell_failure(error, "the agent plays any legal move")

    def _tell(self, thought: Thought, made: int, *, is_final: bool = False) -> None:
        """Tell the agent's own part of a move, if it has one, with texts that take no time."""
        assert self._game is not None
        game, result = self._game, thought.result

        def plain(move: Move) -> Move:
            return Move(move.steps, game.write_move(move.steps))

        for step in game.rules.part(thought.move.steps, self._player):
            own = plain(Move((step,), ""))
            if result is not None:
                choices = {choice.player: choice.score for choice in result.choices}
                known = tuple(replace(one, move=plain(one.move)) for one in result.moves)
                result = replace(result, move=own, moves=known)
                thought = replace(thought, score=choices.get(self._player, thought.score))
            thought = replace(thought, move=own, result=result if self._shown else None)
            move = self._mind.write(step.move)
            question, after = self._asked
            answered = question if made == after else None
            self._mind.tell(Answer(made, move, answered, is_final, thought))

    def _tell_failure(self, error: Exception, consequence: str) -> None:
        reason = f"{type(error).__name__}: {_in_one_line(error)}"
        self._mind.tell(Note(f"thinking failed ({reason}); {consequence}"))


def _in_one_line(error: Exception) -> str:
    if isinstance(error, RuleError):
        first = error.diagnostics[0]
        return f"{first.span}: {first.message}"
    return f"{error or type(error).__name__}".partition("\n")[0]


class _Forwarding(logging.Handler):
    """Sends what is logged to the process that can be seen."""

    def __init__(self, mind: _Mind):
        super().__init__()
        self._mind = mind

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line."""
        self._mind.tell(Note(record.getMessage()))
