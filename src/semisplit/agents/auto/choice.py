"""The choice of a search for a game: what its features tell, sharpened by short games."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from semisplit.agents.auto.features import Features, measure_features
from semisplit.agents.auto.methods import ParallelOption, compare_ways, parallel_of
from semisplit.agents.auto.prior import Prior, Strengths, describe, load_prior
from semisplit.agents.auto.trials import TrialBudget, successive_halving
from semisplit.agents.config import AutoConfig, MctsConfig, MultiTreeConfig
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.errors import NotCompiled, PlayLimit
from semisplit.core.settings.parameters import BadSettings
from semisplit.core.work import uncounted
from semisplit.game import Game
from semisplit.search import Budget, Settings
from semisplit.search.features.chance.settings import check_chance
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.settings import Merge, Method, Parallel
from semisplit.stats.ratings import ELO_PER_NAT

if TYPE_CHECKING:
    from semisplit.search.search import Search

_CANDIDATES = 4
"""That play each other, at most: those that promise most."""
_MEASURING = 0.1
"""Seconds in which features are measured, or half of what there is."""
_COMPARING = 0.1
"""The part of the preparation in which it is found out what threads should do, if that is asked."""
_LEAST = 50
"""Simulations that a move in a short game needs, or the game tells nothing."""
_STATES = 5_000_000
"""That stand for a second where budgets are not in time."""
_MEMORY = 1 << 26
_ALONE = Parallel()
_SHORTEST = 1e-4
_chosen: dict[str, Choice] = {}
"""By this process: the disk need not keep anything."""


@dataclass(frozen=True)
class Candidate:
    """A search, and what is thought of it."""

    notation: str
    prior: float
    """Elo by the game's features; 0 is the mean of all candidates."""
    elo: float
    """Elo after the short games."""
    deviation: float
    """The standard deviation of that."""
    points: float
    """In short games."""
    games: int


@dataclass(frozen=True)
class Choice:
    """What was chosen for a game, and why."""

    candidates: tuple[Candidate, ...]
    """From the best to the worst; the first one was chosen."""
    features: Features
    seconds: float
    """How long it took."""
    ways: tuple[ParallelOption, ...] = ()
    """What threads could do, from the best to the worst, if that was to be chosen, too."""

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Choice:
        """A choice that was kept."""
        candidates = tuple(Candidate(**one) for one in data["candidates"])
        ways = tuple(ParallelOption(**one) for one in data["ways"])
        return Choice(candidates, Features(**data["features"]), data["seconds"], ways)

    def parallel(self, given: Parallel) -> Parallel:
        """What is to be done at the same time, where so much was given."""
        return parallel_of(self.ways[0].notation, given.threads) if self.ways else given

    def notation(self, given: Parallel) -> str:
        """What was chosen, as agents are written."""
        name = self.candidates[0].notation
        return f"{name},threads={given.threads},{self.ways[0].notation}" if self.ways else name


def choose(
    game: Game,
    budget: Budget,
    preparation: float = 2.0,
    parallel: Parallel = _ALONE,
    prior: Prior | None = None,
    *,
    any_method: bool = False,
) -> Choice:
    """Choose the search that suits a game. If the budget is not in time, the same one always.

    Args:
        game: The game.
        budget: What each move will have.
        preparation: The seconds in which to choose; compiling is a part of it.
        parallel: What the search will do at the same time.
        prior: What is known about candidates; the one that comes with the program if not given.
        any_method: Whether to choose as well what threads do.
    """
    begin, prior = time.perf_counter(), prior or load_prior()
    in_time = budget.seconds is not None
    features = measure_features(game, seconds=min(_MEASURING, preparation / 2) if in_time else 100)
    predicted = prior.predict(describe(features, budget))
    order = np.argsort(-predicted.means, kind="stable").tolist()
    settings = {one: _settings(prior.candidates[one], game, parallel) for one in order}
    possible = [one for one in order if settings[one] is not None]
    names = [prior.candidates[one] for one in possible]
    known = Strengths(predicted.means[possible], predicted.deviations[possible])
    least = _LEAST * features.depth
    comparing = _COMPARING * preparation if any_method and in_time else None
    if budget.seconds is not None:
        total = preparation - (comparing or 0.0)
        trial_budget = TrialBudget(total, least * features.whole_ns / 1e9, budget.seconds, begin)
    else:
        states = budget.states or (budget.simulations or 1) * features.depth
        trial_budget = TrialBudget(preparation * _STATES, least, states, None)
    trials = list(filter(None, settings.values()))
    if not in_time:
        trials = [replace(one, parallel=_single(parallel)) for one in trials]
    searches = _contenders(game, trials, trial_budget, features.depth)
    with uncounted():
        after, points = successive_halving(searches, known, trial_budget, features.depth)
    candidates = [
        Candidate(
            name,
            ELO_PER_NAT * float(known.means[i] - known.means.mean()),
            ELO_PER_NAT * float(after.means[i] - known.means.mean()),
            ELO_PER_NAT * float(after.deviations[i]),
            float(points[i].sum()),
            round(float(points[i].sum() + points[:, i].sum())),
        )
        for i, name in enumerate(names)
    ]
    # Digits that are only errors of rounding must not decide.
    candidates.sort(key=lambda one: -round(one.elo, 6))
    ways: tuple[ParallelOption, ...] = ()
    if any_method and not game.initial_state().is_terminal:
        chosen = parse_settings(candidates[0].notation)
        with uncounted():
            ways = compare_ways(game, chosen, parallel.threads, comparing)
    return Choice(tuple(candidates), features, time.perf_counter() - begin, ways)


