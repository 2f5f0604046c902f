"""Drawings of results, by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from semisplit.stats.records import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Which people who see colours differently can tell apart (Okabe and Ito)."""
_ROW = 0.32
"""Height of a row in inches."""
PERCENT = Interval(0, 100)


class Point(NamedTuple):
    """A value and its interval."""

    label: str
    value: float
    interval: Interval


class Line(NamedTuple):
    """Values over numbers."""

    name: str
    points: Sequence[tuple[float, float, Interval]]
    """Number, value and interval."""


def can_draw() -> bool:
    """Whether matplotlib is there."""
    return find_spec("matplotlib") is not None


def draw_intervals(
    series: Mapping[str, Sequence[Point]], axis: str, middle: float, limits: Interval | None = None
) -> str:
    """Points with their intervals in rows; those of several series with one label share a row.

    Args:
        series: The points of each series.
        axis: What the values are.
        middle: The value that would mean no difference.
        limits: The least and the largest value there can be.
    """
    labels = list(dict.fromkeys(point.label for points in series.values() for point in points))

    def draw(axes: Axes) -> None:
        axes.axvline(middle, color="#999999", linewidth=1)
        for number, (name, points) in enumerate(series.items()):
            shift = (number + 1) / (len(series) + 1) - 0.5
            axes.errorbar(
                [point.value for point in points],
                [labels.index(point.label) + shift for point in points],
                xerr=_bars([(point.value, point.interval) for point in points], limits),
                fmt="o",
                markersize=4,
                clip_on=False,
                color=_COLOURS[number % len(_COLOURS)],
                label=name,
            )
        axes.set_yticks(range(len(labels)), labels)
        axes.set_ylim(len(labels) - 0.4, -0.6)
        axes.set_xlim(limits)
        axes.set_xlabel(axis)
        axes.grid(axis="x", color="#eeeeee")

    height = _ROW * len(labels) * max(1.0, len(series) / 2)
    return _svg(draw, height + 1.0, legend=len(series) > 1)


def draw_lines(lines: Sequence[Line], across: str, up: str, middle: float, limits: Interval) -> str:
    """Lines over numbers that are spaced by their ratios."""

    def draw(axes: Axes) -> None:
        axes.axhline(middle, color="#999999", linewidth=1)
        for number, line in enumerate(lines):
            axes.errorbar(
                [point[0] for point in line.points],
                [point[1] for point in line.points],
                yerr=_bars([point[1:] for point in line.points], limits),
                marker="o",
                markersize=4,
                clip_on=False,
                linestyle="-" if number < len(_COLOURS) else "--",
                color=_COLOURS[number % len(_COLOURS)],
                label=line.name,
            )
        axes.set_xscale("log")
        axes.set_xlabel(across)
        axes.set_ylim(limits)
        axes.set_ylabel(up)
        axes.grid(color="#eeeeee")

    return _svg(draw, 4.5, legend=True)


def _bars(
    points: Sequence[tuple[float, Interval]], limits: Interval | None
) -> tuple[list[float], list[float]]:
    """How far intervals reach down and up, as far as is possible at all."""
    least, largest = limits or (-math.inf, math.inf)
    below = [max(0.0, value - max(least, interval.low)) for value, interval in points]
    above = [max(0.0, min(largest, interval.high) - value) for value, interval in points]
    return below, above


def _svg(draw: Callable[[Axes], None], height: float, *, legend: bool) -> str:
    import matplotlib
    from matplotlib.figure import Figure

    # The same results give the same file, and names are no formulas.
    with matplotlib.rc_context(
        {"svg.hashsalt": "semisplit", "svg.fonttype": "none", "text.parse_math": False}
    ):
        figure = Figure(figsize=(8, height), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        if legend:
            figure.legend(loc="outside right upper", frameon=False)
        written = StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    return text[text.index("<svg") :]
