"""Compiling each part of a game once, also if it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from semisplit.core.errors import NotCompiled

if TYPE_CHECKING:
    from semisplit.compiler.runtime.abi import Bundle
    from semisplit.compiler.runtime.compiled import CompiledGame


class CompiledOnce:
    """The compiled parts of a game."""

    def __init__(self, compile_bundle: Callable[[Bundle], CompiledGame]):
        self._compile = compile_bundle
        self._known: dict[Bundle, CompiledGame | NotCompiled] = {}

    def __call__(self, bundle: Bundle) -> CompiledGame:
        """A part as machine code; `NotCompiled` if that is not possible."""
        if bundle not in self._known:
            try:
                self._known[bundle] = self._compile(bundle)
            except NotCompiled as error:
                # Trying again would take as long, and fail again.
                self._known[bundle] = _alone(error)
        found = self._known[bundle]
        if isinstance(found, NotCompiled):
            raise _alone(found)
        return found


def _alone(error: NotCompiled) -> NotCompiled:
    """An error that does not keep in memory what its functions worked on, a gigabyte perhaps."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)
