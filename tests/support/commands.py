"""Commands run on a text as a user runs them, for tests of limits and for measuring."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from semisplit.language.registry import language_of

COMMANDS = {
    "show": ("show", "FILE"),
    "show-svg": ("show", "FILE", "--svg", "-"),
    "check": ("check", "FILE"),
    "check-play": ("check", "FILE", "--play"),
    "format": ("format", "--check", "FILE"),
    "moves": ("moves", "FILE"),
    "semimoves": ("moves", "FILE", "--split", "ModPlusShift"),
    "explain": ("explain", "FILE"),
    "explain-plus": ("explain", "FILE", "--split", "PlusShift"),
    "compile": ("compile", "FILE"),
    "compile-mod": ("compile", "FILE", "--split", "Mod"),
    "perft": ("perft", "FILE", "1"),
    "bench": ("bench", "FILE", "--seconds", "0.1"),
    "flat": ("flat", "FILE", "--games", "1"),
    "match": ("match", "FILE", "random", "flat-mc", "--games", "2", "--budget", "10ms"),
    "decompose": ("decompose", "FILE"),
    "solve": ("solve", "FILE", "--agent", "orthodox", "--budget", "100sims"),
    "play": ("play", "FILE", "--agent", "random"),
}
_PATIENCE = 300.0
"""Seconds after which a command is stopped; other programs may be running, too."""
_MARK = "\0measured "
_METER = f"""
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
seconds, status = usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status)
print({_MARK!r}, seconds, usage.ru_maxrss, status)
"""
"""Runs a command and says what it took: Linux counts the memory of who starts a process, too, so
that it has to be somebody small."""


class Ending(NamedTuple):
    """How a command has ended."""

    seconds: float
    """Of the processor."""
    megabytes: float
    """The most memory it used."""
    status: int
    said: str

    @property
    def fault(self) -> str | None:
        """What is wrong with it, if it gave neither a result nor an error."""
        if "Traceback" in self.said:
            return "traceback"
        told = any(words in self.said for words in ("error", "would change", "failed"))
        if self.status not in (0, 1) or (self.status == 1 and not told):
            return f"status {self.status}"
        return None


def run(command: tuple[str, ...], text: str, cache: Path | None, *options: str) -> Ending:
    """Run a command on a text, with a cache of its own perhaps, and options of the program."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as output:
        name = "game.kif" if language_of(text, "<string>").name == "gdl" else "game.rbg"
        (Path(folder) / name).write_text(text)
        words = [name if word == "FILE" else word for word in command]
        program = "from semisplit.ui.cli.main import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", _METER, sys.executable, "-c", program, *options, *words],
            cwd=folder,
            env={**os.environ, **({"SEMISPLIT_CACHE": str(cache)} if cache else {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        *said, measured = output.read().split(_MARK)
        seconds, kilobytes, status = measured.split() if said else ("nan", "nan", "-9")
        text = "".join(said) if said else measured
        return Ending(float(seconds), float(kilobytes) / 1024, int(status), text)
