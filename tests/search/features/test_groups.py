"""Groups: which moves are in which, and what the tree does with them."""

import pickle
import sys
import threading
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest

from semisplit import Game, State, games, load
from semisplit.core.errors import InputError, UnknownName
from semisplit.core.steps import Steps
from semisplit.search import BadSettings, Budget, Final, Groups, Search, Settings, Tree
from semisplit.search.engine.layout import ROOT
from semisplit.search.features.groups import (
    TARGET,
    Grouping,
    Partition,
    groupings,
    register,
    users,
)
from semisplit.search.notation import parse_settings
from semisplit.search.reference.search import ReferenceSearch
from tests.support.rules import present
from tests.support.search_variants import PAWNS
from tests.support.simultaneous import THREE

GROUPED = "groups[proximity,border]"
HUGE = {"arimaa", "arimaa_fixed_position", "arimaa_split", "paper_soccer", "amazons", "connect6"}
"""Games with thousands of moves in a position."""


@pytest.fixture(autouse=True)
def only_bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else's groupings, like those of examples."""
    monkeypatch.setattr(users, "registered", {})


def random_states(name: str, count: int, seed: int = 1) -> Iterator[tuple[State, Steps]]:
    """States of a random game, each with the move that led there."""
    random, state, previous = Random(seed), load(name).initial_state(), ()
    for _ in range(count):
        yield state, previous
        if state.is_terminal:
            return
        move = random.choice(state.moves())
        state, previous = state.apply(move), move.steps


def divide(partition: Partition, state: State, previous: Steps) -> dict[str, str]:
    """The name of the group of each move, in the first layer."""
    moves = state.moves()
    labels = partition.divide(
        state.position,
        previous,
        [move.steps for move in moves],
        lambda steps: state.apply(state.move(steps)).position,
    )
    return {str(move): partition.names[0][label[0]] for move, label in zip(moves, labels)}


def squares(text: str) -> set[str]:
    return set(text.split())


@pytest.mark.parametrize("name", [name for name in games.names() if name not in HUGE])
def test_every_move_is_in_one_group(name: str) -> None:
    game = load(name)
    partitions = {
        grouping: Partition(game.rules, [[grouping]]) for grouping in groupings(game.rules)
    }
    for state, previous in random_states(name, 4):
        moves = [str(move) for move in state.moves()] if not state.is_terminal else []
        for grouping, partition in partitions.items():
            # Making all moves takes long; other tests look at what is captured.
            if moves and grouping != "capture":
                assert list(divide(partition, state, previous)) == moves


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("breakthrough", "groups[capture,piece/start]"),
        ("chess", "groups[capture,piece/target]"),
        ("go_9x9_mc", "groups[capture,proximity,border]"),
        ("go_9x9_mc", "groups[proximity,border]+mast+rave"),
        ("hex_9x9", "groups[proximity,border]+mast+rave"),
        ("english_draughts", "groups[capture/instruction]"),
        ("checkers", "groups[name/proximity,argument1]"),
        ("yavalath", "groups[border/proximity]"),
    ],
)
def test_the_tree_of_a_search_has_the_groups_of_the_partition(name: str, agent: str) -> None:
    settings, random = parse_settings(agent), Random(3)
    search = Search(load(name), settings, seed=1, memory=1 << 24)
    partition, previous = Partition(search.game.rules, present(settings.groups).layers), ()
    for _ in range(8):
        state = search.state
        if state.is_terminal:
            break
        found = divide(partition, state, previous)
        search.run(Budget(simulations=4 * len(found) + 50), details=False)
        groups = dict(_groups(search, ROOT, ""))
        expected = set(found.values())
        if len(expected) > 1:
            assert {first for first in groups.values() if first} == expected
            known = {move: first for move, first in groups.items() if first}
            assert known.items() <= found.items()
            assert len(known) > len(found) / 3
        move = random.choice(state.moves())
        search.play(move)
        previous = move.steps


def _groups(search: Search, node: int, first: str) -> Iterator[tuple[str, str]]:
    """The group of the first layer of each move from the root, of those that are in the tree."""
    for edge in search.tree.view.edges(node):
        group = search.tree.view.group(edge.number)
        if group:
            yield from _groups(search, edge.number, first or group)
        else:
            steps = search.game.compiled.codec.steps(edge.codes)
            yield str(search.state.move(steps)), first


