"""The host's steps, which are made while others wait."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence

from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.child import Program
from semisplit.core.errors import PlayLimit
from semisplit.core.system import limiting
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import State
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.net.ggp.stepping import Found, Stepper

_SECONDS, _BYTES = 300, 8 << 30
"""What compiling may take of the processor, and of memory."""
_log = logging.getLogger(__name__)


class HostStepper:
    """Goes from state to state, and has the game compiled if the interpreter is slow."""

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
            await self._compile_once()
            return await asyncio.to_thread(act)
        finally:
            if self._stepper.is_slow:
                self._compile_once()

    def _compile_once(self) -> asyncio.Task[None]:
        if self._compiling is None:
            self._compiling = asyncio.create_task(self._compile())
        return self._compiling

    async def _compile(self) -> None:
        """Use the compiled game, as soon as a process has made it."""
        if await asyncio.to_thread(self._stepper.use_compiled):
            return
        _log.info("evaluating the rules takes long; they are compiled meanwhile")
        code = f"{limiting(_SECONDS, _BYTES)}from {__name__} import main\nmain()"
        with Program(code, self._source.name) as program:
            await asyncio.to_thread(lambda: [*program.run(self._source.text)])
        if await asyncio.to_thread(self._stepper.use_compiled):
            _log.info("the compiled game is used from now on")


def main() -> None:
    """Compile rules into the cache: NAME < RULES."""
    GdlRules(parse(sys.stdin.buffer.read().decode(), sys.argv[1])).compile(Bundle.GAME)
