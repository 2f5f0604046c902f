"""The search in several trees from outside."""

import json
from typing import Any

import pytest

import semisplit
from semisplit import Game
from semisplit.agents import make_agent, parse_agent
from semisplit.agents.files import read_config, write_config
from semisplit.core.errors import InputError, SemisplitError
from semisplit.language.rules import Subgames
from semisplit.search import Budget
from semisplit.search.engine.toolkit.portable import logarithm
from semisplit.search.multitree.kernels.iterate import mt_mcts
from semisplit.search.multitree.reference import ReferenceMultiTree
from semisplit.search.multitree.search import MultiTreeSearch
from semisplit.search.multitree.settings import MultiTreeSettings
from tests.search.multitree.test_reference import COPYING
from tests.support.rules import present
from tests.support.subgames import start_of, subgames


def search(name: str, seed: int = 1, **settings: Any) -> MultiTreeSearch:
    return MultiTreeSearch(semisplit.load(name), MultiTreeSettings(**settings), seed=seed)


@pytest.mark.parametrize("name", ["nonogram_g", "incredible", "queens08lg"])
def test_the_line_found_solves_the_puzzle(name: str) -> None:
    result = search(name).run(Budget(simulations=100_000))
    state = semisplit.load(name).initial_state()
    for move in result.line:
        state = state.apply(move)
    assert state.is_terminal
    assert state.scores == (100,)
    assert (result.score, result.move) == (1.0, result.line[0])
    assert result.line_simulation == result.simulations


def test_a_plan_is_followed_and_given_up_for_another_move() -> None:
    made = search("asteroids_parallel", plans=True)
    result = made.run(Budget(simulations=100))
    assert (result.score, len(result.line), result.simulations) == (1.0, 10, 0)
    made.play(result.move)
    assert made.run(Budget(simulations=100)).line == result.line[1:]
    other = next(move for move in made.state.moves() if move != result.line[1])
    made.play(other)
    again = made.run(Budget(simulations=100))
    assert again.simulations == 100
    assert again.score < 1.0


def test_a_puzzle_without_a_plan_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    game = semisplit.load("nonogram_g")
    monkeypatch.setattr(game.rules, "find_plan", lambda seconds: None)
    made = MultiTreeSearch(game, MultiTreeSettings(plans=True), seed=1)
    assert made.run(Budget(simulations=100_000)).score == 1.0


@pytest.mark.parametrize("name", ["nonogram_g", "incredible"])
def test_threads_find_a_line_together(name: str) -> None:
    made = search(name, threads=3)
    result = made.run(Budget(simulations=300_000))
    state = semisplit.load(name).initial_state()
    for move in result.line:
        state = state.apply(move)
    assert (state.is_terminal, state.scores, result.score) == (True, (100,), 1.0)
    made.play(result.move)
    assert made.run(Budget(simulations=100)).line == result.line[1:]


def test_threads_know_together_what_moves_are_worth() -> None:
    made = search("double_ttt_sync", threads=3)
    single = search("double_ttt_sync", seed=1)
    result, alone = (one.run(Budget(simulations=3000)) for one in (made, single))
    assert made.subgames == 2
    assert result.simulations == alone.simulations == 3000
    assert search("double_ttt_sync", threads=3).run(Budget(simulations=20)).simulations == 20
    assert sum(one.visits for one in result.moves) == 3000
    # The first thread has a third of the budget, and begins as it would alone.
    third = search("double_ttt_sync", seed=1).run(Budget(simulations=1000))
    assert {one.move for one in third.moves} <= {one.move for one in result.moves}
    made.play(result.move)
    assert made.run(Budget(simulations=300)).simulations == 300


def test_threads_are_stopped_together() -> None:
    made = search("double_ttt_sync", threads=2)
    pauses: list[int] = []

    def pause() -> None:
        pauses.append(1)
        if len(pauses) > 3:
            made.stop()

    result = made.run(Budget(seconds=1000), pause=pause)
    assert result.seconds < 500
    # What was stopped once can go on.
    assert made.run(Budget(simulations=50)).simulations == 50


def test_what_interrupts_one_thread_ends_the_others() -> None:
    made = search("double_ttt_sync", threads=2)

    def pause() -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        made.run(Budget(seconds=1000), pause=pause)


def test_a_line_is_played_to_its_end() -> None:
    made = search("nonogram_g")
    line = made.run(Budget(simulations=100_000)).line
    for move in line:
        result = made.run(Budget(simulations=100))
        assert result.move == move
        made.play(result.move)
    assert made.state.scores == (100,)


def test_another_move_than_the_best_begins_another_line() -> None:
    made = search("nonogram_g")
    result = made.run(Budget(simulations=100_000))
    other = next(move for move in made.state.moves() if move not in result.line)
    made.play(other)
    assert made.run(Budget(simulations=10)).score < 1.0


def test_the_same_seed_gives_the_same_result() -> None:
    results = [search("incredible", seed=7).run(Budget(simulations=3000)) for _ in range(2)]
    assert results[0].moves == results[1].moves
    assert results[0].moves != search("incredible", seed=8).run(Budget(simulations=3000)).moves


def test_budgets_are_kept() -> None:
    made = search("incredible")
    assert made.run(Budget(simulations=50)).simulations == 50
    assert made.run(Budget(states=500)).states in range(500, 540)


