"""Which colour each side has, in the terminal and in pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """The colour of a side."""

    style: str
    """In the terminal."""
    fill: str
    """Of its pieces in pictures."""
    ink: str
    """Of what is drawn on them."""


_DARK, _LIGHT = "#22252a", "#ffffff"
COLOURS = {
    "white": Colour("black on bright_white", "#fdfcf7", _DARK),
    "black": Colour("bright_white on grey23", "#33363c", _LIGHT),
    "red": Colour("bright_white on red3", "#c8322b", _LIGHT),
    "blue": Colour("bright_white on blue3", "#2b59c3", _LIGHT),
    "green": Colour("bright_white on green4", "#23863f", _LIGHT),
    "yellow": Colour("black on bright_yellow", "#f7d737", _DARK),
    "gold": Colour("black on gold3", "#d8a419", _DARK),
    "silver": Colour("black on grey70", "#bfc5cd", _DARK),
    "gray": Colour("black on grey50", "#8c9199", _DARK),
    "grey": Colour("black on grey50", "#8c9199", _DARK),
    "orange": Colour("black on dark_orange", "#f08a24", _DARK),
    "purple": Colour("bright_white on purple4", "#6a3d9a", _LIGHT),
    "violet": Colour("bright_white on purple4", "#6a3d9a", _LIGHT),
    "brown": Colour("bright_white on orange4", "#7a4a21", _LIGHT),
    "pink": Colour("black on pink1", "#f4a3b8", _DARK),
    "cyan": Colour("black on dark_cyan", "#12a3b4", _DARK),
    "magenta": Colour("bright_white on magenta3", "#b5309f", _LIGHT),
}
_OTHERS = tuple(COLOURS[name] for name in ("cyan", "magenta", "orange", "green"))
"""For players whose names say no colour."""


def player_colours(players: Sequence[str]) -> dict[str, Colour]:
    """The colour of each player: that of the name, as long as it is not another's."""
    found: dict[str, Colour] = {}
    for player in players:
        named = _named_colour(player)
        if named and named not in found.values():
            found[player] = named
    for number, player in enumerate(players):
        if player not in found:
            wanted = _OTHERS[number % len(_OTHERS) :] + _OTHERS
            free = (colour for colour in wanted if colour not in found.values())
            found[player] = next(free, wanted[0])
    return found


def _named_colour(player: str) -> Colour | None:
    for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", player):
        for name, colour in COLOURS.items():
            if word.casefold().startswith(name):
                return colour
    return None
