"""The search: every variant, budgets, memory, from move to move."""

import json
import time

import pytest

import semisplit
from semisplit import Game, State
from semisplit.core.errors import InputError, PlayLimit
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.search import (
    BadSettings,
    Budget,
    Decay,
    Final,
    Mast,
    Policy,
    Rave,
    Result,
    Search,
    Settings,
    Simulation,
    Tree,
    Variant,
)
from semisplit.search.engine.layout import ROOT
from semisplit.search.notation import parse_settings
from tests.support.command_line import run
from tests.support.search_variants import PAWNS, all_variants, legal_variants, title

SIMULATIONS = 40
MEMORY = 1 << 22


def search(game: str, notation: str, seed: int = 0, memory: int = MEMORY) -> Search:
    return Search(semisplit.load(game), parse_settings(notation), seed=seed, memory=memory)


def check_result(search: Search, result: Result, *, complete: bool = True) -> None:
    """Moves are legal, and visits and scores add up."""
    legal = search.state.moves()
    assert result.move in legal
    assert {one.move for one in result.moves} <= set(legal)
    for one in (*result.moves, *result.semimoves):
        assert one.visits > 0
        assert 0 <= one.score <= 1
        for estimate in (one.mast, one.rave):
            assert estimate is None or 0 <= estimate <= 1
    if complete:
        assert sum(one.visits for one in result.semimoves) == result.simulations
    assert result.variation[0] == result.move
    state = search.state
    for move in result.variation:
        state = state.apply(move)
    # A move may end outside of the tree.
    assert len(result.variation) <= max(1, result.depth)


def test_there_are_more_than_a_thousand_variants() -> None:
    assert len(all_variants()) > 1000


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_variant_runs(strategy: str) -> None:
    game = Game.parse(PAWNS, "pawns")
    for settings in legal_variants(strategy):
        one = Search(game, settings, seed=1, memory=MEMORY)
        result = one.run(Budget(simulations=SIMULATIONS))
        assert result.simulations == SIMULATIONS
        # A node of a raw tree that is rolled up takes its first visit with it.
        raw_rollup = settings.tree == Tree.ROLLUP and not settings.nodal
        check_result(one, result, complete=not raw_rollup)
        one.play(result.move)
        if not one.state.is_terminal:
            check_result(one, one.run(Budget(simulations=10)), complete=False)


@pytest.mark.parametrize("parallel", ["", ",batch=8", ",threads=2", ",threads=2,lock=1"])
@pytest.mark.parametrize(
    ("game", "notation"),
    [
        ("breakthrough", "orthodox,expand=9"),
        ("breakthrough", "groups[start],expand=children"),
        ("knightthrough", "semisplit-nodal@Mod,expand=children"),
        ("knightthrough", "semisplit-raw@ModPlus,expand=5"),
    ],
)
def test_leaves_are_expanded_when_they_have_enough_visits(
    game: str, notation: str, parallel: str
) -> None:
    one = search(game, notation + parallel, memory=1 << 26)
    result = one.run(Budget(simulations=2000))
    assert check_leaves(one) > 1
    one.play(result.move)
    if not one.state.is_terminal:
        assert one.run(Budget(simulations=1)).move in one.state.moves()


def check_leaves(search: Search) -> int:
    """No leaf was expanded too early; how many were expanded?"""
    tree, view, settings = search._pool.trees[0], search._view, search.settings
    expanded, stack = 0, [edge.number for edge in view.edges(ROOT)]
    while stack:
        number = stack.pop()
        members = view.members(number)
        stack += [edge.number for edge in view.edges(number)]
        was_leaf = view.is_nodal(number) or not (settings.nodal or view.group(number))
        if was_leaf and members:
            threshold = settings.expansion_threshold
            assert tree.edges[number]["visits"] > (threshold or len(members))
            expanded += 1
    return expanded


