"""The bundled games against known facts: perft, probe positions, semimove trees, random play."""

from itertools import takewhile
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest

from semisplit import games, load
from semisplit.language.rbg.play.count import perft, semimove_tree
from semisplit.language.rbg.play.simulate import SimulationCounts, simulate
from tests.support.facts import FACTS, probe_state
from tests.support.rules import rbg
from tests.support.sampling import exhaustive

LEAVES = 3_000
"""How large a tree the interpreter can count in a second or two; compiled games count deeper."""
GAMES = {
    "arimaa_split": 3,
    "chess": 4,
    "connect6": 4,
    "go": 5,
    "go_13x13": 5,
    "go_constsum": 5,
}
"""How many random games it can play in a few seconds, if less than 8.

Compiled games, which are compared with it, play many more.
"""


def counted(leaves: list[int]) -> list[int]:
    """The first of some growing counts, as many as can be checked; at least one."""
    return list(takewhile(lambda n: n <= LEAVES, leaves)) or leaves[:1]


def test_all_games_have_facts() -> None:
    assert set(FACTS) == set(games.names("rbg"))


# The first move of this one alone would take the interpreter minutes.
@pytest.mark.parametrize("name", [name for name in FACTS if name != "arimaa_fixed_position"])
def test_perft(name: str) -> None:
    rules = rbg(load(name)).interpreter
    expected = counted(FACTS[name]["perft"])
    for depth, leaves in enumerate(expected, start=1):
        assert perft(rules, rules.start, depth).leaves == leaves


@pytest.mark.parametrize("name", FACTS)
def test_semimove_tree(name: str) -> None:
    rules = rbg(load(name)).interpreter
    trees = FACTS[name]["semimove_tree"]
    known = len(counted([max(tree["stages"], default=0) for tree in trees]))
    for move, tree in enumerate(trees[:known], start=1):
        found = semimove_tree(rules, rules.start, move)
        assert (list(found.stages), found.dead_ends) == (tree["stages"], tree["dead_ends"])


@pytest.mark.parametrize("name", [name for name in FACTS if "probe" in FACTS[name]])
def test_probe_position(name: str) -> None:
    state, rules = probe_state(name), rbg(load(name)).interpreter
    expected = counted(FACTS[name]["probe"]["perft"])
    for depth, leaves in enumerate(expected, start=1):
        assert perft(rules, state.position, depth).leaves == leaves
    if stages := FACTS[name]["probe"].get("stages"):
        assert list(semimove_tree(rules, state.position).stages) == stages


def close(found: list[float], expected: float, expected_error: float) -> bool:
    """Whether the mean of a sample agrees with a known mean within four standard errors."""
    error = stdev(found) / sqrt(len(found)) if len(found) > 1 else 0
    return abs(mean(found) - expected) <= 4 * sqrt(error**2 + expected_error**2) + 1e-9


LONG = {"chess", "go", "go_constsum"}
"""With whole moves a few games of these take ten seconds and more."""
PLAYED = [
    pytest.param(name, mode, marks=exhaustive if mode == "orthodox" and name in LONG else ())
    for name in FACTS
    for mode in ("orthodox", "mod")
    # With whole moves a few games of these take minutes.
    if mode in FACTS[name]
    and (mode == "mod" or name not in ("arimaa_split", "breakthru", "connect6"))
]


@pytest.mark.parametrize(("name", "mode"), PLAYED)
def test_random_play(name: str, mode: str) -> None:
    facts = FACTS[name][mode]
    rules, mod = rbg(load(name)).interpreter, True if mode == "mod" else None
    depths, scores, width, length = [], [], [], []
    for seed in range(GAMES.get(name, 8)):
        one = SimulationCounts()
        final = simulate(rules, rules.start, Random(seed), one, mod=mod)
        depths.append(float(one.moves))
        scores.append(float(final.values[0]))
        width.append((one.choices if mode == "orthodox" else one.states) / one.moves)
        length.append(one.semimoves / one.moves)
    assert close(depths, facts["depth"], facts["depth_se"])
    if "scores" in facts:
        assert close(scores, facts["scores"][0], facts["score1_se"])
    if name == "paper_soccer":
        return  # A few positions with a hundred thousand moves make up the other averages.
    if name == "arimaa_split":
        return  # Only these two averages are known.
    if mode == "mod":
        assert close(width, facts["semistates_per_nodal"], 0.02 * facts["semistates_per_nodal"])
        assert close(length, facts["semimoves_per_move"], 0.02 * facts["semimoves_per_move"])
    else:
        assert close(width, facts["legal_moves"], 0.02 * facts["legal_moves"])
