"""Python without what Windows lacks, for tests: it is in force where this folder is in PYTHONPATH.

Processes that are started from there inherit it. What is imported here keeps all it needs: on
Windows, the standard library and psutil do the same by other means.
"""

import asyncio
import mmap
import multiprocessing
import os
import signal
import sys
from importlib import import_module
from types import ModuleType

for name in (
    "multiprocessing.popen_spawn_posix",
    "multiprocessing.resource_sharer",
    "multiprocessing.sharedctypes",
    "multiprocessing.synchronize",
    "platformdirs",
    "psutil",
    "subprocess",
    "tempfile",
):
    import_module(name)

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty")
NAMES = {
    mmap: "MAP_ANON MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED",
    os: """fork forkpty getegid geteuid getgid getpgid getpgrp getpriority getuid killpg nice
        openpty posix_spawn register_at_fork sched_getaffinity sched_setaffinity sched_yield setpgid
        setpgrp setpriority setsid sysconf wait3 wait4 O_DIRECTORY""",
    signal: """pthread_kill pthread_sigmask setitimer sigwait SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE
        SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2""",
}


def _without(module: ModuleType, names: list[str]) -> ModuleType:
    rest = ModuleType(module.__name__)
    vars(rest).update({name: value for name, value in vars(module).items() if name not in names})
    return rest


def _refuse(*_: object) -> None:
    raise NotImplementedError


for module, lacking in NAMES.items():
    sys.modules[module.__name__] = _without(module, lacking.split())
sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]

multiprocessing.set_start_method("spawn", force=True)
for method in ("fork", "forkserver"):
    multiprocessing.context._concrete_contexts.pop(method)  # type: ignore[attr-defined]
for name in ("add_reader", "add_writer", "add_signal_handler"):
    setattr(asyncio.SelectorEventLoop, name, _refuse)
