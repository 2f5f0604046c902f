"""The engine agrees with the reference: both spread their visits over the root's edges alike.

Visits vary from seed to seed. The averages over many seeds must not differ by more than five of
their standard errors: about 300 of them are compared, and even of a million, one would.
"""

from collections import defaultdict
from dataclasses import replace
from statistics import fmean, pvariance

import pytest

from semisplit import Game
from semisplit.rbg.interpret import Steps
from semisplit.search import Budget, Decay, Policy, Search, Settings
from semisplit.search.notation import parse_settings
from semisplit.search.reference import ReferenceSearch
from tests.search_variants import PAWNS

SEEDS = range(40)
SIMULATIONS = 50
Visits = dict[Steps, list[int]]


def engine_visits(game: Game, settings: Settings) -> tuple[Visits, list[int]]:
    visits: Visits = defaultdict(lambda: [0] * len(SEEDS))
    states = []
    for seed in SEEDS:
        result = Search(game, settings, seed=seed, memory=1 << 20).run(
            Budget(simulations=SIMULATIONS)
        )
        states.append(result.states)
        for one in result.semimoves:
            visits[one.move.steps][seed] = one.visits
    return visits, states


def reference_visits(game: Game, settings: Settings) -> tuple[Visits, list[int]]:
    visits: Visits = defaultdict(lambda: [0] * len(SEEDS))
    states = []
    for seed in SEEDS:
        search = ReferenceSearch(game, settings, seed)
        search.run(SIMULATIONS)
        states.append(search.states)
        for steps, (count, _) in search.semimove_statistics().items():
            visits[steps][seed] = count
    return visits, states


def differ(a: list[int], b: list[int]) -> bool:
    error = ((pvariance(a) + pvariance(b)) / len(SEEDS)) ** 0.5
    # Visits that hardly vary are not distributed normally.
    return abs(fmean(a) - fmean(b)) > 5 * max(error, 0.05)


def check_agreement(settings: Settings) -> None:
    game = Game.parse(PAWNS, "pawns", str(settings.split) if settings.split else None)
    visits, states = engine_visits(game, settings)
    expected, expected_states = reference_visits(game, settings)
    for steps in {*visits, *expected}:
        assert not differ(visits[steps], expected[steps]), steps
    assert not differ(states, expected_states)


@pytest.mark.parametrize(
    "notation",
    [
        "orthodox",
        "orthodox/semisplit@Mod",
        "semisplit-nodal@Mod",
        "semisplit-raw@ModPlus",
        "semisplit-nodal/orthodox@Plus",
        "rollup-nodal@Mod",
        "rollup-raw@ModPlus,MSF=1.5",
        "rollup-nodal/orthodox@ModShift,difference=0.1",
        "orthodox+mast+rave",
        "orthodox+mast-mix,threshold=2",
        "orthodox/semisplit+mast-context+rave-join@ModPlus",
        "semisplit-nodal+mast-split+rave-split@Mod",
        "semisplit-nodal+mast+rave@Plus",
        "semisplit-raw+mast-mix+rave-mix@ModPlus,threshold=2,ravethreshold=2",
        "semisplit-nodal/orthodox+mast-join+rave-context@Mod",
        "rollup-nodal+mast-split+rave-context@ModPlus",
        "rollup-raw/orthodox+mast-context@Mod,treeonly=true",
        "orthodox+grave,ref=10",
        "semisplit-nodal+grave-split@Mod,ref=10",
    ],
)
def test_visits(notation: str) -> None:
    check_agreement(parse_settings(notation))


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize("decay", list(Decay))
def test_policies_and_decays(policy: Policy, decay: Decay) -> None:
    settings = parse_settings("semisplit-nodal+mast-split@Mod,temperature=0.3,factor=0.8,batch=7")
    assert settings.mast
    check_agreement(replace(settings, mast=replace(settings.mast, policy=policy, decay=decay)))
