"""Programs in Python that read a text and write what comes of it, in a process of their own."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, Self

_CHUNK = 1 << 20


class Program:
    """A process that runs a program; it outlives neither its `with` block nor this process.

    What it may take is for the program to say, by the lines of `core.system.limiting`.
    """

    def __init__(self, code: str, *arguments: str, options: Sequence[str] = ()):
        command = [sys.executable, *options, "-c", code, *arguments]
        # A pipe that is not read could be full.
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._errors)
        atexit.register(self.kill)

    def run(self, text: str) -> Iterator[bytes]:
        """Yield what the program writes, in pieces, after it has read all of a text."""
        assert self._process.stdin
        assert self._process.stdout
        # It may end before it has read all.
        with suppress(BrokenPipeError), self._process.stdin as input_:
            input_.write(text.encode())
        while chunk := os.read(self._process.stdout.fileno(), _CHUNK):
            yield chunk

    def errors(self) -> str:
        """What the program has written about errors."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()

    def succeeded(self) -> bool:
        """Wait for the end of the program, and return whether its exit status is 0."""
        return self._process.wait() == 0

    def kill(self) -> None:
        """End the program at once."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        with self._process, self._errors:
            atexit.unregister(self.kill)
