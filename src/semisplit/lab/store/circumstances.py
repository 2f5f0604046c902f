"""What results may depend on besides the players: programs, their versions, the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from semisplit.core.system import available_cores

_PACKAGES = ("semisplit", "numba", "llvmlite", "numpy")
_SOURCES = Path(__file__).parents[4]


@cache
def circumstances() -> dict[str, str]:
    """Those of this process."""
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "commit": _commit(),
        "processor": _processor(),
        "cores": str(len(available_cores())),
    }


def _commit() -> str:
    """Of the sources that are running, if they are a clone; "+" if something was changed."""
    if not (_SOURCES / ".git").exists():
        return "unknown"
    command = ["git", "-C", str(_SOURCES), "describe", "--always", "--dirty=+", "--abbrev=10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return done.stdout.strip() or "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine() or os.name


def describe(seen: Iterable[dict[str, str]]) -> str:
    """The circumstances of some games or measurements in a sentence; all of them, if they vary."""
    values: dict[str, dict[str, None]] = {}
    for one in seen:
        for name, value in one.items():
            values.setdefault(name, {})[value] = None
    return ", ".join(f"{name} {' and '.join(kinds)}" for name, kinds in values.items())
