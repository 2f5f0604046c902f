"""Compiling a game: from text to functions that can be called."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from semisplit.core.errors import CompileError
from semisplit.core.work import doing
from semisplit.rbg.description import Description, parse
from semisplit.rbg.native.interface.build import Emitted, emit
from semisplit.rbg.native.playout.numbered import Group
from semisplit.rbg.split import SplitStrategy, split_rules
from semisplit.runtime import cache
from semisplit.runtime.abi import Part
from semisplit.runtime.compiled import CompiledGame, Facts, Kind
from semisplit.runtime.target import object_code


def compile_game(
    text: str,
    name: str = "<string>",
    split: SplitStrategy | None = None,
    *,
    description: Description | None = None,
    part: Part = Part.GAME,
) -> CompiledGame:
    """Compile a description, or take it from the cache if it has been compiled before.

    Args:
        text: The description.
        name: What to call it in messages.
        split: The split strategy.
        description: The description if it has been read already.
        part: Which of its functions.
    """
    key = object_name(text, split, part)
    kept = cache.read(key)
    if kept is None:
        with _without_collection():
            program = emit_game(description or parse(text, name), split, part)
            stage = f"compiling {name} ({program.description.size}): LLVM's part of it"
            with llvm_errors(name), doing(stage):
                kept = object_code(str(program.module.ir)), facts(program, split, part)
        cache.write(key, *kept)
    with llvm_errors(name):
        return CompiledGame(*kept)


def object_name(text: str, split: SplitStrategy | None, part: Part = Part.GAME) -> str:
    """The name of a game's object code in the cache."""
    version = cache.sources("core", "runtime", "emit", "rbg")
    return cache.key(version, text, str(split) if split else None, part)


def emit_game(
    description: Description, split: SplitStrategy | None, part: Part = Part.GAME
) -> Emitted:
    """The game as LLVM IR, in `module.ir` of the result."""
    rules = description.rules
    with doing(f"compiling {description.source.name} ({description.size})"):
        if split is not None:
            rules = split_rules(rules, description.board, split)
        with _without_collection():
            return emit(description, rules, split, part=part)


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


def facts(program: Emitted, split: SplitStrategy | None, part: Part = Part.GAME) -> Facts:
    """What has to be known about a game that has been emitted."""
    return Facts(
        program.module.layout,
        program.squares.bits,
        len(program.description.players),
        program.frame_bytes,
        len(program.graph.dots),
        len(program.graph.modifiers),
        tuple(step.number for step in program.graph.switches),
        split is not None,
        split is not None and split.mod,
        part,
        tuple(map(_kind, program.groups)),
    )


def _kind(group: Group) -> Kind:
    numbers = tuple(step.number for step in group.steps)
    if group.relation is None:
        return numbers, None
    return numbers, tuple(row.bit_length() - 1 for row in group.relation.rows)
