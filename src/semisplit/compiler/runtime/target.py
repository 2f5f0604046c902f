"""Where compiled code is to run, and LLVM's way there: from IR to machine code and into memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import llvmlite.binding as llvm

_LARGE = 200_000
"""Characters of IR above which not all of LLVM's optimisations are made."""
_HUGE = 15_000_000
"""Characters above which none are made: LLVM would take a second for each million."""


@dataclass(frozen=True)
class Target:
    """A kind of processor, in LLVM's words."""

    triple: str
    cpu: str
    features: str

    @staticmethod
    @cache
    def host() -> Target:
        """This computer."""
        features = llvm.get_host_cpu_features().flatten()
        return Target(llvm.get_default_triple(), llvm.get_host_cpu_name(), features)

    def has(self, feature: str) -> bool:
        """Whether it has a feature, like bmi2."""
        return f"+{feature}" in self.features.split(",")

    def optimised(self, text: str) -> str:
        """IR after LLVM's optimisations."""
        return str(self._optimise(text))

    def verify(self, text: str) -> None:
        """Look whether it is IR that LLVM takes; `RuntimeError` says why not."""
        self._parse(text)

    def assembly(self, text: str, *, optimise: bool = True) -> str:
        """IR as readable machine code."""
        module = self._optimise(text) if optimise else self._parse(text)
        return str(self._machine(huge=len(text) >= _HUGE).emit_assembly(module))

    def object_code(self, text: str, *, optimise: bool = True) -> bytes:
        """IR as an object file. Without optimisations it takes a fraction of the time."""
        module = self._optimise(text) if optimise else self._parse(text)
        return bytes(self._machine(huge=len(text) >= _HUGE).emit_object(module))

    @cache  # noqa: B019  there are few targets, and they live as long as the program
    def _machine(self, *, huge: bool = False) -> llvm.TargetMachine:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        # What code generation does beyond level 1 takes a tenth of its time, and gains nothing
        # here.
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu,
            features=self.features,
            opt=0 if huge else 1,
            reloc="pic",
            codemodel="small",
        )

    def _parse(self, text: str) -> llvm.ModuleRef:
        module = llvm.parse_assembly(text)
        module.triple = self.triple
        module.data_layout = str(self._machine().target_data)
        module.verify()
        return module

    def _optimise(self, text: str) -> llvm.ModuleRef:
        machine, module = self._machine(), self._parse(text)
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        # There are no loops over arrays to be vectorised, and looking for them takes time.
        options.loop_vectorization = False
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(machine, options)
        if len(text) < _LARGE:
            builder.getModulePassManager().run(module, builder)
        elif len(text) < _HUGE:
            short_pipeline().run(module, builder)
        else:
            passes = llvm.create_new_module_pass_manager()
            passes.add_always_inliner_pass()
            passes.run(module, builder)
        return module


def short_pipeline() -> llvm.ModulePassManager:
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


def link(objects: bytes, name: str, functions: Iterable[str]) -> Linked:
    """Bring an object file into memory; the result maps functions to addresses while it lives."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        # It keeps the sections of a game together; others may put them too far from each other.
        compiler = llvm.create_lljit_compiler(use_jit_link=True)
    except RuntimeError:
        # llvmlite has it everywhere but on Windows.
        return _Engine(objects, functions)
    library = llvm.JITLibraryBuilder().add_object_img(objects)
    for function in functions:
        library.export_symbol(function)
    return library.link(compiler, name)


class Linked(Protocol):
    """Functions in memory, which live as long as this does."""

    def __getitem__(self, function: str) -> int:
        """The address of a function."""


class _Engine:
    """Functions that were linked by MCJIT, as those of Numba are."""

    def __init__(self, objects: bytes, functions: Iterable[str]):
        triple = Target.host().triple
        machine = llvm.Target.from_triple(triple).create_target_machine()
        module = llvm.parse_assembly(f'target triple = "{triple}"')
        # llvmlite's own memory manager keeps sections together.
        self._engine = llvm.create_mcjit_compiler(module, machine, use_lmm=True)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(objects))
        self._engine.finalize_object()
        self._addresses = {one: self._engine.get_function_address(one) for one in functions}

    def __getitem__(self, function: str) -> int:
        return self._addresses[function]
