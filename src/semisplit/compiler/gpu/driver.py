"""NVIDIA's driver, through its stable interface in C: devices, memory, modules, launches.

That is all there has to be on a computer: no toolkit and no other library.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from semisplit.core.errors import SemisplitError

_LIBRARIES = ("libcuda.so.1", "nvcuda.dll")
_NO_DEVICE = (100, 101)
_OUT_OF_MEMORY = 2
_MULTIPROCESSORS, _THREADS, _MAJOR, _MINOR = 16, 39, 75, 76
_REGISTERS, _LOCAL_BYTES = 4, 3
_LOG_BUFFER, _LOG_BYTES = 5, 6
_EVERYWHERE = 1
"""Memory that is pinned for all contexts."""
STREAM = 2
"""What a thread of this program asks for is done in its order, beside what others ask for."""
_Handle, _Stream = ctypes.c_void_p, ctypes.c_void_p(STREAM)


class GpuError(SemisplitError):
    """There is no GPU that can be used, or it did not do what it was asked for."""


class Driver:
    """The driver's functions. Each raises `GpuError` if it fails."""

    def __init__(self) -> None:
        self._library = _load()
        self.call("cuInit", 0)

    def call(self, name: str, *arguments: object) -> None:
        """Call a function of the driver."""
        status = getattr(self._library, name)(*arguments)
        if status:
            raise GpuError(self._message(name, status))

    def address(self, name: str) -> int:
        """Where a function is, for code that calls it by itself."""
        return ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0

    def _message(self, name: str, status: int) -> str:
        if status in _NO_DEVICE:
            return "no NVIDIA GPU is found on this computer"
        if status == _OUT_OF_MEMORY:
            return "the memory of the GPU is not enough"
        text = ctypes.c_char_p()
        self._library.cuGetErrorString(status, ctypes.byref(text))
        return f"the GPU's driver reports: {(text.value or b'unknown error').decode()} ({name})"


class Device:
    """The first GPU, with a context that all threads of this process share."""

    def __init__(self) -> None:
        self.driver = Driver()
        self._number = ctypes.c_int()
        self.driver.call("cuDeviceGet", ctypes.byref(self._number), 0)
        self._context = _Handle()
        self.driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self._number)
        self.use()
        self.multiprocessors = self._attribute(_MULTIPROCESSORS)
        self.version = 10 * self._attribute(_MAJOR) + self._attribute(_MINOR)
        """Of its kind: 90 is called sm_90."""
        self._thread_limit = self.multiprocessors * self._attribute(_THREADS)
        memory = ctypes.c_size_t()
        self.driver.call("cuDeviceTotalMem_v2", ctypes.byref(memory), self._number)
        self._memory = memory.value

    @staticmethod
    @cache
    def first() -> Device:
        """The device, opened once."""
        return Device()

    @property
    def context(self) -> int:
        """The context's handle."""
        return self._context.value or 0

    @property
    def name(self) -> str:
        """What it is called."""
        text = ctypes.create_string_buffer(100)
        self.driver.call("cuDeviceGetName", text, len(text), self._number)
        return text.value.decode()

    def use(self) -> None:
        """Let the current thread work with it."""
        self.driver.call("cuCtxSetCurrent", self._context)

    def reset(self) -> None:
        """Give back all that this process has of it. What was made for it cannot be used again."""
        self.driver.call("cuDevicePrimaryCtxReset_v2", self._number)
        Device.first.cache_clear()

    def has_memory(self, local_bytes: int) -> bool:
        """Whether each thread may have so much: the driver sets it aside for all there can be."""
        return local_bytes * self._thread_limit <= self._memory // 2

    def _attribute(self, attribute: int) -> int:
        number = ctypes.c_int()
        self.driver.call("cuDeviceGetAttribute", ctypes.byref(number), attribute, self._number)
        return number.value


class Buffer:
    """Memory of a device."""

    def __init__(self, device: Device, size: int):
        self.size = size
        self._device = device
        self.address = ctypes.c_uint64()
        device.driver.call(
            "cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(max(size, 1))
        )

    def write(self, data: bytes) -> None:
        """Copy something into it, from its beginning on."""
        self._device.driver.call(
            "cuMemcpyHtoDAsync_v2", self.address, data, ctypes.c_size_t(len(data)), _Stream
        )

    def read(self, to: int, size: int, offset: int) -> None:
        """Copy a part to an address of this computer, when all that was asked for is done."""
        place, address = ctypes.c_uint64(self.address.value + offset), ctypes.c_void_p(to)
        call = self._device.driver.call
        call("cuMemcpyDtoHAsync_v2", address, place, ctypes.c_size_t(size), _Stream)
        call("cuStreamSynchronize", _Stream)

    def __del__(self) -> None:
        # After a failure, which has been told, the driver gives all memory back by itself.
        if self.address.value:
            with suppress(GpuError):
                self._device.driver.call("cuMemFree_v2", self.address)


class PinnedMemory:
    """Memory of this computer from and to which a device copies without help."""

    def __init__(self, device: Device, size: int):
        self._device = device
        self.address = ctypes.c_void_p()
        device.driver.call(
            "cuMemHostAlloc", ctypes.byref(self.address), ctypes.c_size_t(size), _EVERYWHERE
        )

    def __del__(self) -> None:
        if self.address:
            with suppress(GpuError):
                self._device.driver.call("cuMemFreeHost", self.address)


class Kernel:
    """A function that a device runs in many threads."""

    def __init__(self, device: Device, ptx: bytes, name: str):
        """Compile PTX. The driver keeps what it compiles on disk, too."""
        self._device = device
        self._module, self._function = _Handle(), _Handle()
        self._load(ptx + b"\0")
        call = device.driver.call
        call("cuModuleGetFunction", ctypes.byref(self._function), self._module, name.encode())
        self.registers = self._attribute(_REGISTERS)
        self.local_bytes = self._attribute(_LOCAL_BYTES)
        """Memory of each thread, beside registers."""

    @property
    def function(self) -> int:
        """The function's handle."""
        return self._function.value or 0

    def _attribute(self, attribute: int) -> int:
        number = ctypes.c_int()
        self._device.driver.call(
            "cuFuncGetAttribute", ctypes.byref(number), attribute, self._function
        )
        return number.value

    def _load(self, ptx: bytes) -> None:
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(_LOG_BUFFER, _LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        arguments = ctypes.byref(self._module), ptx, 2, options, values
        try:
            self._device.driver.call("cuModuleLoadDataEx", *arguments)
        except GpuError as error:
            reason = log.value.decode(errors="replace").strip()
            raise GpuError(f"{error}: {reason}" if reason else str(error)) from error

    def resident_blocks(self, threads: int) -> int:
        """How many blocks of so many threads each run at the same time."""
        number = ctypes.c_int()
        name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        self._device.driver.call(
            name, ctypes.byref(number), self._function, threads, ctypes.c_size_t(0)
        )
        return number.value * self._device.multiprocessors

    def launch(self, blocks: int, threads: int, addresses: Sequence[int]) -> None:
        """Begin running it, with addresses of memory of the device; does not wait."""
        values = [ctypes.c_uint64(address) for address in addresses]
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        self._device.driver.call(
            "cuLaunchKernel",
            self._function,
            blocks,
            1,
            1,
            threads,
            1,
            1,
            0,
            _Stream,
            pointers,
            None,
        )


def _load() -> ctypes.CDLL:
    for name in _LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise GpuError("NVIDIA's driver is not installed on this computer; playouts on a GPU need it")
