"""The papers' measurements of speed and size again, beside the printed ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection

from semisplit.lab.bench.measuring import (
    Estimate,
    count_moves,
    measure_search,
    measure_shape,
    measure_single,
    measure_speed,
)
from semisplit.lab.papers import Experiment, Measurement
from semisplit.lab.papers.reproduce import check_known
from semisplit.lab.reports.document import Table
from semisplit.lab.store.circumstances import describe
from semisplit.lab.store.database import Store
from semisplit.loading import load

SECONDS = 10.0
"""For each measurement, as in the thesis."""
ROUNDING = {
    "nodal_states_per_simulation": 0.5,
    "all_states_per_simulation": 0.5,
    "branching": 0.005,
}
"""By how much a printed figure that does not depend on the machine may be wrong."""
TOLERANCE = 0.1
"""Figures agree only if a difference of more than this part would have been seen."""


def remeasure(
    experiment: Experiment,
    scale: float,
    games: Collection[str],
    store: Store,
    on_measurement: Callable[[str], None],
) -> Table:
    """Measure again what a paper measured, as far as that has not been done before.

    Args:
        experiment: What the paper printed.
        scale: Shrinks the time.
        games: Only these, if any.
        store: Where measurements are kept.
        on_measurement: Is called with what is about to be measured.
    """
    check_known("game", games, {printed.game for printed in experiment.measurements})
    rows: list[tuple[str, ...]] = []
    seen: list[dict[str, str]] = []
    for printed in experiment.measurements:
        if games and printed.game not in games:
            continue
        on_measurement(f"{printed.game}, {printed.moves}")
        ours, when = _measure_once(printed, scale * SECONDS, store)
        seen.append(when)
        speed = next(iter(ours.values())).value
        if printed.moves == "orthodox":
            orthodox_speed = speed
        ours["relative_speed"] = Estimate(100 * speed / orthodox_speed, 0)
        rows += [
            (printed.game, printed.moves, experiment.columns[key], *_cells(key, ours[key], value))
            for key, value in printed.values.items()
        ]
    header = ("game", "moves", "what", "ours", "paper", "")
    note = (
        "Speeds and memory are those of different machines. Other figures differ if the printed"
        " one, give or take its rounding, is not in our 95 % interval: ± is 1.96 standard errors of"
        " the mean over random games. If it is, they agree, provided that ± is no more than"
        f" {100 * TOLERANCE:.0f} % of the figure; otherwise the comparison is inconclusive."
        f" Each was measured for {scale * SECONDS:g} s (the thesis: {SECONDS:g} s)."
        f" Circumstances: {describe(seen)}."
    )
    return Table(experiment.source.item, header, tuple(rows), note)


def _measure_once(
    printed: Measurement, seconds: float, store: Store
) -> tuple[dict[str, Estimate], dict[str, str]]:
    rules = load(printed.game).text
    key = json.dumps([printed.game, rules, printed.moves, printed.agent, seconds])
    if store.measurement(key) is None:
        measure = _measure_search if printed.agent else _measure_playouts
        store.add_measurement(key, measure(printed, seconds))
    known = store.measurement(key)
    assert known is not None
    figures, when = known
    return {name: Estimate(*figure) for name, figure in figures.items()}, when


def _measure_search(printed: Measurement, seconds: float) -> dict[str, Estimate]:
    assert printed.agent is not None
    speed = measure_search(printed.game, printed.agent, seconds)
    return {
        "states_per_second": Estimate(speed.nodal_states_per_s, 0),
        "memory": Estimate(speed.bytes / (1 << 20), 0),
    }


def _measure_playouts(printed: Measurement, seconds: float) -> dict[str, Estimate]:
    split = None if printed.moves == "orthodox" else printed.moves
    game = load(printed.game, split)
    speed = measure_speed(game.compiled, game.rules, seconds / 2, semisplit=split is not None)
    shape = measure_shape(game, seconds / 2)
    return {
        "nodal_states_per_second": Estimate(speed.nodal_states_per_s, 0),
        "simulations_per_second": Estimate(speed.playouts_per_s, 0),
        "nodal_states_per_simulation": shape.nodal_states,
        "all_states_per_simulation": shape.all_states,
        "branching": shape.branching,
        "microseconds": Estimate(measure_single(game, seconds / 4), 0),
        "microseconds_at_once": Estimate(1e6 / speed.playouts_per_s, 0),
        "moves_in_a_position": Estimate(count_moves(game, seconds / 4), 0),
    }


def _cells(key: str, ours: Estimate, printed: float) -> tuple[str, str, str]:
    if key not in ROUNDING:
        return _write(ours.value), _write(printed), ""
    written = f"{ours.value:.2f} ± {ours.margin:.2f}", f"{printed:g}"
    if abs(ours.value - printed) > ours.margin + ROUNDING[key]:
        return *written, "differs"
    return *written, "agrees" if ours.margin <= TOLERANCE * printed else "inconclusive"


def _write(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"
