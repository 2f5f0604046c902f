"""The kernels of the search, one by one."""

import math
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest

import semisplit
from semisplit.search import Budget, Search
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine import candidates, run, select, simulate, tree
from semisplit.search.engine.candidates import candidate
from semisplit.search.engine.candidates import make as make_steps
from semisplit.search.engine.layout import ROOT, Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.compiled import Pipeline
from semisplit.search.engine.toolkit.lanes import everywhere
from semisplit.search.engine.toolkit.portable import exponential, logarithm
from semisplit.search.engine.toolkit.random import below, draw_tied, real
from semisplit.search.engine.toolkit.record import Array, dtype_of, f4, i4
from semisplit.search.features.mast import kernels as mast
from semisplit.search.features.rave.kernels import find_estimates
from semisplit.search.features.submoves.feature import SubmovesFeature
from semisplit.search.features.submoves.kernels import (
    UNKNOWN,
    add_all,
    add_submove,
    find_all,
    find_submove,
    next_context,
)
from semisplit.search.features.submoves.records import SamplesRecord
from semisplit.search.features.submoves.samples import add_sample, forget_samples, scale_samples
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.records import Sharing
from semisplit.search.settings import Settings


class Made:
    """A worker at a tree."""

    def __init__(self, notation: str, game: str, memory: int):
        settings = parse_settings(notation)
        loaded = semisplit.load(game, str(settings.split) if settings.split else None)
        common = Common(loaded, settings)
        self.game = common.coding.game
        self.tree = TreeMemory(common, memory)
        self.worker = WorkerMemory(common, 1)
        self.tree.set_root(self.game.codec.pack(loaded.initial_state().position))

    @property
    def s(self) -> Workspace:
        return self.worker.at(self.tree)


def make(notation: str = "orthodox", game: str = "breakthrough", memory: int = 1 << 20) -> Made:
    return Made(notation, game, memory)


def nodes(made: Made, name: str) -> Any:
    """One of the arrays of a tree's edges."""
    return made.tree._nodes[name]


def go_to_root(made: Made) -> bytes:
    """Put the root's state where iterations begin."""
    state = bytes(made.tree.arrays["root"])
    made.worker.arrays["stack"][: len(state)] = np.frombuffer(state, "u1")
    return state


def list_with_samples(made: Made) -> tuple[Any, Any]:
    """The semimoves at the root, and MAST's scores, all of them bad."""
    go_to_root(made)
    count = candidates.list_candidates(made.s, made.s.rules.list_semimoves, 0)
    made.tree.arrays["mast.step_samples"]["weight"] = 1.0
    scores = made.tree.arrays["mast.step_means"]
    scores[:] = 0.1
    return made.worker.arrays["lists.candidates"][:count].copy(), scores


# Numbers


def test_logarithm() -> None:
    for x in (*range(1, 3000), 10**6, 2**40 + 1):
        assert logarithm(float(x)) == pytest.approx(math.log(x), abs=1e-11)
        # Nothing is fused or reordered: Python gets the same to the last bit.
        assert logarithm(float(x)) == logarithm.py_func(float(x))  # type: ignore[attr-defined]


def test_roots_of_logarithms() -> None:
    made = make()
    for number in (*range(1, 2048), 10**6, 2**31 - 1):
        exact = math.sqrt(math.log(number))
        accuracy = 1e-6 if number < 2048 else 1e-4
        assert select.root_logarithm(made.s, number) == pytest.approx(exact, rel=accuracy)


def test_exponential() -> None:
    for x in np.linspace(-50, 50, 301):
        assert exponential(x) == pytest.approx(math.exp(x), rel=1e-12)
    assert exponential(-1000.0) == 0.0


def test_random_numbers_are_even() -> None:
    made = make()
    s = made.s
    draws = 60_000
    counts = Counter(int(below(s, 6)) for _ in range(draws))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - draws / 6) < 5 * math.sqrt(draws / 6) for count in counts.values())
    assert below(s, 1) == 0
    mean = sum(real(s) for _ in range(draws)) / draws
    assert abs(mean - 0.5) < 5 / math.sqrt(12 * draws)


