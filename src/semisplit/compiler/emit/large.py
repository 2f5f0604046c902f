"""Large functions: what LLVM would do to make them faster takes most of its time, for no gain.

Variables stay in memory. LLVM would keep them in registers and carry them along through all blocks,
of which there are thousands. And calls stay calls: copies of what is called make them larger still.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import pointer

_LARGE = 15_000
"""Words that instructions compute, above which a function is large."""
_MAX_COPIED = 30_000
"""Instructions above which functions are not copied to wherever they are called."""
_LOOK_AT = ir.InlineAsm(ir.FunctionType(ir.VoidType(), [pointer]), "", "r", side_effect=True)
"""No instruction at all, but for LLVM one that may do anything with a variable from now on."""


def spare_large_functions(module: ir.Module) -> None:
    """Keep LLVM from working much on large functions."""
    sizes: dict[str, int] = {}
    for function in module.functions:
        if _size_with_copies(function, sizes) > _LARGE:
            function.attributes.discard("alwaysinline")
            function.attributes.add("noinline")
            _keep_calls(function)
            _keep_variables_in_memory(function)


def _size_with_copies(function: ir.Function, sizes: dict[str, int]) -> int:
    """The words that are computed in a function, and in those that are copied into it.

    LLVM takes a wide integer apart, and each of its words takes as long as an instruction.
    """
    if function.name not in sizes:
        own = [i for block in function.blocks for i in block.instructions]
        called = [i.callee for i in own if isinstance(i, ir.CallInstr)]
        copied = [f for f in called if "alwaysinline" in getattr(f, "attributes", ())]
        words = sum(max(1, getattr(i.type, "width", 0) // 64) for i in own)
        sizes[function.name] = words + sum(_size_with_copies(f, sizes) for f in copied)
    return sizes[function.name]


def copy_small_functions(module: ir.Module, entry: ir.Function) -> None:
    """Have all functions copied to where they are called, unless that becomes too much code.

    Then all that is known about their arguments is of use, above all that memory is used at known
    places only, and need not be memory at all.
    """
    sizes: dict[str, int] = {}

    def size(function: ir.Function) -> int:
        """Instructions with those of all functions that are called."""
        if function.name not in sizes:
            own = [i for block in function.blocks for i in block.instructions]
            called = [i.callee for i in own if isinstance(i, ir.CallInstr)]
            inner = sum(size(f) for f in called if isinstance(f, ir.Function))
            sizes[function.name] = len(own) + inner
        return sizes[function.name]

    if size(entry) > _MAX_COPIED:
        return
    for function in module.functions:
        if function.blocks:
            function.attributes.discard("noinline")
            function.attributes.add("alwaysinline")


def _keep_calls(function: ir.Function) -> None:
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.CallInstr):
                instruction.attributes.add("noinline")


def _keep_variables_in_memory(function: ir.Function) -> None:
    entry = function.entry_basic_block
    for variable in [i for i in entry.instructions if isinstance(i, ir.AllocaInstr)]:
        b = ir.IRBuilder(entry)
        b.position_after(variable)
        b.call(_LOOK_AT, [variable])
