"""What is compiled is compiled once, also if it fails."""

import weakref

import pytest

from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.once import CompiledOnce
from semisplit.core.errors import CompileLimit


class Code:
    """What has been emitted when an error is found."""


def test_a_failure_is_told_again_and_keeps_nothing_else() -> None:
    emitted: list[weakref.ref[Code]] = []

    def compile_bundle(bundle: Bundle) -> CompiledGame:
        code = Code()
        emitted.append(weakref.ref(code))
        try:
            raise RuntimeError(code)
        except RuntimeError as error:
            raise CompileLimit("too large") from error

    compiled = CompiledOnce(compile_bundle)
    for _ in range(2):
        with pytest.raises(CompileLimit, match="too large"):
            compiled(Bundle.GAME)
    assert [code() for code in emitted] == [None]
