"""What each operating system does in its own way: processes, what they may take, the user's files.

Nothing else in the package depends on the system, but for clusters, which Windows cannot have.
"""

from __future__ import annotations

import _thread
import multiprocessing
import os
import shlex
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext
    from types import FrameType

_LOOK = 0.05
"""Seconds between two looks at what a process has taken, where the system does not watch it."""
# Windows has no signal for programs to use; after this one, a process ends whatever Python does.
_INTERRUPTION = getattr(signal, "SIGUSR1", signal.SIGABRT)


# The main thread


def on_interruption(handler: Callable[[int, FrameType | None], None]) -> None:
    """Choose what the main thread does when another one interrupts it."""
    signal.signal(_INTERRUPTION, handler)


def interrupt_main_thread() -> None:
    """Have the handler called in the main thread, as soon as that runs code in Python."""
    if hasattr(signal, "pthread_kill"):
        # This also wakes it up if it waits for the system.
        signal.pthread_kill(threading.main_thread().ident or 0, _INTERRUPTION)
    else:
        _thread.interrupt_main(_INTERRUPTION)


# What processes take


def resident_bytes() -> int:
    """The memory that this process uses."""
    return int(psutil.Process().memory_info().rss)


def seconds_of_children() -> float:
    """Time of the processor that processes have taken which were started here, and have ended.

    Only differences count. Where the system does not tell, it is the time that passes: whoever
    waits for a child that computes comes close to the truth.
    """
    try:
        import resource
    except ImportError:
        return time.monotonic()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limiting(seconds: int, size: int) -> str:
    """The first lines of a program in Python that may not take more of the processor and of memory.

    They load as little as possible, as such a program may take but a few milliseconds.
    """
    try:
        import resource
    except ImportError:
        return f"from {__name__} import end_beyond\nend_beyond({seconds}, {size})\n"
    limits = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_AS: size}
    calls = [f"resource.setrlimit({kind}, ({most}, {most}))\n" for kind, most in limits.items()]
    return f"import resource\n{''.join(calls)}"


def end_beyond(seconds: float, size: int) -> None:
    """End this process when it has taken more than this, and say so if it is memory."""

    def watch() -> None:
        while time.process_time() <= seconds:
            if resident_bytes() > size:
                os.write(2, b"out of memory\n")
                break
            time.sleep(_LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def available_cores() -> list[int]:
    """The cores this process may use."""
    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        return sorted(process.cpu_affinity())
    return list(range(os.cpu_count() or 1))


def use_core(core: int) -> None:
    """Let this process use one core only, if the system allows it."""
    process = psutil.Process()
    if hasattr(process, "cpu_affinity"):
        with suppress(OSError, psutil.Error):
            process.cpu_affinity([core])


def stand_back(niceness: int) -> None:
    """Leave the processor to others when it is busy; Windows knows one degree of that."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    elif niceness:
        psutil.Process().nice(getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", niceness))


# Processes and what they have started


def server_context() -> ForkServerContext | SpawnContext:
    """How a server starts processes: as copies of one that has loaded all, or else from nothing."""
    try:
        return multiprocessing.get_context("forkserver")
    except ValueError:
        return multiprocessing.get_context("spawn")


def lead_group() -> None:
    """Let this process, and what it starts from now on, be a group that ends together."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()


def end_group(leader: int) -> None:
    """End a process that leads a group at once, whatever it does, with all that it has started."""
    if hasattr(os, "killpg"):
        # It may have ended, or not have come so far to lead one.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
        return
    with suppress(psutil.Error):
        process = psutil.Process(leader)
        for one in (*process.children(recursive=True), process):
            with suppress(psutil.Error):
                one.kill()


# Files


def cache_folder() -> Path:
    """Where the user's programs keep what they can make again."""
    # It takes a while to load, and not everybody needs it.
    from platformdirs import user_cache_path

    return user_cache_path("semisplit", appauthor=False)


def is_private(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        # Windows keeps the folders of a user private, and does not say here who may write.
        return True
    others_may_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not others_may_write


def sync_folder(folder: Path) -> None:
    """Bring the names of files in a folder to the disk, where the system does not do so itself."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def command_line(words: list[str]) -> str:
    """A command as it is typed."""
    return shlex.join(words) if os.name == "posix" else subprocess.list2cmdline(words)
