"""From rules to LLVM IR: all functions of a game."""

from __future__ import annotations

from llvmlite import ir

from semisplit.core.strategy import SplitStrategy
from semisplit.emit.code import Code, i32, i64, pointer
from semisplit.emit.context import ContextCode
from semisplit.emit.large import keep_variables_in_memory
from semisplit.rbg.ast import Rule
from semisplit.rbg.description import Description
from semisplit.rbg.native.board.layout import AT, PLAYER, VERTEX
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.interface.actions import emit_list_actions
from semisplit.rbg.native.interface.listing import emit_nodal_list
from semisplit.rbg.native.interface.moves import Ends, emit_list
from semisplit.rbg.native.machine.keeper import emit_keeper
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.sites import Sites
from semisplit.rbg.native.machine.step import emit_act, emit_apply, emit_play
from semisplit.rbg.native.playout.guided import GuidedPlayout
from semisplit.rbg.native.playout.listed import emit_listed_playout
from semisplit.rbg.native.playout.numbered import emit_numbered
from semisplit.rbg.native.playout.orthodox import OrthodoxPlayout
from semisplit.rbg.native.playout.playout import SemisplitPlayout, emit_playout, emit_playouts
from semisplit.runtime.abi import Part
from semisplit.runtime.target import Target


def emit(
    description: Description,
    rules: Rule,
    split: SplitStrategy | None,
    *,
    part: Part = Part.GAME,
    checked: bool = False,
    pdep: bool | None = None,
) -> Program:
    """Emit all functions of a game.

    Args:
        description: The game.
        rules: Its rules with the dots of the split strategy.
        split: The split strategy.
        part: Which of its functions.
        checked: Whether code checks every index into a table.
        pdep: Whether there is an instruction of that name; None asks the processor.
    """
    pdep = Target.host().has("bmi2") if pdep is None else pdep
    program = Program(description, rules, part, pdep=pdep, checked=checked)
    _emit_functions(program, split, part)
    keep_variables_in_memory(program.module.ir)
    return program


def _emit_functions(program: Program, split: SplitStrategy | None, part: Part) -> None:
    program.act = emit_act(program)
    program.keeper = emit_keeper(program)
    program.run_keeper = _emit_run_keeper(program)
    if part == Part.GUIDED:
        playout = emit_playout(program, "guided", GuidedPlayout, RegionKind.DOTTED)
        emit_playouts(program, "guided", playout)
    elif part == Part.NUMBERED:
        emit_numbered(program)
    if part != Part.GAME:
        return
    sites = Sites(program, RegionKind.WHOLE)
    dotted = Sites(program, RegionKind.DOTTED) if program.graph.dots else sites
    play = emit_play(program, sites, dotted)
    emit_apply(program)
    # Where sites are merged, the code for all of them would take long to compile.
    nodal = emit_nodal_list(program) if program.numbered is program.merged.graph else None
    emit_list(program, "list_moves", sites, Ends.SWITCH, nodal)
    orthodox = emit_playout(program, "orthodox", OrthodoxPlayout, RegionKind.WHOLE)
    emit_playouts(program, "orthodox", orthodox)
    if split is None:
        return
    ends = Ends.ANYTHING if split.mod else Ends.SWITCH_OR_DOT
    listing = emit_list(program, "list_semimoves", dotted, ends)
    if split.mod:
        emit_list_actions(program, dotted)
        semisplit = emit_playout(program, "semisplit", SemisplitPlayout, RegionKind.DOTTED)
    else:
        semisplit = emit_listed_playout(program, listing, play)
    emit_playouts(program, "semisplit", semisplit)


def _emit_run_keeper(program: Program) -> ir.Function:
    """The function that makes the keeper's moves if he is in control."""
    function = program.module.function("run_keeper", ir.VoidType(), [pointer, pointer], public=True)
    state, context = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    code = Code(program.module, b, state)
    keeper = b.icmp_unsigned("==", code.load(i32, state, PLAYER), ir.Constant(i32, 0))
    with b.if_then(keeper):
        at = b.sext(code.load(i32, state, AT), i64)
        square = b.zext(code.load(i32, state, VERTEX), i64)
        frames = ContextCode(code, context).load("frames", pointer)
        b.call(program.keeper, [state, at, square, frames, context])
    b.ret_void()
    return function
