"""What the bundled games in GDL are made of, and how long it takes to find out.

    python -m benchmarks.decompositions [GAMES]

Seconds are of the processor: of the decomposition alone, and of reading and grounding the rules,
clingo included. Neither uses compiled code.
"""

import sys

from benchmarks.gdl_speed import processor
from semisplit import games
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose_program
from semisplit.language.gdl.ground.program import ground


def measure(name: str) -> str:
    begin = processor()
    program = ground(parse(games.text(name), name))
    grounded = processor()
    found = decompose_program(program)
    ended = processor()
    sizes = " + ".join(str(len(fluents)) for fluents in found.subgames)
    return (
        f"| {name} | {found.kind} | {sizes} | {len(found.control)} | {len(found.useless)}"
        f" | {ended - grounded:.2f} | {grounded - begin:.2f} |"
    )


def main() -> None:
    print("| game | kind | sub-games (fluents) | control | useless moves | s | grounding s |")
    print("|---|---|---|---|---|---|---|")
    names = [name for name in games.names() if games.text(name).lstrip()[0] in ";("]
    decompose_program(ground(parse(games.text("buttons"), "buttons")))
    for name in sys.argv[1:] or names:
        print(measure(name), flush=True)


if __name__ == "__main__":
    main()
