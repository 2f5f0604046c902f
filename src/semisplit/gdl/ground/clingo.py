"""Running clingo, in a process of its own that is given up when it takes too much.

What it writes is aspif: a line of integers for each rule, then the names of atoms.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace

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

    def divided(self) -> tuple[Limits, Limits]:
        """What a first try may take, and what is left then for a second one."""
        seconds = -(-self.seconds // 4)
        first = replace(self, seconds=seconds, rules=self.rules // 2)
        return first, replace(self, seconds=max(1, self.seconds - seconds))

    def in_words(self, what: str) -> str:
        """One of them, given by name, as it is told."""
        match what:
            case "seconds":
                return f"{self.seconds} s of processor time"
            case "bytes":
                return f"{self.bytes / 2**30:.3g} GB of memory"
            case _:
                return f"{self.rules:,} ground rules"


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
        return Output(text, "rules")
    if text.endswith(b"\n0\n"):
        return Output(text, "")
    if "bad_alloc" in errors or "memory" in errors.lower():
        return Output(text, "bytes")
    if errors:
        raise RuntimeError(errors.splitlines()[-1])
    return Output(text, "seconds")
