"""Variables of large functions, kept in memory.

LLVM would keep them in registers and carry them along through all blocks. With thousands of blocks
that takes most of its time, and the code is no faster.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.values import pointer

_LARGE = 6_000
"""Instructions above which a function is large."""
_LOOK_AT = ir.InlineAsm(ir.FunctionType(ir.VoidType(), [pointer]), "", "r", side_effect=True)
"""No instruction at all, but for LLVM one that may do anything with a variable from now on."""


def keep_variables_in_memory(module: ir.Module) -> None:
    """Keep LLVM from putting the variables of large functions into registers."""
    for function in module.functions:
        if sum(len(block.instructions) for block in function.blocks) > _LARGE:
            function.attributes.discard("alwaysinline")
            function.attributes.add("noinline")
            entry = function.entry_basic_block
            for variable in [i for i in entry.instructions if isinstance(i, ir.AllocaInstr)]:
                b = ir.IRBuilder(entry)
                b.position_after(variable)
                b.call(_LOOK_AT, [variable])