def test_proximity_and_border_on_a_board() -> None:
    state = load("go_9x9").initial_state()
    partition = Partition(state.game.rules, [["proximity", "border"]])
    before = divide(partition, state, ())
    near = {move for move, group in before.items() if group == "near"}
    # Before the first move it is the centre that counts.
    assert near == squares("c5 d4 d5 d6 e3 e4 e5 e6 e7 f4 f5 f6 g5")
    assert sum(group == "border" for group in before.values()) == 32
    move = state.parse_move("a1")
    after = divide(partition, state.apply(move), move.steps)
    # What is near is not counted as border again.
    assert {m for m, group in after.items() if group == "near"} == squares("b1 c1 a2 b2 a3")
    assert sum(group == "border" for group in after.values()) == 31 - 4
    # A pass has no place.
    assert before["blackPassed=1"] == "other"


def test_what_moves_tell_where_the_keeper_puts_the_piece() -> None:
    state = load("breakthrough").initial_state()
    by_target = divide(Partition(state.game.rules, [["target"]]), state, ())
    by_start = divide(Partition(state.game.rules, [["start"]]), state, ())
    by_piece = divide(Partition(state.game.rules, [["piece"]]), state, ())
    for move in state.moves():
        start, target = str(move).split("-")
        text = str(move)
        assert (by_start[text], by_target[text], by_piece[text]) == (start, target, "w")


def test_a_capture_is_what_takes_a_piece_from_the_board() -> None:
    state = load("chess").initial_state()
    for move in ("e2-e4", "d7-d5"):
        state = state.apply(move)
    found = divide(Partition(state.game.rules, [["capture"]]), state, ())
    assert [move for move, group in found.items() if group == "capture"] == ["e4-d5"]
    # In Go stones are taken by the keeper, after the move.
    diagram = ["w b . . . . . . .", *8 * [". . . . . . . . ."]]
    atari = load("go_9x9_mc").parse_state("\n".join(diagram))
    found = divide(Partition(atari.game.rules, [["capture"]]), atari, ())
    assert [move for move, group in found.items() if group == "capture"] == ["a8"]


def test_arguments_and_their_distance_in_games_of_terms() -> None:
    state = load("hex_9").initial_state()
    move = state.parse_move("(place 5 5)")
    following = state.apply(move)
    found = divide(Partition(state.game.rules, [["proximity"]]), following, move.steps)
    assert found["(place 5 7)"] == found["(place 4 6)"] == "near"
    assert found["(place 5 8)"] == found["(place 3 6)"] == "other"
    found = divide(Partition(state.game.rules, [["argument2"]]), following, move.steps)
    assert found["(place 5 8)"] == "8"


NUMBERS = THREE.replace("(thing a) (thing b)", "(thing (put 1)) (thing (put 2)) (thing (put 7))")
"""Three players choose a number at once, twice; or something else."""


def test_all_who_decide_at_once_have_groups_by_the_last_move() -> None:
    game, settings = Game.parse(NUMBERS, "numbers.kif"), parse_settings("groups[proximity]")
    near = {"1": {"1", "2"}, "2": {"1", "2"}, "7": {"7"}}
    reference = ReferenceSearch(game, settings, 1)
    reference.run(300)
    found = 0
    for first in present(reference.root.children):
        for second in first.children or ():
            for last in second.children or ():
                for groups in last.arms.values():
                    if last.steps[0].move.arguments:
                        number = last.steps[0].move.arguments[0].name
                        assert [present(group.group).number for group in groups] == [0, 1]
                        children = present(groups[0].children)
                        assert numbers(arm.steps for arm in children) == near[number]
                        found += 1
    assert found > 10
    search = Search(game, settings, seed=1)
    search.run(Budget(simulations=300))
    view, codec, found = search.tree.view, search.game.compiled.codec, 0
    for one in view.edges(ROOT):
        for two in view.edges(one.number):
            for three in view.edges(two.number):
                (number,) = numbers([codec.steps(three.codes)]) or {"none"}
                for chooser in view.choosers(three.number).values():
                    for edge in view.edges(chooser):
                        if view.group(edge.number) == "near":
                            inside = (codec.steps(arm.codes) for arm in view.edges(edge.number))
                            assert numbers(inside) <= near[number]
                            found += 1
    assert found > 10


def numbers(moves: Iterable[Steps]) -> set[str]:
    arguments = [steps[0].move.arguments for steps in moves]
    return {argument[0].name for argument in arguments if argument}


def test_groups_that_no_move_is_in_are_not_there() -> None:
    search = Search(Game.parse(PAWNS, "pawns"), parse_settings("groups[target]"))
    search.run(Budget(simulations=100))
    names = {search.tree.view.group(edge.number) for edge in search.tree.view.edges(ROOT)}
    assert names == {"a3", "b3", "c3"}
    assert search.tree.memories[0].edges[ROOT]["count"] == 3


