"""Searches that try only an interval of a player's actions."""

from collections import Counter
from itertools import product

import pytest

import semisplit
from semisplit import Game
from semisplit.compiler.runtime.compiled import Codes
from semisplit.search import Budget, Search
from semisplit.search.engine.layout import ROOT
from semisplit.search.features.narrowing.intervals import Part, interval
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.exchange import Child
from tests.support.rules import gdl
from tests.support.simultaneous import WELL, matrix_game

MEMORY = 1 << 24
FIRST, SECOND = 1, 2


def new_search(game: str | Game, notation: str = "orthodox") -> Search:
    game = semisplit.load(game) if isinstance(game, str) else game
    return Search(game, parse_settings(notation), seed=1, memory=MEMORY)


def run(search: Search, simulations: int = 2000) -> None:
    search.run(Budget(simulations=simulations), details=False)


def listed(search: Search, codes: Codes = ()) -> list[Codes]:
    """What can be done in the position, or after some steps, in order."""
    game, view = search.game.compiled, search.tree.views[0]
    state = game.codec.pack(search.state.position)
    after = game.play(state, codes) if codes else state
    assert after is not None
    after = game.run_keeper(after) if codes else after
    known = game.semimoves(after) if search.settings.splits else game.moves(after)
    return [view.changing(one) for one in known]


def living(game: str, notation: str) -> set[Codes]:
    """What can be done at the beginning: semimoves may be listed with which no move begins."""
    search = new_search(game, notation)
    run(search)
    return set(visits(search))


def visits(search: Search, *path: Codes) -> dict[Codes, int]:
    """Of the edges of the root, or of those behind some moves."""
    view, node = search.tree.views[0], ROOT
    for codes in path:
        node = next(one.number for one in view.edges(node) if view.changing(one.codes) == codes)
    return {view.changing(one.codes): one.visits for one in view.edges(node)}


# The intervals


def test_intervals_of_the_paper() -> None:
    fifths = [interval(5, Part(number, 5)) for number in range(1, 6)]
    assert fifths == [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]]
    assert interval(17, Part(2, 8)) == [2, 3, 4, 5]  # from 17 / 8 to 51 / 8
    assert interval(10, Part(1, 5, overlap=2)) == [0, 1, 2, 3, 4, 5, 8, 9]
    assert interval(3, Part(4, 8)) == [1]


def test_every_action_belongs_to_somebody() -> None:
    for count, parts, overlap in product(range(1, 40), range(1, 12), (1, 2, 3)):
        all_parts = [interval(count, Part(one, parts, overlap)) for one in range(1, parts + 1)]
        assert all(len(set(one)) == len(one) > 0 for one in all_parts)
        owners = Counter(index for one in all_parts for index in one)
        assert set(owners) == set(range(count))
        if parts >= 2 * overlap and count % parts == 0:
            assert set(owners.values()) == {2 * overlap}
        if parts <= 2 * overlap:
            assert all(one == list(range(count)) for one in all_parts)


# Narrowed searches


@pytest.mark.parametrize(
    ("game", "notation"),
    [
        ("breakthrough", "orthodox"),
        ("breakthrough", "orthodox+mast+rave"),
        ("breakthrough", "semisplit@Mod"),
        ("breakthrough", "orthodox,threads=2"),
        ("hex", "orthodox,batch=16"),
        ("connect4_7", "orthodox"),
    ],
)
@pytest.mark.parametrize("part", [Part(1, 4), Part(4, 4), Part(2, 5, overlap=2), Part(3, 50)])
def test_only_an_interval_is_tried_at_the_root(game: str, notation: str, part: Part) -> None:
    search = new_search(game, notation)
    actions, alive = listed(search), living(game, notation)
    expected = {actions[index] for index in interval(len(actions), part)} & alive
    search.narrow(FIRST, part)
    run(search)
    # If all of it is dead, the others are left.
    assert set(visits(search)) == expected or (not expected and set(visits(search)) == alive)
    search.widen()
    run(search)
    assert set(visits(search)) == alive


@pytest.mark.parametrize("notation", ["orthodox", "orthodox+rave", "semisplit@Mod"])
def test_what_was_tried_before_is_hidden_and_comes_back(notation: str) -> None:
    search = new_search("breakthrough", notation)
    actions, alive = listed(search), living("breakthrough", notation)
    for enough in (len(actions) // 2, 2000):
        run(search, enough)
        before = visits(search)
        part = Part(2, 4)
        search.narrow(FIRST, part)
        run(search)
        search.widen()
        after = visits(search)
        inside = {actions[index] for index in interval(len(actions), part)} & alive
        grown = {codes: after.get(codes, 0) - before.get(codes, 0) for codes in alive}
        assert inside <= after.keys()
        assert sum(grown[codes] for codes in inside) == 2000
        assert not any(grown[codes] for codes in alive - inside)
    search.play(search.snapshot().move)
    run(search)


def test_the_first_choice_may_come_after_moves_of_others() -> None:
    search, part = new_search("breakthrough"), Part(2, 5)
    run(search, 500)
    known = {codes: set(visits(search, codes)) for codes in visits(search)}
    search.narrow(SECOND, part)
    run(search, 20_000)
    search.widen()
    assert set(visits(search)) == set(listed(search))
    for codes in listed(search):
        answers = listed(search, codes)
        inside = {answers[index] for index in interval(len(answers), part)}
        assert set(visits(search, codes)) == inside | known.get(codes, set())


def test_only_the_first_choice_is_narrowed() -> None:
    search = new_search("breakthrough")
    search.narrow(FIRST, Part(1, 100))
    run(search, 20_000)
    ((move, _),) = visits(search).items()
    search.play(search.state.move(search.game.compiled.codec.steps(move)))
    answers = visits(search)
    assert len(answers) == len(listed(search))
    search.play(search.snapshot().move)
    assert len(visits(search)) > 5


@pytest.mark.parametrize("player", [FIRST, SECOND])
@pytest.mark.parametrize("ahead", [0, 500])
def test_narrowing_where_players_decide_at_once(player: int, ahead: int) -> None:
    search = new_search(Game.parse(matrix_game(WELL), "well.kif"))
    if ahead:
        run(search, ahead)
    before = search.exchange.own()
    search.narrow(player, Part(1, 4))
    run(search, 500)
    search.widen()
    after = search.exchange.own()
    grown = {child: after[child].visits - before.get(child, (0, 0))[0] for child in after}
    tried = {
        seat: sum(bool(grown[child]) for child in grown if child.codes and owner(child) == seat)
        for seat in (FIRST, SECOND)
    }
    other = FIRST + SECOND - player
    everything = {
        seat: len(gdl(search.game).interpreter.legal(search.state.position.fluents)[seat - 1])
        for seat in (FIRST, SECOND)
    }
    assert tried[player] == len(interval(everything[player], Part(1, 4))) < everything[player]
    assert tried[other] == everything[other]
    run(search, 500)
    assert len(search.exchange.own()) == 1 + sum(everything.values())


def owner(child: Child) -> int:
    return child.player or FIRST


def test_nothing_changes_where_all_belongs_to_everybody() -> None:
    usual, narrowed = new_search("breakthrough"), new_search("breakthrough")
    narrowed.narrow(FIRST, Part(1, 2))
    run(usual)
    run(narrowed)
    assert usual.exchange.own() == narrowed.exchange.own()
