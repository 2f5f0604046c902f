"""NVIDIA's driver, played by the processor: kernels are translated back from PTX.

It has one thread, which does all of a job. What is the GPU's memory is this computer's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

import llvmlite.binding as llvm

from semisplit.compiler.gpu.lockstep import ALONE
from semisplit.compiler.runtime.target import Target, link
from tests.support.ptx import translate

_TOTAL = 2**33
_ATTRIBUTES = {16: 1, 39: 1, 75: 9, 76: 0}
"""One multiprocessor with one thread, of compute capability 9.0."""
Thread = Callable[[int], None]


class Library:
    """Its functions, as `ctypes` gives those of a library."""

    def __init__(self) -> None:
        self._memory: dict[int, Any] = {}
        self._threads: list[Thread] = []
        self._linked: list[llvm.ResourceTracker] = []
        self.fails: set[str] = set()
        """Names of functions that report a failure."""
        self.launched = 0
        place, stream = c_void_p, c_void_p
        for name, kinds in {
            "cuInit": (c_uint,),
            "cuGetErrorString": (c_int, place),
            "cuDeviceGet": (place, c_int),
            "cuDeviceGetAttribute": (place, c_int, c_int),
            "cuDeviceTotalMem_v2": (place, c_int),
            "cuDevicePrimaryCtxRetain": (place, c_int),
            "cuCtxSetCurrent": (place,),
            "cuMemAlloc_v2": (place, c_size_t),
            "cuMemFree_v2": (c_uint64,),
            "cuMemHostAlloc": (place, c_size_t, c_uint),
            "cuMemFreeHost": (place,),
            "cuMemcpyHtoDAsync_v2": (c_uint64, place, c_size_t, stream),
            "cuMemcpyDtoHAsync_v2": (place, c_uint64, c_size_t, stream),
            "cuStreamSynchronize": (stream,),
            "cuModuleLoadDataEx": (place, c_char_p, c_uint, place, place),
            "cuModuleGetFunction": (place, place, c_char_p),
            "cuFuncGetAttribute": (place, c_int, place),
            "cuOccupancyMaxActiveBlocksPerMultiprocessor": (place, place, c_int, c_size_t),
            "cuLaunchKernel": (place, *7 * (c_uint,), stream, place, place),
        }.items():
            setattr(self, name, ctypes.CFUNCTYPE(c_int, *kinds)(self._call(name)))

    def _call(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            if name in self.fails:
                return 700
            function = getattr(self, f"_{name}", None)
            if function:
                function(*arguments)
            return 0

        return call

    def _cuDeviceGetAttribute(self, to: int, attribute: int, device: int) -> None:
        c_int.from_address(to).value = _ATTRIBUTES[attribute]

    def _cuDeviceTotalMem_v2(self, to: int, device: int) -> None:
        c_size_t.from_address(to).value = _TOTAL

    def _cuMemAlloc_v2(self, to: int, size: int) -> None:
        memory = (ctypes.c_uint64 * (-(-size // 8)))()
        address = c_uint64.from_address(to).value = ctypes.addressof(memory)
        self._memory[address] = memory

    def _cuMemHostAlloc(self, to: int, size: int, flags: int) -> None:
        self._cuMemAlloc_v2(to, size)

    def _cuMemFree_v2(self, address: int) -> None:
        del self._memory[address]

    def _cuMemFreeHost(self, address: int) -> None:
        del self._memory[address]

    def _cuMemcpyHtoDAsync_v2(self, to: int, source: int, size: int, stream: int) -> None:
        ctypes.memmove(to, source, size)

    _cuMemcpyDtoHAsync_v2 = _cuMemcpyHtoDAsync_v2

    def _cuModuleLoadDataEx(self, to: int, ptx: bytes, *options: Any) -> None:
        module = llvm.parse_assembly(translate(ptx.decode()))
        module.link_in(llvm.parse_assembly(ALONE))
        name = f"kernel{id(self)}_{len(self._threads)}"
        linked = link(Target.host().object_code(str(module)), name, ["thread"])
        self._linked.append(linked)
        self._threads.append(ctypes.CFUNCTYPE(None, c_void_p)(linked["thread"]))
        c_void_p.from_address(to).value = len(self._threads)

    def _cuModuleGetFunction(self, to: int, module: int, name: bytes) -> None:
        c_void_p.from_address(to).value = module

    def _cuFuncGetAttribute(self, to: int, attribute: int, function: int) -> None:
        c_int.from_address(to).value = 0

    def _cuOccupancyMaxActiveBlocksPerMultiprocessor(
        self, to: int, function: int, threads: int, shared: int
    ) -> None:
        c_int.from_address(to).value = 1

    def _cuLaunchKernel(self, function: int, *arguments: Any) -> None:
        pointers = arguments[-2]
        job = c_uint64.from_address(c_uint64.from_address(pointers).value).value
        self._threads[function - 1](job)
        self.launched += 1
