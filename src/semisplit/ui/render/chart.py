"""Small charts in SVG: bars and curves, with their numbers written on them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

_WIDTH, _HEIGHT = 480.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 12.0, 12.0, 34.0
_ROW = 30.0
_LETTER = 7.2
"""The width of a letter, about."""
_INK, _QUIET, _FILL = "#4a463d", "#8d877a", "#2f6f62"
_GROUND = "#fbf9f4"
_TICKS = 5


class Share(NamedTuple):
    """A part of a whole."""

    name: str
    value: float
    """From 0 to 1."""
    text: str
    """What is written beside its bar."""
    colour: str = _FILL


def draw_shares(shares: Sequence[Share]) -> str:
    """Parts of a whole, a row for each."""
    names = max(len(share.name) for share in shares) * _LETTER + 20
    texts = max(len(share.text) for share in shares) * _LETTER + 20
    room = max(80.0, _WIDTH - names - texts)
    svg = _svg(names + room + texts, len(shares) * _ROW + 12)
    for number, share in enumerate(shares):
        y = 6 + number * _ROW
        _text(svg, share.name, 10, y + 20)
        _rect(svg, names, y + 5, room, _ROW - 10, "#e7e1d3")
        bar = _rect(svg, names, y + 5, room * share.value, _ROW - 10, share.colour)
        bar.set("stroke", _QUIET)
        _text(svg, share.text, names + room + 10, y + 20, _QUIET)
    return _finish(svg)


def draw_histogram(counts: Sequence[tuple[float, float, int]], across: str) -> str:
    """Bars over stretches of numbers: each from where, to where, and how many."""
    svg = _svg(_WIDTH, _HEIGHT)
    low, high = counts[0][0], counts[-1][1]
    top = max(count for _, _, count in counts)
    scale = (_WIDTH - _LEFT - _RIGHT) / (high - low or 1)
    for begin, end, count in counts:
        height = (_HEIGHT - _TOP - _BOTTOM) * count / top
        x = _LEFT + (begin - low) * scale
        width = max(1.0, (end - begin) * scale - 1)
        bar = _rect(svg, x, _HEIGHT - _BOTTOM - height, width, height, _FILL)
        SubElement(bar, "title").text = f"{begin:g} to {end:g}: {count:,}"
    _axes(svg, low, high, 0, top, across)
    return _finish(svg)


def draw_curve(points: Sequence[tuple[float, float]], across: str) -> str:
    """A curve through points, from the left to the right."""
    svg = _svg(_WIDTH, _HEIGHT)
    low, high = points[0][0], points[-1][0]
    top = max(y for _, y in points) or 1
    across_scale = (_WIDTH - _LEFT - _RIGHT) / (high - low or 1)
    up_scale = (_HEIGHT - _TOP - _BOTTOM) / top
    places = [
        f"{_LEFT + (x - low) * across_scale:.1f},{_HEIGHT - _BOTTOM - y * up_scale:.1f}"
        for x, y in points
    ]
    line = {"fill": "none", "stroke": _FILL, "stroke-width": "2.5", "stroke-linejoin": "round"}
    SubElement(svg, "polyline", {**line, "points": " ".join(places)})
    _axes(svg, low, high, 0, top, across)
    return _finish(svg)


def _axes(svg: Element, low: float, high: float, bottom: float, top: float, across: str) -> None:
    ground = _HEIGHT - _BOTTOM
    line = {"stroke": _QUIET, "stroke-width": "1"}
    ends = {"x1": f"{_LEFT:g}", "x2": f"{_WIDTH - _RIGHT:g}", "y1": f"{ground:g}"}
    SubElement(svg, "line", {**line, **ends, "y2": f"{ground:g}"})
    for tick in _ticks(low, high):
        x = _LEFT + (tick - low) / (high - low or 1) * (_WIDTH - _LEFT - _RIGHT)
        _text(svg, f"{tick:,g}", x, ground + 15, _QUIET, "middle")
    for tick in _ticks(bottom, top):
        y = ground - (tick - bottom) / (top - bottom or 1) * (ground - _TOP)
        _text(svg, f"{tick:,g}", _LEFT - 6, y + 4, _QUIET, "end")
    _text(svg, across, (_LEFT + _WIDTH) / 2, _HEIGHT - 4, _INK, "middle")


def _ticks(low: float, high: float) -> Iterable[float]:
    """Round numbers between two."""
    raw = (high - low or 1) / _TICKS
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    step = max(1, step) if high - low > _TICKS else step
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _svg(width: float, height: float) -> Element:
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "chart",
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "role": "img",
            "font-family": "sans-serif",
            "font-size": "12",
        },
    )
    # With a ground of its own, it can be read on pages of any colour.
    _rect(svg, 0, 0, width, height, _GROUND).set("rx", "6")
    return svg


def _rect(parent: Element, x: float, y: float, width: float, height: float, fill: str) -> Element:
    numbers = {"x": x, "y": y, "width": width, "height": height}
    attributes = {name: f"{value:.1f}" for name, value in numbers.items()}
    return SubElement(parent, "rect", {**attributes, "fill": fill})


def _text(
    parent: Element, text: str, x: float, y: float, fill: str = _INK, anchor: str = "start"
) -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "fill": fill, "text-anchor": anchor}
    SubElement(parent, "text", place).text = text


def _finish(svg: Element) -> str:
    return tostring(svg).decode() + "\n"
