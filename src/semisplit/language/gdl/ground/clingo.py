"""Running clingo, in a process of its own that is given up when it takes too much.

What it writes is aspif: a line of integers for each rule, then the names of atoms.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec

from semisplit.core.child import Program
from semisplit.core.system import limiting, seconds_of_children
from semisplit.core.work import charge, doing, work_left

# To import the package clingo takes longer than to ground most games, so its functions in C, which
# it has as `_clingo`, are called. Nor does Python need to look for packages when it starts.
_CHILD = """\
import sys
sys.path += sys.argv[1:]
from _clingo import ffi, lib
{limits}options = b"--mode=gringo", b"--output=intermediate", b"-Wnone", b"-"
arguments = [ffi.new("char[]", option) for option in options]
application = ffi.new("clingo_application_t*")
sys.exit(lib.clingo_main(application, arguments, len(arguments), ffi.NULL))
"""


_LEAST_BYTES = 1 << 29
"""What clingo takes before it has read anything, and a little more."""


@dataclass(frozen=True)
class Limits:
    """What grounding may take."""

    seconds: int = 40
    """Of the processor."""
    bytes: int = 4 << 30
    lines: int = 20_000_000
    """That clingo writes."""

    @staticmethod
    def usual() -> Limits:
        """The usual ones, or what is left for the work of which grounding is a part."""
        seconds, size = work_left()
        return Limits(
            math.ceil(max(1.0, min(Limits.seconds, seconds))),
            int(max(_LEAST_BYTES, min(Limits.bytes, size))),
        )

    def divided(self) -> tuple[Limits, Limits]:
        """What a first try may take, and what is left then for a second one."""
        seconds = -(-self.seconds // 4)
        first = replace(self, seconds=seconds, lines=self.lines // 2)
        return first, replace(self, seconds=max(1, self.seconds - seconds))

    def in_words(self, what: str) -> str:
        """One of them, given by name, as it is told."""
        match what:
            case "seconds":
                return f"{self.seconds} s of processor time"
            case "bytes":
                return f"{self.bytes / 2**30:.3g} GB of memory"
            case _:
                return f"{self.lines:,} lines"


@dataclass(frozen=True)
class Output:
    """What clingo has written."""

    text: bytes
    exceeded: str
    """The name of the limit that was hit; empty if none was."""


def run_clingo(program: str, limits: Limits) -> Output:
    """Ground a program.

    Raises:
        RuntimeError: If clingo does not take it, or is not there.
    """
    package = find_spec("clingo")
    folders = [*sys.path, *(package.submodule_search_locations or ())] if package else []
    child = _CHILD.format(limits=limiting(limits.seconds, limits.bytes))
    chunks: list[bytes] = []
    lines, before = 0, seconds_of_children()
    with (
        doing("grounding the rules"),
        Program(child, *folders, options=("-I", "-S")) as process,
    ):
        for chunk in process.run(program):
            chunks.append(chunk)
            lines += chunk.count(b"\n")
            if lines > limits.lines:
                break
        errors = process.errors()
    charge(seconds_of_children() - before)
    # Lines may end in the way of Windows.
    text = b"".join(chunks).replace(b"\r\n", b"\n")
    if lines > limits.lines:
        return Output(text, "lines")
    if text.endswith(b"\n0\n"):
        return Output(text, "")
    if "bad_alloc" in errors or "memory" in errors.lower():
        return Output(text, "bytes")
    if errors:
        raise RuntimeError(errors.splitlines()[-1])
    return Output(text, "seconds")