def test_ties_are_broken_evenly() -> None:
    made = make()
    made.worker.arrays["values"][:4] = (0.5, 0.7, 0.2, 0.7)

    @numba.njit(pipeline_class=Pipeline)  # type: ignore[untyped-decorator]
    def draw(s: Any) -> int:
        return draw_tied(s, 4, everywhere(0.7))

    counts = Counter(int(draw(made.s)) for _ in range(2000))
    assert sorted(counts) == [1, 3]
    assert abs(counts[1] - 1000) < 5 * math.sqrt(500)


# Samples


@pytest.mark.parametrize("sharing", [Sharing.ALONE, Sharing.FREE])
def test_samples_are_weighted_averages(sharing: Sharing) -> None:
    known = np.zeros(2, dtype_of(SamplesRecord))
    scores = np.zeros(2, "f4")
    samples, averages = Array[SamplesRecord](known), Array[f4](scores)
    forget_samples(samples, averages, 2)
    assert scores.tolist() == [1.0, 1.0]
    add_sample(samples, averages, 0, 0.25, 1.0, sharing.value)
    assert scores.tolist() == [0.25, 1.0]
    add_sample(samples, averages, 0, 1.0, 2.0, sharing.value)
    assert scores.tolist() == [0.75, 1.0]
    scale_samples(samples, 2, 0.5)
    assert known["weight"].tolist() == [1.5, 0.0]
    assert known["total"][0] / known["weight"][0] == 0.75


# Submoves


def test_submoves_have_numbers() -> None:
    made = make("semisplit+mast-context@ModPlus")
    s = made.s
    first = add_submove(s, 0, 100)
    assert first == find_submove(s, 0, 100) == add_submove(s, 0, 100)
    assert find_submove(s, first, 100) == UNKNOWN
    second = add_submove(s, first, 100)
    assert len({0, first, second}) == 3
    assert find_submove(s, UNKNOWN, 100) == UNKNOWN
    steps = Array[i4](np.array([100, 100], "i4"))
    assert find_all(s, 0, steps, 2) == second
    assert add_all(s, 0, steps, 2) == second


def test_dots_do_not_change_the_context() -> None:
    made = make("semisplit+mast-context@ModPlus")
    s = made.s
    assert s.rules.silent > 0
    steps = Array[i4](np.array([s.rules.silent + 5, s.rules.silent - 1], "i4"))
    behind = next_context(s, 0, steps, 2)
    assert behind == find_submove(s, 0, s.rules.silent + 5)


def test_single_steps_are_not_in_the_table() -> None:
    made = make("semisplit+mast-context@Mod")
    before = int(made.s.tree.submoves.count)
    assert [int(add_submove(made.s, 0, step)) for step in (0, 5)] == [1, 6]
    assert find_submove(made.s, 0, 7) == 8
    assert made.s.tree.submoves.count == before == 1 + made.s.rules.codes


def test_the_table_of_submoves_grows() -> None:
    made = make("semisplit+mast-context@Mod", memory=1 << 26)
    capacity, first = int(made.s.tree.submoves.capacity), int(made.s.tree.submoves.count)
    numbers = [int(add_submove(made.s, 1, step)) for step in range(capacity - first)]
    assert numbers == list(range(first, capacity))
    assert add_submove(made.s, 1, capacity) == UNKNOWN
    made.tree.common.feature(SubmovesFeature).settle(made.tree, made.worker)
    assert made.s.tree.submoves.capacity > capacity
    assert [int(find_submove(made.s, 1, step)) for step in range(len(numbers))] == numbers
    assert add_submove(made.s, 1, capacity) == capacity


def test_the_table_of_submoves_has_a_limit() -> None:
    made = make("semisplit+mast-context@Mod", memory=0)
    limit = int(made.s.tree.submoves.limit)
    for step in range(limit):
        add_submove(made.s, 1, step)
        if made.s.tree.submoves.count == made.s.tree.submoves.capacity:
            made.tree.common.feature(SubmovesFeature).settle(made.tree, made.worker)
    assert made.s.tree.submoves.capacity == made.s.tree.submoves.count == limit


# Moves


