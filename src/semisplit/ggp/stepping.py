"""Stepping through a match: by the interpreter while it is quick, else by the compiled game.

The compiled game is made elsewhere, since that takes long, and is taken from the cache.

    python -m semisplit.ggp.stepping NAME < RULES

compiles a game for somebody else.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from semisplit.core.errors import PlayLimit
from semisplit.core.work import LimitReached, Limits, limited, set_limits
from semisplit.gdl.ast import Term
from semisplit.gdl.description import parse
from semisplit.gdl.interpret import Interpreter, Position, State, Step
from semisplit.gdl.language import GdlRules
from semisplit.gdl.limits import MAX_WORK

if TYPE_CHECKING:
    from semisplit.gdl.native.codec import GdlCodec
    from semisplit.runtime.compiled import CompiledGame

_QUICK = 0.1
"""Seconds for which the interpreter may work on a step before the compiled game is used."""
_ENOUGH = 30
"""Moves to choose from if not all can be found."""
_FEW_SECONDS = 2.0
"""In which they are looked for."""
_SECONDS, _BYTES = 300, 4 << 30
"""What compiling may take of the processor, and of memory."""
_log = logging.getLogger(__name__)
Found = TypeVar("Found")


class Way(StrEnum):
    """How legal moves were found."""

    INTERPRETED = "the interpreter finds all legal moves"
    COMPILED = "the compiled game finds all legal moves"
    PARTIAL = "to find all legal moves takes too long; the move is one of the first that were found"


class Moves(NamedTuple):
    """Legal moves of a role."""

    found: Sequence[Term]
    way: Way


class Stepper:
    """Goes from state to state."""

    def __init__(self, rules: GdlRules, max_work: int = MAX_WORK):
        """Know the rules, of which the interpreter may look at so many rows in a position."""
        self._rules = rules
        self._interpreter = Interpreter(rules.description, max_work)
        self._compiled: CompiledGame | None = None
        self._scored: tuple[State, tuple[int, ...]] | None = None
        self.is_slow = False
        """Whether the compiled game would be better."""

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled game is used."""
        return self._compiled is not None

    def compiled(self) -> bool:
        """Use the compiled game if it is in the cache; whether it is used now."""
        from semisplit.gdl.native.compile import kept_game

        if self._compiled is None:
            self._compiled = kept_game(self._rules.description)
        return self.is_compiled

    def legal(self, state: State) -> list[list[Term]]:
        """What each role may do; nothing at all if the game is over.

        Raises:
            PlayLimit: If the interpreter takes too long, and there is no compiled game.
        """
        if self._compiled is not None:
            roles = range(1, len(self._rules.players) + 1)
            legal = [_legal(self._compiled, state, role) for role in roles]
            return legal if all(legal) else []
        return self._timed(lambda: self._interpret(state))

    def moves(self, state: State, role: int) -> Moves:
        """What a role, given by its place among all, may do; if need be, only some of it."""
        way = Way.COMPILED if self.is_compiled else Way.INTERPRETED
        try:
            legal = self.legal(state)
            return Moves(legal[role] if legal else (), way)
        except PlayLimit:
            some = self._find_some(state, role)
            if not some:
                raise
            return Moves(some, Way.PARTIAL)

    def next_state(self, state: State, joint: Sequence[Term]) -> State:
        """The state after all roles have moved.

        Raises:
            PlayLimit: If the interpreter takes too long, and there is no compiled game.
        """
        if self._compiled is None:
            return self._timed(lambda: self._interpreter.next_state(state, tuple(joint)))
        codec = _codec(self._compiled)
        steps = self.choices(state, joint)
        codes = codec.codes(steps)
        assert codes is not None
        after = self._compiled.play(codec.pack(Position(state, (), steps[0].role)), codes)
        assert after is not None
        position = codec.unpack(after)
        self._scored = position.fluents, self._compiled.scores(after)
        return position.fluents

    def choices(self, state: State, joint: Sequence[Term]) -> tuple[Step, ...]:
        """The steps of those who have a choice; if nobody has, that of the first role."""
        steps = [Step(role, move) for role, move in enumerate(joint, 1)]
        chosen = (step for step, may in zip(steps, self.legal(state)) if len(may) > 1)
        return tuple(chosen) or (steps[0],)

    def scores(self, state: State) -> tuple[int, ...]:
        """What each role gets if the game is over."""
        if self._scored is not None and self._scored[0] == state:
            return self._scored[1]
        return self._rules.scores(Position(state, (), 0))

    def _interpret(self, state: State) -> list[list[Term]]:
        legal = self._interpreter.legal(state)
        return legal if all(legal) and not self._interpreter.is_terminal(state) else []

    def _timed(self, act: Callable[[], Found]) -> Found:
        begin = time.perf_counter()
        try:
            return act()
        finally:
            self.is_slow = self.is_slow or time.perf_counter() - begin > _QUICK

    def _find_some(self, state: State, role: int) -> list[Term]:
        """Some legal moves of a role."""
        found: set[Term] = set()
        end = time.perf_counter() + _FEW_SECONDS
        try:
            moves = self._interpreter.find_moves(state, self._rules.description.roles[role])
            for move in islice(moves, 100 * _ENOUGH):
                found.add(move)
                if len(found) == _ENOUGH or time.perf_counter() > end:
                    break
        except PlayLimit:
            pass
        return sorted(found)