def test_overlapping_subgames_are_more() -> None:
    assert search("nonogram_g").subgames == 5
    assert search("nonogram_g", overlapping=True).subgames == 10


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tic_tac_toe.kif", "is one piece"),
        ("tic_tac_toe", "games in this language"),
        ("nim", "act in one sub-game only"),
    ],
)
def test_games_without_subgames_are_searched_in_the_ordinary_way(name: str, why: str) -> None:
    made = search(name)
    result = made.run(Budget(simulations=300))
    assert made.subgames == 0
    assert why in result.note
    assert result.to_json()["note"] == result.note
    made.play(result.move)
    assert made.run(Budget(simulations=300)).move in made.state.moves()


@pytest.mark.parametrize("name", ["hanoi", "eight_puzzle"])
def test_a_puzzle_in_one_piece_is_searched_by_uct_with_transpositions(name: str) -> None:
    made, single = search(name), search(name, alpha=1.0, decomposed=False)
    results = [one.run(Budget(simulations=20_000)) for one in (made, single)]
    assert made.subgames == 1
    assert made.decomposition_seconds > 0
    assert (
        results[0].note == f"{name} is one piece: it is searched in one tree, with transpositions"
    )
    assert results[0].line == results[1].line
    assert results[0].score == results[1].score


def broken(monkeypatch: pytest.MonkeyPatch, names: dict[str, int]) -> tuple[Game, list[int]]:
    game = semisplit.Game.parse(COPYING)
    masks = subgames(game, names)
    found = Subgames(tuple(masks), 0.0, together=True)
    monkeypatch.setattr(game.rules, "find_subgames", lambda *, overlapping: found)
    return game, masks


def test_a_wrong_decomposition_is_repaired_as_in_the_reference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, masks = broken(monkeypatch, {"a": 0, "b": 1, "c": 2})
    made = MultiTreeSearch(game, MultiTreeSettings(), seed=1)
    reference = ReferenceMultiTree(
        game.compiled,
        masks,
        MultiTreeSettings(),
        bounds=(100,),
        potentials=game.compiled.bounds,
        seed=1,
        logarithm=logarithm,
    )
    reference.set_root(start_of(game))
    result = made.run(Budget(simulations=200))
    reference.mt_mcts(200)
    assert result.note == "2 sub-games depend on each other: they are merged"
    visits = {
        present(game.compiled.codec.codes(one.move.steps))[0]: one.visits for one in result.moves
    }
    assert visits == {move[0]: number for move, number in reference.root_visits.items()}


def test_a_decomposition_that_cannot_be_repaired_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, _ = broken(monkeypatch, {"b": 0, "c": 1})
    made = MultiTreeSearch(game, MultiTreeSettings(), seed=1)
    result = made.run(Budget(simulations=200))
    assert "has turned out wrong" in result.note
    assert made.subgames == 0
    assert result.score == 0.5


def test_several_players_choose_at_once() -> None:
    made = search("double_ttt_sync")
    result = made.run(Budget(simulations=500))
    assert [choice.player for choice in result.choices] == [1, 2]
    assert result.move in made.state.moves()


def test_trees_that_are_full_do_not_grow() -> None:
    game = semisplit.load("incredible")
    made = MultiTreeSearch(game, MultiTreeSettings(), seed=1, memory=1 << 16)
    nodes = made.run(Budget(simulations=20_000)).nodes
    result = made.run(Budget(simulations=2000))
    assert result.nodes == nodes
    made.play(result.move)
    assert made.snapshot().nodes < nodes


def test_a_search_ends_with_the_game() -> None:
    made = search("nonogram_g")
    for move in made.run(Budget(simulations=100_000)).line:
        made.play(move)
    with pytest.raises(InputError, match="over"):
        made.run(Budget(simulations=1))


@pytest.mark.parametrize(
    "name",
    [
        "mt-mcts,alpha=0.25,C=0.7",
        "mt-mcts,threads=4",
        "mt-mcts,threads=3,plans=true",
        "uct-transpositions",
        "mt-mcts",
    ],
)
def test_agents_have_names_and_files(name: str) -> None:
    config = parse_agent(name)
    data = write_config(config)
    again = read_config(json.dumps(data), name)
    assert again == config
    agent = make_agent(config, semisplit.load("nonogram_g"), 1)
    thought = agent.think(Budget(simulations=20))
    agent.play(thought.move)
    # Where there is a plan, nothing is left to be found.
    assert thought.simulations == (0 if "plans" in name else 20)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mt-mcts,alpha=2", "from 0 to 1"),
        ("mt-mcts,beta=2", "beta"),
        ("mt-mcts,C=x", "C is a number"),
        ("mt-mcts,C=1,C=2", "twice"),
        ("uct-transpositions,alpha=0.5", "alpha"),
        ("mt-mcts,overlap=yes", "overlap is true or false"),
    ],
)
def test_bad_names_are_refused_with_a_reason(name: str, message: str) -> None:
    with pytest.raises(SemisplitError, match=message):
        parse_agent(name)


def test_kernels_are_compiled_once() -> None:
    search("nonogram_g").run(Budget(simulations=10))
    compiled: Any = mt_mcts
    assert len(compiled.overloads) == 1
