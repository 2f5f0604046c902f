"""Compiling each part of a game once, also if it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from semisplit.core.errors import NotCompiled

if TYPE_CHECKING:
    from semisplit.compiler.runtime.abi import Part
    from semisplit.compiler.runtime.compiled import CompiledGame


class CompiledOnce:
    """The compiled parts of a game."""

    def __init__(self, compile_part: Callable[[Part], CompiledGame]):
        self._compile = compile_part
        self._known: dict[Part, CompiledGame | NotCompiled] = {}

    def __call__(self, part: Part) -> CompiledGame:
        """A part as machine code; `NotCompiled` if that is not possible."""
        if part not in self._known:
            try:
                self._known[part] = self._compile(part)
            except NotCompiled as error:
                # Trying again would take as long, and fail again.
                self._known[part] = _alone(error)
        found = self._known[part]
        if isinstance(found, NotCompiled):
            raise _alone(found)
        return found


def _alone(error: NotCompiled) -> NotCompiled:
    """An error that does not keep in memory what its functions worked on, a gigabyte perhaps."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
