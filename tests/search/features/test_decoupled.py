"""Decoupled UCT in the reference: games in which several players decide at once."""

import pytest

from semisplit import Game
from semisplit.core.settings.parameters import BadSettings
from semisplit.search.notation import parse_settings
from semisplit.search.reference.search import ReferenceSearch
from tests.support.gdl import TIC_TAC_TOE
from tests.support.simultaneous import (
    ASYMMETRIC,
    DILEMMA,
    PENNIES,
    TURNS,
    WELL,
    Payoffs,
    matrix_game,
)

ROW, COLUMN = 1, 2


def reference(text: str, agent: str = "orthodox", seed: int = 1) -> ReferenceSearch:
    game = Game.parse(text, "game.kif", engine="interpreter")
    return ReferenceSearch(game, parse_settings(agent), seed)


def shares(search: ReferenceSearch) -> dict[int, dict[str, float]]:
    """How often each player has chosen each step, as a part of all."""
    return {
        player: {
            str(steps[0].wire): visits / search.root.visits for steps, (visits, _) in known.items()
        }
        for player, known in search.player_statistics().items()
    }


@pytest.mark.parametrize(
    ("payoffs", "expected"),
    [
        (PENNIES, {ROW: {"heads": 0.5}, COLUMN: {"heads": 0.5}}),
        (DILEMMA, {ROW: {"defect": 1.0}, COLUMN: {"defect": 1.0}}),
        (WELL, {ROW: {"rock": 0.0, "well": 0.3}, COLUMN: {"rock": 0.0, "scissors": 0.3}}),
        (ASYMMETRIC, {ROW: {"up": 0.4}, COLUMN: {"left": 0.2}}),
    ],
)
def test_shares_of_steps_are_near_the_equilibrium(
    payoffs: Payoffs, expected: dict[int, dict[str, float]]
) -> None:
    search = reference(matrix_game(payoffs))
    search.run(3000)
    found = shares(search)
    for player, steps in expected.items():
        for step, share in steps.items():
            assert found[player][step] == pytest.approx(share, abs=0.12)


def test_everybody_gets_what_the_equilibrium_promises() -> None:
    search = reference(matrix_game(PENNIES))
    search.run(3000)
    for known in search.player_statistics().values():
        # Whoever foresaw the other's choice would get more.
        assert [mean for _, mean in known.values()] == pytest.approx([0.5, 0.5], abs=0.08)


def test_the_move_is_what_each_player_prefers() -> None:
    search = reference(matrix_game(DILEMMA), "orthodox,final=robust")
    search.run(2000)
    assert [(step.role, step.wire) for step in search.select_final()] == [
        (ROW, "defect"),
        (COLUMN, "defect"),
    ]


def test_choices_of_all_players_are_counted_once_in_each_iteration() -> None:
    search = reference(TURNS)
    search.run(300)
    root = search.root
    assert root.visits == 300
    by_player = search.player_statistics()
    assert list(by_player) == [1, 2]
    assert [sum(visits for visits, _ in known.values()) for known in by_player.values()] == [
        300
    ] * 2
    moves = search.move_statistics()
    assert sum(visits for visits, _ in moves.values()) == 300
    for number, player in enumerate(by_player):
        for (step,), (visits, _) in by_player[player].items():
            joint = [visits for steps, (visits, _) in moves.items() if steps[number] == step]
            assert sum(joint) == visits
    # The score of a joint move is that of who is to move.
    total = sum(visits * mean for visits, mean in moves.values())
    assert total == pytest.approx(sum(visits * mean for visits, mean in by_player[1].values()))


def test_a_player_does_not_see_what_others_choose() -> None:
    """All that a player goes by is the same below each choice of the one before."""
    search = reference(TURNS)
    search.run(50)
    first, second, *_ = (child for child in search.root.children or () if child.visits)
    path, root = [search.root], search.root
    assert search.arms(path, root, first) is search.arms(path, root, second)
    assert first.children is not second.children


@pytest.mark.parametrize("agent", ["orthodox+mast", "orthodox+mast-join", "orthodox+mast-context"])
def test_to_mast_a_move_is_the_step_of_one_player(agent: str) -> None:
    search = reference(matrix_game(DILEMMA), agent)
    search.run(200)
    assert search.mast is not None
    seen = {
        player: {step.wire for step in table}  # type: ignore[attr-defined]
        for (_, player), table in search.mast.tables.items()
    }
    assert seen == {ROW: {"silent", "defect"}, COLUMN: {"silent", "defect"}}


def test_games_with_turns_are_searched_as_ever() -> None:
    search = reference(TIC_TAC_TOE)
    search.run(500)
    assert not search.root.arms
    game = Game.parse(TIC_TAC_TOE, "game.kif", engine="interpreter")
    state = game.initial_state()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state = state.apply(move)
    search.set_root(state.position)
    search.run(300)
    assert str(state.move(search.select_final())) == "(mark 1 3)"


@pytest.mark.parametrize(
    ("agent", "reason"), [("orthodox+grave,ref=10", "GRAVE"), ("semisplit@Mod", "already split")]
)
def test_what_makes_no_sense_is_refused(agent: str, reason: str) -> None:
    with pytest.raises(BadSettings, match=reason):
        reference(matrix_game(PENNIES), agent)
