"""The kernels of the search, one by one."""

import math
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest

import semisplit
from semisplit.search import Budget, Search
from semisplit.search.engine import Engine
from semisplit.search.kernels import candidates, iterate, mast, rave, select, simulate, tree
from semisplit.search.kernels.lanes import everywhere
from semisplit.search.kernels.memory import ROOT, SAMPLES, Kind
from semisplit.search.kernels.portable import exponential, logarithm
from semisplit.search.kernels.random import below, draw_tied, real
from semisplit.search.kernels.samples import add_sample, forget_samples, scale_samples
from semisplit.search.kernels.submoves import (
    UNKNOWN,
    add_all,
    add_submove,
    find_all,
    find_submove,
    next_context,
)
from semisplit.search.notation import parse_settings
from semisplit.search.settings import Settings


def engine(notation: str = "orthodox", game: str = "breakthrough", memory: int = 1 << 20) -> Engine:
    settings = parse_settings(notation)
    loaded = semisplit.load(game, str(settings.split) if settings.split else None)
    made = Engine(loaded, settings, 1, memory)
    made.set_root_state(made.game.codec.pack(loaded.initial_state().position))
    return made


def array(made: Engine, name: str) -> Any:
    return (made._arrays | made._tree)[name]


def go_to_root(made: Engine) -> bytes:
    """Put the root's state where iterations begin."""
    state = bytes(array(made, "root"))
    array(made, "stack")[: len(state)] = np.frombuffer(state, "u1")
    return state


def list_with_samples(made: Engine) -> tuple[Any, Any]:
    """The semimoves at the root, and MAST's scores, all of them bad."""
    go_to_root(made)
    count = candidates.list_candidates(made.s, made.s.list_semimoves, 0)
    array(made, "split_samples")["weight"] = 1.0
    scores = array(made, "split_scores")
    scores[:] = 0.1
    return array(made, "candidates")[:count].copy(), scores


# Numbers


def test_logarithm() -> None:
    for x in (*range(1, 3000), 10**6, 2**40 + 1):
        assert logarithm(float(x)) == pytest.approx(math.log(x), abs=1e-11)
        # Nothing is fused or reordered: Python gets the same to the last bit.
        assert logarithm(float(x)) == logarithm.py_func(float(x))  # type: ignore[attr-defined]


def test_roots_of_logarithms() -> None:
    made = engine()
    for number in (*range(1, 2048), 10**6, 2**31 - 1):
        exact = math.sqrt(math.log(number))
        accuracy = 1e-6 if number < 2048 else 1e-4
        assert select.root_logarithm(made.s, number) == pytest.approx(exact, rel=accuracy)


def test_exponential() -> None:
    for x in np.linspace(-50, 50, 301):
        assert exponential(x) == pytest.approx(math.exp(x), rel=1e-12)
    assert exponential(-1000.0) == 0.0


def test_random_numbers_are_even() -> None:
    made = engine()
    s = made.s
    draws = 60_000
    counts = Counter(int(below(s, 6)) for _ in range(draws))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - draws / 6) < 5 * math.sqrt(draws / 6) for count in counts.values())
    assert below(s, 1) == 0
    mean = sum(real(s) for _ in range(draws)) / draws
    assert abs(mean - 0.5) < 5 / math.sqrt(12 * draws)


def test_ties_are_broken_evenly() -> None:
    made = engine()
    array(made, "values")[:4] = (0.5, 0.7, 0.2, 0.7)

    @numba.njit
    def draw(s: Any) -> int:
        return draw_tied(s, 4, everywhere(0.7))

    counts = Counter(int(draw(made.s)) for _ in range(2000))
    assert sorted(counts) == [1, 3]
    assert abs(counts[1] - 1000) < 5 * math.sqrt(500)


# Samples


def test_samples_are_weighted_averages() -> None:
    known = np.zeros(2, SAMPLES)
    scores = np.zeros(2, "f4")
    addresses = known.ctypes.data, scores.ctypes.data
    forget_samples(*addresses, 2)
    assert scores.tolist() == [1.0, 1.0]
    add_sample(*addresses, 0, 0.25, 1.0)
    assert scores.tolist() == [0.25, 1.0]
    add_sample(*addresses, 0, 1.0, 2.0)
    assert scores.tolist() == [0.75, 1.0]
    scale_samples(known.ctypes.data, 2, 0.5)
    assert known["weight"].tolist() == [1.5, 0.0]
    assert known["total"][0] / known["weight"][0] == 0.75


# Submoves


def test_submoves_have_numbers() -> None:
    made = engine("semisplit+mast-context@ModPlus")
    s = made.s
    first = add_submove(s, 0, 100)
    assert first == find_submove(s, 0, 100) == add_submove(s, 0, 100)
    assert find_submove(s, first, 100) == UNKNOWN
    second = add_submove(s, first, 100)
    assert len({0, first, second}) == 3
    assert find_submove(s, UNKNOWN, 100) == UNKNOWN
    steps = np.array([100, 100], "i4")
    assert find_all(s, 0, steps.ctypes.data, 2) == second
    assert add_all(s, 0, steps.ctypes.data, 2) == second