@pytest.mark.parametrize(
    "agent", ["groups[piece]", "groups[piece/piece]", "groups[start],above=100"]
)
def test_one_group_is_none(agent: str) -> None:
    """The tree is then the same as without groups, to the last bit."""
    results = []
    for notation in (agent, "orthodox"):
        search = Search(Game.parse(PAWNS, "pawns"), parse_settings(notation), seed=5)
        result = search.run(Budget(simulations=500))
        moves = [(one.move, one.visits, one.score) for one in result.moves]
        results.append((moves, result.nodes, result.bytes))
    assert results[0] == results[1]


def test_a_group_is_worth_the_mean_of_its_members() -> None:
    search = Search(Game.parse(PAWNS, "pawns"), parse_settings("groups[start/target]"), seed=1)
    search.run(Budget(simulations=500))

    def check(node: int) -> None:
        for edge in search.tree.view.edges(node):
            if search.tree.view.group(edge.number):
                inside = search.tree.view.edges(edge.number)
                assert sum(one.visits for one in inside) == edge.visits
                total = sum(one.visits * one.score for one in inside)
                assert total == pytest.approx(edge.visits * edge.score)
            check(edge.number)

    check(ROOT)


def test_groups_are_equally_likely_below_the_threshold() -> None:
    visits = []
    for seed in range(20):
        search = Search(
            load("go_9x9_mc"), parse_settings(f"{GROUPED},x=300"), seed=seed, memory=1 << 24
        )
        search.run(Budget(simulations=300), details=False)
        groups = {search.tree.view.group(e.number): e.visits for e in search.tree.view.edges(ROOT)}
        visits.append(groups["near"])
    # 13 moves are near, of 81; a third of 6,000 is 2,000, with a standard deviation of 37.
    assert abs(sum(visits) - 2000) < 5 * 37


def test_a_group_of_dead_semimoves_is_dead() -> None:
    """White's rear pawns cannot move at first: lifting one is a semimove that leads nowhere."""
    settings = parse_settings("semisplit[start]@Mod")
    game = Game.parse(PAWNS, "pawns", "Mod")
    search = Search(game, settings, seed=1)
    search.run(Budget(simulations=200))
    names = {search.tree.view.group(edge.number) for edge in search.tree.view.edges(ROOT)}
    assert names == {"a2", "b2", "c2"}
    assert search.tree.memories[0].edges[ROOT]["count"] == 3
    reference = ReferenceSearch(game, settings, 1)
    reference.run(200)
    assert len(present(reference.root.children)) == 3


@pytest.mark.parametrize(
    "agent", [GROUPED, "groups[start/target]+mast+rave", "semisplit[start]@Mod"]
)
def test_the_subtree_of_a_move_is_kept(agent: str) -> None:
    search = Search(load("breakthrough"), parse_settings(agent), seed=2)
    for _ in range(3):
        result = search.run(Budget(simulations=3000))
        visits = {one.move: one.visits for one in result.moves}[result.move]
        codes = search.game.compiled.codec.codes(result.move.steps)
        before = present(search.tree.view.find(present(codes)))
        kept = {
            (search.tree.view.group(edge.number), edge.codes): (edge.visits, edge.score)
            for edge in search.tree.view.edges(before)
        }
        search.play(result.move)
        assert search.tree.visits == visits
        assert kept == {
            (search.tree.view.group(edge.number), edge.codes): (edge.visits, edge.score)
            for edge in search.tree.view.edges(ROOT)
        }


def test_a_full_tree_searches_on() -> None:
    search = Search(load("go_9x9_mc"), parse_settings(GROUPED), seed=1, memory=1 << 14)
    result = search.run(Budget(simulations=500))
    assert (search.tree.memories[0].record.full, result.simulations) == (1, 500)
    assert result.move in search.state.moves()


def test_all_is_repeatable() -> None:
    def run() -> list[object]:
        search = Search(load("hex_9x9"), parse_settings("groups[proximity,border]+rave"), seed=4)
        return [
            (one.move, one.visits, one.score) for one in search.run(Budget(simulations=800)).moves
        ]

    assert run() == run()


def test_a_grouping_of_ones_own() -> None:
    def corner(state, previous, move):  # type: ignore[no-untyped-def]
        return 0 if move[TARGET] >= 0 and state.neighbours[move[TARGET]] == 2 else -1

    def beside_stone(state, previous, move):  # type: ignore[no-untyped-def]
        for place in range(state.places):
            distance = state.distances[place * state.places + move[TARGET]]
            if state.pieces[place] != state.empty and distance == 1:
                return state.pieces[place]
        return -1

    register("corner", corner, ["corner"])
    register("beside", beside_stone, [f"beside {n}" for n in range(12)], sees_pieces=True)
    search = Search(load("go_9x9_mc"), parse_settings("groups[corner,beside]"), seed=1)
    search.play("e5")
    search.run(Budget(simulations=400))
    inside: dict[str | None, list[str]] = {}
    for move, group in _groups(search, ROOT, ""):
        inside.setdefault(group, []).append(move)
    assert set(inside["corner"]) <= squares("a1 a9 i1 i9")
    (beside,) = (name for name in inside if name and name.startswith("beside"))
    assert set(inside[beside]) <= squares("d5 e4 e6 f5")


