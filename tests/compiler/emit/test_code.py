"""Emitted control flow, tables and bits, run as machine code."""

import ctypes
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.module import Module
from semisplit.compiler.emit.random import Random as EmittedRandom
from semisplit.compiler.emit.values import Value, constant, i64, pointer
from semisplit.compiler.runtime.target import Target, link
from semisplit.core.errors import CompileLimit

Emit = Callable[[Code[Any], Value], Value]


def run(emit: Emit, *numbers: int, pdep: bool = False, structured: bool = False) -> list[int]:
    """What a function of one number, emitted by `emit`, returns for some numbers."""
    module = Module("test", 10_000, pdep=pdep, checked=False)
    function = module.function("f", i64, [pointer, i64], public=True)
    code = Code.begin(module, function, structured=structured)
    code.b.ret(emit(code, function.args[1]))
    tracker = link(Target.host().object_code(str(module.ir)), "test", ["f"])
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64)(tracker["f"])
    return [call(None, number) for number in numbers]


@pytest.mark.parametrize("structured", [False, True])
def test_loop_with_two_ways_out(structured: bool) -> None:
    def first_square_root(code: Code[Any], n: Value) -> Value:
        """The least x with x * x >= n, but -1 if it is 10 or more."""
        with code.loop(constant(0)) as loop:
            (x,) = loop.variables
            loop.leave_if(code.equal(x, 10), constant(-1))
            loop.leave_unless(code.less(code.b.mul(x, x), n), x)
            loop.again(code.b.add(x, constant(1)))
        return loop.results[0]

    assert run(first_square_root, 0, 1, 2, 81, 82, structured=structured) == [0, 1, 2, 9, -1]


def test_loop_that_is_gone_through_at_least_once() -> None:
    def digits(code: Code[Any], n: Value) -> Value:
        with code.repeat(n, constant(0)) as loop:
            left, count = loop.variables
            less, more = code.b.udiv(left, constant(10)), code.b.add(count, constant(1))
            loop.again_if(code.unequal(less, 0), less, more, results=[more])
        return loop.results[0]

    assert run(digits, 0, 9, 10, 12345) == [1, 1, 2, 5]


def test_each_bit_and_each_offset() -> None:
    def sum_of_bits_and_offsets(code: Code[Any], word: Value) -> Value:
        total = code.local(i64)
        code.b.store(constant(0), total)
        with code.each_bit(word) as bit:
            code.b.store(code.b.add(code.b.load(total, typ=i64), bit), total)
        with code.each(code.b.shl(word, constant(3)), 8) as offset:
            code.b.store(code.b.add(code.b.load(total, typ=i64), offset), total)
        return code.b.load(total, typ=i64)

    expected = [
        sum(i for i in range(64) if w >> i & 1) + sum(range(0, 8 * w, 8)) for w in (0, 1, 13)
    ]
    assert run(sum_of_bits_and_offsets, 0, 1, 13) == expected


def test_values_under_a_condition_jumps_and_switches() -> None:
    def emit(code: Code[Any], n: Value) -> Value:
        small, large, other = code.blocks("small", "large", "other")
        half = code.value_if(code.less(n, 100), lambda: code.b.udiv(n, constant(2)), otherwise=7)
        code.jump_unless(code.less(n, 100), large)
        code.switch(n, other, [(3, small)])
        for block, result in ((small, 1), (large, 2)):
            code.emit_in(block)
            code.b.ret(code.b.add(half, constant(1000 * result)))
        code.emit_in(other)
        return half

    assert run(emit, 3, 8, 100) == [1001, 4, 2007]


@pytest.mark.parametrize("pdep", [False, True])
def test_nth_bit(pdep: bool) -> None:
    if pdep and not Target.host().has("bmi2"):
        pytest.skip("this processor has no such instruction")
    word = Random(1).getrandbits(64)
    bits = [i for i in range(64) if word >> i & 1]
    found = run(lambda code, n: code.nth_bit(constant(word), n), *range(len(bits)), pdep=pdep)
    assert found == bits


def test_tables_are_shared_and_constants_need_none() -> None:
    module = Module("test", 10_000, pdep=False, checked=False)
    assert module.table(8, [1, 2]) is module.table(8, (1, 2))
    assert module.table(16, [1, 2]) is not module.table(8, [1, 2])
    assert run(lambda code, n: code.b.zext(code.look_up(8, [5, 6, 7], n), i64), 0, 2) == [5, 7]
    assert "table" not in emitted(lambda code, n: code.look_up(64, [5, 5], n))


def emitted(emit: Emit) -> str:
    module = Module("test", 10_000, pdep=False, checked=False)
    function = module.function("f", i64, [pointer, i64])
    code = Code.begin(module, function)
    code.b.ret(emit(code, function.args[1]))
    return str(module.ir)


def test_random_numbers_below_a_bound_are_even() -> None:
    draws = run(lambda code, n: EmittedRandom(code, n).below(constant(5)), *range(2000))
    assert set(draws) == set(range(5))
    assert all(300 < draws.count(number) < 500 for number in range(5))


def test_modules_have_a_largest_size() -> None:
    module = Module("small.rbg", 10, pdep=False, checked=False)
    module.check_size(10)
    with pytest.raises(CompileLimit, match=r"small\.rbg are too large"):
        module.check_size(1)


def test_copies_of_states_for_gpus() -> None:
    # Elsewhere LLVM is told that states and other memory never overlap.
    def copied_then_cleared(code: Code[Any], place: Value, number: Value) -> Value:
        there = code.on(place)
        code.store(number, code.state)
        there.store(constant(1), place)
        code.copy(place, code.state, 8)
        copied = there.load(i64, place)
        code.fill_zero(place, 8)
        return code.b.add(copied, there.load(i64, place))

    module = Module("test", 10_000, pdep=False, checked=False, gpu=True)
    function = module.function("f", i64, [pointer, pointer, i64], public=True)
    code = Code.begin(module, function)
    code.b.ret(copied_then_cleared(code, *function.args[1:]))
    tracker = link(Target.host().object_code(str(module.ir)), "test", ["f"])
    types = ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64
    state, place = ctypes.c_uint64(), ctypes.c_uint64()
    call = ctypes.CFUNCTYPE(*types)(tracker["f"])
    assert call(ctypes.addressof(state), ctypes.addressof(place), 7) == 7
