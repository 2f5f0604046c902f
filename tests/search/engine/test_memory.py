"""Several workers at a tree, and several trees in a search."""

import pytest

import semisplit
from semisplit.search import Budget, Search
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.coding import NumberCoding, choose_coding
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.run import run
from semisplit.search.features.submoves.feature import SubmovesFeature
from semisplit.search.features.submoves.records import KnownSubmoves
from semisplit.search.notation import parse_settings

MEMORY = 1 << 22
VARIANTS = [
    "orthodox",
    "orthodox+mast+rave",
    "semisplit-nodal+mast-mix+rave-mix@Mod",
    "semisplit-raw+mast-split@Mod,decay=batch,batch=30",
    "rollup-nodal+mast-context+rave-context@ModPlus",
]


def common_for(notation: str) -> tuple[Common, bytes]:
    settings = parse_settings(notation)
    game = semisplit.load("breakthrough", str(settings.split) if settings.split else None)
    common = Common(game, settings)
    return common, common.coding.game.codec.pack(game.initial_state().position)


def tree_for(common: Common, root: bytes) -> TreeMemory:
    tree = TreeMemory(common, MEMORY)
    tree.set_root(root)
    return tree


def iterate(worker: WorkerMemory, tree: TreeMemory, count: int) -> None:
    """As a search does it: the table of submoves grows between calls."""
    done = 0
    while done < count:
        done += run(worker.at(tree), count - done, 2**62, 2**62)
        tree.common.feature(SubmovesFeature).settle(tree, worker)


def content(tree: TreeMemory) -> list[object]:
    """All that is known about edges that have been visited, and what was learnt."""
    record, records = tree.record, tree.common.settings.rave.kinds
    found: list[object] = [record.simulations, record.node_count, record.deepest, record.mast.scale]
    stack = [ROOT]
    while stack:
        number = stack.pop()
        edge = tree.edges[number]
        found.append((edge["visits"], edge["total"], edge["kind"], tuple(tree.codes(number))))
        if records and number != ROOT:
            found += tree.arrays["rave.samples"][records * number : records * (number + 1)].tolist()
        stack += range(edge["first"], edge["first"] + edge["tried"])
    learnt = ["mast.submove_samples", "mast.step_samples"][: 1 + tree.common.settings.mast.split]
    return found + [tree.arrays[name].tobytes() for name in learnt]


@pytest.mark.parametrize("notation", VARIANTS)
def test_workers_take_turns_on_one_tree(notation: str) -> None:
    common, root = common_for(notation)
    tree = tree_for(common, root)
    workers = [WorkerMemory(common, seed) for seed in (1, 2, 3)]
    for turn in range(6):
        iterate(workers[turn % 3], tree, 40)
    assert [worker.record.counts.iterations for worker in workers] == [80, 80, 80]
    node = tree.edges[ROOT]
    own = tree.edges[node["first"] : node["first"] + node["tried"]]
    assert tree.record.simulations == node["visits"] == own["visits"].sum() == 240


@pytest.mark.parametrize("notation", VARIANTS)
def test_a_tree_does_not_care_who_works_on_it(notation: str) -> None:
    """What a tree has to know is in the tree: another worker goes on as the first would have."""
    common, root = common_for(notation)
    alone, first, second = (WorkerMemory(common, 5) for _ in range(3))
    expected, tree = tree_for(common, root), tree_for(common, root)
    iterate(alone, expected, 400)
    iterate(first, tree, 150)
    second.record.random = first.record.random
    iterate(second, tree, 250)
    assert content(tree) == content(expected)
    counts = [one.record.counts.states for one in (first, second, alone)]
    assert counts[0] + counts[1] == counts[2]


@pytest.mark.parametrize("notation", VARIANTS)
def test_trees_know_nothing_of_each_other(notation: str) -> None:
    """A worker who goes from tree to tree leaves in each what it would have left there alone."""
    common, root = common_for(notation)
    expected, tree, other = (tree_for(common, root) for _ in range(3))
    fresh, worker = WorkerMemory(common, 5), WorkerMemory(common, 4)
    iterate(worker, other, 300)
    before = content(other)
    setattr(worker.record, "random", 5)  # noqa: B010
    iterate(worker, tree, 300)
    iterate(fresh, expected, 300)
    assert content(tree) == content(expected) != before
    assert content(other) == before


def test_stamps_have_room_for_what_others_have_added_to_the_table() -> None:
    common, root = common_for("semisplit-nodal+rave-context@Mod")
    tree = tree_for(common, root)
    one, other = WorkerMemory(common, 1), WorkerMemory(common, 2)
    iterate(one, tree, 100)
    iterate(other, tree, 1)
    before = len(other.arrays["rave.submove_stamps"])
    tree.record.submoves.needed = 4 * tree.record.submoves.capacity
    iterate(one, tree, 100)
    assert tree.record.submoves.capacity * common.rules.players > before
    iterate(other, tree, 100)
    stamps = len(other.arrays["rave.submove_stamps"])
    assert stamps == tree.record.submoves.capacity * common.rules.players


def test_decay_in_batches_counts_what_was_completed() -> None:
    """And not iterations that had to wait until the table of submoves had grown."""
    settings = parse_settings("semisplit+mast-split+rave-context@Mod,decay=batch,batch=10")
    search = Search(semisplit.load("breakthrough"), settings, seed=1, memory=MEMORY)
    tree, worker = search.tree.memories[0].record, search.tree.workers[0].record
    tree.submoves.capacity = tree.submoves.count
    search.run(Budget(simulations=29))
    assert worker.counts.iterations == 30
    assert worker.counts.abandoned == 0
    assert tree.mast.scale == pytest.approx(0.2**-2)


# Codes


@pytest.mark.parametrize("notation", ["orthodox", "orthodox+mast+rave", "semisplit+mast@ModPlus"])
def test_codes_can_be_decoded(notation: str) -> None:
    common, root = common_for(notation)
    coding = common.coding
    for steps in coding.game.moves(root):
        codes = coding.encode(steps)
        assert all(coding.silent <= code < coding.codes for code in codes)
        assert coding.decode(codes) == steps


def test_moves_are_numbers_where_nothing_else_is_known() -> None:
    game = semisplit.load("breakthrough")
    numbered = choose_coding(game, parse_settings("orthodox+mast+rave"))
    assert isinstance(numbered, NumberCoding)
    move = numbered.game.moves(numbered.game.codec.pack(game.initial_state().position))[0]
    assert len(move) > len(numbered.encode(move)) == 1
    assert numbered.known(parse_settings("orthodox+mast").mast.variant) == (  # type: ignore[union-attr]
        True,
        KnownSubmoves.NONE,
    )
    for notation in ("orthodox", "orthodox+mast-split", "orthodox+mast-mix"):
        assert not isinstance(choose_coding(game, parse_settings(notation)), NumberCoding)
    chess = semisplit.load("chess")
    assert not isinstance(choose_coding(chess, parse_settings("orthodox+mast")), NumberCoding)


def test_playouts_are_guided_where_the_game_can_do_it() -> None:
    def playouts(notation: str) -> int:
        return common_for(notation)[0].rules.playouts

    for notation in ("semisplit+mast-split@Mod", "orthodox+mast"):
        assert playouts(notation)
        assert not playouts(f"{notation},policy=gibbs")
    for notation in ("semisplit+mast-context@Mod", "orthodox+mast-split", "orthodox+rave"):
        assert not playouts(notation)
