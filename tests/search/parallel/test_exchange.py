"""Statistics of the root that searches tell each other."""

import pytest

import semisplit
from semisplit import Game
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings
from semisplit.search.parallel.exchange import ROOT_CHILD, Child, Counts, add_tables, subtract_table
from tests.support.simultaneous import WELL, matrix_game

NOTATIONS = [
    "orthodox",
    "orthodox,threads=2",
    "orthodox+mast+rave",
    "semisplit@Mod",
    "rollup-nodal@Mod",
    "groups[proximity,border]",
]


def new_search(notation: str = "orthodox", seed: int = 1, game: Game | None = None) -> Search:
    game = game or semisplit.load("breakthrough")
    return Search(game, parse_settings(notation), seed=seed, memory=1 << 24)


def run(search: Search, simulations: int = 1000) -> None:
    search.run(Budget(simulations=simulations), details=False)


def test_tables_are_added_and_subtracted() -> None:
    a, b = Child(0, (1,), ()), Child(2, (1,), ())
    one, two = {a: Counts(3, 1.5)}, {a: Counts(1, 0.5), b: Counts(2, 2.0)}
    both = add_tables([one, two])
    assert both == {a: Counts(4, 2.0), b: Counts(2, 2.0)}
    assert subtract_table(both, two) == one


@pytest.mark.parametrize("notation", NOTATIONS)
def test_what_was_received_is_used_but_not_told_again(notation: str) -> None:
    search, other = new_search(notation), new_search(notation, seed=2)
    for one in (search, other):
        run(one)
    own, theirs = search.exchange.own(), other.exchange.own()
    assert own[ROOT_CHILD].visits == theirs[ROOT_CHILD].visits == 1000
    for _ in range(2):  # The second time in place of the first.
        search.exchange.receive(theirs)
        assert approximately(search.exchange.own(), own)
        seen = {child: counts for child, counts in tree(search).items() if child in theirs}
        both = add_tables([own, theirs])
        assert approximately(seen, {child: both[child] for child in seen})
    run(search)
    assert search.exchange.own()[ROOT_CHILD].visits == 2000


def tree(search: Search) -> dict[Child, Counts]:
    edges = search.tree.memories[0].edges
    return {
        child: Counts(int(edges[number]["visits"]), float(edges[number]["total"]))
        for child, number in search.exchange.children()
    }


def approximately(a: dict[Child, Counts], b: dict[Child, Counts]) -> bool:
    return a.keys() == b.keys() and all(
        a[child].visits == b[child].visits and a[child].total == pytest.approx(b[child].total)
        for child in a
    )


def test_what_others_say_decides() -> None:
    search = new_search()
    run(search)
    bad = min((c for c in search.exchange.own() if c.codes), key=lambda c: c.codes)
    search.exchange.receive({ROOT_CHILD: Counts(10**6, 0.0), bad: Counts(10**6, 10.0**6)})
    move = search.snapshot().move
    assert search.game.compiled.codec.codes(move.steps) == list(bad.codes)
    before = search.exchange.own()[bad].visits
    run(search)
    # What others think so well of is searched more than all the rest.
    assert search.exchange.own()[bad].visits - before > 900


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_move_leaves_nothing_of_what_was_received(notation: str) -> None:
    plain, heard = new_search(notation), new_search(notation)
    for one in (plain, heard):
        run(one)
    heard.exchange.receive({c: Counts(5, 2.5) for c in heard.exchange.own()})
    move = plain.snapshot().move
    for one in (plain, heard):
        one.play(move)
    if "threads" not in notation:
        assert approximately(tree(heard), tree(plain))
    visits = heard.tree.visits
    assert visits <= 1000
    assert heard.exchange.own()[ROOT_CHILD].visits == visits


def test_edges_that_are_tried_later_get_their_part() -> None:
    search, other = new_search(), new_search(seed=2)
    run(search, 3)
    run(other)
    theirs = other.exchange.own()
    search.exchange.receive(theirs)
    assert len(tree(search)) == 4
    run(search, 100)
    search.exchange._next = 0.0
    search.exchange.refresh()
    own = search.exchange.own()
    assert own[ROOT_CHILD].visits == 103
    assert approximately(tree(search), add_tables([own, theirs]))


def test_every_player_who_decides_has_a_part() -> None:
    game = Game.parse(matrix_game(WELL), "well.kif")
    search, other = new_search(game=game), new_search(seed=2, game=game)
    for one in (search, other):
        run(one)
    own, theirs = search.exchange.own(), other.exchange.own()
    assert {child.player for child in own} == {0, 2}
    for player in (0, 2):
        assert sum(own[c].visits for c in own if c.codes and c.player == player) == 1000
    search.exchange.receive(theirs)
    assert approximately(tree(search), add_tables([own, theirs]))
    run(search)
    assert search.exchange.own()[ROOT_CHILD].visits == 2000


def test_more_visits_than_an_edge_can_count() -> None:
    search = new_search()
    run(search)
    first, second = sorted(child for child in search.exchange.own() if child.codes)[:2]
    huge = {
        ROOT_CHILD: Counts(3 << 40, 0.0),
        first: Counts(2 << 40, 1 << 40),
        second: Counts(1 << 40, 1 << 40),
    }
    search.exchange.receive(huge)
    known = tree(search)
    assert 0 < known[ROOT_CHILD].visits < 2**31
    assert known[first].visits == pytest.approx(2 * known[second].visits, rel=1e-4)
    assert search.game.compiled.codec.codes(search.snapshot().move.steps) == list(second.codes)