def test_dots_do_not_change_the_context() -> None:
    made = engine("semisplit+mast-context@ModPlus")
    s = made.s
    assert s.first_modifier > 0
    steps = np.array([s.first_modifier + 5, s.first_modifier - 1], "i4")
    behind = next_context(s, 0, steps.ctypes.data, 2)
    assert behind == find_submove(s, 0, s.first_modifier + 5)


def test_single_steps_are_not_in_the_table() -> None:
    made = engine("semisplit+mast-context@Mod")
    before = int(made.s.submove_count)
    assert [int(add_submove(made.s, 0, step)) for step in (0, 5)] == [1, 6]
    assert find_submove(made.s, 0, 7) == 8
    assert made.s.submove_count == before == 1 + made.s.words


def test_the_table_of_submoves_grows() -> None:
    made = engine("semisplit+mast-context@Mod", memory=1 << 26)
    capacity, first = int(made.s.submove_capacity), int(made.s.submove_count)
    numbers = [int(add_submove(made.s, 1, step)) for step in range(capacity - first)]
    assert numbers == list(range(first, capacity))
    assert add_submove(made.s, 1, capacity) == UNKNOWN
    made.grow_submoves()
    assert made.s.submove_capacity > capacity
    assert [int(find_submove(made.s, 1, step)) for step in range(len(numbers))] == numbers
    assert add_submove(made.s, 1, capacity) == capacity


def test_the_table_of_submoves_has_a_limit() -> None:
    made = engine("semisplit+mast-context@Mod", memory=0)
    limit = int(made.s.submove_limit)
    for step in range(limit):
        add_submove(made.s, 1, step)
        if made.s.submove_count == made.s.submove_capacity:
            made.grow_submoves()
    assert made.s.submove_capacity == made.s.submove_count == limit


# Moves


@pytest.mark.parametrize("notation", ["orthodox", "semisplit@Mod", "semisplit@Plus"])
def test_candidates_are_what_the_game_lists(notation: str) -> None:
    made = engine(notation)
    s, game = made.s, made.game
    state = go_to_root(made)
    found = candidates.list_candidates(s, s.list_tree, 0)
    listed = game.moves(state) if notation == "orthodox" else game.semimoves(state)
    assert found == len(listed)
    for number, steps in enumerate(listed):
        address, length = candidates.candidate(s, 0, number)
        words = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_int32 * length).from_address(address))
        assert tuple(words.tolist()) == steps
        is_nodal = candidates.make(s, 0, address, length)
        size = int(s.state_bytes)
        following = bytes(array(made, "stack")[size : 2 * size])
        expected = game.play(state, steps)
        assert expected is not None
        assert following == game.run_keeper(expected)
        assert is_nodal == game.is_nodal(expected)
    last = array(made, "candidates")[found - 1]
    candidates.remove_candidate(s, 0, 0)
    assert array(made, "candidates")[0] == last
    assert array(made, "levels")[0]["count"] == found - 1
    candidates.forget_list(s, 0)
    assert s.candidate_top == s.buffer_top == 0


def test_scores_are_parts_of_the_bounds() -> None:
    made = engine()
    values = np.array([50, 100], "i4")
    state = bytearray(bytes(array(made, "root")))
    state[12:20] = values.tobytes()
    memory = np.frombuffer(bytes(state), "u1").copy()
    candidates.read_scores(made.s, memory.ctypes.data)
    assert array(made, "scores").tolist() == [0.5, 1.0]


# The tree


def test_edges_can_be_swapped_and_copied() -> None:
    made = engine("semisplit+rave-mix@Mod")
    iterate.run(made.s, 200, 2**60, 2**62)
    single = [array(made, name) for name in ("edges", "merits", "elements")]
    double = [array(made, name) for name in ("amaf", "estimates")]

    def content(edge: int) -> list[bytes]:
        # Bytes, for some of it has never been written, and what is no number is not even itself.
        of_records = [each[2 * edge : 2 * edge + 2].tobytes() for each in double]
        return [each[edge].tobytes() for each in single] + of_records

    before = [content(0), content(1)]
    tree.swap_edges(made.s, 0, 1)
    assert [content(1), content(0)] == before
    place = int(made.s.edge_count)
    tree.copy_edges(made.s, 0, 1, made.s, place)
    assert content(place) == content(0)


def test_a_tree_has_its_limit() -> None:
    made = engine(memory=10_000)
    assert tree.has_room(made.s, 100, 100)
    assert not tree.has_room(made.s, 1000, 0)
    assert made.s.full
    assert not tree.has_room(made.s, 0, 0)


def test_selection_takes_the_largest_bound() -> None:
    made = engine("orthodox,C=1")
    iterate.run(made.s, 500, 2**60, 2**62)
    node = made.edges[ROOT]
    tried = made.edges[node["first"] : node["first"] + node["tried"]]
    assert node["visits"] == 500
    bounds = tried["total"] / tried["visits"] + np.sqrt(math.log(500) / tried["visits"])
    reach = math.sqrt(math.log(500))
    assert select.select_child(made.s, ROOT, 1, reach) == node["first"] + int(bounds.argmax())


