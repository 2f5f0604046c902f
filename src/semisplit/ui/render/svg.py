"""Positions as pictures in SVG.

For pages that show them: each square is a group of the class `square` with its name in
`data-square`, and looks are attributes, which style sheets override. `docs/pictures.md` tells which
classes there are.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

from semisplit.core.steps import Position
from semisplit.language.rules import Appearance, Rules
from semisplit.ui.render.colours import COLOURS, Colour, player_colours
from semisplit.ui.render.layout import SIZE, Label, lay_out
from semisplit.ui.render.pieces import SHAPES, Look, circle, piece_looks

_FRAME, _TEXT, _LINE = "#f3eee3", "#3a362e", "#8d7f66"
_SQUARE, _DARK = "#ead9b5", "#c9a777"
_OUTLINE = "#17181b"
_BORDER = {"fill": "none", "stroke-width": "4", "transform": "scale(0.9)"}
_MARKS = {
    "last": {"fill": "#f5d000", "fill-opacity": "0.55"},
    "chosen": {"stroke": "#1769e0", **_BORDER},
    "threatened": {"stroke": "#d01c1c", "stroke-dasharray": "6 4", **_BORDER},
}
"""In the order in which they are drawn."""
_POINT = circle(3.5)
_MARGIN = 10
_WIDEST = 560
"""The default width or height of a picture."""
_LINE_HEIGHT = 18
_LETTER = 0.6
"""The width of a letter, as a part of its height, about."""
_MOST_ROWS = 24
_MOST_LINES = 40
_LONGEST = 80
"""Characters of a fluent that are shown."""
_WIDEST_LABEL = 12
"""Characters of a label that are shown."""
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def draw(
    rules: Rules,
    position: Position,
    *,
    since: Position | None = None,
    chosen: Collection[int] = (),
    threatened: Collection[int] = (),
    turned: bool = False,
) -> str:
    """A picture of a position: its board, or what is known of it as a table.

    Args:
        rules: The rules of the game.
        position: The position.
        since: An earlier position; squares that have changed since then are marked.
        chosen: Places on the board that are marked as chosen.
        threatened: Places that are marked as threatened.
        turned: Whether to show the board from the other side.
    """
    picture = Element("g")
    if appearance := rules.appearance:
        pieces = rules.pieces(position)
        before = pieces if since is None else rules.pieces(since)
        changed = [place for place, piece in enumerate(pieces) if piece != before[place]]
        places = {"last": changed, "chosen": chosen, "threatened": threatened}
        marks = {name: frozenset(some) for name, some in places.items()}
        box = _draw_board(picture, rules, appearance, pieces, marks, turned)
        box = _draw_text(picture, rules.beside_board(position), box)
    else:
        box = _draw_table(picture, rules.beside_board(position))
    return _finish(picture, box, _title(rules, position))


def _title(rules: Rules, position: Position) -> str:
    names = list(rules.players)
    deciders = [names[player - 1] for player in rules.deciders(position)]
    return f"{rules.source.name}: {' and '.join(deciders) or 'nobody'} to move"


def _finish(picture: Element, box: Box, title: str) -> str:
    left, top, right, bottom = box
    x, y = left - _MARGIN, top - _MARGIN
    width, height = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    scale = min(1, _WIDEST / max(width, height))
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "semisplit",
            "viewBox": f"{_number(x)} {_number(y)} {_number(width)} {_number(height)}",
            **_numbers(width=width * scale, height=height * scale),
            "role": "img",
            "font-family": "sans-serif",
            "text-anchor": "middle",
        },
    )
    SubElement(svg, "title").text = _clean(title)
    # With a ground of its own, the picture can be read on pages of any colour.
    frame = _numbers(x=x, y=y, width=width, height=height, rx=6)
    SubElement(svg, "rect", {"class": "frame", "fill": _FRAME, **frame})
    svg.extend(picture)
    return tostring(svg).decode() + "\n"


def _draw_board(
    picture: Element,
    rules: Rules,
    appearance: Appearance,
    pieces: Collection[str],
    marks: Mapping[str, frozenset[int]],
    turned: bool,
) -> Box:
    geometry = appearance.geometry
    looks = piece_looks(appearance)
    on_points = _is_on_points(rules, appearance, looks)
    layout = lay_out(geometry, rules.neighbours, on_points=on_points, turned=turned)
    centres = [(SIZE * x, SIZE * y) for x, y in layout.centres]
    lines = SubElement(picture, "g", {"class": "lines", "stroke": _LINE, "stroke-width": "1.5"})
    for ends in layout.lines:
        (x1, y1), (x2, y2) = (centres[end] for end in ends)
        SubElement(lines, "line", _numbers(x1=x1, y1=y1, x2=x2, y2=y2))
    players = [*rules.players]
    colours = player_colours(players)
    dark_places = _dark_places(rules, appearance, looks)
    squares = SubElement(picture, "g", {"class": "squares"})
    for place, (piece, (x, y)) in enumerate(zip(pieces, centres)):
        marked = [name for name in _MARKS if place in marks[name]]
        dark = place in dark_places
        name = _clean(geometry.names[place])
        square = SubElement(squares, "g", {"data-square": name})
        square.set("class", " ".join(["square", *["dark"] * dark, *marked]))
        square.set("transform", f"translate({_number(x)} {_number(y)})")
        tip = f"{name}: {_clean(piece)}" if piece in looks else name
        SubElement(square, "title").text = tip
        cell = {"fill": _DARK if dark else _SQUARE, "stroke": _LINE}
        if on_points:
            SubElement(square, "path", {"class": "point", "fill": _LINE, "d": _POINT})
            cell = {"fill": "none", "pointer-events": "all"}
        SubElement(square, "path", {"class": "cell", **cell, "d": layout.outline})
        for mark in marked:
            SubElement(square, "path", {"class": mark, **_MARKS[mark], "d": layout.outline})
        if piece in looks:
            owner = appearance.owners.get(piece)
            side = f"side-{players.index(owner) + 1}" if owner else "neutral"
            colour = colours[owner] if owner else COLOURS["gray"]
            _draw_piece(square, piece, looks[piece], side, colour)
    # Hexagons are higher than wide.
    boxes = [(x - SIZE / 2, y - 0.58 * SIZE, x + SIZE / 2, y + 0.58 * SIZE) for x, y in centres]
    return _around([*boxes, *_draw_labels(picture, layout.labels)])


def _draw_labels(picture: Element, labels: Iterable[Label]) -> Iterator[Box]:
    group = SubElement(picture, "g", {"class": "labels", "fill": _TEXT})
    for label in labels:
        x, y, width = SIZE * label.x, SIZE * label.y, SIZE * label.width
        _write(group, label.text, x, y, size=13, width=width)
        half = min(width, 13 * _LETTER * len(label.text)) / 2
        yield x - half, y - 8, x + half, y + 8


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _is_on_points(rules: Rules, appearance: Appearance, looks: Mapping[str, Look]) -> bool:
    """Whether the board is made of lines: a graph, or one for Go and its like."""
    geometry = appearance.geometry
    owned = {look for piece, look in looks.items() if piece in appearance.owners}
    return geometry.shape == "graph" or (
        geometry.shape == "rectangle"
        and geometry.rows == geometry.columns
        and geometry.rows in (9, 13, 15, 19)
        and owned <= {Look("disc"), Look("double disc")}
        and bool(rules.neighbours)
    )


def _dark_places(
    rules: Rules, appearance: Appearance, looks: Mapping[str, Look]
) -> Collection[int]:
    """The dark squares if the game is like chess or draughts, by its pieces or how they start."""
    geometry = appearance.geometry
    start = rules.pieces(rules.start)
    shapes = {look.shape for look in looks.values()}
    if geometry.shape != "rectangle" or not (
        shapes & {"queen", "rook", "crowned disc"}
        or any(appearance.sits_above(start, player) for player in rules.players)
    ):
        return ()
    colours = [(x + y) % 2 for x, y, _ in geometry.cells]
    used = {colour for colour, piece in zip(colours, start) if piece in looks}
    # Draughts are played on dark squares; else the one on the left below is dark.
    dark = used.pop() if len(used) == 1 else (geometry.rows - 1) % 2
    return {place for place, colour in enumerate(colours) if colour == dark}


def _draw_piece(square: Element, piece: str, look: Look, side: str, colour: Colour) -> None:
    shape = SHAPES[look.shape]
    group = SubElement(
        square,
        "g",
        {
            "class": f"piece {side}",
            "data-piece": _clean(piece),
            "fill": colour.fill,
            "stroke": _OUTLINE,
            "stroke-width": "1.2",
            "stroke-linejoin": "round",
        },
    )
    SubElement(group, "path", {"d": shape.body})
    if shape.detail:
        lines = {"fill": "none", "stroke": colour.ink, "stroke-width": "1.8"}
        SubElement(group, "path", {"d": shape.detail, "stroke-linecap": "round", **lines})
    if look.letters:
        text = _write(group, look.letters, 0, 0, size=18, width=24)
        text.attrib |= {"fill": colour.ink, "stroke": "none", "font-weight": "bold"}


def _draw_text(picture: Element, text: str, box: Box) -> Box:
    """Write a text under a picture."""
    left, top, right, bottom = box
    letters = max(20, int((right - left) / (12 * _LETTER)))
    # A fluent stays in one line if there is room.
    words = " ".join(fluent.replace(" ", "\u00a0") for fluent in _split(_clean(text)))
    lines = textwrap.wrap(words, letters, max_lines=_MOST_LINES, placeholder=" ...")
    group = SubElement(picture, "g", {"class": "beside", "fill": _TEXT, "text-anchor": "start"})
    for line in lines:
        bottom += _LINE_HEIGHT
        _write(group, line, left, bottom, size=12)
    return left, top, max(right, left + 12 * _LETTER * max(map(len, lines), default=0)), bottom


def _draw_table(picture: Element, text: str) -> Box:
    """Draw fluents as a table: the names on the left, what they say beside them."""
    inner = (
        re.sub(r"^\((.*)\)$", r"\1", fluent)[:_LONGEST]
        for fluent in _split(_clean(text)) or ["nothing"]
    )
    fluents = [(name, fact) for name, _, fact in (fluent.partition(" ") for fluent in inner)]
    group = SubElement(picture, "g", {"class": "fluents", "fill": _TEXT, "text-anchor": "start"})
    left, rows = 0.0, min(len(fluents), _MOST_ROWS)
    for first in range(0, len(fluents), _MOST_ROWS):
        block = fluents[first : first + _MOST_ROWS]
        names, facts = (max(len(fluent[i]) for fluent in block) * 12 * _LETTER for i in (0, 1))
        before = ""
        for row, (name, fact) in enumerate(block):
            y = (row + 0.5) * _LINE_HEIGHT
            if name != before:
                _write(group, name, left, y, size=12).set("font-weight", "bold")
                right, above = left + names + facts + 12, y - _LINE_HEIGHT / 2
                line = _numbers(x1=left, x2=right, y1=above, y2=above)
                SubElement(group, "line", {"stroke": _LINE, **line})
            _write(group, fact, left + names + 12, y, size=12)
            before = name
        left += names + facts + 36
    return 0, 0, max(left - 24, 200), rows * _LINE_HEIGHT


def _split(text: str) -> list[str]:
    """The fluents in a text."""
    fluents: list[str] = []
    depth = 0
    for word in text.split():
        if depth:
            fluents[-1] += f" {word}"
        else:
            fluents.append(word)
        depth += word.count("(") - word.count(")")
    return fluents


def _write(
    parent: Element, text: str, x: float, y: float, *, size: float, width: float | None = None
) -> Element:
    """Write a text around a point, smaller if it must fit into a width."""
    text = _clean(text)
    if width is not None:
        text = text if len(text) <= _WIDEST_LABEL else f"{text[: _WIDEST_LABEL - 1]}\u2026"
        size = min(size, width / (_LETTER * max(1, len(text))))
    place = _numbers(x=x, y=y + 0.36 * size)
    written = SubElement(parent, "text", {**place, "font-size": _number(size)})
    written.text = text
    return written


def _clean(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


def _numbers(**values: float) -> dict[str, str]:
    return {name: _number(value) for name, value in values.items()}


def _number(value: float) -> str:
    return f"{round(value, 1) + 0:g}"
