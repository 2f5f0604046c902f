"""What is said on the wire, apart from the rules: times, numbers, moves.

Everything that is read here comes from somebody else and may be anything at all.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from semisplit.core.errors import IllegalMove
from semisplit.game import Move, State
from semisplit.net.shared.messages import BadMessage, show

READY = b"ready"
RESET = b"reset"
_MOST_DIGITS = 9


def write_seconds(seconds: float | None) -> bytes:
    """A time limit; no limit at all is the largest number there is."""
    return f"{sys.float_info.max if seconds is None else seconds:.6f}".encode()


def read_player(message: bytes, players: int) -> int:
    """The number of a player, from 1."""
    word = message.strip()
    number = int(word) if word.isdigit() and len(word) <= _MOST_DIGITS else 0
    if not 1 <= number <= players:
        raise BadMessage(f"{show(message)} is not the number of one of {players} players")
    return number


def read_move(message: bytes, state: State) -> tuple[Move, State]:
    """A whole move that is legal in a nodal state, and the state after it.

    Raises:
        IllegalMove: If it is not one.
    """
    rules = state.game.rules
    steps = rules.read_steps(message.decode("ascii", "replace"))
    if not steps:
        raise IllegalMove(f"{show(message)} is not a move: pairs of vertex and modifier are")
    if rules.is_whole(steps):
        move = state.move(steps)
        with suppress(IllegalMove):
            return move, state.apply(move)
    raise IllegalMove(f"{show(message)} is not a legal move")
