"""Compiling a game: from a description to functions that can be called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.build import Code, build, without_collection
from semisplit.compiler.runtime.compiled import CompiledGame, Facts
from semisplit.compiler.runtime.target import Target
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.strategy import SplitStrategy
from semisplit.core.work import doing
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.native.interface.codec import MoveKind, RbgCodec
from semisplit.language.rbg.text.ast import Rule

if TYPE_CHECKING:
    from semisplit.language.rbg.native.interface.build import Emitted
    from semisplit.language.rbg.native.playout.numbered import Group


def compile_game(
    description: Description,
    strategy: SplitStrategy | None = None,
    divide: Callable[[], Rule] | None = None,
    bundle: Bundle = Bundle.GAME,
) -> CompiledGame:
    """Compile a game, or take it from the cache if it has been compiled before.

    Args:
        description: The game.
        strategy: The split strategy.
        divide: Gives the rules with the dots of the strategy; None if that are those of the text.
        bundle: Which functions.
    """

    def emit() -> Code:
        rules = divide() if divide else description.rules
        with without_collection():
            return code_of(emit_game(description, rules, strategy, bundle), strategy, bundle)

    key = object_name(description.source.text, strategy, bundle)
    return build(description.source.name, key, emit, RbgCodec.from_json)[0]


def object_name(text: str, strategy: SplitStrategy | None, bundle: Bundle = Bundle.GAME) -> str:
    """The name of a game's object code in the cache."""
    version = cache.sources("core", "compiler", "language/rbg")
    return cache.key(version, text, str(strategy) if strategy else None, bundle, Target.host())


def emit_game(
    description: Description,
    rules: Rule,
    strategy: SplitStrategy | None,
    bundle: Bundle = Bundle.GAME,
    levels: int = MAX_MOVE_LENGTH,
) -> Emitted:
    """The game as LLVM IR, in `module.ir` of the result."""
    from semisplit.language.rbg.native.interface.build import emit

    with (
        doing(f"compiling {description.source.name} ({description.size})"),
        without_collection(),
    ):
        return emit(description, rules, strategy, bundle=bundle, levels=levels)


def emit_threads(
    description: Description, rules: Rule, strategy: SplitStrategy | None, levels: int
) -> str:
    """Playouts as a GPU's threads make them, as LLVM's code."""
    return str(emit_game(description, rules, strategy, Bundle.THREADS, levels).module.ir)


def code_of(program: Emitted, strategy: SplitStrategy | None, bundle: Bundle = Bundle.GAME) -> Code:
    """What a game that has been emitted is compiled from."""
    from semisplit.language.rbg.native.playout.orthodox import memory_size

    graph, layout = program.graph, program.module.layout
    codec = RbgCodec(
        layout=layout,
        bits=program.squares.bits,
        dots=len(graph.dots),
        modifiers=len(graph.modifiers),
        kinds=tuple(map(_kind, program.groups)),
    )
    facts = Facts(
        bundle=bundle,
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
        # The mailbox says once more what the sets say.
        key_bytes=layout.mailbox,
        forgetful=tuple(program.forgetful),
    )
    return Code(str(program.module.ir), facts, codec, program.description.size)


def _kind(group: Group) -> MoveKind:
    numbers = tuple(step.number for step in group.steps)
    if group.relation is None:
        return numbers, None
    return numbers, tuple(row.bit_length() - 1 for row in group.relation.rows)
