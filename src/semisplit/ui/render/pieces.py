"""What pieces look like in pictures: a shape if their name is one of the usual ones, else letters.

Shapes are paths around (0, 0) with y going down, not more than 16 away from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from semisplit.core.board.diagram import piece_symbols
from semisplit.language.rules import Appearance


@dataclass(frozen=True)
class Shape:
    """The outline of a piece."""

    body: str
    """What is filled with the colour of the side; holes are allowed."""
    detail: str = ""
    """Lines on it."""


def circle(radius: float, x: float = 0, y: float = 0, *, hole: bool = False) -> str:
    """A circle as a path; a hole goes round the other way."""
    arc = f"a{radius} {radius} 0 1 {int(hole)}"
    return f"M{x - radius} {y}{arc} {2 * radius} 0{arc} {-2 * radius} 0z"


_DISC = circle(14)
_ROOK = (
    "M-11 14h22v-4h-3v-13h3v-10h-5v4h-3.5v-4h-5v4h-3.5v-4h-5v10h3v13h-3z"  # from the base upwards
)
_TIPS = ((-13.5, -8), (-7, -11.5), (0, -13), (7, -11.5), (13.5, -8))
SHAPES = {
    "king": Shape(
        "M-10 14h20l3-12c2-8-8-11-13-3c-5-8-15-5-13 3zM1.5-3v-5h3v-3h-3v-4h-3v4h-3v3h3v5z",
        "M-8.5 9.5h17M0 5v-4",
    ),
    "queen": Shape(
        "M-10 14h20L13.5-6L8 3L7-10L2.5 2L0-11L-2.5 2L-7-10L-8 3L-13.5-6z"
        + "".join(circle(2, x, y) for x, y in _TIPS),
        "M-9.5 9.5h19",
    ),
    "rook": Shape(_ROOK, "M-8-3h16M-8 10h16"),
    "tower": Shape(_ROOK, "M-8-3h16M-8 10h16M0 0v7"),
    "bishop": Shape(
        "M-10 14h20v-4h-5c6-5 4-13-5-21c-9 8-11 16-5 21h-5z" + circle(2.2, 0, -12.5),
        "M-5 10h10M0-5v9M-4-1h8",
    ),
    "knight": Shape(
        "M-9 14h19c1-14-1-25-10-27l-2-3l-2 3c-4 2-6 7-10 12c-1 3 2 5 4 4l5-3c1 4-5 6-4 14z",
        "M-5-7h1M2-9c4 4 5 11 5 19",
    ),
    "pawn": Shape("M-9 14h18c0-6-5-7-5.5-12h-7c-.5 5-5.5 6-5.5 12z" + circle(5.5, 0, -6)),
    "disc": Shape(_DISC),
    "double disc": Shape(_DISC, circle(8.5)),
    "crowned disc": Shape(_DISC, "M-7 6h14l2-11l-5.5 4l-3.5-6l-3.5 6l-5.5-4z"),
    "cross": Shape(
        "M-13-8.5l4.5-4.5l8.5 8.5l8.5-8.5l4.5 4.5l-8.5 8.5l8.5 8.5l-4.5 4.5l-8.5-8.5"
        "l-8.5 8.5l-4.5-4.5l8.5-8.5z"
    ),
    "ring": Shape(_DISC + circle(7.5, hole=True)),
    "block": Shape("M-16-16h32v32h-32z"),
    "hole": Shape("M-16-16h32v32h-32zM-13-13v26h26v-26z"),
    "tile": Shape("M-11-15h22q4 0 4 4v22q0 4-4 4h-22q-4 0-4-4v-22q0-4 4-4z"),
}
_NAMES = {
    "king": "king",
    "queen": "queen",
    "rook castle": "rook",
    "tower": "tower",
    "bishop": "bishop",
    "knight horse": "knight",
    "pawn": "pawn",
    "man men checker disc disk stone counter token marble ball": "disc",
    "x cross": "cross",
    "o nought ring circle": "ring",
    "marked block wall brick box": "block",
    "gap hole": "hole",
}
_USUAL = {name: shape for names, shape in _NAMES.items() for name in names.split()}
_CHESS = dict(zip("kqrtbnp", ("king", "queen", "rook", "tower", "bishop", "knight", "pawn")))


@dataclass(frozen=True)
class Look:
    """What a piece looks like, apart from its colour."""

    shape: str
    letters: str = ""
    """What is written on it."""


def piece_looks(appearance: Appearance) -> dict[str, Look]:
    """The look of each piece, which no other of the same side has; none for empty squares."""
    sides: dict[str | None, list[str]] = {}
    for piece, symbol in appearance.symbols.items():
        if symbol != ".":
            sides.setdefault(appearance.owners.get(piece), []).append(piece)
    return {
        piece: look
        for owner, pieces in sides.items()
        for piece, look in _side_looks(owner, pieces, appearance.symbols).items()
    }


def _side_looks(
    owner: str | None, pieces: list[str], symbols: Mapping[str, str]
) -> dict[str, Look]:
    kinds = {piece: _kind(piece, owner) for piece in pieces}
    shapes: dict[str, str] = {}
    letters = {kind[0] for kind in kinds.values() if len(kind) == 1}
    is_chess = "k" in letters and len(letters & set("qrbnp")) >= 3
    for piece, kind in kinds.items():
        shape = _shape(piece, kind, owner, pieces)
        if is_chess and len(kind) == 1:
            shape = _CHESS.get(kind[0], shape)
        if shape and shape not in shapes.values():
            shapes[piece] = shape
    if "disc" in shapes.values() and not {"pawn", "queen", "rook"} & set(shapes.values()):
        shapes = {p: "crowned disc" if s == "king" else s for p, s in shapes.items()}
    words = {
        piece: "".join(map(str.capitalize, kind))
        for piece, kind in kinds.items()
        if piece not in shapes
    }
    if all(words.values()) and len(set(words.values())) == len(words):
        short = piece_symbols([*words.values()])
        written = {piece: short[word] for piece, word in words.items()}
    else:
        written = {piece: symbols[piece] for piece in words}
    below = "disc" if owner else "tile"
    return {piece: Look(shape) for piece, shape in shapes.items()} | {
        piece: Look(below, text) for piece, text in written.items()
    }


def _kind(piece: str, owner: str | None) -> list[str]:
    """The words of a piece's name that do not tell its side."""
    words, side = _words(piece), _words(owner or "")
    kind = [word for word in words if word not in side]
    if side and len(kind) == 1 and len(kind[0]) == 2 and kind[0][0] == side[0][0]:
        return [kind[0][1]]  # like wk, a white king
    return kind


def _words(name: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+", name)]


def _shape(piece: str, kind: list[str], owner: str | None, pieces: list[str]) -> str | None:
    for word in kind or _words(piece):
        if word in _USUAL:
            return _USUAL[word]
    name = " ".join(kind)
    if owner and (not kind or any(word.startswith(name) for word in _words(owner))):
        # It is called like its side; of w and W the latter is more.
        small = piece.casefold()
        return "double disc" if piece != small and small in pieces else "disc"
    return None
