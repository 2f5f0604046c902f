"""Single steps: carrying out one modifier, with and without asking whether it is legal."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from semisplit.emit.context import ContextCode
from semisplit.emit.values import Value, constant, i1, i32, i64, pointer, void
from semisplit.rbg import ast
from semisplit.rbg.native.board.layout import AT, PLAYER, VERTEX
from semisplit.rbg.native.board.state import StateCode
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.sites import IS_SET, Sites
from semisplit.rbg.native.machine.words import unpack_word
from semisplit.runtime.abi import Status


def emit_act(program: Program) -> ir.Function:
    """The function that carries out a modifier or dot, known to be possible, on a square.

    It gets the state, the number and the square, and changes the board and the values only.
    """
    function = program.module.function("act", void, [pointer, i32, i64])
    function.attributes.add("noinline")
    state, number, square = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    end = b.append_basic_block("end")
    cases = b.switch(number, end)
    blocks: dict[tuple[object, object], ir.Block] = {}
    for step in program.graph.modifiers:
        if isinstance(step.action, ast.Switch):
            continue
        key = step.action, program.possible(program.graph, step)
        if key not in blocks:
            blocks[key] = b.append_basic_block("modifier")
            b.position_at_end(blocks[key])
            program.shared.apply(program.graph, step, code, square)
            b.branch(end)
        cases.add_case(ir.Constant(i32, step.number), blocks[key])
    b.position_at_end(end)
    b.ret_void()
    return function


def emit_play(program: Program, whole: Sites, dotted: Sites) -> ir.Function:
    """The function `play` of the interface.

    Args:
        program: The game.
        whole: All sites without dots.
        dotted: All sites with dots, for steps among which there is a dot.
    """
    function = program.module.function("play", i32, [pointer, pointer, i64, pointer], public=True)
    state, steps, count, context = function.args
    step = _emit_step(program, whole)
    dot_step = step if dotted is whole else _emit_step(program, dotted)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    first_modifier = ir.Constant(i32, len(program.graph.dots) * code.squares.size)
    has_dot = _any_step(code, steps, count, lambda w: b.icmp_unsigned("<", w, first_modifier))
    before = b.block
    names = ("next", "step", "inside", "legal", "illegal", "done")
    following, begin, inside, legal, illegal, done = (b.append_basic_block(n) for n in names)
    b.branch(following)
    b.position_at_end(following)
    place = b.phi(i64)
    place.add_incoming(constant(0), before)
    b.cbranch(b.icmp_unsigned("==", place, count), done, begin)
    b.position_at_end(begin)
    # A move ends with a switch.
    ended = b.and_(b.icmp_unsigned("!=", place, constant(0)), is_nodal(program, code))
    b.cbranch(ended, illegal, inside)
    b.position_at_end(inside)
    word = code.load(i32, steps, b.shl(place, constant(2)))
    arguments = [state, *unpack_word(program, code, word), context]
    result = code.local(i32)
    with b.if_else(has_dot) as (with_dot, without):
        with with_dot:
            b.store(b.call(dot_step, arguments), result)
        with without:
            b.store(b.call(step, arguments), result)
    allowed = b.icmp_unsigned("!=", b.load(result, typ=i32), ir.Constant(i32, 0))
    b.cbranch(allowed, legal, illegal)
    b.position_at_end(legal)
    place.add_incoming(b.add(place, constant(1)), legal)
    b.branch(following)
    for block, value in ((illegal, 0), (done, 1)):
        b.position_at_end(block)
        b.ret(ir.Constant(i32, value))
    return function


def emit_apply(program: Program) -> ir.Function:
    """The function `apply` of the interface.

    Searches call it for each edge, so the last step, often the only one, takes no detours.
    """
    function = program.module.function("apply", i32, [pointer, pointer, i64, pointer], public=True)
    state, steps, count, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    last = b.shl(b.sub(count, constant(1)), constant(2))

    with code.each(last, 4) as offset:
        number, square = unpack_word(program, code, code.load(i32, steps, offset))
        b.call(program.act, [state, number, square])
    number, square = unpack_word(program, code, code.load(i32, steps, last))
    code.store(number, state, AT)
    code.store(b.trunc(square, i32), state, VERTEX)
    inside, nodal, keeper = (b.append_basic_block(name) for name in ("inside", "nodal", "keeper"))
    cases = b.switch(number, inside)
    blocks: dict[tuple[object, object], ir.Block] = {}
    for step in program.graph.modifiers:
        key = step.action, program.possible(program.graph, step)
        if key not in blocks:
            blocks[key] = b.append_basic_block("modifier")
            b.position_at_end(blocks[key])
            if isinstance(step.action, ast.Switch):
                player = program.player_of(step)
                code.store(ir.Constant(i32, player), state, PLAYER)
                b.branch(nodal if player else keeper)
            else:
                program.shared.apply(program.graph, step, code, square)
                b.branch(inside)
        cases.add_case(ir.Constant(i32, step.number), blocks[key])
    b.position_at_end(keeper)
    b.call(program.run_keeper, [state, context])
    b.ret(b.zext(is_nodal(program, code), i32))
    for block, value in ((inside, 0), (nodal, 1)):
        b.position_at_end(block)
        b.ret(ir.Constant(i32, value))
    return function


def _any_step(code: StateCode, steps: Value, count: Value, test: Callable[[Value], Value]) -> Value:
    """Whether a test holds for some step."""
    b = code.b
    before = b.block
    head, body, end = (b.append_basic_block(name) for name in ("scan", "look", "scanned"))
    b.branch(head)
    b.position_at_end(head)
    place, found = b.phi(i64), b.phi(i1)
    place.add_incoming(constant(0), before)
    found.add_incoming(ir.Constant(i1, 0), before)
    b.cbranch(b.icmp_unsigned("==", place, count), end, body)
    b.position_at_end(body)
    word = code.load(i32, steps, b.shl(place, constant(2)))
    found.add_incoming(b.or_(found, test(word)), body)
    place.add_incoming(b.add(place, constant(1)), body)
    b.branch(head)
    b.position_at_end(end)
    return found


def is_nodal(program: Program, code: StateCode) -> Value:
    """Whether the state is at the start of the rules or behind a switch."""
    lowest = -len(program.graph.dots)
    switches = {0} | {step.number for step in program.graph.switches}
    numbers = range(lowest, len(program.graph.modifiers) + 1)
    at = code.b.sub(code.b.sext(code.load(i32, code.state, AT), i64), constant(lowest))
    nodal = code.look_up(8, [int(number in switches) for number in numbers], at)
    return code.b.trunc(nodal, i1)


def _emit_step(program: Program, sites: Sites) -> ir.Function:
    """The function that carries out a step if the rules allow it, and says whether.

    It gets the state, the number, the square and the context.
    """
    name = program.module.unique("step")
    function = program.module.function(name, i32, [pointer, i32, i64, pointer])
    function.attributes.add("noinline")
    state, number, square, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = StateCode(program.module, b, state)
    here = ContextCode(code, context)
    frame = here.load("frames", pointer)
    cursor, end = sites.evaluate(code, frame, context)
    names = ("look", "compare", "matching", "inside", "legal", "illegal")
    look, compare, matching, inside, legal, illegal = (b.append_basic_block(n) for n in names)
    fine = b.icmp_signed("==", here.load("status"), constant(Status.OK))
    before = b.block
    b.cbranch(fine, look, illegal)
    b.position_at_end(look)
    exit_ = b.phi(i64)
    exit_.add_incoming(cursor, before)
    b.cbranch(b.icmp_unsigned("==", exit_, end), illegal, compare)
    b.position_at_end(compare)
    found = b.icmp_signed("==", sites.number(code, exit_), number)
    exit_.add_incoming(b.add(exit_, constant(1)), b.block)
    b.cbranch(found, matching, look)
    b.position_at_end(matching)
    b.cbranch(b.icmp_unsigned("<", square, constant(code.squares.size)), inside, illegal)
    b.position_at_end(inside)
    b.cbranch(_contains(code, sites, exit_, frame, square), legal, illegal)
    b.position_at_end(illegal)
    b.ret(ir.Constant(i32, 0))
    b.position_at_end(legal)
    b.call(program.act, [state, number, square])
    code.store(number, state, AT)
    code.store(b.trunc(square, i32), state, VERTEX)
    _set_player(program, code, number)
    b.ret(ir.Constant(i32, 1))
    return function


def _contains(code: StateCode, sites: Sites, exit_: Value, frame: Value, square: Value) -> Value:
    """Whether a square is in an exit's slot."""
    b = code.b
    slot = code.place(frame, sites.slot(code, exit_))
    result = code.local(i1)
    with b.if_else(sites.has_kind(code, exit_, IS_SET)) as (is_set, is_square):
        with is_set:
            address = code.element(slot, i64, b.lshr(square, constant(6)), code.words)
            word = b.load(address, typ=i64, align=8)
            b.store(b.trunc(b.lshr(word, b.and_(square, constant(63))), i1), result)
        with is_square:
            b.store(b.icmp_signed("==", code.load(i64, slot), square), result)
    return b.load(result, typ=i1)


def _set_player(program: Program, code: StateCode, number: Value) -> None:
    """Emit handing over control if a step is a switch."""
    b = code.b
    end = b.append_basic_block("end")
    cases = b.switch(number, end)
    blocks: dict[int, ir.Block] = {}
    for step in program.graph.switches:
        player = program.player_of(step)
        if player not in blocks:
            blocks[player] = b.append_basic_block("player")
            b.position_at_end(blocks[player])
            code.store(ir.Constant(i32, player), code.state, PLAYER)
            b.branch(end)
        cases.add_case(ir.Constant(i32, step.number), blocks[player])
    b.position_at_end(end)
