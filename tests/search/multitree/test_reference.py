"""MT-MCTS in plain Python."""

from typing import Any

import pytest

import semisplit
from semisplit import Game
from semisplit.core.settings.parameters import BadSettings
from semisplit.search.multitree.reference import ReferenceMultiTree
from semisplit.search.multitree.settings import MultiTreeSettings
from tests.support.rules import present
from tests.support.subgames import rows, start_of, subgames, whole

COPYING = """
(role r)
(init (a 0)) (init (b 0)) (init (c 0)) (init (step 1))
(opposite 0 1) (opposite 1 0)
(legal r (flip a)) (legal r (flip c)) (legal r copy)
(<= (next (a ?y)) (does r (flip a)) (true (a ?x)) (opposite ?x ?y))
(<= (next (a ?x)) (true (a ?x)) (not (does r (flip a))))
(<= (next (c ?y)) (does r (flip c)) (true (c ?x)) (opposite ?x ?y))
(<= (next (c ?x)) (true (c ?x)) (not (does r (flip c))))
(<= (next (b ?x)) (does r copy) (true (a ?x)))
(<= (next (b ?x)) (true (b ?x)) (not (does r copy)))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 6)))
(<= (goal r 50) (true (b 1)))
(<= (goal r 0) (true (b 0)))
"""
"""Three bits, one of which can become what another one is."""


def search(game: Game, masks: list[int], seed: int = 1, **settings: Any) -> ReferenceMultiTree:
    made = ReferenceMultiTree(
        game.compiled,
        masks,
        MultiTreeSettings(**settings),
        bounds=tuple(game.rules.players.values()),
        potentials=game.compiled.bounds,
        seed=seed,
    )
    made.set_root(start_of(game))
    return made


def solve(made: ReferenceMultiTree, most: int) -> int:
    while made.playouts < most and (made.best is None or made.best.score < 100):
        made.mt_mcts(1)
    return present(made.best).score


def test_a_puzzle_is_solved_by_its_rows() -> None:
    game = semisplit.load("nonogram_checkerboard")
    made = search(game, rows(game), alpha=0.25)
    assert solve(made, 4000) == 100
    state, best = made.root, present(made.best)
    for move in best.moves:
        assert move in game.compiled.moves(state)
        state = present(game.compiled.play(state, move))
    assert state == best.state


def test_one_tree_is_uct() -> None:
    game = semisplit.load("queens08lg")
    assert solve(search(game, whole(game), alpha=1.0), 500) == 100


def test_a_small_game_is_explored_to_its_end() -> None:
    game = semisplit.load("buttons")
    made = search(game, whole(game))
    made.mt_mcts(2000)
    assert present(made.best).score == 100


def test_visits_add_up() -> None:
    game = semisplit.load("incredible")
    made = search(game, subgames(game, {"at": 0, "gold": 0, "on": 1, "table": 1}))
    made.mt_mcts(200)
    for tree in made.trees:
        (root,) = [node for (depth, _), node in tree.items() if depth == 0]
        assert root.visits == 200
        for node in tree.values():
            assert node.visits == sum(one.visits for one in node.transitions.values())


def test_parts_that_depend_on_each_other_are_merged() -> None:
    game = semisplit.Game.parse(COPYING)
    made = search(game, subgames(game, {"a": 0, "b": 1, "c": 2}))
    made.mt_mcts(100)
    assert made.consistent
    assert set(made.masks) == set(subgames(game, {"a": 0, "b": 0, "c": 1}))


def test_a_part_that_depends_on_what_is_in_none_is_noticed() -> None:
    game = semisplit.Game.parse(COPYING)
    made = search(game, subgames(game, {"b": 0, "c": 1}))
    made.mt_mcts(100)
    assert not made.consistent


@pytest.mark.parametrize("settings", [{"alpha": 1.5}, {"alpha": -0.1}, {"exploration": -1.0}])
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadSettings):
        MultiTreeSettings(**settings)
