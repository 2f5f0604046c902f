"""Searches of games in which chance has moves: they find what the best play is worth."""

import pytest

from semisplit import Game, load
from semisplit.core.settings.parameters import BadSettings
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from semisplit.search.reference.searcher import ReferenceSearcher
from semisplit.search.searcher import Searcher
from tests.support.chance_games import MODELS, value
from tests.support.simultaneous import BETS, DRAWS

_SIMULATIONS = 100_000


@pytest.mark.parametrize(
    "notation", ["orthodox,C=0.3", "orthodox+mast,C=0.3", "orthodox+rave,C=0.3"]
)
@pytest.mark.parametrize(("name", "before"), [("pig", ()), ("dice_race", ("(roll 1)",))])
def test_the_value_of_the_first_player(name: str, before: tuple[str, ...], notation: str) -> None:
    model, search = MODELS[name], Search(load(name), parse_settings(notation), seed=1)
    for roll in before:
        search.play(roll)
        model = model._replace(start=model.after(model.start)[0])
    result = search.run(Budget(simulations=_SIMULATIONS))
    assert result.score == pytest.approx(value(model, 0) / 100, abs=0.05)


def test_a_full_tree_has_no_more_of_what_was_drawn_first() -> None:
    search = Search(load("pig"), parse_settings("orthodox,C=0.3"), seed=1, memory=10_000)
    search.run(Budget(simulations=5_000))
    assert search.tree.memories[0].record.full
    incomplete, chance = 0, load("pig").rules.chance
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        path = waiting.pop()
        branches = search.tree.branches(path)
        if branches and branches[0].player == chance and len(branches) < 6:
            incomplete += 1
            assert {branch.visits for branch in branches} == {1}
        waiting += ((*path, branch.name) for branch in branches if branch.is_open)
    assert incomplete


@pytest.mark.parametrize("searcher", [Search, ReferenceSearcher])
def test_what_lets_chance_choose_is_refused(searcher: type[Searcher]) -> None:
    game, settings = Game.parse(DRAWS, "draws.kif"), parse_settings("groups[name]")
    with pytest.raises(BadSettings, match="chance has moves"):
        searcher(game, settings)  # type: ignore[call-arg]


def test_bets_are_worth_what_they_are() -> None:
    # After the draw, left is worth 90 if it was right, and right 40 if not.
    search = Search(Game.parse(BETS, "bets.kif"), parse_settings("orthodox,C=0.3"), seed=3)
    result = search.run(Budget(simulations=20_000))
    (mine, _) = result.choices
    assert mine.score == pytest.approx((90 + 40 + 40) / 300, abs=0.03)
