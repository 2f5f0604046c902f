"""The reference search: what its tree looks like, what it finds, what MAST and RAVE have seen."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from semisplit import Game, games, load
from semisplit.core.settings.parameters import BadSettings
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rbg.play.interpret import KEEPER, Position, Step, Steps
from semisplit.search.features.mast.reference import MastTables
from semisplit.search.features.mast.settings import Decay, Mast, Policy
from semisplit.search.features.rave.reference import RaveRecords
from semisplit.search.features.rave.settings import Rave
from semisplit.search.features.rollup.reference import qualifies_for_rollup
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.reference.node import Average, Node, keys, without_dots
from semisplit.search.reference.search import ReferenceSearch
from semisplit.search.settings import Final, Settings, Simulation, Tree
from tests.support.search_variants import PAWNS

LINE = """
#players = w(100), b(50)
#pieces = e, x, o
#variables =
#board = rectangle(up,down,left,right, [e,e])
#rules = ->w [x] ->b right [o] [$ w=25] [$ b=50] ->>
"""
"""Each player has one move: two of two semimoves, then the keeper is stuck."""

FILL = """
#players = w(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e])
#rules = [$ w=100] (->w (left* + right*) {e} [x])*
"""
"""White fills two squares in either order."""

STANDARD, SPLIT, JOIN, CONTEXT, MIX = Variant
STRATEGIES = {name: SplitStrategy.parse(name) for name in ("Mod", "ModPlus", "Plus")}
ORTHODOX = Settings(split=STRATEGIES["Mod"])
ORTHODOX_SPLIT = replace(ORTHODOX, simulation=Simulation.SEMISPLIT)
SPLIT_ORTHODOX = replace(ORTHODOX, tree=Tree.SEMISPLIT)
NODAL = replace(SPLIT_ORTHODOX, simulation=Simulation.SEMISPLIT)
RAW = replace(NODAL, nodal=False)
ROLLUP = replace(NODAL, tree=Tree.ROLLUP)
DOTTED = replace(ROLLUP, split=STRATEGIES["ModPlus"])
DESIGNS = [
    ORTHODOX,
    ORTHODOX_SPLIT,
    SPLIT_ORTHODOX,
    replace(SPLIT_ORTHODOX, nodal=False),
    NODAL,
    RAW,
    ROLLUP,
    replace(ROLLUP, simulation=Simulation.ORTHODOX),
    replace(ROLLUP, nodal=False),
    replace(ROLLUP, min_score_difference=0.2),
    replace(DOTTED, min_simulations_factor=2.0),
    replace(DOTTED, split=STRATEGIES["Plus"]),
]
ENHANCED = [
    replace(ORTHODOX, mast=Mast(STANDARD), rave=Rave(STANDARD)),
    replace(ORTHODOX, mast=Mast(MIX, Policy.ROULETTE, decay=Decay.SIMULATION), rave=Rave(JOIN)),
    replace(ORTHODOX_SPLIT, mast=Mast(CONTEXT, tree_only=True), rave=Rave(JOIN, reference=5)),
    replace(SPLIT_ORTHODOX, mast=Mast(JOIN, in_expansion=False), rave=Rave(SPLIT)),
    replace(NODAL, mast=Mast(MIX, decay=Decay.BATCH, batch=10), rave=Rave(MIX)),
    replace(RAW, mast=Mast(STANDARD), rave=Rave(STANDARD, reference=5)),
    replace(RAW, mast=Mast(CONTEXT, Policy.GIBBS), rave=Rave(CONTEXT, reference=5)),
    replace(ROLLUP, mast=Mast(SPLIT), rave=Rave(CONTEXT)),
    replace(DOTTED, mast=Mast(MIX), rave=Rave(CONTEXT)),
]


def name_of(settings: Settings) -> str:
    parts: list[Any] = [settings.tree.name, settings.simulation.name, settings.split]
    parts += [heuristic.variant.name for heuristic in (settings.mast, settings.rave) if heuristic]
    return "-".join(map(str, [*parts, "nodal" if settings.nodal else "raw"]))


all_designs = pytest.mark.parametrize("settings", [*DESIGNS, *ENHANCED], ids=name_of)


def pawns(settings: Settings) -> Game:
    return Game.parse(PAWNS, split=str(settings.split) if settings.split else None)


def searched(text: str, settings: Settings, simulations: int, seed: int = 1) -> ReferenceSearch:
    game = Game.parse(text, split=str(settings.split) if settings.split else None)
    search = ReferenceSearch(game, settings, seed)
    search.run(simulations)
    return search


def visited(node: Node) -> list[Node]:
    return [child for child in node.children or () if child.visits]


def descendants(node: Node) -> Iterator[Node]:
    for child in visited(node):
        yield child
        yield from descendants(child)


def moves_below(node: Node, before: Steps = ()) -> Iterator[tuple[Steps, Node]]:
    for child in visited(node):
        steps = before + child.steps
        if child.nodal:
            yield without_dots(steps), child
        else:
            yield from moves_below(child, steps)


@pytest.mark.parametrize("text", [PAWNS, games.text("tic_tac_toe")], ids=["pawns", "tic_tac_toe"])
@all_designs
def test_every_simulation_is_counted(settings: Settings, text: str) -> None:
    search = searched(text, settings, 60)
    assert search.simulations == search.root.visits == 60
    assert search.states >= 60
    statistics = search.semimove_statistics()
    if settings.tree == Tree.ROLLUP and not settings.nodal:
        return  # what a rolled up node has seen before it got children is lost
    assert sum(visits for visits, _ in statistics.values()) == 60
    if settings.nodal:
        assert sum(visits for visits, _ in search.move_statistics().values()) == 60
    for node in descendants(search.root):
        if not node.is_terminal:
            created = node.nodal or not settings.nodal
            assert node.visits == created + sum(child.visits for child in visited(node))


@all_designs
def test_the_tree_has_legal_moves_and_no_dead_states(settings: Settings) -> None:
    search = searched(PAWNS, settings, 100, seed=2)
    play = pawns(settings).rules.interpreter
    for node in [search.root, *descendants(search.root)]:
        moves = dict(play.moves(node.position)) if node.player != KEEPER else {}
        if not node.nodal:
            assert moves
            continue
        assert not (moves and node.is_terminal)
        for steps, reached in moves_below(node):
            assert play.run_keeper(moves[steps]) == reached.position


def test_dead_semimoves_leave_the_tree() -> None:
    """Six pawns can be lifted, but only three can be put down again."""
    search = searched(PAWNS, NODAL, 0)
    assert len(search.root.children or ()) == 6
    search.run(100)
    assert len(search.root.children or ()) == 3
    assert search.root.fully_expanded


@pytest.mark.parametrize(
    "settings", [s for s in [*DESIGNS, *ENHANCED] if s.tree == Tree.ROLLUP], ids=name_of
)
def test_rollup_leaves_no_node_to_roll_up(settings: Settings) -> None:
    search = searched(PAWNS, settings, 300)
    nodes = list(descendants(search.root))
    assert not any(qualifies_for_rollup(node, search.settings) for node in nodes)
    assert any(len(without_dots(node.steps)) > 1 for node in nodes)
    assert not any(step.number < 0 for node in nodes for step in node.steps[:-1])
    dotted = {node.steps[-1].number < 0 for node in nodes}
    assert (True in dotted) == bool(settings.split and settings.split.plus)


def test_rollup_ends_in_the_orthodox_tree() -> None:
    rolled_up = searched(PAWNS, ROLLUP, 600)
    orthodox = searched(PAWNS, ORTHODOX, 600)
    assert all(child.nodal for child in rolled_up.root.children or ())
    assert rolled_up.semimove_statistics().keys() == orthodox.semimove_statistics().keys()


def test_a_small_difference_of_scores_prevents_rollup() -> None:
    search = searched(LINE, ROLLUP, 0)
    parent = node("a", 1, "b c", nodal=False)
    parent.visits = 4
    for child, score in zip(parent.children or (), (0.5, 0.8)):
        child.visits, child.score_sum = 2, score
    for difference, expected in [(0.0, True), (0.1, True), (0.2, False)]:
        search.settings = replace(ROLLUP, min_score_difference=difference)
        assert qualifies_for_rollup(parent, search.settings) == expected


def test_uct() -> None:
    """The root of ln 2 is less than 1, that of ln 3 more."""
    search = ReferenceSearch(Game.parse(LINE), Settings(exploration=1.0), 1)
    parent = node("", 1, "a b")
    seldom, often = parent.children or []
    seldom.visits, often.visits, often.score_sum = 1, 4, 2.0
    for visits, expected in [(2, often), (3, seldom)]:
        parent.visits = visits
        assert search.uct([parent]) is expected


@pytest.mark.parametrize("final", Final)
@all_designs
def test_a_forced_win_is_found(settings: Settings, final: Final) -> None:
    if final == Final.ROLLUP and settings.tree != Tree.SEMISPLIT:
        return
    settings = replace(settings, final=final)
    split = str(settings.split) if settings.split else None
    game = load("tic_tac_toe", split, engine="interpreter")
    state = game.parse_state("x . x\no . .\no . .")
    search = ReferenceSearch(game, settings, seed=3)
    search.set_root(state.position)
    search.run(120)
    move = {tuple(move.steps): str(move) for move in state.moves()}[search.select_final()]
    assert move == "b3"


@pytest.mark.parametrize("settings", DESIGNS[::2], ids=name_of)
def test_without_a_simulation_or_in_the_end(settings: Settings) -> None:
    search = searched(PAWNS, settings, 0)
    play = pawns(settings).rules.interpreter
    assert search.select_final() in dict(play.moves(search.root.position))
    assert not any(visited(search.root))
    end = search.root.position
    while (after := next(play.moves(end), None)) and end.player != KEEPER:
        end = play.run_keeper(after[1])
    search.set_root(end)
    search.run(3)
    assert (search.simulations, search.states, search.root.visits) == (3, 0, 3)
    assert search.select_final() == ()


def test_a_raw_path_that_leaves_the_tree_is_completed() -> None:
    settings = replace(RAW, final=Final.ROLLUP)
    search = searched(PAWNS, settings, 1)
    (child,) = visited(search.root)
    assert child.children is None
    chosen = search.select_final()
    assert chosen[0] == child.steps[0]
    assert chosen in dict(pawns(settings).rules.interpreter.moves(search.root.position))
    assert child.children is None
    assert search.move_statistics() == {}


def test_the_strategy_of_the_game_must_be_that_of_the_settings() -> None:
    with pytest.raises(BadSettings, match="split strategy"):
        ReferenceSearch(Game.parse(PAWNS, split="ModPlus"), NODAL, 1)


# Statistics computed by hand.

X, TO_B, O_, W25, B50, END = (
    Step(vertex, number) for vertex, number in [(0, 2), (0, 3), (1, 4), (1, 5), (1, 6), (1, 7)]
)


def weights(search: ReferenceSearch, variant: Variant, player: int) -> dict[Any, float]:
    assert search.mast
    return {key: entry.weight for key, entry in search.mast.tables[variant, player].items()}


def test_scores_and_states_of_a_line() -> None:
    for settings in DESIGNS:
        search = searched(LINE, settings, 7)
        assert search.states == 14
        assert [mean for _, mean in search.semimove_statistics().values()] == [0.25]
        assert search.select_final() == (X, TO_B)
    assert {child.mean for child in descendants(search.root) if child.steps[-1] == END} == {1.0}


def test_mast_tables_of_a_line() -> None:
    context = searched(LINE, replace(NODAL, mast=Mast(CONTEXT)), 2)
    assert context.mast
    assert context.mast.tables[CONTEXT, 1] == {
        ((), X): Average(0.5, 2.0),
        ((X,), TO_B): Average(0.5, 2.0),
    }
    assert context.mast.tables[CONTEXT, 2] == {
        ((), O_): Average(2.0, 2.0),
        ((O_,), W25): Average(2.0, 2.0),
        ((O_, W25), B50): Average(2.0, 2.0),
        ((O_, W25, B50), END): Average(2.0, 2.0),
    }
    split = searched(LINE, replace(NODAL, mast=Mast(SPLIT)), 2)
    assert weights(split, SPLIT, 1) == {X: 2, TO_B: 2}
    assert weights(split, SPLIT, 2) == {O_: 2, W25: 2, B50: 2, END: 2}
    for nodal in (True, False):
        mast = Mast(JOIN, in_expansion=False)
        join = searched(LINE, replace(SPLIT_ORTHODOX, nodal=nodal, mast=mast), 3)
        assert weights(join, JOIN, 1) == {(X, TO_B): 3}
        assert weights(join, JOIN, 2) == {(O_, W25, B50, END): 3}


def test_mast_in_the_tree_only() -> None:
    """Raw trees grow by one node: after the first simulation, white's switch is not in it."""
    search = searched(LINE, replace(NODAL, mast=Mast(SPLIT, tree_only=True)), 2)
    assert weights(search, SPLIT, 1) == {X: 2, TO_B: 2}
    assert weights(search, SPLIT, 2) == {O_: 1, W25: 1, B50: 1, END: 1}
    search = searched(LINE, replace(RAW, mast=Mast(SPLIT, tree_only=True)), 3)
    assert weights(search, SPLIT, 1) == {X: 3, TO_B: 2}
    assert weights(search, SPLIT, 2) == {O_: 1}


