"""Compiling large sections of gates while the game is already played by their tables.

A process of its own does it, from the rules on, so that nothing waits for LLVM. Both ways compute
the same, so it makes no difference when one takes the place of the other. What was compiled is kept
in the cache.
"""

from __future__ import annotations

import sys
import threading

from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.target import Target
from semisplit.core.child import Program
from semisplit.core.system import limiting
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.native.state.layout import SWITCH

_FASTER = "-faster"
"""Behind the name of a game in the cache."""
THREAD = "compiling gates"
"""The name of threads that wait for the process."""
_SECONDS, _BYTES = 300, 8 << 30
"""What it may take of the processor, and of memory."""


def get_faster(compiled: CompiledGame, description: Description, key: str, digest: str) -> None:
    """Exchange the tables of a game for compiled sections: at once, or when there are some.

    Args:
        compiled: The game.
        description: Its rules.
        key: Its name in the cache.
        digest: What tells its code from that of others.
    """
    kept = cache.read(key + _FASTER)
    if kept and kept[1]["digest"] == digest:
        _exchange(compiled, kept[0])
        return
    work = threading.Thread(
        target=_compile_apart, args=(compiled, description, key, digest), name=THREAD, daemon=True
    )
    work.start()


def _compile_apart(compiled: CompiledGame, description: Description, key: str, digest: str) -> None:
    from semisplit.language.gdl.native.interface import build

    source = description.source
    program = f"{limiting(_SECONDS, _BYTES)}from {__name__} import main\nmain()"
    with Program(program, source.name, str(build.MOST_GATES)) as process:
        output = b"".join(process.run(source.text))
        succeeded = process.succeeded()
    found, _, object_code = output.partition(b"\n")
    # If it did not work, the tables go on working.
    if succeeded and found.decode() == digest:
        cache.write(key + _FASTER, object_code, {"digest": digest})
        _exchange(compiled, object_code)


def _exchange(compiled: CompiledGame, object_code: bytes) -> None:
    switches = compiled.facts.switches
    compiled.exchange(object_code, {switch: switch.removeprefix(SWITCH) for switch in switches})


def main() -> None:
    """Compile the large sections of rules: NAME GATES < RULES > DIGEST_AND_OBJECT_CODE."""
    from semisplit.language.gdl.ground.program import ground
    from semisplit.language.gdl.native.interface.build import emit
    from semisplit.language.gdl.network.circuit import build_circuit
    from semisplit.language.gdl.network.turns import find_turns

    circuit = build_circuit(ground(parse(sys.stdin.buffer.read().decode(), sys.argv[1])))
    emitted = emit(circuit, find_turns(circuit), int(sys.argv[2]))
    object_code = Target.host().object_code(emitted.faster(), optimise=False)
    sys.stdout.buffer.write(emitted.digest.encode() + b"\n" + object_code)
