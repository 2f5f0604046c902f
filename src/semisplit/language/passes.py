"""Passes: the named steps from the text of a game to machine code, each with what it guarantees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semisplit.compiler.runtime.build import Code


@dataclass(frozen=True)
class Pass:
    """A step on the way from text to machine code."""

    name: str
    text: Callable[[], str]
    """What there is after it, as text."""
    verify: Callable[[], None]
    """Raises an error if that is not what the next step relies on."""


def machine_passes(name: str, emit: Callable[[], Code]) -> list[Pass]:
    """The last ones, which LLVM makes for any language."""
    from semisplit.compiler.runtime.build import llvm_errors
    from semisplit.compiler.runtime.compiled import CompiledGame
    from semisplit.compiler.runtime.target import Target

    target, emit = Target.host(), cache(emit)

    @cache
    def ir() -> str:
        code = emit()
        with llvm_errors(name):
            return target.optimised(code.text) if code.optimise else code.text

    def assembly() -> str:
        code = emit()
        with llvm_errors(name):
            return target.assembly(code.text, optimise=code.optimise)

    def link() -> None:
        code = emit()
        object_code = target.object_code(code.text, optimise=code.optimise)
        # Linking fails if a function is missing that the interface of compiled games has.
        CompiledGame(object_code, code.facts, code.codec)

    return [
        Pass("emit", lambda: emit().text, lambda: target.verify(emit().text)),
        Pass("ir", ir, lambda: target.verify(ir())),
        Pass("asm", assembly, link),
    ]
