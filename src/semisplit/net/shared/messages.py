"""Messages of others, which may be anything at all: showing them, and reading times in them."""

from __future__ import annotations

import math

from semisplit.core.errors import SemisplitError

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


def read_seconds(message: bytes) -> float:
    """A time limit, which may be infinite."""
    try:
        seconds = float(message) if len(message) <= _LONGEST_TIME else math.nan
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        raise BadMessage(f"{show(message)} is not a time in seconds")
    return seconds