@pytest.mark.parametrize("final", list(Final))
@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize("decay", list(Decay))
@pytest.mark.parametrize("reference", [0, 5])
def test_parameters_run(final: Final, policy: Policy, decay: Decay, reference: int) -> None:
    mast = Mast(Variant.MIX, policy=policy, decay=decay, decay_factor=0.9, batch=5, tree_only=True)
    settings = Settings(
        Tree.SEMISPLIT,
        Simulation.SEMISPLIT,
        SplitStrategy.parse("ModPlus"),
        nodal=False,
        mast=mast,
        rave=Rave(Variant.CONTEXT, reference=reference),
        final=final,
        final_rollup_factor=0.5,
    )
    one = Search(Game.parse(PAWNS, "pawns"), settings, seed=2, memory=MEMORY)
    check_result(one, one.run(Budget(simulations=200)))


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("semisplit", "needs a split strategy"),
        ("orthodox/semisplit+mast@Mod", "standard MAST needs the same kind of moves"),
        ("rollup+rave@Mod", "standard RAVE needs the same kind of moves"),
        ("semisplit+mast-join@Mod", "cannot choose semimoves in a semisplit simulation"),
        ("semisplit/orthodox+mast-join@Mod,expansion=true", "semimoves in the expansion"),
        ("orthodox+rave-split", "RAVE-split needs a semisplit tree"),
        ("rollup+rave-mix@Mod", "RAVE-mix needs a semisplit tree"),
        ("semisplit+rave-join@Mod", "RAVE-join needs an orthodox tree"),
        ("semisplit+grave-mix@Mod", "GRAVE cannot be combined"),
        ("orthodox,final=rollup", "final roll-up selection needs a semisplit tree"),
        ("orthodox,C=-1", "C must be a number at least 0"),
        ("orthodox,C=nan", "C must be a number at least 0"),
        ("orthodox,epsilon=0.1", "belongs to MAST"),
        ("orthodox,k=100", "belongs to RAVE"),
        ("orthodox,C=much", "C is a number, not"),
        ("orthodox+mast,epsilon=2", "epsilon must be a number from 0 to 1"),
        ("orthodox+mast,treeonly=maybe", "treeonly is true or false"),
        ("orthodoxe", "did you mean 'orthodox'"),
        ("semisplit-nodule@Mod", "did you mean 'nodal'"),
        ("orthodox+masd", "did you mean 'mast'"),
        ("orthodox+mast-splitt", "did you mean 'split'"),
        ("orthodox,epsilom=1", "did you mean 'epsilon'"),
        ("semisplit@Mud", "did you mean 'Mod'"),
        ("", "does not read like a search"),
    ],
)
def test_bad_settings_are_refused_with_a_reason(notation: str, reason: str) -> None:
    with pytest.raises(semisplit.SemisplitError, match=reason):
        parse_settings(notation)


def test_notation() -> None:
    mod = SplitStrategy.parse("Mod")
    assert parse_settings("orthodox") == Settings()
    nodal = Settings(Tree.SEMISPLIT, Simulation.SEMISPLIT, mod)
    assert parse_settings("semisplit-nodal@Mod") == nodal
    assert parse_settings("Semisplit-Raw/Orthodox@mod C=0.7") == Settings(
        Tree.SEMISPLIT, Simulation.ORTHODOX, mod, nodal=False, exploration=0.7
    )
    assert parse_settings(
        "rollup+mast-mix+rave-context@ModPlus,threshold=3,k=10,MSF=2"
    ) == Settings(
        Tree.ROLLUP,
        Simulation.SEMISPLIT,
        SplitStrategy.parse("ModPlus"),
        exploration=0.2,
        mast=Mast(Variant.MIX, threshold=3),
        rave=Rave(Variant.CONTEXT, equivalence=10),
        min_simulations_factor=2,
    )


def test_variants_have_different_titles() -> None:
    assert len({title(one) for one in all_variants()}) == len(all_variants())


# Budgets


def test_budgets() -> None:
    one = search("breakthrough", "semisplit-nodal@Mod")
    assert one.run(Budget(simulations=123)).simulations == 123
    states = one.run(Budget(states=10_000)).states
    # The last simulation may go beyond the limit, by not more than a game.
    assert 10_000 <= states < 10_300
    begin = time.perf_counter()
    result = one.run(Budget(seconds=0.3, buffer=0.1))
    assert 0.19 < result.seconds <= time.perf_counter() - begin
    assert result.simulations > 1


@pytest.mark.parametrize(
    "budget", [Budget(seconds=0), Budget(seconds=0.1, buffer=5), Budget(simulations=0)]
)
def test_one_simulation_at_least(budget: Budget) -> None:
    assert search("breakthrough", "orthodox").run(budget).simulations == 1


@pytest.mark.parametrize(
    "limits",
    [{}, {"seconds": 1, "states": 1}, {"seconds": -1}, {"seconds": float("nan")}, {"states": -5}],
)
def test_bad_budgets_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(BadSettings):
        Budget(**limits)  # type: ignore[arg-type]


# Repeatable


@pytest.mark.parametrize("notation", ["orthodox+mast+rave", "rollup-nodal+mast-mix@ModPlus"])
def test_same_seed_same_search(notation: str) -> None:
    def play(seed: int) -> list[object]:
        one = search("breakthrough", notation, seed)
        seen: list[object] = []
        for _ in range(3):
            result = one.run(Budget(states=20_000))
            seen.append([(str(each.move), each.visits, each.score) for each in result.moves])
            one.play(result.move)
        return seen

    assert play(1) == play(1)
    assert play(1) != play(2)


# From move to move


