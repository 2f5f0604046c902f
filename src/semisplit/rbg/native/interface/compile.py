"""Compiling a game: from a description to functions that can be called.

A game that has been compiled before is taken from the cache; then the compiler is not even loaded.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from semisplit.core.errors import CompileError
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.strategy import SplitStrategy
from semisplit.core.work import doing
from semisplit.rbg.ast import Rule
from semisplit.rbg.description import Description
from semisplit.rbg.native.interface.codec import MoveKind, RbgCodec
from semisplit.runtime import cache
from semisplit.runtime.abi import Part
from semisplit.runtime.compiled import CompiledGame, Facts
from semisplit.runtime.target import Target

if TYPE_CHECKING:
    from semisplit.rbg.native.interface.build import Emitted
    from semisplit.rbg.native.playout.numbered import Group


def compile_game(
    description: Description,
    strategy: SplitStrategy | None = None,
    divide: Callable[[], Rule] | None = None,
    part: Part = Part.GAME,
) -> CompiledGame:
    """Compile a game, or take it from the cache if it has been compiled before.

    Args:
        description: The game.
        strategy: The split strategy.
        divide: Gives the rules with the dots of the strategy; None if that are those of the text.
        part: Which functions.
    """
    source, target = description.source, Target.host()
    key = object_name(source.text, strategy, part)
    kept = cache.read(key)
    if kept is None:
        rules = divide() if divide else description.rules
        with _without_collection():
            program = emit_game(description, rules, strategy, part)
            stage = f"compiling {source.name} ({description.size}): LLVM's part of it"
            with llvm_errors(source.name), doing(stage):
                facts, codec = describe(program, strategy, part)
                about = {"facts": facts.to_json(), "codec": codec.to_json()}
                kept = target.object_code(str(program.module.ir)), about
        cache.write(key, *kept)
    object_code, about = kept
    with llvm_errors(source.name):
        facts, codec = Facts.from_json(about["facts"]), RbgCodec.from_json(about["codec"])
        return CompiledGame(object_code, facts, codec)


def object_name(text: str, strategy: SplitStrategy | None, part: Part = Part.GAME) -> str:
    """The name of a game's object code in the cache."""
    version = cache.sources("core", "runtime", "emit", "rbg")
    return cache.key(version, text, str(strategy) if strategy else None, part, Target.host())


def emit_game(
    description: Description,
    rules: Rule,
    strategy: SplitStrategy | None,
    part: Part = Part.GAME,
    levels: int = MAX_MOVE_LENGTH,
) -> Emitted:
    """The game as LLVM IR, in `module.ir` of the result."""
    from semisplit.rbg.native.interface.build import emit

    with (
        doing(f"compiling {description.source.name} ({description.size})"),
        _without_collection(),
    ):
        return emit(description, rules, strategy, part=part, levels=levels)


def emit_threads(
    description: Description, rules: Rule, strategy: SplitStrategy | None, levels: int
) -> str:
    """Playouts as a GPU's threads make them, as LLVM's code."""
    return str(emit_game(description, rules, strategy, Part.THREADS, levels).module.ir)


@contextmanager
def llvm_errors(name: str) -> Iterator[None]:
    """Where LLVM works on a game: what it does not like is our fault, and to be reported."""
    try:
        yield
    except RuntimeError as error:
        raise CompileError(name, str(error)) from error


@contextmanager
def _without_collection() -> Iterator[None]:
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


def describe(
    program: Emitted, strategy: SplitStrategy | None, part: Part = Part.GAME
) -> tuple[Facts, RbgCodec]:
    """What has to be known about a game that has been emitted."""
    from semisplit.rbg.native.playout.orthodox import memory_size

    graph, layout = program.graph, program.module.layout
    codec = RbgCodec(
        layout=layout,
        bits=program.squares.bits,
        dots=len(graph.dots),
        modifiers=len(graph.modifiers),
        kinds=tuple(map(_kind, program.groups)),
    )
    facts = Facts(
        part=part,
        split=strategy is not None,
        mod=strategy is not None and strategy.mod,
        players=len(program.description.players),
        state_bytes=layout.bytes,
        codes=(codec.dots + codec.modifiers + 1) * layout.size,
        silent=codec.dots * layout.size,
        numbers=len(codec.kinds) * layout.size,
        nodal=tuple(step.number for step in graph.switches),
        frame_bytes=program.frame_bytes,
        group_bytes=memory_size(8 * layout.words),
    )
    return facts, codec


def _kind(group: Group) -> MoveKind:
    numbers = tuple(step.number for step in group.steps)
    if group.relation is None:
        return numbers, None
    return numbers, tuple(row.bit_length() - 1 for row in group.relation.rows)
