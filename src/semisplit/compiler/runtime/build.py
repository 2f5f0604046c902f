"""Building games: from what a language emits to functions that can be called.

A game that has been compiled before is taken from the cache; then its compiler is not even loaded.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.codec import Codec
from semisplit.compiler.runtime.compiled import CompiledGame, Facts
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import CompileError
from semisplit.core.work import doing


@dataclass(frozen=True)
class Code:
    """A game as LLVM's code, and what has to be known about it."""

    text: str
    facts: Facts
    codec: Codec
    size: str
    """How large the game is, in words."""
    optimise: bool = True
    """Whether LLVM's optimisations are worth their time."""
    more: dict[str, Any] = field(default_factory=dict)
    """What else the language keeps with it, as plain data."""


def build(
    name: str, key: str, emit: Callable[[], Code], read_codec: Callable[[dict[str, Any]], Codec]
) -> tuple[CompiledGame, dict[str, Any]]:
    """A compiled game, and what its language has kept with it.

    Args:
        name: What the game is called in messages.
        key: Its name in the cache.
        emit: Emits it, if it is not in the cache.
        read_codec: Its codec, from plain data.
    """
    found = load(name, key, read_codec)
    if found is None:
        code = emit()
        stage = f"compiling {name} ({code.size}): LLVM's part of it"
        with llvm_errors(name), doing(stage), without_collection():
            object_code = Target.host().object_code(code.text, optimise=code.optimise)
        about = {"facts": code.facts.to_json(), "codec": code.codec.to_json(), **code.more}
        cache.write(key, object_code, about)
        found = _link(name, object_code, about, read_codec)
    return found


def load(
    name: str, key: str, read_codec: Callable[[dict[str, Any]], Codec]
) -> tuple[CompiledGame, dict[str, Any]] | None:
    """A game that has been compiled before, and what was kept with it; None if it is not there."""
    kept = cache.read(key)
    return kept and _link(name, *kept, read_codec)


def _link(
    name: str,
    object_code: bytes,
    about: dict[str, Any],
    read_codec: Callable[[dict[str, Any]], Codec],
) -> tuple[CompiledGame, dict[str, Any]]:
    facts, codec = Facts.from_json(about["facts"]), read_codec(about["codec"])
    with llvm_errors(name):
        return CompiledGame(object_code, facts, codec), about


@contextmanager
def llvm_errors(name: str) -> Iterator[None]:
    """Where LLVM works on a game: what it does not like is our fault, and to be reported."""
    try:
        yield
    except RuntimeError as error:
        raise CompileError(name, str(error)) from error


@contextmanager
def without_collection() -> Iterator[None]:
    """Keep Python from collecting garbage.

    Of the hundreds of thousands of objects that stand for instructions all are still needed, and
    looking through them again and again would take half of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
