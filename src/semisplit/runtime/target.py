"""From LLVM IR to machine code for this computer, and from there into memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import llvmlite.binding as llvm

_LARGE = 200_000
"""Characters of IR above which not all of LLVM's optimisations are made."""
_HUGE = 15_000_000
"""Characters above which none are made: LLVM would take a second for each million."""

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


@cache
def cpu() -> tuple[str, str]:
    """The name of the processor, and what it can do as LLVM writes it."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def has_feature(name: str) -> bool:
    """Whether the processor has a feature, like bmi2."""
    return f"+{name}" in cpu()[1].split(",")


@cache
def _machine(*, huge: bool = False) -> llvm.TargetMachine:
    name, features = cpu()
    target = llvm.Target.from_default_triple()
    # What code generation does beyond level 1 takes a tenth of its time, and gains nothing here.
    return target.create_target_machine(
        cpu=name, features=features, opt=0 if huge else 1, reloc="pic", codemodel="small"
    )


def _parse(text: str) -> llvm.ModuleRef:
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_default_triple()
    module.data_layout = str(_machine().target_data)
    module.verify()
    return module


def _optimise(text: str) -> llvm.ModuleRef:
    machine, module = _machine(), _parse(text)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    # There are no loops over arrays to be vectorised, and looking for them takes time.
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    if len(text) < _LARGE:
        builder.getModulePassManager().run(module, builder)
    elif len(text) < _HUGE:
        _short_pipeline().run(module, builder)
    else:
        passes = llvm.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.run(module, builder)
    return module


def _short_pipeline() -> llvm.ModulePassManager:
    """The passes of LLVM's O2 that matter for our code, each of them once.

    It takes a fifth of the time, and the code is about 7 % slower.
    """
    passes = llvm.create_new_module_pass_manager()
    passes.add_merge_functions_pass()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_jump_threading_pass()
    passes.add_simplify_cfg_pass()
    passes.add_dead_store_elimination_pass()
    passes.add_aggressive_dce_pass()
    passes.add_simplify_cfg_pass()
    return passes


def optimised(text: str) -> str:
    """IR after LLVM's optimisations."""
    return str(_optimise(text))


def assembly(text: str) -> str:
    """IR as readable machine code."""
    return str(_machine(huge=len(text) >= _HUGE).emit_assembly(_optimise(text)))


def object_code(text: str, *, optimise: bool = True) -> bytes:
    """IR as an object file. Without optimisations it takes a fraction of the time."""
    module = _optimise(text) if optimise else _parse(text)
    return bytes(_machine(huge=len(text) >= _HUGE).emit_object(module))


def link(objects: bytes, name: str, functions: Iterable[str]) -> llvm.ResourceTracker:
    """Bring an object file into memory; the result maps functions to addresses while it lives."""
    library = llvm.JITLibraryBuilder().add_object_img(objects)
    for function in functions:
        library.export_symbol(function)
    # JITLink keeps the sections of a game together; others may put them too far from each other.
    return library.link(llvm.create_lljit_compiler(use_jit_link=True), name)