def test_visits_of_a_node_are_those_of_its_edges() -> None:
    made = engine("semisplit@Mod")
    iterate.run(made.s, 3000, 2**60, 2**62)
    edges = made.edges
    for number, node in enumerate(edges[: made.s.edge_count]):
        if node["first"] < 0:
            continue
        own = edges[node["first"] : node["first"] + node["count"]]
        assert (own["visits"][: node["tried"]] > 0).all()
        assert (own["visits"][node["tried"] :] == 0).all()
        # A nodal node was visited once before it had edges, if it is not the root.
        extra = int(node["kind"] == Kind.NODAL and number != ROOT)
        assert own["visits"].sum() == node["visits"] - extra
    visited = edges["visits"][: made.s.edge_count] > 0
    assert visited.sum() == made.s.node_count
    visited[ROOT] = False
    known, merits = edges[: len(visited)][visited], array(made, "merits")[: len(visited)][visited]
    assert merits["mean"] == pytest.approx(known["total"] / known["visits"])
    assert merits["rarity"] == pytest.approx(1 / np.sqrt(known["visits"]))


# Simulations and what they teach


def test_simulations_leave_a_trace() -> None:
    made = engine("semisplit+mast-split@Mod")
    assert iterate.run(made.s, 1, 2**60, 2**62) == 1
    s = made.s
    notes = array(made, "trace")[: s.trace_length]
    assert (notes["end"] == 2).sum() == s.moves + 1
    samples = array(made, "split_samples").reshape(2, -1)
    for player in (1, 2):
        played = Counter(notes["step"][notes["player"] == player].tolist())
        seen = {int(i): float(samples[player - 1][i]["weight"]) for i in played}
        assert seen == dict(played)
    assert samples["weight"].sum() == len(notes)


def test_mast_prefers_the_best() -> None:
    made = engine("semisplit+mast-split@Mod,epsilon=0")
    steps, scores = list_with_samples(made)
    scores[int(steps[5])] = 0.9
    assert {int(mast.choose_candidate(made.s, 0, 1, True)) for _ in range(20)} == {5}
    assert len({int(mast.choose_candidate(made.s, 0, 1, False)) for _ in range(200)}) > 5


def test_gibbs_at_low_temperature_takes_the_best() -> None:
    made = engine("semisplit+mast-split@Mod,policy=gibbs,temperature=0.001")
    steps, scores = list_with_samples(made)
    scores[int(steps[3])] = 0.2
    assert {int(mast.choose_candidate(made.s, 0, 1, True)) for _ in range(20)} == {3}


def test_decay_changes_weights_only() -> None:
    made = engine("semisplit+mast-split@Mod,factor=0.5")
    iterate.run(made.s, 50, 2**60, 2**62)
    before, scores = array(made, "split_samples").copy(), array(made, "split_scores").copy()
    for _ in range(400):
        mast.decay_mast(made.s)
    after = array(made, "split_samples")
    assert (array(made, "split_scores") == scores).all()
    # Relative to new samples, which weigh `scale`.
    assert after["weight"].max() / made.s.scale < before["weight"].max() * 0.5**300


def test_rave_knows_what_was_played_later() -> None:
    made = engine("orthodox+rave")
    iterate.run(made.s, 300, 2**60, 2**62)
    node = made.edges[ROOT]
    own = slice(node["first"], node["first"] + node["count"])
    # Each edge has the iterations that chose it, and those that played its move later.
    assert (made.amaf["weight"][own] >= made.edges["visits"][own]).all()
    assert made.amaf["weight"][own].sum() > made.edges["visits"][own].sum()
    known = made.amaf[own]
    average = known["total"] / np.maximum(1.0, known["weight"])
    first = int(node["first"])
    assert rave.find_estimates(made.s, first, 1, 1, 300) == made.s.estimates + 4 * first
    assert array(made, "estimates")[own][: node["tried"]] == pytest.approx(average[: node["tried"]])


def test_finding_a_move_backtracks() -> None:
    """The rear pawns of breakthrough cannot move: whoever lifts one must try another."""
    made = engine("semisplit@Mod")
    go_to_root(made)
    for _ in range(50):
        made.s.buffer_top = made.s.candidate_top = 0
        length = simulate.find_move(made.s, 0, made.s.list_semimoves, 0, False)
        assert length == 2
    assert made.s.failure == 0


def test_kernels_are_compiled_once() -> None:
    games = [semisplit.load(name) for name in ("tic_tac_toe", "hex_9x9")]
    for game in games:
        for notation in ("orthodox", "semisplit+mast-mix+rave-mix@Mod", "rollup@ModPlus"):
            Search(game, parse_settings(notation), memory=1 << 20).run(Budget(simulations=5))
    assert len(iterate.run.signatures) == 1  # type: ignore[attr-defined]


def test_settings_are_checked_when_made() -> None:
    with pytest.raises(semisplit.SemisplitError):
        Settings(exploration=-1.0)
