"""One fixed game of each bundled game, from its rules alone.

Which move is next depends on the name of the game, the number of the move and the order of steps;
neither random generators nor processors have a part in it. The interpreter plays.
"""

from collections.abc import Iterator
from hashlib import sha256

import semisplit
from semisplit import Move, State

LONGEST = 120
"""Moves after which a game is left."""
BOARDS = 25
"""Each so many moves the board is shown."""
VERY_MANY = {"arimaa", "arimaa_fixed_position", "breakthru", "connect6"}
"""Games with tens of thousands of moves in a position: moves are chosen semimove by semimove."""


def play(name: str) -> Iterator[tuple[State, list[Move], int]]:
    """The states of the game, each with the semimoves that led to it and how many were legal."""
    split = "Mod" if name in VERY_MANY else None
    state = semisplit.load(name, split=split, engine="interpreter").initial_state()
    yield state, [], 0
    for number in range(1, LONGEST + 1):
        if state.is_terminal:
            return
        made: list[Move] = []
        legal = 0
        while not made or not state.is_nodal:
            listed = state.semimoves() if split else state.moves()
            found = sorted(listed, key=lambda move: move.steps)
            legal += len(found)
            drawn = sha256(f"{name} {number} {len(made)}".encode()).digest()
            while (after := state.apply(found[chosen := _below(drawn, len(found))])).is_dead:
                del found[chosen]
            made.append(found[chosen])
            state = after
        yield state, made, legal


def _below(drawn: bytes, limit: int) -> int:
    return int.from_bytes(drawn) % limit


def playthrough(name: str) -> str:
    """A game as a text: its moves, each with the number of those that were legal, and boards."""
    lines: list[str] = []
    states = list(play(name))
    for number, (state, moves, legal) in enumerate(states):
        if moves:
            lines.append(f"{number:3}. {' '.join(map(str, moves))}  (of {legal})")
        if number % BOARDS == 0 or number == len(states) - 1:
            lines += ["", str(state), ""]
    last = states[-1][0]
    scores = ", ".join(map("{} {}".format, last.game.players, last.scores))
    lines.append(f"over: {scores}" if last.is_terminal else f"left after {LONGEST} moves")
    return "\n".join(lines) + "\n"