def test_a_users_grouping_goes_with_the_settings() -> None:
    register("corner", lambda state, previous, move: 0 if move[TARGET] == 0 else -1, ["corner"])
    register("other", lambda state, previous, move: 0, ["other"])
    settings = parse_settings("groups[corner,border],x=5")
    sent = pickle.dumps(settings)
    users.registered.clear()
    assert pickle.loads(sent) == settings
    assert list(users.registered) == ["corner"]
    Search(load("hex_9x9"), settings).run(Budget(simulations=50))
    # The same bytes give the same function, which is compiled once.
    before = users.registered["corner"]
    pickle.loads(sent)
    assert users.registered["corner"] is before


def test_who_receives_a_grouping_need_not_have_its_module(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "def helper(): return 0\ndef one(state, previous, move): return helper()\n"
    (tmp_path / "somewhere.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    module = import_module("somewhere")
    register("one", module.one, ["one"])
    sent = pickle.dumps(parse_settings("groups[one]"))
    monkeypatch.delitem(sys.modules, "somewhere")
    (tmp_path / "somewhere.py").unlink()
    # It is passed on once.
    for _ in range(2):
        users.registered.clear()
        settings = pickle.loads(sent)
        assert users.registered["one"].decide(None, None, None) == 0
        sent = pickle.dumps(settings)


def test_a_grouping_that_cannot_be_sent() -> None:
    lock = threading.Lock()
    register("locked", lambda state, previous, move: bool(lock), ["one"])
    with pytest.raises(InputError, match="the grouping 'locked' cannot go to another process"):
        pickle.dumps(parse_settings("groups[locked]"))


def test_groupings_of_installed_packages(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    values = {
        "good": "tests.search.features.test_groups:INSTALLED",
        "bad": "tests.search.features.test_groups:nothing",
        "wrong": "tests.search.features.test_groups:GROUPED",
    }
    points = [EntryPoint(name, value, "semisplit.groupings") for name, value in values.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: points)
    users.installed.cache_clear()
    request.addfinalizer(users.installed.cache_clear)
    rules = load("hex_9x9").rules
    assert Partition(rules, [["border", "good"]]).names == [["border", "everything", "other"]]
    with pytest.raises(InputError, match="the grouping 'bad' cannot be loaded: "):
        Partition(rules, [["bad"]])
    with pytest.raises(InputError, match="has to be a Grouping"):
        Partition(rules, [["wrong"]])
    with pytest.raises(UnknownName, match="did you mean 'good'"):
        Partition(rules, [["goof"]])


INSTALLED = Grouping(lambda state, previous, move: 0, ("everything",))


def test_what_cannot_be_compiled_is_told() -> None:
    register("strange", lambda state, previous, move: state.nothing, ["strange"])
    with pytest.raises(InputError, match="cannot be compiled"):
        Search(load("tic_tac_toe"), parse_settings("groups[strange]"))
    with pytest.raises(InputError, match="cannot be the name of a grouping"):
        register("two words", lambda state, previous, move: 0, ["one"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("groups", "groups of what"),
        ("groups[]", "a grouping is missing"),
        ("groups[border,]", "a grouping is missing"),
        ("rollup[border]@Mod", "cannot have group nodes"),
        ("groups[border/border/border/border/border]", "at most 4 layers"),
        ("orthodox,x=3", "belongs to groups"),
        ("groups[border],x=-3", "whole number"),
        ("orthodox,share=2", "from 0.0001 to 1"),
    ],
)
def test_nonsense_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadSettings, match=message):
        parse_settings(text)


def test_unknown_groupings_are_refused_by_the_game() -> None:
    with pytest.raises(UnknownName, match="did you mean 'border'"):
        Search(load("tic_tac_toe"), parse_settings("groups[bordr]"))
    with pytest.raises(UnknownName, match="no grouping 'border'"):
        ReferenceSearch(load("tic_tac_toe_gdl"), parse_settings("groups[border]"), 1)


def test_notation() -> None:
    assert parse_settings("groups[proximity, border/piece],x=5,above=9") == Settings(
        groups=Groups((("proximity", "border"), ("piece",)), 5, 9)
    )
    split = parse_settings("semisplit-raw[start]@Mod,final=rollup")
    assert (split.tree, split.nodal, split.final) == (Tree.SEMISPLIT, False, Final.ROLLUP)
    assert parse_settings("groups[start],final=rollup").final == Final.ROLLUP
