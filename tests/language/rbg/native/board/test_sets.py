"""Emitted operations on sets of squares, run and compared with Python's integers."""

import ctypes
from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.compiler.runtime.target import Target, link
from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.native.board.layout import Layout
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.board.relation import Relation, bits_of
from semisplit.language.rbg.native.board.squares import Squares
from semisplit.language.rbg.native.board.state import StateCode

SIZES = [(5, 5), (8, 8), (11, 9), (13, 13)]
"""Boards with sets of one, one, two and three words."""


def squares(width: int, height: int) -> Squares:
    row = f"[{','.join('e' * width)}]"
    board = f"rectangle(up,down,left,right,{row * height})"
    return Squares.of(
        parse(f"#players=w(1) #pieces=e #variables= #rules=->w ->w #board={board}").board
    )


def run(
    board: Squares,
    emit: Callable[[StateCode, Value], Value],
    sets: list[int],
    *,
    pdep: bool = False,
) -> list[int]:
    """What a function of a set, emitted by `emit`, returns for some sets, as a set or a number."""
    layout = Layout(board.size, 1, 1, 0)
    module = BoardModule("test", 100_000, board, layout, pdep=pdep, checked=True)
    function = module.function("f", void, [pointer, pointer], public=True)
    code = StateCode.begin(module, function)
    result = emit(code, code.load(code.set_type, code.state))
    wide = result if result.type == code.set_type else code.b.zext(result, code.set_type)
    code.store(wide, function.args[1])
    code.b.ret_void()
    library = link(Target.host().object_code(str(module.ir)), "test", ["f"])
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(library["f"])
    width = 8 * board.words
    found = []
    for one in sets:
        given = ctypes.create_string_buffer(one.to_bytes(width, "little"), width)
        answer = ctypes.create_string_buffer(width)
        call(given, answer)
        found.append(int.from_bytes(answer.raw, "little"))
    return found


def some_sets(board: Squares) -> list[int]:
    random = Random(board.size)
    sparse = random.getrandbits(board.size) & random.getrandbits(board.size)
    return [board.board, 1, 1 << board.size - 1, sparse | 2, random.getrandbits(board.size) | 4]


def image(relation: Relation, members: int) -> int:
    reached = 0
    for bit in bits_of(members):
        reached |= relation.rows[bit]
    return reached


def emit_image(relation: Relation, code: StateCode, members: Value) -> Value:
    return code.as_set(code.image(relation, members))


def emit_row(relation: Relation, code: StateCode, members: Value) -> Value:
    return code.as_set(code.row(relation, code.lowest(members)))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_images_of_relations(width: int, height: int) -> None:
    board = squares(width, height)
    random = Random(width)
    step = board.shifts["left"] | board.shifts["down"]
    irregular = Relation(
        tuple(
            1 << random.randrange(board.size) | 1 << random.randrange(board.size)
            for _ in range(board.size)
        )
    )
    line = board.shifts["up"].closure(board.board)
    for relation in (*board.shifts.values(), step, irregular, line):
        sets = some_sets(board)
        found = run(board, partial(emit_image, relation), sets)
        assert found == [image(relation, one) for one in sets]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_rows_of_relations(width: int, height: int) -> None:
    board = squares(width, height)
    for relation in (board.shifts["right"], board.shifts["up"].closure(board.board)):
        found = run(board, partial(emit_row, relation), some_sets(board))
        lowest = [(one & -one).bit_length() - 1 for one in some_sets(board)]
        assert found == [relation.rows[bit] for bit in lowest]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("pdep", [False, True])
def test_the_nth_square_and_the_number_of_squares(width: int, height: int, pdep: bool) -> None:
    if pdep and not Target.host().has("bmi2"):
        pytest.skip("this processor has no such instruction")
    board = squares(width, height)
    sets = some_sets(board)
    assert run(board, lambda code, s: code.count(s), sets) == [one.bit_count() for one in sets]
    middle = run(
        board,
        lambda code, s: code.nth(s, code.b.lshr(code.count(s), constant(1))),
        sets,
        pdep=pdep,
    )
    assert middle == [list(bits_of(one))[one.bit_count() // 2] for one in sets]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_each_square_of_a_set_in_memory(width: int, height: int) -> None:
    board = squares(width, height)

    def sum_of_squares(code: StateCode, _: Value) -> Value:
        total = code.local(i64)
        code.b.store(constant(0), total)
        with code.each_square(code.state) as square:
            code.b.store(code.b.add(code.b.load(total, typ=i64), square), total)
        return code.b.load(total, typ=i64)

    sets = some_sets(board)
    assert run(board, sum_of_squares, sets) == [sum(bits_of(one)) for one in sets]


def test_what_is_known_while_compiling_costs_nothing() -> None:
    board = squares(8, 8)
    module = BoardModule(
        "test", 1000, board, Layout(board.size, 1, 1, 0), pdep=False, checked=False
    )
    function = module.function("f", i32, [pointer, module.set_type])
    code, some = StateCode.begin(module, function), function.args[1]
    assert code.both(some, 0) == 0
    assert code.both(some, board.board) is some
    assert code.either(some, 0) is some
    assert code.without(some, board.board) == 0
    assert code.only_if(False, some) == 0
    assert code.image(board.shifts["left"], 2) == 1
    assert code.is_in(2, ir.Constant(i64, 1)) is True
    assert not function.entry_basic_block.instructions