@pytest.mark.parametrize("notation", ["orthodox", "semisplit@Mod", "semisplit@Plus"])
def test_candidates_are_what_the_game_lists(notation: str) -> None:
    made = make(notation)
    s, game = made.s, made.game
    state = go_to_root(made)
    found = candidates.list_candidates(s, s.rules.list_tree, 0)
    listed = game.moves(state) if notation == "orthodox" else game.semimoves(state)
    assert found == len(listed)
    codes = np.zeros(100, "i4")

    @numba.njit(pipeline_class=Pipeline)  # type: ignore[untyped-decorator]
    def make_candidate(s: Workspace, number: int, codes: Array[i4]) -> tuple[int, int]:
        steps, length = candidate(s, 0, number)
        for i in range(length):
            codes[i] = steps[i]
        return length, make_steps(s, 0, steps, length)

    for number, steps in enumerate(listed):
        length, is_nodal = make_candidate(s, number, Array[i4](codes))
        assert tuple(codes[:length].tolist()) == steps
        size = s.rules.state_bytes
        following = bytes(made.worker.arrays["stack"][size : 2 * size])
        expected = game.play(state, steps)
        assert expected is not None
        assert following == game.run_keeper(expected)
        assert is_nodal == game.is_nodal(expected)
    last = made.worker.arrays["lists.candidates"][found - 1]
    candidates.remove_candidate(s, 0, 0)
    assert made.worker.arrays["lists.candidates"][0] == last
    assert made.worker.arrays["levels"][0]["count"] == found - 1
    candidates.forget_list(s, 0)
    assert s.worker.lists.top == s.worker.lists.buffer_top == 0


def test_scores_are_parts_of_the_bounds() -> None:
    made = make()
    values = np.array([50, 100], "i4")
    state = bytearray(bytes(made.tree.arrays["root"]))
    state[12:20] = values.tobytes()
    memory = np.frombuffer(bytes(state), "u1").copy()
    candidates.read_scores(made.s, memory.ctypes.data)
    assert made.worker.arrays["scores"].tolist() == [0.5, 1.0]


# The tree


def test_edges_can_be_swapped_and_copied() -> None:
    made = make("semisplit+rave-mix@Mod")
    run.run(made.s, 200, 2**60, 2**62)
    single = [nodes(made, name) for name in ("edges", "uct_terms", "rave.elements")]
    double = [nodes(made, name) for name in ("rave.samples", "rave.means")]

    def content(edge: int) -> list[bytes]:
        # Bytes, for some of it has never been written, and what is no number is not even itself.
        of_records = [each[2 * edge : 2 * edge + 2].tobytes() for each in double]
        return [each[edge].tobytes() for each in single] + of_records

    before = [content(0), content(1)]
    tree.swap_edges(made.s, 0, 1)
    assert [content(1), content(0)] == before
    place = int(made.s.tree.edge_count)
    record = made.tree.record
    tree.copy_edges(made.s.settings, record, 0, 1, record, place)
    assert content(place) == content(0)


def test_a_tree_has_its_limit() -> None:
    made = make(memory=10_000)
    assert tree.has_room(made.s, 100, 100)
    assert not tree.has_room(made.s, 1000, 0)
    assert made.s.tree.full
    assert not tree.has_room(made.s, 0, 0)


def test_selection_takes_the_largest_bound() -> None:
    made = make("orthodox,C=1")
    run.run(made.s, 500, 2**60, 2**62)
    node = made.tree.edges[ROOT]
    tried = made.tree.edges[node["first"] : node["first"] + node["tried"]]
    assert node["visits"] == 500
    bounds = tried["total"] / tried["visits"] + np.sqrt(math.log(500) / tried["visits"])
    reach = math.sqrt(math.log(500))
    assert select.select_child(made.s, ROOT, 1, reach) == node["first"] + int(bounds.argmax())


def test_visits_of_a_node_are_those_of_its_edges() -> None:
    made = make("semisplit@Mod")
    run.run(made.s, 3000, 2**60, 2**62)
    edges = made.tree.edges
    for number, node in enumerate(edges[: made.s.tree.edge_count]):
        if node["first"] < 0:
            continue
        own = edges[node["first"] : node["first"] + node["count"]]
        assert (own["visits"][: node["tried"]] > 0).all()
        assert (own["visits"][node["tried"] :] == 0).all()
        # A nodal node was visited once before it had edges, if it is not the root.
        extra = int(node["kind"] == NodeKind.NODAL and number != ROOT)
        assert own["visits"].sum() == node["visits"] - extra
    visited = edges["visits"][: made.s.tree.edge_count] > 0
    assert visited.sum() == made.s.tree.node_count
    visited[ROOT] = False
    known, uct_terms = (
        edges[: len(visited)][visited],
        nodes(made, "uct_terms")[: len(visited)][visited],
    )
    assert uct_terms["mean"] == pytest.approx(known["total"] / known["visits"])
    assert uct_terms["inverse_root"] == pytest.approx(1 / np.sqrt(known["visits"]))