@pytest.mark.parametrize(
    ("mast", "weight"),
    [
        (Mast(SPLIT, decay_factor=0.5), 4.0),
        (Mast(SPLIT, decay=Decay.SIMULATION, decay_factor=0.5), 0.9375),
        (Mast(SPLIT, decay=Decay.BATCH, batch=3, decay_factor=0.5), 2.5),
    ],
)
def test_decay(mast: Mast, weight: float) -> None:
    search = searched(LINE, replace(NODAL, mast=mast), 4)
    assert weights(search, SPLIT, 1) == {X: weight, TO_B: weight}
    search.set_root(search.root.position)
    search.played()
    after = weight / 2 if mast.decay == Decay.MOVE else weight
    assert weights(search, SPLIT, 1) == {X: after, TO_B: after}


def test_rave_records_of_two_squares() -> None:
    """Whichever square white fills first, he fills the other one later."""
    search = searched(FILL, Settings(rave=Rave(STANDARD)), 1)
    assert [child.amaf[STANDARD].weight for child in search.root.children or ()] == [1, 1]
    assert len(visited(search.root)) == 1
    search.run(2)
    assert [child.amaf[STANDARD].weight for child in search.root.children or ()] == [3, 3]
    second = {child.visits: visited(child) for child in visited(search.root)}
    assert [child.amaf[STANDARD].weight for child in second[2]] == [1]
    assert second[1] == []


