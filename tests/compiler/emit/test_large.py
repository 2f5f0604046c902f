"""Large functions keep their variables in memory and their calls."""

import ctypes

import pytest

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.large import spare_large_functions
from semisplit.compiler.emit.module import Module
from semisplit.compiler.emit.values import constant, i64, pointer
from semisplit.compiler.runtime.target import Target, link


def summing(count: int) -> Module:
    """A function that adds a number so many times, by a call each time."""
    module = Module("test", 100_000, pdep=False, checked=False)
    add = module.function("add", i64, [i64, i64])
    code = Code.begin(module, add)
    code.b.ret(code.b.add(*add.args))
    module.set_inlining(add)
    function = module.function("sum", i64, [pointer, i64], public=True)
    code = Code.begin(module, function)
    total = code.local(i64)
    code.b.store(constant(0), total)
    for _ in range(count):
        code.b.store(code.b.call(add, [code.b.load(total, typ=i64), function.args[1]]), total)
    code.b.ret(code.b.load(total, typ=i64))
    return module


@pytest.mark.parametrize(("count", "is_large"), [(10, False), (4000, True)])
def test_large_functions_are_spared_and_do_the_same(count: int, is_large: bool) -> None:
    module = summing(count)
    spare_large_functions(module.ir)
    text = str(module.ir)
    assert ("sideeffect" in text) == is_large
    optimised = Target.host().optimised(text)
    assert (optimised.count("call i64 @add") == count) == is_large
    assert ("alloca" in optimised) == is_large
    library = link(Target.host().object_code(text), "test", ["sum"])
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(library["sum"])
    assert call(None, 3) == 3 * count
