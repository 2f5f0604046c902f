"""What is said on the wire, apart from the rules: times, numbers, moves.

Everything that is read here comes from somebody else and may be anything at all.
"""

from __future__ import annotations

import math
import sys
from contextlib import suppress

from semisplit.core.errors import IllegalMove, SemisplitError
from semisplit.game import Move, State

READY = b"ready"
RESET = b"reset"
_MOST_DIGITS = 9
_LONGEST_TIME = 400
"""Characters; the largest double has 316 when it is printed in full."""
_SHOWN = 60


class BadMessage(SemisplitError):
    """A message that does not mean anything where it was sent."""


def show(message: bytes) -> str:
    """A message as it can be shown safely, in quotes; what is long is cut."""
    cut = message if len(message) <= _SHOWN else message[:_SHOWN] + b"..."
    return "'" + printable(cut) + "'"


def printable(message: bytes) -> str:
    """A message on one line of ASCII, which every terminal and every encoding can take."""
    text = message.decode("ascii", "backslashreplace")
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def write_seconds(seconds: float | None) -> bytes:
    """A time limit; no limit at all is the largest number there is."""
    return f"{sys.float_info.max if seconds is None else seconds:.6f}".encode()


def read_seconds(message: bytes) -> float:
    """A time limit, which may be infinite."""
    try:
        seconds = float(message) if len(message) <= _LONGEST_TIME else math.nan
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        raise BadMessage(f"{show(message)} is not a time in seconds")
    return seconds


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