def _single(parallel: Parallel) -> Parallel:
    """Return these settings with a single thread, as several never do the same twice."""
    batched = parallel.batch > 1
    return replace(
        parallel,
        method=Method.LEAF if parallel.method == Method.LEAF else Method.TREE,
        threads=1,
        loss=parallel.loss if batched else 1,
        locked=False,
        merge=Merge.SUM,
    )


def _settings(notation: str, game: Game, parallel: Parallel) -> Settings | None:
    """The settings of a candidate; None if it cannot be used.

    Languages that do not split have other groups, too, and not everything can be done in parallel.
    """
    settings = parse_settings(notation)
    if not game.rules.can_split and (settings.split is not None or settings.groups is not None):
        return None
    try:
        if game.rules.chance:
            check_chance(settings)
        return replace(settings, parallel=parallel)
    except BadSettings:
        return None


def _contenders(
    game: Game, settings: Sequence[Settings], trial_budget: TrialBudget, depth: float
) -> list[Search]:
    """Those that promise most, as many as there is time for."""
    rules = game.rules
    if rules.simultaneous or rules.chance or len(game.players) < 2:
        return []
    if game.initial_state().is_terminal:
        return []
    # Numba takes a while to load.
    from semisplit.search.search import Search

    searches: list[Search] = []
    for one in settings[:_CANDIDATES]:
        if trial_budget.rounds(max(2, len(searches) + 1), depth)[1] is None:
            break
        searches.append(Search(game, one, seed=0, memory=_MEMORY))
    return searches


def resolve(
    config: AutoConfig, game: Game, budget: Budget, *, keeps: bool = True
) -> MctsConfig | MultiTreeConfig:
    """The agent that one which chooses how to search becomes at a game, and may keep on disk."""
    common = (config.name, config.buffer, config.ponders)
    try:
        choice = choose_for(config, game, budget, keeps=keeps)
    except (NotCompiled, PlayLimit):
        # There is nothing to choose from that would not be slow, or nothing to learn.
        return MctsConfig(*common, settings=Settings(parallel=config.parallel))
    if choice is None:
        multitree = MultiTreeSettings(plans=True, threads=config.parallel.threads)
        return MultiTreeConfig(*common, multitree=multitree)
    settings = parse_settings(choice.candidates[0].notation)
    parallel = choice.parallel(config.parallel)
    return MctsConfig(*common, settings=replace(settings, parallel=parallel))


def choose_for(
    config: AutoConfig, game: Game, budget: Budget, *, keeps: bool = True
) -> Choice | None:
    """What an agent chooses for a game; None if that is a puzzle, which is searched by sub-games.

    The choice is kept on disk if so wanted, for budgets in time that are about as long, too.
    """
    if len(game.players) == 1 and not game.rules.can_split:
        return None
    if budget.seconds is not None:
        budget = Budget(seconds=2.0 ** round(math.log2(max(_SHORTEST, budget.seconds))))
    arguments = (game, budget, config.preparation, config.parallel)
    any_method = config.chooses_method
    version = (
        cache.sources("agents/auto", "search"),
        game.rules.split(None).object_name(Bundle.GAME),
    )
    what = (version, load_prior().to_json(), *arguments[1:], any_method)
    name = hashlib.sha256(repr(what).encode()).hexdigest()
    if name in _chosen:
        return _chosen[name]
    if (kept := cache.read(name)) is not None:
        return Choice.from_json(json.loads(kept[0]))
    # Numba takes a while to load, and once to compile the search.
    from semisplit.search.engine.load import load_kernels

    load_kernels()
    choice = choose(*arguments, any_method=any_method)
    _chosen[name] = choice
    if keeps:
        cache.write(name, json.dumps(asdict(choice)).encode(), {})
    return choice
