"""The yardstick: a C program whose speed says how fast a machine is right now."""

import platform
import subprocess
import tempfile
from pathlib import Path


class Yardstick:
    """Compiles the yardstick, and runs it next to what is measured."""

    def __init__(self, source: Path):
        self._folder = tempfile.TemporaryDirectory()
        self._program = Path(self._folder.name) / "yardstick"
        options = ["-O3", "-march=native", "-lm"]
        subprocess.run(["gcc", source, "-o", self._program, *options], check=True)

    def run(self, seconds: float) -> dict[str, float]:
        """Nodal states per second of its games."""
        command = [str(self._program), str(seconds)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return {name: float(figure) for name, figure in map(str.split, printed.splitlines())}


def cpu_name() -> str:
    """What the processor calls itself."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
