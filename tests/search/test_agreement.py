"""Kernels agree with the reference in what they know after a search.

Visits of edges on three levels, RAVE's samples there, and MAST's values at the root vary from seed
to seed. Their averages over many seeds must not differ by more than five standard errors. That this
is enough to tell some variants from each other is tested, too; GRAVE and the thresholds of mixed
variants make too little difference for that.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from statistics import fmean, pvariance
from typing import Any

import pytest

from semisplit import Game
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.interpret import Interpreter, Position, Steps
from semisplit.language.rbg.text.ast import Rule
from semisplit.search import Budget, Search, Settings, Variant
from semisplit.search.engine.layout import ROOT
from semisplit.search.notation import parse_settings
from semisplit.search.reference.node import Node
from semisplit.search.reference.search import ReferenceSearch
from tests.support.gdl import TIC_TAC_TOE
from tests.support.rules import gdl, present, rbg
from tests.support.search_variants import PAWNS
from tests.support.simultaneous import BETS, DRAWS, THREE, TURNS, WELL, matrix_game

SEEDS = range(40)
SIMULATIONS = 60
LEVELS = 3
Key = tuple[tuple[Any, ...], str]
Quantities = dict[Key, list[float]]


class Remembering(Interpreter):
    """Looks for the moves of a position once: seeds meet the same ones again and again."""

    def __init__(self, description: Description, rules: Rule):
        super().__init__(description, rules)
        slow = Interpreter
        self._moves = cache(lambda position: list(slow.moves(self, position)))
        self._semimoves = cache(lambda position, mod: list(slow.semimoves(self, position, mod=mod)))
        self._keeper = cache(partial(slow.run_keeper, self))

    def moves(self, position: Position) -> Iterator[tuple[Steps, Position]]:
        return iter(self._moves(position))

    def semimoves(self, position: Position, *, mod: bool) -> Iterator[tuple[Steps, Position]]:
        return iter(self._semimoves(position, mod))

    def run_keeper(self, position: Position) -> Position:
        return self._keeper(position)


@pytest.fixture(autouse=True, scope="module")
def remember_for_this_file() -> Iterator[None]:
    """A million remembered positions would slow down the tests after these."""
    yield
    load.cache_clear()
    load_simultaneous.cache_clear()


@cache
def load(split: SplitStrategy | None) -> Game:
    game = Game.parse(PAWNS, "pawns", str(split) if split else None)
    rbg(game).interpreter = Remembering(rbg(game).description, rbg(game).divided)
    return game


@cache
def load_simultaneous(text: str) -> Game:
    game = Game.parse(text, "simultaneous.kif")
    interpreter = gdl(game).interpreter
    setattr(interpreter, "model", cache(interpreter._model))  # noqa: B010
    setattr(interpreter, "next_state", cache(interpreter.next_state))  # noqa: B010
    return game


def search_quantities(game: Game, settings: Settings) -> Quantities:
    found: Quantities = defaultdict(lambda: [0.0] * len(SEEDS))
    for seed in SEEDS:
        search = Search(game, settings, seed=seed, memory=1 << 20)
        result = search.run(Budget(simulations=SIMULATIONS))
        found[(), "states"][seed] = result.states
        found[(), "nodes"][seed] = _count_search_nodes(search)
        for (path, what), value in _search_edges(search):
            _add(found, seed, path, what, value)
        for choice in result.choices:
            for step in choice.steps:
                _add(found, seed, step.move.steps, "choices", step.visits)
                _add(found, seed, step.move.steps, "totals", step.visits * step.score)
    return found


def _count_search_nodes(search: Search) -> int:
    """Those that can be reached; a node that was rolled up cannot."""
    count, stack = 0, [ROOT]
    while stack:
        count += 1
        stack += [edge.number for edge in search.tree.view.edges(stack.pop())]
    return count


def _add(found: Quantities, seed: int, path: tuple[Any, ...], what: str, value: float) -> None:
    found[path, what][seed] += value
    # How unequal edges are shows best in the squares of all of them.
    found[(), f"all {what} squared"][seed] += value * value


def _search_edges(search: Search) -> Iterator[tuple[Key, float]]:
    tree, view, player = search.tree.memories[0], search.tree.view, search.state.player
    coding, records = tree.common.coding, tree.common.settings.rave.kinds
    stack: list[tuple[int, tuple[Any, ...], int]] = [(ROOT, (), 0)]
    while stack:
        node, before, level = stack.pop()
        first, count = (int(tree.edges[node][name]) for name in ("first", "count"))
        for number in range(first, first + count) if first >= 0 else ():
            codes = coding.decode(tree.codes(number))
            path, edge = (*before, *coding.game.codec.steps(codes)), tree.edges[number]
            if group := view.group(number):
                path += (group,)
            yield (path, "visits"), int(edge["visits"])
            for record in range(records):
                known = tree.arrays["rave.samples"][number * records + record]
                yield (path, f"weight {record}"), float(known["weight"])
                yield (path, f"total {record}"), float(known["total"])
            if level == 0 and not group and _expands_by_mast(search.settings):
                yield (path, "mast"), float(view.mast(player, codes) or 0.0)
            if edge["visits"] and level + 1 < LEVELS:
                stack.append((number, path, level + 1))


def reference_quantities(game: Game, settings: Settings) -> Quantities:
    found: Quantities = defaultdict(lambda: [0.0] * len(SEEDS))
    for seed in SEEDS:
        search = ReferenceSearch(game, settings, seed)
        search.run(SIMULATIONS)
        found[(), "states"][seed] = search.states
        found[(), "nodes"][seed] = _count_nodes(search.root)
        for (path, what), value in _reference_edges(search, settings):
            _add(found, seed, path, what, value)
        for known in search.player_statistics().values() if search.root.arms else ():
            for steps, (visits, mean) in known.items():
                _add(found, seed, steps, "choices", visits)
                _add(found, seed, steps, "totals", visits * mean)
    return found


def _count_nodes(root: Node) -> int:
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += 1
        stack += [child for child in node.children or () if child.visits]
    return count


def _reference_edges(search: ReferenceSearch, settings: Settings) -> Iterator[tuple[Key, float]]:
    kinds: tuple[Variant, ...] = ()
    if search.rave:
        variant = search.rave.settings.variant
        kinds = (Variant.SPLIT, Variant.CONTEXT) if variant == Variant.MIX else (variant,)
    stack: list[tuple[Node, tuple[Any, ...], int]] = [(search.root, (), 0)]
    while stack:
        node, before, level = stack.pop()
        for child in node.children or ():
            path = (*before, *child.steps)
            if child.group:
                path += (search.group(child) or "",)
            yield (path, "visits"), child.visits
            for record, kind in enumerate(kinds):
                yield (path, f"weight {record}"), child.amaf[kind].weight
                yield (path, f"total {record}"), child.amaf[kind].total
            if level == 0 and not child.group and _expands_by_mast(settings):
                yield (path, "mast"), present(search.mast).score(node, child)
            if child.visits and level + 1 < LEVELS:
                stack.append((child, path, level + 1))


def _expands_by_mast(settings: Settings) -> bool:
    return settings.mast is not None and settings.mast.in_expansion


def differences(settings: Settings, expected: Settings, game: Game | None = None) -> list[Key]:
    """Where a search and a reference with such settings do not agree."""
    ours = search_quantities(game or load(settings.split), settings)
    theirs = reference_quantities(game or load(expected.split), expected)
    found = []
    for key in {*ours, *theirs}:
        error = ((pvariance(ours[key]) + pvariance(theirs[key])) / len(SEEDS)) ** 0.5
        # What hardly varies is not distributed normally.
        if abs(fmean(ours[key]) - fmean(theirs[key])) > 5 * max(error, 0.06) or (
            key[1] == "mast" and _spread_differs(ours[key], theirs[key])
        ):
            found.append(key)
    return found


def _spread_differs(ours: list[float], theirs: list[float]) -> bool:
    """What decays varies more; what is there only now and then varies by chance."""
    if min(map(sum, (map(bool, ours), map(bool, theirs)))) < len(SEEDS) / 2:
        return False
    low, high = sorted((pvariance(ours), pvariance(theirs)))
    return high > 5 * low + 0.01


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
        "orthodox+mast+rave,epsilon=0.2,C=0.1",
        "orthodox+mast-mix,threshold=2,epsilon=0.2",
        "orthodox/semisplit+mast-context+rave-join@ModPlus",
        "semisplit-nodal+mast-split+rave-split@Mod,epsilon=0.2,C=0.1",
        "semisplit-nodal+mast+rave@Plus",
        "semisplit-raw+mast-mix+rave-mix@ModPlus,threshold=2,ravethreshold=2",
        "semisplit-nodal/orthodox+mast-join+rave-context@Mod",
        "rollup-nodal+mast-split+rave-context@ModPlus",
        "rollup-raw/orthodox+mast-context@Mod,treeonly=true",
        "orthodox+grave,ref=10,C=0.1",
        "semisplit-nodal+grave-split@Mod,ref=10,C=0.1",
        "semisplit-nodal+mast-split@Mod,policy=gibbs,temperature=0.1",
        "semisplit-nodal+mast-split@Mod,policy=roulette",
        "semisplit-nodal+mast-split@Mod,decay=batch,batch=7,factor=0.3,epsilon=0.1",
        "semisplit-nodal+mast-split@Mod,decay=simulation,factor=0.7,epsilon=0.1",
        "semisplit-nodal@Shift",
        "rollup-nodal@Plus",
        "semisplit-raw+mast-split@Mod,expansion=false,epsilon=0.1",
        "rollup-raw/orthodox+mast-join@ModPlus,expansion=false",
        "groups[start]",
        "groups[proximity,border],x=12,C=1",
        "groups[capture],above=2",
        "groups[piece/start/target],x=0",
        "groups[target]+mast+rave,epsilon=0.2,C=0.1",
        "groups[target/start]/semisplit+mast-split+rave-join@Mod",
        "groups[start]+grave,ref=10,C=0.1",
        "semisplit-nodal[target/start]@Mod",
        "semisplit-raw[border]+mast-split+rave-split@Mod",
        "semisplit-raw[instruction,start]/orthodox+rave-context@ModPlus,x=1",
        "orthodox,expand=5",
        "orthodox+mast+rave,expand=children,epsilon=0.2,C=0.1",
        "semisplit-nodal@Mod,expand=children",
        "semisplit-raw+mast-split+rave-split@ModPlus,expand=3,expansion=false,epsilon=0.2",
        "rollup-raw@ModPlus,expand=children",
        "groups[start],expand=4",
    ],
)
def test_search_and_reference_agree(notation: str) -> None:
    settings = parse_settings(notation)
    assert differences(settings, settings) == []


@pytest.mark.parametrize(
    ("notation", "other"),
    [
        ("orthodox", "orthodox,C=2"),
        ("semisplit-nodal@ModPlus", "semisplit-raw@ModPlus"),
        ("rollup-nodal@Mod", "rollup-nodal@Mod,MSF=3"),
        ("orthodox+mast+rave,C=0.1", "orthodox+mast,C=0.1"),
        ("semisplit+rave-mix@Mod,ravethreshold=2", "semisplit+rave-split@Mod"),
        ("semisplit+mast-split@Mod,treeonly=true", "semisplit+mast-split@Mod"),
        ("semisplit+mast-split@Mod,epsilon=0.1", "semisplit+mast-split@Mod,epsilon=0.9"),
        ("semisplit+mast-split@Mod,decay=simulation,factor=0.3", "semisplit+mast-split@Mod"),
        ("semisplit+mast-split@Mod,policy=gibbs,temperature=0.1", "semisplit+mast-split@Mod"),
        ("groups[start],x=40", "groups[start],x=0"),
        ("groups[start]", "groups[start],above=7"),
        ("groups[start/target]", "groups[start]"),
        ("orthodox,expand=children", "orthodox"),
        ("semisplit-nodal@Mod,expand=2", "semisplit-nodal@Mod,expand=4"),
        ("semisplit-raw@ModPlus,expand=children", "semisplit-raw@ModPlus"),
    ],
)
def test_different_variants_do_not(notation: str, other: str) -> None:
    assert differences(parse_settings(notation), parse_settings(other)) != []


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        (TURNS, "orthodox"),
        (THREE, "orthodox,C=1"),
        (matrix_game(WELL), "orthodox"),
        (TIC_TAC_TOE, "orthodox"),
        (TURNS, "orthodox+mast,epsilon=0.2,C=0.1"),
        (TIC_TAC_TOE, "orthodox+mast-context,epsilon=0.2,C=0.1"),
        (THREE, "orthodox+rave,C=0.2"),
        (TURNS, "orthodox+mast+rave-context,epsilon=0.2,C=0.1,k=50"),
        (THREE, "orthodox+mast-join,policy=gibbs,temperature=0.1,expansion=false"),
        (TURNS, "groups[name]"),
        (THREE, "groups[name],x=0"),
        (TIC_TAC_TOE, "groups[argument1/proximity]+mast+rave,epsilon=0.2,C=0.2"),
        (matrix_game(WELL), "groups[name]+rave,x=1"),
        (TURNS, "orthodox,expand=children"),
        (THREE, "orthodox+rave,expand=4"),
        (TURNS, "groups[name],expand=3"),
        (DRAWS, "orthodox,C=0.3"),
        (DRAWS, "orthodox+mast,epsilon=0.1,C=0.2"),
        (DRAWS, "orthodox+rave,C=0.2"),
        (BETS, "orthodox"),
        (BETS, "orthodox+mast+rave,epsilon=0.1,C=0.2"),
    ],
)
def test_decoupled_search_and_reference_agree(text: str, notation: str) -> None:
    settings = parse_settings(notation)
    assert differences(settings, settings, load_simultaneous(text)) == []


def test_seeing_what_others_choose_would_make_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReferenceSearch, "arms", lambda self, path, nodal, node: node.children)
    settings = parse_settings("orthodox")
    assert differences(settings, settings, load_simultaneous(TURNS)) != []


def test_chance_that_chooses_would_make_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(self: ReferenceSearch, path: Sequence[Node]) -> Node:
        return self._uct(path, path[-1].children or ())

    monkeypatch.setattr(ReferenceSearch, "uct", choose)
    settings = parse_settings("orthodox,C=0.3")
    assert differences(settings, settings, load_simultaneous(DRAWS)) != []


def test_wandering_makes_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semisplit.search.reference.search.UNIFORM_EXPLORATION", 0.0)
    settings = parse_settings("orthodox")
    assert differences(settings, settings, load_simultaneous(matrix_game(WELL))) != []


def test_different_decoupled_variants_do_not_agree() -> None:
    ours, theirs = map(parse_settings, ("orthodox+mast,epsilon=0.1", "orthodox+mast,epsilon=0.9"))
    assert differences(ours, theirs, load_simultaneous(TIC_TAC_TOE)) != []
