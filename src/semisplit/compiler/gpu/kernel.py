"""From the code of a game's threads to a kernel: PTX, which NVIDIA's driver compiles."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Protocol

import llvmlite.binding as llvm

from semisplit.compiler.gpu.driver import GpuError
from semisplit.compiler.gpu.lockstep import APART, BLOCKS, WARPS
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.target import Target, short_pipeline
from semisplit.core.source import Source

NAME = "kernel"
_OLDEST, _NEWEST = 80, 90
"""The kinds of devices for which there is code; newer ones run that of the newest."""
_SMALL = 300_000
"""Characters of code up to which the instructions of a game can be kept near the processors."""
_HUGE = 3_000_000
"""Characters above which not all of LLVM's optimisations are made."""
_WARP_THREADS, _BLOCK_THREADS = 128, 512
"""Threads of a block, where the threads of warps, if any, or those of blocks meet."""


class Threaded(Protocol):
    """What a game needs to be played on a GPU; the rules of any language have it."""

    @property
    def source(self) -> Source:
        """The text they come from."""

    def compile(self, bundle: Bundle) -> CompiledGame:
        """Functions of the game as machine code."""

    def emit_threads(self, levels: int) -> str:
        """Playouts as threads make them, as LLVM's code."""

    def object_name(self, bundle: Bundle) -> str:
        """The name under which their code is kept in the cache."""


@dataclass(frozen=True)
class Ptx:
    """A kernel in the language of NVIDIA's driver."""

    text: str
    threads: int
    """How many threads form a block."""


def gpu_target(version: int) -> Target:
    """A kind of GPU: 90 is sm_90."""
    if version < _OLDEST:
        raise GpuError(
            f"the GPU is of compute capability {version / 10}; playouts need {_OLDEST / 10} or more"
        )
    return Target("nvptx64-nvidia-cuda", f"sm_{min(version, _NEWEST)}", "+ptx80")


def emit_ptx(text: str, target: Target) -> Ptx:
    """The kernel whose threads execute the function `thread` of a module."""
    if '@"lowest"' not in text:
        return Ptx(_assembly(text, APART, target), _WARP_THREADS)
    if len(text) <= _SMALL:
        return Ptx(_assembly(text, WARPS, target), _WARP_THREADS)
    return Ptx(_assembly(text, BLOCKS, target), _BLOCK_THREADS)


def _assembly(text: str, functions: str, target: Target) -> str:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3
    )
    module = llvm.parse_assembly(text)
    module.link_in(llvm.parse_assembly(functions))
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    for function in module.functions:
        if not function.is_declaration and function.name != NAME:
            function.linkage = "internal"
    _optimise(module, machine, is_huge=len(text) > _HUGE)
    return str(machine.emit_assembly(module))


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, *, is_huge: bool) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    passes = short_pipeline() if is_huge else builder.getModulePassManager()
    passes.run(module, builder)


def kernel_of(rules: Threaded, levels: int, target: Target) -> Ptx:
    """The kernel of a game, from the cache if it has been compiled before."""
    parts = rules.object_name(Bundle.THREADS), target, levels
    name = hashlib.sha256(repr(parts).encode()).hexdigest()
    kept = cache.read(name)
    if kept is not None:
        return Ptx(kept[0].decode(), kept[1]["threads"])
    ptx = emit_ptx(rules.emit_threads(levels), target)
    cache.write(name, ptx.text.encode(), {"threads": ptx.threads})
    return ptx
