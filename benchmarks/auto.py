"""Which search for which game: the study, and the model that `auto` begins with.

Run from the root of the repository:

    semisplit tournament benchmarks/auto.toml --out FOLDER
    python -m benchmarks.auto collect --store FOLDER/games.db
    python -m benchmarks.auto fit
    python -m benchmarks.auto judge
    python -m benchmarks.auto bounds

`collect` adds the results of a tournament to `benchmarks/results/auto.json`, with the features of
games that are new there. `fit` makes `src/semisplit/agents/auto/prior.json` from that, and
shows how well games that are left out are predicted: the mean of minus the logarithm, by features
alone and with half of their results known. `judge` chooses for each game with
what was learnt from all others, by the model alone and with short games besides, and prints how the
choices did in the tournament, whose games of that game played no part in them. `bounds` simulates
what the same tables would show of a choice that is always the best, with more games or fewer: by
games of each score, what is chosen scores, what the best one seems to, at how many games these are
near each other, how often at all, and the same for how many variants are beaten with confidence.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import semisplit
from semisplit.agents.auto.choice import choose
from semisplit.agents.auto.features import Features, measure_features
from semisplit.agents.auto.prior import Prior, Strengths, describe
from semisplit.lab.store.database import Store
from semisplit.search import Budget

Array = NDArray[np.float64]
STUDY = Path(__file__).parent / "results" / "auto.json"
PRIOR = Path(semisplit.__file__).parent / "agents" / "auto" / "prior.json"
WEIGHT, DEVIATION = 0.2, 0.8
"""The standard deviations that predict games left out best, as `fit` shows."""
NEAR = 0.07
"""As many points below the best variant of a game as a choice may be, by what was hoped for."""
DRAWS = 1000
"""Of strengths as they may be."""
MATCHES = (2, 4, 8, 16, 32)
"""Games of each two variants, to see what more of them would show."""
WEIGHTS, DEVIATIONS = (0.1, 0.15, 0.2, 0.3), (0.5, 0.8, 1.2)


@dataclass
class Study:
    """All results: points[cell, i, j] is what candidate i got against j at a game and a budget."""

    candidates: list[str]
    games: list[str]
    budgets: list[float]
    features: dict[str, Features]
    points: Array

    @property
    def cells(self) -> list[tuple[str, float]]:
        """Games and budgets in the order of points."""
        return list(product(self.games, self.budgets))

    def known(self, cell: tuple[str, float]) -> dict[str, float]:
        """What the model knows about a game at a budget."""
        return describe(self.features[cell[0]], Budget(seconds=cell[1]))

    def without(self, game: str) -> Study:
        """The same without a game."""
        kept = [number for number, cell in enumerate(self.cells) if cell[0] != game]
        games = [one for one in self.games if one != game]
        return Study(self.candidates, games, self.budgets, self.features, self.points[kept])


def collect(store: Path) -> None:
    """Add what is in a store to the table: a pair that has met there again counts as it did there.

    Features are measured of games that are new, as others' were when they were played.
    """
    kept = json.loads(STUDY.read_text(encoding="utf-8")) if STUDY.exists() else {}
    points: dict[tuple[str, float], dict[tuple[str, str], float]] = defaultdict(dict)
    for game, budget, rows in kept.get("points", []):
        for a, row in zip(kept["candidates"], rows):
            points[game, budget] |= {(a, b): got for b, got in zip(kept["candidates"], row)}
    with closing(Store(store, read_only=True)) as opened:
        for match in opened.matches():
            results = [game.result for game in opened.games(match.id)]
            cell = points[match.game, seconds(match.used)]
            cell[match.agents[0], match.agents[1]] = sum(results)
            cell[match.agents[1], match.agents[0]] = len(results) - sum(results)
    names = list(dict.fromkeys(game for game, _ in points))
    candidates = list(dict.fromkeys(one for cell in points.values() for one, _ in cell))
    features = kept.get("features", {})
    data = {
        "candidates": candidates,
        "features": {
            name: features.get(name) or asdict(measure_features(semisplit.load(name)))
            for name in names
        },
        "points": [
            [*cell, [[got.get((a, b), 0) for b in candidates] for a in candidates]]
            for cell, got in points.items()
        ],
    }
    STUDY.write_text(json.dumps(data) + "\n", encoding="utf-8")


def read() -> Study:
    """The study as it was written down."""
    data = json.loads(STUDY.read_text(encoding="utf-8"))
    candidates, games = data["candidates"], list(data["features"])
    budgets = sorted({budget for _, budget, _ in data["points"]})
    points = np.zeros((len(games) * len(budgets), len(candidates), len(candidates)))
    for game, budget, got in data["points"]:
        points[games.index(game) * len(budgets) + budgets.index(budget)] = got
    features = {name: Features(**one) for name, one in data["features"].items()}
    return Study(candidates, games, budgets, features, points)


def seconds(budget: str) -> float:
    """The seconds of a budget in milliseconds, as the store writes it."""
    found = re.fullmatch(r"([\d.]+) ?ms", budget)
    assert found, budget
    return float(found[1]) / 1000


def fit(study: Study, weight: float, deviation: float) -> Prior:
    """The most likely model.

    Args:
        study: What it is fitted to.
        weight: The standard deviation of the weights.
        deviation: That of what games have of their own.
    """
    names = list(study.known(study.cells[0]))
    raw = np.array([list(study.known(cell).values()) for cell in study.cells])
    centres, scales = raw.mean(axis=0), raw.std(axis=0) + 1e-9
    known = np.clip((raw - centres) / scales, -2, 2)
    cells, features = known.shape
    candidates, games = len(study.candidates), len(study.games)
    of_game = np.repeat(np.eye(games), len(study.budgets), axis=0)
    inputs = np.hstack([np.ones((cells, 1)), known, of_game])
    precisions = np.array([1.0] + [weight**-2] * features + [deviation**-2] * games)
    played = study.points + study.points.transpose(0, 2, 1)

    def loss(flat: Array) -> tuple[float, Array]:
        parameters = flat.reshape(-1, candidates)
        strengths = inputs @ parameters
        differences = strengths[:, :, None] - strengths[:, None, :]
        value = (study.points * np.logaddexp(0, -differences)).sum()
        surplus = (study.points - played / (1 + np.exp(-differences))).sum(axis=2)
        value += (precisions[:, None] * parameters**2).sum() / 2
        gradient = precisions[:, None] * parameters - inputs.T @ surplus
        return float(value), gradient.ravel()

    start = np.zeros(inputs.shape[1] * candidates)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    parameters = found.x.reshape(-1, candidates)
    return Prior(
        tuple(study.candidates),
        dict(zip(names, centres.tolist())),
        dict(zip(names, scales.tolist())),
        parameters[0],
        parameters[1 : 1 + features].T,
        deviation,
    )


def surprise(study: Study, weight: float, deviation: float) -> tuple[float, float]:
    """How badly games that are left out are predicted: the mean of minus the logarithm.

    First by their features alone, then with half of their results known.
    """
    numbers = np.arange(len(study.candidates))
    half = (numbers + numbers[:, None]) % 2 == 0
    total = np.zeros(2)
    for game in study.games:
        prior = fit(study.without(game), weight, deviation)
        for cell, points in zip(study.cells, study.points):
            if cell[0] == game:
                known = prior.predict(study.known(cell))
                total[0] += loss(points, known)
                total[1] += loss(points * half, known.after(points * ~half))
                total[1] += loss(points * ~half, known.after(points * half))
    before, after = total / study.points.sum()
    return float(before), float(after)


def loss(points: Array, strengths: Strengths) -> float:
    """Minus the logarithm of how likely results are."""
    return float((points * np.logaddexp(0, strengths.means - strengths.means[:, None])).sum())


def compare(study: Study) -> None:
    """Print how well other standard deviations predict games that are left out."""
    for weight, deviation in product(WEIGHTS, DEVIATIONS):
        before, after = surprise(study, weight, deviation)
        print(f"weights {weight:.2f}, own {deviation:.2f}: {before:.4f}, {after:.4f}")


def only(prior: Prior, kept: list[int]) -> Prior:
    """The same model of some candidates."""
    candidates = tuple(prior.candidates[one] for one in kept)
    return replace(
        prior,
        candidates=candidates,
        strengths=prior.strengths[kept],
        weights=prior.weights[kept],
    )


@dataclass
class Field:
    """The part of a study in which all who met at a budget have met at each game."""

    cells: list[int]
    """Of the study."""
    kept: list[int]
    """The candidates."""
    points: Array
    """What candidate j got against k at cell i."""

    @staticmethod
    def of(study: Study, budget: float) -> Field:
        """The field at a budget."""
        cells = [number for number, cell in enumerate(study.cells) if cell[1] == budget]
        played = study.points + study.points.transpose(0, 2, 1)
        kept = np.flatnonzero(played[cells].sum(axis=(0, 2))).tolist()
        # Games at which not all have met are left out.
        complete = len(kept) * (len(kept) - 1)
        cells = [number for number in cells if np.count_nonzero(played[number]) == complete]
        return Field(cells, kept, study.points[np.ix_(cells, kept, kept)])


def judge(study: Study, budget: float, repeats: int) -> None:
    """Print how choices do in games that played no part in them."""
    met = Field.of(study, budget)
    names = [study.candidates[one] for one in met.kept]
    points = met.points
    games = points + points.transpose(0, 2, 1)
    # Nobody plays itself: that would be half of the points.
    share = np.where(games > 0, points / np.maximum(games, 1), 0.5)
    field = points.sum(axis=2) / games.sum(axis=2)
    fixed = int(field.mean(axis=0).argmax())
    rows, chosen = [], []
    for place, number in enumerate(met.cells):
        name, _ = cell = study.cells[number]
        prior = only(fit(study.without(name), WEIGHT, DEVIATION), met.kept)
        by_features = int(prior.predict(study.known(cell)).means.argmax())
        game = semisplit.load(name)
        choices = [choose(game, Budget(seconds=budget), prior=prior) for _ in range(repeats)]
        found = [names.index(choice.candidates[0].notation) for choice in choices]
        chosen.append(found)
        best = int(field[place].argmax())
        rows.append(
            [
                field[place, fixed],
                field[place, by_features],
                field[place, found].mean(),
                field[place, best],
            ]
        )
        scores = " | ".join(f"{100 * score:.1f}" for score in rows[-1])
        what = ", ".join(sorted({names[one] for one in found}))
        print(f"| {name} | {scores} | {names[best]} | {what} |", flush=True)
    print(f"| mean | {' | '.join(f'{100 * one:.1f}' for one in np.mean(rows, axis=0))} | | |")
    print(f"\nThe best fixed variant is {names[fixed]}.\n")
    random = np.random.default_rng(0)
    for other, name in enumerate(names):
        got = np.array([share[place, found, other].mean() for place, found in enumerate(chosen)])
        means = got[random.integers(0, len(got), (10_000, len(got)))].mean(axis=1)
        low, high = 100 * np.quantile(means, [0.025, 0.975])
        itself, ours = 100 * field[:, other].mean(), 100 * got.mean()
        print(f"| {name} | {itself:.1f} | {ours:.1f} ({low:.1f} to {high:.1f}) |")
    against = against_field(chances(draw(study, met, random)))
    for name, one in (("auto", chosen), ("the best fixed", [[fixed]] * len(chosen))):
        behind = np.stack(
            [
                against[:, i].max(axis=1) - against[:, i, found].mean(axis=1)
                for i, found in enumerate(one)
            ]
        )
        near = count((behind <= NEAR).sum(axis=0))
        print(
            f"\nBy strengths as they may be, {name} is {100 * behind.mean():.1f} points behind the"
            f" best one, and no more than {100 * NEAR:.0f} at {near} games."
        )


def draw(study: Study, met: Field, random: np.random.Generator) -> Array:
    """Strengths as they may be, for all that is known about them: some times, by game."""
    drawn = []
    for place, number in enumerate(met.cells):
        cell = study.cells[number]
        prior = only(fit(study.without(cell[0]), WEIGHT, DEVIATION), met.kept)
        known = prior.predict(study.known(cell)).after(met.points[place])
        drawn.append(random.normal(known.means, known.deviations, (DRAWS, len(met.kept))))
    return np.stack(drawn, axis=1)


def chances(strengths: Array) -> Array:
    """The chances of each candidate against each other."""
    return np.asarray(1 / (1 + np.exp(strengths[..., None, :] - strengths[..., :, None])))


def against_field(share: Array) -> Array:
    """The scores against all others, from those against each; against itself that is a half."""
    return np.asarray((share.sum(axis=-1) - 0.5) / (share.shape[-1] - 1))


def count(numbers: Array) -> str:
    """The mean of some counts, and where 95 % of them are."""
    low, high = np.quantile(numbers, [0.025, 0.975])
    return f"{numbers.mean():.1f} ({low:.0f} to {high:.0f})"


def bounds(study: Study, budget: float) -> None:
    """Print how a choice that is always the best one would look like, with more games or fewer."""
    met, random = Field.of(study, budget), np.random.default_rng(0)
    chance = chances(draw(study, met, random))
    field = against_field(chance)
    best = field.argmax(axis=2)
    expected = field.mean(axis=0)
    print(
        f"The best fixed variant scores {100 * expected.mean(axis=0).max():.1f}, who knows all"
        f" results {100 * expected.max(axis=1).mean():.1f},"
        f" who knows all strengths {100 * field.max(axis=2).mean():.1f}\n"
    )
    rows = np.arange(len(met.kept))
    for games in MATCHES:
        upper = np.triu(random.binomial(games, chance) / games, 1)
        share = upper + np.tril(1 - upper.transpose(0, 1, 3, 2), -1) + np.eye(len(rows)) / 2
        scores = against_field(share)
        chosen = np.take_along_axis(scores, best[..., None], axis=2)[..., 0]
        near = (scores.max(axis=2) - chosen <= NEAR).sum(axis=1)
        ours = np.take_along_axis(share, best[..., None, None], axis=2)[:, :, 0]
        low = ours.mean(axis=1) - 1.96 * ours.std(axis=1) / np.sqrt(len(met.cells))
        above = (low > 0.5).sum(axis=1)
        cells = [
            games * (len(rows) - 1),
            f"{100 * chosen.mean():.1f}",
            f"{100 * scores.max(axis=2).mean():.1f}",
            count(near),
            f"{(near == len(met.cells)).mean():.1%}",
            count(above),
            f"{(above == len(rows)).mean():.1%}",
        ]
        print("|", " | ".join(map(str, cells)), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("collect").add_argument("--store", type=Path, required=True)
    commands.add_parser("fit")
    judging = commands.add_parser("judge")
    judging.add_argument("--budget", default="5ms")
    judging.add_argument("--repeats", type=int, default=3)
    commands.add_parser("bounds").add_argument("--budget", default="5ms")
    arguments = parser.parse_args()
    if arguments.command == "collect":
        collect(arguments.store)
    elif arguments.command == "fit":
        compare(study := read())
        data = fit(study, WEIGHT, DEVIATION).to_json()
        PRIOR.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    elif arguments.command == "bounds":
        bounds(read(), seconds(arguments.budget))
    else:
        judge(read(), seconds(arguments.budget), arguments.repeats)


if __name__ == "__main__":
    main()