def _legal(compiled: CompiledGame, state: State, role: int) -> list[Term]:
    """What a role may do, sorted."""
    codec = _codec(compiled)
    # Who is to move has a step in each listed move; where roles take turns, at most one other has.
    listed = compiled.semimoves if compiled.facts.simultaneous else compiled.moves
    moves = map(codec.steps, listed(codec.pack(Position(state, (), role))))
    return sorted({step.move for steps in moves for step in steps if step.role == role})


def _codec(compiled: CompiledGame) -> GdlCodec:
    from semisplit.gdl.native.codec import GdlCodec

    assert isinstance(compiled.codec, GdlCodec)
    return compiled.codec


class HostStepper:
    """Does the same while others wait, and has the game compiled if that is better."""

    def __init__(self, rules: GdlRules):
        self._source = rules.source
        self._stepper = Stepper(rules)
        self._compiling: asyncio.Task[None] | None = None

    async def legal(self, state: State) -> list[list[Term]]:
        """What each role may do; nothing at all if the game is over."""
        return await self._do(lambda: self._stepper.legal(state))

    async def next_state(self, state: State, joint: Sequence[Term]) -> State:
        """The state after all roles have moved."""
        return await self._do(lambda: self._stepper.next_state(state, joint))

    async def scores(self, state: State) -> tuple[int, ...]:
        """What each role gets if the game is over."""
        return await self._do(lambda: self._stepper.scores(state))

    def close(self) -> None:
        """Compile no longer."""
        if self._compiling is not None:
            self._compiling.cancel()

    async def _do(self, act: Callable[[], Found]) -> Found:
        try:
            return await asyncio.to_thread(act)
        except PlayLimit:
            await self._compiled()
            return await asyncio.to_thread(act)
        finally:
            if self._stepper.is_slow:
                self._compiled()

    def _compiled(self) -> asyncio.Task[None]:
        if self._compiling is None:
            self._compiling = asyncio.create_task(self._compile())
        return self._compiling

    async def _compile(self) -> None:
        """Use the compiled game, as soon as a process has made it."""
        if await asyncio.to_thread(self._stepper.compiled):
            return
        _log.info("evaluating the rules takes long; they are compiled meanwhile")
        command = (sys.executable, "-m", __name__, self._source.name)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
        )
        try:
            await process.communicate(self._source.text.encode())
        finally:
            if process.returncode is None:
                process.kill()
        if await asyncio.to_thread(self._stepper.compiled):
            _log.info("the compiled game is used from now on")


def main() -> None:
    """Compile the rules that are read, into the cache."""
    from semisplit.gdl.native.compile import keep_game

    def give_up(reached: LimitReached) -> NoReturn:
        os._exit(1)

    set_limits(Limits(_SECONDS, _BYTES, lambda words: None, give_up, lambda limit: ""))
    with limited():
        keep_game(parse(sys.stdin.read(), sys.argv[1]))


if __name__ == "__main__":
    main()