# Simulations and what they teach


def test_simulations_leave_a_trace() -> None:
    made = make("semisplit+mast-split@Mod")
    assert run.run(made.s, 1, 2**60, 2**62) == 1
    s = made.s
    notes = made.worker.arrays["trace"][: s.worker.trace_length]
    assert (notes["end"] == 2).sum() == s.worker.moves + 1
    samples = made.tree.arrays["mast.step_samples"].reshape(2, -1)
    for player in (1, 2):
        played = Counter(notes["step"][notes["player"] == player].tolist())
        seen = {int(i): float(samples[player - 1][i]["weight"]) for i in played}
        assert seen == dict(played)
    assert samples["weight"].sum() == len(notes)


def test_mast_prefers_the_best() -> None:
    made = make("semisplit+mast-split@Mod,epsilon=0")
    steps, scores = list_with_samples(made)
    scores[int(steps[5])] = 0.9
    assert {int(mast.choose_by_mast(made.s, 0, 1, True)) for _ in range(20)} == {5}
    assert len({int(mast.choose_by_mast(made.s, 0, 1, False)) for _ in range(200)}) > 5


def test_gibbs_at_low_temperature_takes_the_best() -> None:
    made = make("semisplit+mast-split@Mod,policy=gibbs,temperature=0.001")
    steps, scores = list_with_samples(made)
    scores[int(steps[3])] = 0.2
    assert {int(mast.choose_by_mast(made.s, 0, 1, True)) for _ in range(20)} == {3}


def test_decay_changes_weights_only() -> None:
    made = make("semisplit+mast-split@Mod,factor=0.5")
    run.run(made.s, 50, 2**60, 2**62)
    before, scores = (
        made.tree.arrays["mast.step_samples"].copy(),
        made.tree.arrays["mast.step_means"].copy(),
    )
    for _ in range(400):
        mast.decay_mast(made.s)
    after = made.tree.arrays["mast.step_samples"]
    assert (made.tree.arrays["mast.step_means"] == scores).all()
    # Relative to new samples, which weigh `scale`.
    assert after["weight"].max() / made.s.tree.mast.scale < before["weight"].max() * 0.5**300


def test_rave_knows_what_was_played_later() -> None:
    made = make("orthodox+rave")
    run.run(made.s, 300, 2**60, 2**62)
    node = made.tree.edges[ROOT]
    own = slice(node["first"], node["first"] + node["count"])
    # Each edge has the iterations that chose it, and those that played its move later.
    assert (made.tree.arrays["rave.samples"]["weight"][own] >= made.tree.edges["visits"][own]).all()
    assert (
        made.tree.arrays["rave.samples"]["weight"][own].sum() > made.tree.edges["visits"][own].sum()
    )
    known = made.tree.arrays["rave.samples"][own]
    average = known["total"] / np.maximum(1.0, known["weight"])

    @numba.njit(pipeline_class=Pipeline)  # type: ignore[untyped-decorator]
    def estimate(s: Workspace, edge: int) -> float:
        return find_estimates(s, edge, 1, 1, 300)[0]

    tried, first = int(node["tried"]), int(node["first"])
    estimates = [estimate(made.s, first + i) for i in range(tried)]
    assert estimates == pytest.approx(average[:tried])


def test_finding_a_move_backtracks() -> None:
    """The rear pawns of breakthrough cannot move: whoever lifts one must try another."""
    made = make("semisplit@Mod")
    go_to_root(made)
    for _ in range(50):
        made.s.worker.lists.buffer_top = made.s.worker.lists.top = 0
        length = simulate.find_move(made.s, 0, made.s.rules.list_semimoves, 0, False)
        assert length == 2
    assert made.s.worker.failure == 0


def test_kernels_are_compiled_once() -> None:
    games = [semisplit.load(name) for name in ("tic_tac_toe", "hex_9x9")]
    for game in games:
        for notation in ("orthodox", "semisplit+mast-mix+rave-mix@Mod", "rollup@ModPlus"):
            Search(game, parse_settings(notation), memory=1 << 20).run(Budget(simulations=5))
    assert len(run.run.signatures) == 1  # type: ignore[attr-defined]


def test_settings_are_checked_when_made() -> None:
    with pytest.raises(semisplit.SemisplitError):
        Settings(exploration=-1.0)
