"""The compiled search in several trees makes the decisions of the reference."""

from collections.abc import Callable

import pytest

import semisplit
from semisplit import Game
from semisplit.search.engine.toolkit.portable import logarithm
from semisplit.search.features.line.line import replay
from semisplit.search.multitree.kernels.iterate import mt_mcts
from semisplit.search.multitree.memory import Memory
from semisplit.search.multitree.reference import ReferenceMultiTree
from semisplit.search.multitree.settings import MultiTreeSettings
from tests.search.multitree.test_reference import COPYING
from tests.support.rules import present
from tests.support.subgames import boards, rows, start_of, subgames, whole

Masks = Callable[[Game], list[int]]
INCREDIBLE = {"at": 0, "gold": 0, "on": 1, "table": 1}


def digits(number: int, base: int) -> tuple[int, ...]:
    """The codes of a move that kernels know as a number."""
    codes = []
    while number:
        number, digit = divmod(number, base)
        codes.append(digit - 1)
    return tuple(reversed(codes))


def compare(
    game: Game, masks: list[int], iterations: int, seed: int = 1, alpha: float = 0.5
) -> tuple[Memory, ReferenceMultiTree]:
    settings = MultiTreeSettings(alpha=alpha)
    bounds = tuple(game.rules.players.values())
    memory = Memory(game, masks, settings, seed, 1 << 26)
    memory.set_root(start_of(game), 0)
    reference = ReferenceMultiTree(
        game.compiled,
        masks,
        settings,
        bounds=bounds,
        potentials=game.compiled.bounds,
        seed=seed,
        logarithm=logarithm,
    )
    reference.set_root(start_of(game))
    for _ in range(iterations):
        memory.make_room()
        assert mt_mcts(memory.workplace, 1, 2**62, 101, 2**62) == 1
        reference.mt_mcts(1)
        path = memory.of_worker["path_moves"][: memory.worker.length].tolist()
        moves = [move for _, move in reference.path]
        assert [digits(move, memory.rules.base) for move in path] == moves
        if reference.masks != tuple(masks):
            break
    return memory, reference


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("name", "masks"),
    [
        ("incredible", lambda game: subgames(game, INCREDIBLE)),
        ("nonogram_g", rows),
        ("queens08lg", whole),
        ("double_ttt_choice", lambda game: boards(game, 0)),
        ("rps_well", whole),
    ],
)
def test_the_same_decisions_are_made(name: str, masks: Masks, alpha: float) -> None:
    game = semisplit.load(name)
    memory, reference = compare(game, masks(game), 150, alpha=alpha)
    visits = memory.of_forest["root_visits"]
    moves = game.compiled.moves(start_of(game))
    assert visits[: len(moves)].tolist() == [reference.root_visits[move] for move in moves]
    if memory.rules.prunes:
        assert memory.forest.best_score == present(reference.best).score


def test_they_agree_until_all_is_explored_and_beyond() -> None:
    game = semisplit.Game.parse(COPYING)
    memory, reference = compare(game, whole(game), 300)
    assert all(reference.explored)
    assert memory.of_forest["explored"].all()


def test_they_agree_about_contradictions() -> None:
    game = semisplit.Game.parse(COPYING)
    memory, reference = compare(game, subgames(game, {"a": 0, "b": 1, "c": 2}), 100)
    assert len(reference.masks) == 2
    assert memory.of_forest["doubts"].tolist() == [0, memory.of_forest["doubts"][1], 0]
    assert memory.of_forest["suspects"][1] == 1


def test_what_is_forgotten_changes_nothing() -> None:
    game = semisplit.load("nonogram_g")
    results = []
    for size in (100, 10**6):
        memory = Memory(game, rows(game), MultiTreeSettings(), 1, 1 << 26)
        memory.set_root(start_of(game), 0)
        memory.memo.position_size = min(size, memory.memo.position_size)
        memory.make_room()
        mt_mcts(memory.workplace, 1000, 2**62, 101, 2**62)
        results.append((memory.of_forest["root_visits"].tolist(), memory.memo.forgotten > 0))
    assert results[0][0] == results[1][0]
    assert [forgotten for _, forgotten in results] == [True, False]


@pytest.mark.parametrize(
    ("name", "masks"), [("nonogram_g", rows), ("queens08lg", whole), ("hanoi", whole)]
)
def test_the_best_playout_is_made_again(name: str, masks: Masks) -> None:
    game = semisplit.load(name)
    memory = Memory(game, masks(game), MultiTreeSettings(), 1, 1 << 26)
    memory.set_root(start_of(game), 0)
    memory.make_room()
    mt_mcts(memory.workplace, 30, 2**62, 101, 2**62)
    forest, arrays = memory.forest, memory.of_forest
    assert forest.best_playout > 0
    arrays.put("best_moves", arrays["best_moves"][: forest.best_length].copy())
    state, seed = arrays["best_state"].tobytes(), int(forest.best_seed)
    expected = list(replay(game.compiled, state, seed, semisplit=False))
    found = [digits(move, memory.rules.base) for move in memory.best_line()]
    assert found[forest.best_length :] == expected
    assert len(expected) == forest.best_playout
