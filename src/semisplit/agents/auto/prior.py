"""How strong candidates are at a game, as far as its features tell: a model fitted to a study.

The model is that of Bradley and Terry: a candidate beats another with odds that are the quotient of
their strengths. The logarithm of a strength is a linear function of the game's features, plus
something of the game's own that is normally distributed. That something is what games between the
candidates tell; see `Strengths.after`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.agents.auto.features import Features
from semisplit.search import Budget
from semisplit.stats.ratings import most_likely

Array = NDArray[np.float64]


def describe(features: Features, budget: Budget) -> dict[str, float]:
    """What the model knows about a game at a budget for each move.

    Of budgets that are not in time, nothing that takes time is known, so that the same comes out
    always.
    """
    depth = max(1.0, features.depth)
    known = {
        "moves": math.log(max(1.0, features.moves)),
        "semimoves": math.log(max(1.0, features.semimoves)),
        "states_per_move": math.log(max(1.0, features.states_per_move)),
        "dead": features.dead,
        "depth": math.log(depth),
        "depth_spread": features.depth_spread,
        "result_spread": features.result_spread,
        "learning": features.learning,
    }
    simulations = float(budget.simulations or 0)
    if budget.states is not None:
        simulations = budget.states / depth
    if budget.seconds is not None:
        simulations = 1e9 * budget.seconds / (features.whole_ns * depth)
        known["speed"] = math.log(features.whole_ns / features.split_ns)
    return known | {"simulations": math.log(max(1.0, simulations))}


@dataclass(frozen=True)
class Strengths:
    """Of candidates, as logarithms: normally distributed."""

    means: Array
    deviations: Array
    """Standard deviations, each independent of the others."""

    def after(self, points: Array) -> Strengths:
        """What is known when each candidate (row) has got points against others (columns).

        These are the most likely strengths, and the normal distribution that is as flat there as
        theirs.
        """
        precision = self.deviations**-2

        def prior(strengths: Array) -> tuple[Array, Array]:
            return precision * (self.means - strengths), precision

        means, information = most_likely(points.sum(axis=1), points + points.T, prior)
        return Strengths(means, np.sqrt(np.linalg.inv(information).diagonal()))


@dataclass(frozen=True)
class Prior:
    """The model."""

    candidates: tuple[str, ...]
    centres: Mapping[str, float]
    """The mean of each feature in the study."""
    scales: Mapping[str, float]
    """Its standard deviation."""
    strengths: Array
    """Of each candidate (row) at a game with features like the mean."""
    weights: Array
    """What one standard deviation of each feature (column) adds."""
    deviation: float
    """Of what a game has of its own."""

    def predict(self, known: Mapping[str, float]) -> Strengths:
        """Strengths of all candidates at a game; what is not known is taken to be like the mean.

        What is further than two standard deviations from it is taken to be as far: hardly any such
        game was studied.
        """
        centred = {
            name: (known.get(name, centre) - centre) / self.scales[name]
            for name, centre in self.centres.items()
        }
        means = self.strengths + self.weights @ np.clip(list(centred.values()), -2, 2)
        return Strengths(means, np.full(len(means), self.deviation))

    def to_json(self) -> dict[str, Any]:
        """The model as data, for people to read as well."""
        return {
            "features": {
                name: {"mean": round(self.centres[name], 4), "deviation": round(scale, 4)}
                for name, scale in self.scales.items()
            },
            "strengths": {
                name: {"mean": round(strength, 3)}
                | {feature: round(one, 3) for feature, one in zip(self.centres, weights)}
                for name, strength, weights in zip(
                    self.candidates, self.strengths.tolist(), self.weights.tolist()
                )
            },
            "deviation": round(self.deviation, 3),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Prior:
        """Return the model that data describe (see `to_json`)."""
        features, strengths = data["features"], data["strengths"]
        rows = [[one[name] for name in features] for one in strengths.values()]
        return Prior(
            tuple(strengths),
            {name: one["mean"] for name, one in features.items()},
            {name: one["deviation"] for name, one in features.items()},
            np.array([one["mean"] for one in strengths.values()]),
            np.array(rows),
            data["deviation"],
        )


@cache
def load_prior() -> Prior:
    """The model that comes with the program; benchmarks/auto.py has made it."""
    text = resources.files("semisplit.agents.auto").joinpath("prior.json").read_text("utf-8")
    return Prior.from_json(json.loads(text))
