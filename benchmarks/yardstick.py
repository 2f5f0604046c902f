"""The yardstick: a C program whose speed says how fast a machine is right now.

Ratios to it even out the mood of a machine, but not the kind of its processor: by this measure the
same programs of a reference were a quarter slower on one kind than on another. So ratios are
compared with those of a reference only where both come from the same kind.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import llvmlite.binding as llvm

from semisplit.lab.store.circumstances import circumstances


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
    """What the processor calls itself, and in brackets LLVM's name for its kind."""
    return f"{circumstances()['processor']} ({llvm.get_host_cpu_name()})"


def add_reference(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """The options that say what to compare with."""
    parser.add_argument("--reference", type=Path, required=required, help="CSV of its ratios")
    parser.add_argument(
        "--reference-processor",
        metavar="NAME",
        help="where these were measured, like 'Intel Xeon'; on another kind nothing is compared",
    )


def is_comparable(arguments: argparse.Namespace) -> bool:
    """Whether the reference was measured on this kind of processor; if not, says so."""
    if arguments.reference is None:
        return False
    words = (arguments.reference_processor or "").lower().split()
    if words and all(word in cpu_name().lower() for word in words):
        return True
    print(f"warning: {incomparable(arguments)}", flush=True)
    return False


def incomparable(arguments: argparse.Namespace) -> str:
    """Why ratios are not compared with those of the reference."""
    where = arguments.reference_processor or "an unknown processor (--reference-processor)"
    return (
        f"the reference was measured on {where}, this is {cpu_name()}: ratios to the yardstick"
        " do not carry over between kinds of processors, so they are not compared"
    )
