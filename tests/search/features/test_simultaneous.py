"""The search, in kernels, of games in which several players decide at once."""

import pytest

from semisplit import Game
from semisplit.core.errors import InputError
from semisplit.search import BadSettings, Budget, Result, Search
from semisplit.search.engine.layout import ROOT
from semisplit.search.notation import parse_settings
from tests.support.gdl import TIC_TAC_TOE
from tests.support.rules import present
from tests.support.simultaneous import DILEMMA, PENNIES, THREE, TURNS, matrix_game


def make(text: str, agent: str = "orthodox", memory: int = 1 << 20, seed: int = 1) -> Search:
    return Search(Game.parse(text, "game.kif"), parse_settings(agent), seed=seed, memory=memory)


def known(search: Search, node: int) -> dict[tuple[object, ...], tuple[int, float]]:
    """Visits and scores of all that is below a node, by the codes on the way and by players."""
    view, found = search.tree.view, {}
    stack: list[tuple[int, tuple[object, ...]]] = [(node, ())]
    while stack:
        here, before = stack.pop()
        choosers = view.choosers(here) if view.is_nodal(here) else {}
        for player, chooser in {0: here, **choosers}.items():
            for edge in view.edges(chooser):
                way = (*before, player, edge.codes)
                found[way] = edge.visits, edge.score
                if not player:
                    stack.append((edge.number, way))
    return found


def test_defecting_pays() -> None:
    result = make(matrix_game(DILEMMA)).run(Budget(simulations=3000))
    assert str(result.move) == "defect | defect"
    assert [(choice.player, str(choice.move)) for choice in result.choices] == [
        (1, "defect"),
        (2, "defect"),
    ]
    assert result.score == result.choices[0].score


def test_everybody_gets_half_of_the_pennies() -> None:
    result = make(matrix_game(PENNIES)).run(Budget(simulations=10000))
    for choice in result.choices:
        for step in choice.steps:
            assert step.visits == pytest.approx(5000, abs=500)
            assert step.score == pytest.approx(0.5, abs=0.08)


def test_a_result_tells_of_each_player_and_of_joint_moves() -> None:
    search = make(THREE, "orthodox+mast")
    result = search.run(Budget(simulations=500))
    assert [choice.player for choice in result.choices] == [1, 2, 3]
    assert result.move.steps == tuple(step for one in result.choices for step in one.move.steps)
    for choice in result.choices:
        assert [step.visits for step in choice.steps] == sorted(
            (step.visits for step in choice.steps), reverse=True
        )
        assert sum(step.visits for step in choice.steps) == 500
        assert all(step.mast is not None for step in choice.steps)
    assert sum(one.visits for one in result.moves) == 500
    first = result.choices[0].steps
    assert sum(one.visits * one.score for one in result.moves) == pytest.approx(
        sum(one.visits * one.score for one in first)
    )
    assert result.nodes == 1 + len([way for way in known(search, ROOT) if not any(way[::2])])
    assert result.to_json()["choices"][2]["steps"][0]["visits"] == (
        result.choices[2].steps[0].visits
    )
    look = search.snapshot(3)
    assert [one.visits for one in look.moves] == [one.visits for one in result.moves[:3]]
    assert look.choices[1].move == result.choices[1].move


def test_where_one_player_decides_there_are_no_choices() -> None:
    search = make(TIC_TAC_TOE)
    result = search.run(Budget(simulations=300))
    assert result.choices == ()
    assert "choices" not in result.to_json()
    search.play(result.move)
    assert search.state.player == 2


def test_games_with_turns_are_searched_like_others() -> None:
    """Proven by the compiler: no records for further players who decide, and GRAVE is allowed."""
    search = make(TIC_TAC_TOE, "orthodox+grave,ref=10")
    assert search.tree.memories[0].common.rules.choosers == 0
    assert make(TURNS)._common.rules.choosers == 2
    assert search.run(Budget(simulations=300)).move in search.state.moves()


@pytest.mark.parametrize("text", [TURNS, THREE])
def test_a_subtree_is_kept(text: str) -> None:
    search = make(text)
    search.run(Budget(simulations=400))
    move = search.run(Budget(simulations=400)).move
    codes = present(search.game.compiled.codec.codes(move.steps))
    node = search.tree.view.find(codes)
    assert node is not None
    before = known(search, node)
    search.play(move)
    assert before
    assert known(search, ROOT) == before
    assert search.snapshot().nodes == 1 + len([way for way in before if not any(way[::2])])
    assert search.run(Budget(simulations=100)).move in search.state.moves()


def test_a_move_that_was_never_tried_is_not_in_the_tree() -> None:
    search = make(THREE)
    search.run(Budget(simulations=2))
    tried = {one.move for one in search.snapshot(10).moves}
    other = next(move for move in search.state.moves() if move not in tried)
    codes = present(search.game.compiled.codec.codes(other.steps))
    assert search.tree.view.find(codes) is None
    search.play(other)
    assert search.snapshot().nodes == 1


def test_little_memory_is_enough() -> None:
    nodes = []
    for memory in range(0, 2000, 40):
        search = make(THREE, memory=memory)
        result = search.run(Budget(simulations=30))
        assert result.move in search.state.moves()
        assert result.bytes <= memory + 40
        nodes.append(result.nodes)
    assert nodes[0] == 1
    assert len(set(nodes)) > 4


def test_games_are_played_to_the_end() -> None:
    search = make(TURNS, "orthodox+mast")
    plies = 0
    while not search.state.is_terminal:
        search.play(search.run(Budget(simulations=50)).move)
        plies += 1
    assert plies == 3


def test_a_search_can_be_repeated() -> None:
    def run() -> Result:
        return make(THREE, "orthodox+mast", seed=7).run(Budget(simulations=200))

    assert run().choices == run().choices


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadSettings, match="GRAVE"):
        make(THREE, "orthodox+grave,ref=10")
    with pytest.raises(InputError, match="cannot be split"):
        make(THREE, "rollup@Mod")