@pytest.mark.parametrize(
    "notation", ["orthodox+rave", "semisplit-nodal+rave-mix@Mod", "rollup-raw+mast-context@ModPlus"]
)
def test_the_subtree_of_the_move_played_is_kept(notation: str) -> None:
    one = search("breakthrough", notation)
    before = one.run(Budget(simulations=2000))
    kept = before.moves[0]
    one.play(kept.move)
    after = one.run(Budget(simulations=1))
    # A new node has been visited once before it has any children, and a raw one that was rolled up
    # took its first visit with it.
    visits = sum(each.visits for each in after.semimoves)
    lost = kept.visits / 4 if "rollup-raw" in notation else 0
    assert kept.visits - lost <= visits <= kept.visits + 1
    assert after.nodes < before.nodes
    check_result(one, after, complete=False)


def test_unvisited_moves_can_be_played() -> None:
    one = search("hex_9x9", "semisplit-nodal@Mod")
    visited = {each.move for each in one.run(Budget(simulations=3)).moves}
    other = next(move for move in one.state.moves() if move not in visited)
    one.play(other)
    assert one.run(Budget(simulations=10)).simulations == 10
    one.play(str(one.state.moves()[0]))


def test_mast_decays_with_moves() -> None:
    one = search("breakthrough", "orthodox+mast,factor=0")
    result = one.run(Budget(simulations=500))
    assert any(each.mast not in (None, 1.0) for each in result.moves)
    one.play(result.move)
    one.play(one.state.moves()[0])
    assert {each.mast for each in one.run(Budget(simulations=1)).moves} <= {0.0, 1.0}


def test_a_search_is_over_when_the_game_is() -> None:
    one = search("tic_tac_toe", "orthodox")
    while not one.state.is_terminal:
        one.play(one.run(Budget(simulations=50)).move)
    with pytest.raises(InputError, match="the game is over"):
        one.run(Budget(simulations=1))


def test_semimoves_cannot_be_played() -> None:
    one = search("breakthrough", "semisplit-nodal@Mod")
    with pytest.raises(InputError, match="not by semimoves"):
        one.play(one.state.semimoves()[0])
    with pytest.raises(InputError, match="inside a move"):
        one.set_state(one.state.apply(one.state.semimoves()[0]))


# Memory


@pytest.mark.parametrize(
    "notation",
    [
        "orthodox",
        "semisplit-raw+mast-mix+rave-mix@Mod",
        "semisplit-nodal+mast-split@Plus",
        "rollup-nodal+mast-context+rave-context@ModPlus",
    ],
)
def test_a_full_tree_is_searched_on(notation: str) -> None:
    memory = 100_000
    one = search("breakthrough", notation, memory=memory)
    for _ in range(3):
        result = one.run(Budget(simulations=5000))
        assert result.simulations == 5000
        assert memory / 2 < result.bytes <= memory
        check_result(one, result, complete=False)
        one.play(result.move)


# Players and scores


THREE = """
#players = red(10), green(20), blue(40)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e,e])
#take(me; score) = ->me (left* + right*) {e} [x] (
        {! left} [$ me=score]
        + {? left}
    ) ->>
#rules = take(red; 10) take(green; 20) take(blue; 40)
"""
"""Who takes the square at the left gets all; the third player gets what is left over."""


@pytest.mark.parametrize("notation", ["orthodox", "semisplit-nodal@Mod", "rollup-nodal@Mod"])
def test_three_players_with_different_bounds(notation: str) -> None:
    one = Search(Game.parse(THREE, "three"), parse_settings(notation), seed=1, memory=MEMORY)
    result = one.run(Budget(simulations=300))
    assert str(result.move).startswith("a1")
    assert result.score == 1.0
    one.play(next(move for move in one.state.moves() if not str(move).startswith("a1")))
    result = one.run(Budget(simulations=300))
    assert str(result.move).startswith("a1")
    assert result.score == 1.0


def test_endless_games_end_in_a_message() -> None:
    text = """
#players = w(1)
#pieces = e
#variables =
#board = rectangle(up,down,left,right, [e,e])
#rules = (->w (left + right) [e])*
"""
    for notation in ("orthodox", "semisplit@Mod", "orthodox+mast"):
        one = Search(Game.parse(text, "endless"), parse_settings(notation), memory=MEMORY)
        with pytest.raises(PlayLimit, match="did not end after"):
            one.run(Budget(simulations=1))


# Results


def test_results_are_plain_data() -> None:
    one = search("breakthrough", "semisplit-nodal+mast-split+rave-split@Mod")
    result = one.run(Budget(simulations=200))
    data = json.loads(json.dumps(result.to_json()))
    assert data["move"] == str(result.move)
    assert data["moves"][0].keys() == {"move", "visits", "score", "mast", "rave"}
    assert data["simulations"] == 200
    assert 0 < data["tree_share"] < 1