def test_raw_rave_counts_the_rest_of_the_move_as_simulation() -> None:
    settings = replace(RAW, rave=Rave(SPLIT))
    search = searched(FILL, settings, 1)
    # Both squares are filled, one of them outside the tree.
    assert [child.amaf[SPLIT].weight for child in search.root.children or ()] == [1, 1]


# On nodes made by hand: player 1 or 2, and steps by letters; an upper-case letter is a dot.


def steps_of(text: str) -> Steps:
    return tuple(Step(0, ord(c) - 96 if c.islower() else 64 - ord(c)) for c in text)


def node(
    steps: str, player: int, children: str = "", context: str = "", nodal: bool = True
) -> Node:
    made = Node(steps_of(steps), Position((), (), player, 0, 0), nodal, steps_of(context))
    made.children = [node(child, 3 - player) for child in children.split()]
    return made


@pytest.mark.parametrize(
    ("design", "in_expansion", "variant", "guided"),
    [
        (RAW, True, SPLIT, True),
        (RAW, False, SPLIT, True),
        (NODAL, True, SPLIT, True),
        (NODAL, False, SPLIT, False),
        (replace(RAW, simulation=Simulation.ORTHODOX), False, JOIN, False),
    ],
)
def test_mast_guides_the_rest_of_a_begun_move(
    design: Settings,
    in_expansion: bool,
    variant: Variant,
    guided: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a raw tree the rest belongs to the simulation, in a nodal one to the expansion."""
    mast = Mast(variant, in_expansion=in_expansion)
    search = ReferenceSearch(load("breakthrough", "Mod"), replace(design, mast=mast), seed=1)
    monkeypatch.setattr(search, "semisplit_simulation", lambda node: [])
    begun: list[bool] = []
    choose = search.choose_semimove_with_mast

    def noted(node: Any, semimoves: Any, mast: Any) -> Any:
        begun.append(not node.nodal)
        return choose(node, semimoves, mast)

    monkeypatch.setattr(search, "choose_semimove_with_mast", noted)
    search.run(1)
    assert any(begun) == guided


def test_keys() -> None:
    parent, child = node("", 1, context="ab"), node("cDe", 2)
    a, b, c, d, e = steps_of("abcDe")
    assert keys(STANDARD, parent, child) == [(c, d, e)]
    assert keys(SPLIT, parent, child) == [c, d, e]
    assert keys(JOIN, parent, child) == [(a, b, c, e)]
    assert keys(JOIN, parent, node("c", 1, nodal=False)) == []
    assert keys(CONTEXT, parent, child) == [((a, b), c), ((a, b, c), d), ((a, b, c), e)]


def test_values_of_mast() -> None:
    parent, start = node("", 1), node("", 1)
    mast = MastTables(Mast(MIX, threshold=2))
    mast.update([start, node("ab", 2)], [0.5, 1.0])
    mast.update([start, node("ba", 2)], [0.0, 1.0])
    # Split: a and b have 1/4 each. Context: ab has 1/2, once.
    assert mast.score(parent, node("ab", 2)) == 0.25
    mast.update([start, node("ab", 2)], [0.5, 1.0])
    mast.update([start, node("ac", 2)], [0.0, 1.0])
    # Split: a has 1 of 4, b 1 of 3. Context: ab has 1/2, twice.
    assert mast.score(parent, node("ab", 2)) == 0.5
    assert mast.score(parent, node("aab", 2)) == pytest.approx((1 / 4 + 1 / 4 + 1 / 3) / 3)
    assert mast.score(parent, node("abd", 2)) == 1
    assert mast.score(node("", 2), node("ab", 1)) == 1
    # The same action in another context.
    assert mast.score(node("", 1, context="c"), node("b", 2)) == pytest.approx(1 / 3)
    assert mast.score(node("", 1, context="a"), node("b", 2)) == 0.5


@pytest.mark.parametrize(
    ("policy", "first", "expected"),
    [
        (Mast(SPLIT, epsilon=0.4), 1.0, 0.8),
        (Mast(SPLIT, epsilon=0.0), 0.5, 1.0),
        (Mast(SPLIT, Policy.GIBBS, temperature=0.5), 1.0, 0.8808),
        (Mast(SPLIT, Policy.GIBBS, temperature=0.001), 1.0, 1.0),
        (Mast(SPLIT, Policy.ROULETTE), 0.75, 1.0),
        (Mast(SPLIT, Policy.ROULETTE), 0.0, 0.5),
    ],
)
def test_policies_of_mast(policy: Mast, first: float, expected: float) -> None:
    """Of two children with the values `first` and 0 the first is drawn so often."""
    search = ReferenceSearch(Game.parse(LINE), Settings(mast=policy), 1)
    assert search.mast
    parent, a, b = node("", 1), node("a", 2), node("b", 2)
    search.mast.update([parent, a], [first, 0.0])
    search.mast.update([parent, b], [0.0, 0.0])
    draw = search.choose_semimove_with_mast
    drawn = Counter(draw(parent, [a, b], search.mast) is a for _ in range(2000))
    assert drawn[True] / 2000 == pytest.approx(expected, abs=0.04)


def test_rave_updates_the_player_who_has_made_the_move() -> None:
    root = node("", 1, "ab c d e ae ad")
    first = (root.children or [])[0]
    first.children = [node("d", 1), node("f", 1)]
    path = [root, first, first.children[0]]
    simulated = [node("e", 2), node("f", 1), node("c", 2)]
    RaveRecords(Rave(SPLIT)).update(path, simulated, [0.25, 0.75])
    weights_at = {
        child.steps: child.amaf[SPLIT] for parent in path[:2] for child in parent.children or ()
    }
    played, unplayed = Average(0.25, 1.0), Average()
    # White plays ab, e, c; black plays d and f.
    assert weights_at[steps_of("ab")] == weights_at[steps_of("ae")] == played
    assert weights_at[steps_of("c")] == weights_at[steps_of("e")] == played
    assert weights_at[steps_of("ad")] == (root.children or [])[2].amaf[SPLIT] == unplayed
    assert [child.amaf[SPLIT] for child in first.children] == [Average(0.75, 1.0)] * 2


def test_rave_context_needs_the_same_prefix() -> None:
    root = node("", 1, "ab b a")
    inner = node("a", 1, "b", context="a", nodal=False)
    root.children = [inner, *(root.children or ())]
    path = [root, inner, (inner.children or [])[0]]
    simulated = [node("a", 1), node("d", 1, context="d", nodal=False), node("b", 2)]
    RaveRecords(Rave(CONTEXT)).update(path, simulated, [1.0, 0.0])
    found = [child.amaf[CONTEXT].weight for child in root.children]
    assert found == [1, 1, 0, 1]
    assert (inner.children or [])[0].amaf[CONTEXT].weight == 1


def chain() -> list[Node]:
    """A root, a reply, and again the first player, each with children a and b."""
    path = [node("", 1, "a b"), node("b", 2, "a b"), node("a", 1, "a b")]
    for visits, parent in zip((50, 30, 4), path):
        parent.visits = visits
        for child in parent.children or ():
            child.visits, child.score_sum = 2, 1.0
    return path


@pytest.mark.parametrize(
    ("reference", "estimate"),
    [(0, 0.0), (3, 0.0), (4, 1.0), (49, 1.0), (50, 0.0)],
)
def test_grave_asks_an_ancestor_of_the_same_player(reference: int, estimate: float) -> None:
    path = chain()
    for score, parent in zip((1.0, 0.5, 0.0), path):
        for child in parent.children or ():
            child.amaf[SPLIT].add(score)
    rave = RaveRecords(Rave(SPLIT, equivalence=4.0, reference=reference))
    # Beta is the root of 4 / (3 * 4 + 4).
    child = (path[-1].children or [])[0]
    assert rave.blend(path, child) == pytest.approx(0.5 * 0.5 + 0.5 * estimate)


def test_rave_mix_trusts_the_context_from_its_threshold_on() -> None:
    path = chain()
    child = (path[-1].children or [])[0]
    rave = RaveRecords(Rave(MIX, equivalence=4.0, threshold=2))
    for estimate in (0.0, 1.0):
        child.amaf[SPLIT].add(0.0)
        child.amaf[CONTEXT].add(1.0)
        assert rave.blend(path, child) == pytest.approx(0.25 + 0.5 * estimate)


def test_final_selections() -> None:
    """The best first semimove is not that of the best move, nor the most visited one."""
    search = ReferenceSearch(Game.parse(LINE, split="Mod"), NODAL, 1)
    search.root = node("", 1, "a b c")
    scores = {"a": [(12, 0.5), (10, 0.25)], "b": [(20, 0.125), (10, 0.75)], "c": [(10, 0.5)]}
    for child, below in zip(search.root.children or (), scores.values()):
        child.nodal, child.children = False, [node(letter, 2) for letter in "xy"[: len(below)]]
        for leaf, (visits, mean) in zip(child.children, below):
            leaf.visits, leaf.score_sum = visits, mean * visits
        child.visits = sum(leaf.visits for leaf in child.children)
        child.score_sum = sum(leaf.score_sum for leaf in child.children)

    def selected(final: Final, factor: float = 1.0) -> Steps:
        search.settings = replace(NODAL, final=final, final_rollup_factor=factor)
        return search.select_final()

    assert selected(Final.GREEDY) == steps_of("cx")
    assert selected(Final.ROBUST) == steps_of("bx")
    assert selected(Final.ROLLUP) == steps_of("by")
    # With more visits, only ax is as good.
    assert selected(Final.ROLLUP, 1.1) == steps_of("cx")


def test_the_seed_decides_everything() -> None:
    settings = ENHANCED[7]
    first, second, other = (searched(PAWNS, settings, 50, seed) for seed in (5, 5, 6))
    assert first.move_statistics() == second.move_statistics() != other.move_statistics()
    assert first.states == second.states
