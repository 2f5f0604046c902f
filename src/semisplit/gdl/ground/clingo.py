"""Running clingo, in a process of its own that is given up when it takes too much.

What it writes is aspif: a line of integers for each rule, then the names of atoms.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass

from semisplit.core.work import doing

_CHILD = """\
import resource, sys
from clingo.application import Application, clingo_main
seconds, size = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
resource.setrlimit(resource.RLIMIT_AS, (size, size))
class Grounder(Application):
    program_name = "grounder"
sys.exit(int(clingo_main(Grounder(), ["--mode=gringo", "--output=intermediate", "-Wnone", "-"])))
"""


@dataclass(frozen=True)
class Limits:
    """What grounding may take."""

    seconds: int = 20
    """Of the processor."""
    bytes: int = 4 << 30
    rules: int = 2_000_000


@dataclass(frozen=True)
class Output:
    """What clingo has written."""

    text: bytes
    exceeded: str
    """The limit that was hit, in words; empty if none was."""


def run_clingo(program: str, limits: Limits) -> Output:
    """Ground a program.

    Raises:
        RuntimeError: If clingo does not take it, or is not there.
    """
    command = [sys.executable, "-c", _CHILD, str(limits.seconds), str(limits.bytes)]
    chunks: list[bytes] = []
    rules = 0
    with (
        doing("grounding the rules"),
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        output = process.stdout.fileno()
        assert process.stderr
        # It reads all of its input before it writes; if it cannot even do that, it says why.
        with suppress(BrokenPipeError), process.stdin as input_:
            input_.write(program.encode())
        while rules <= limits.rules and (chunk := os.read(output, 1 << 20)):
            chunks.append(chunk)
            rules += chunk.count(b"\n")
        if rules > limits.rules:
            process.kill()
        errors = process.stderr.read().decode(errors="replace").strip()
    text = b"".join(chunks)
    if rules > limits.rules:
        return Output(text, f"{limits.rules:,} ground rules")
    if text.endswith(b"\n0\n"):
        return Output(text, "")
    if "bad_alloc" in errors or "memory" in errors.lower():
        return Output(text, f"{limits.bytes / 2**30:.3g} GB of memory")
    if errors:
        raise RuntimeError(errors.splitlines()[-1])
    return Output(text, f"{limits.seconds} s of processor time")