def test_rolled_up_moves_have_a_text() -> None:
    one = search("amazons", "rollup-nodal@ModPlus")
    result = one.run(Budget(simulations=3000))
    # Dots of the same square may look alike, whole moves never.
    assert all(str(each.move) for each in result.semimoves)
    assert len({str(each.move) for each in result.moves}) == len(result.moves) > 100


def test_states_are_not_changed_by_searching() -> None:
    one = search("breakthrough", "orthodox")
    before = one.state
    one.run(Budget(simulations=100))
    assert one.state == before
    assert isinstance(before, State)


# The command line


def test_bench_as_json() -> None:
    agent = "semisplit-nodal+MAST-split@Mod"
    options = ("--agent", agent, "--seconds", "0.05", "--json")
    row = json.loads(run("bench", "--search", "tic_tac_toe", *options))
    rates = {"simulations_per_s", "nodal_states_per_s"}
    others = {"nodes", "bytes", "tree_share", "abandoned", "note"}
    assert row.keys() == {"game", "agent", *rates, *others}
    assert (row["game"], row["agent"]) == ("tic_tac_toe", agent)
    assert row["nodal_states_per_s"] > row["simulations_per_s"] > 0
    assert 0 < row["tree_share"] < 1


def test_bench_as_table() -> None:
    assert "orthodox" in run("bench", "--search", "tic_tac_toe", "--seconds", "0.05")


def test_bench_with_a_typo() -> None:
    printed = run("bench", "--search", "tic_tac_toe", "--agent", "orthodoks", status=1)
    assert "did you mean 'orthodox'?" in printed


# What a reader of the code has asked

ENDLESS_KEEPER = """
#players = w(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e,e])
#rules = [$ w=100] ->w (left* + right*) {e} [x] (
        {! left} ->> ([x] ->>)*
        + {? left} [$ w=50] ->> {}
    )
"""
"""Taking the square at the left lets the keeper move for ever."""


@pytest.mark.parametrize("notation", ["orthodox", "orthodox+mast", "semisplit+rave-split@Mod"])
def test_moves_into_an_endless_keeper_are_given_up(notation: str) -> None:
    game = Game.parse(ENDLESS_KEEPER, "keeper")
    one = Search(game, parse_settings(notation), seed=1, memory=MEMORY)
    try:
        result = one.run(Budget(simulations=30), details=False)
    except PlayLimit:
        return
    assert result.abandoned > 0
    assert not str(result.move).startswith("a1")


@pytest.mark.parametrize("memory", [0, 100, 700])
@pytest.mark.parametrize("notation", ["orthodox", "semisplit@Mod", "rollup-raw@Plus"])
def test_without_memory_any_legal_move_will_do(memory: int, notation: str) -> None:
    one = search("breakthrough", notation, memory=memory)
    assert one.run(Budget(simulations=20)).move in one.state.moves()


@pytest.mark.parametrize("memory", [-1, 2**63])
def test_impossible_memory_is_refused(memory: int) -> None:
    with pytest.raises(InputError, match="memory"):
        search("tic_tac_toe", "orthodox", memory=memory)


def test_states_of_other_games_are_refused() -> None:
    one = search("breakthrough", "orthodox")
    with pytest.raises(InputError, match="another game"):
        one.set_state(semisplit.load("knightthrough").initial_state())


@pytest.mark.parametrize(
    "notation",
    [
        "orthodox+mast,batch=inf",
        "orthodox+rave,ref=1e30",
        "orthodox+rave,ref=1.9",
        "orthodox,expand=-1",
        "orthodox,expand=child",
        "orthodox,C=1,C=2",
        "orthodox+mast+mast-split",
        "orthodox+rave+grave",
    ],
)
def test_strange_numbers_are_refused(notation: str) -> None:
    with pytest.raises(BadSettings):
        parse_settings(notation)


@pytest.mark.parametrize("notation", ["semisplit@Mod", "semisplit-raw@Mod", "rollup-raw@Mod"])
def test_moves_of_a_thousand_semimoves(notation: str) -> None:
    text = """
#players = w(100), b(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e])
#rules = ->w ([x] [e])^600 [$ w=100] ->b ([x] [e])^600 ->> {}
"""
    one = Search(Game.parse(text, "long"), parse_settings(notation), seed=1, memory=1 << 24)
    result = one.run(Budget(simulations=20))
    assert result.move in one.state.moves()
    one.tree.draw()
    one.play(result.move)


def test_mast_of_moves_is_not_known_if_it_knows_semimoves() -> None:
    result = search("breakthrough", "semisplit+mast@Plus").run(Budget(simulations=300))
    assert {each.mast for each in result.moves} == {None}
    assert any(each.mast not in (None, 1.0) for each in result.semimoves)
