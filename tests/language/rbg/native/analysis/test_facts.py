"""Analyses of graphs: possible pieces, sites alike, independence, ways told before."""

import pytest

from semisplit.language.rbg.native.analysis.blind import is_blind
from tests.support.analysed import analysed, modifier, text


@pytest.mark.parametrize(
    ("rules", "number", "expected"),
    [
        ("->w {e} [x] ->b", 2, "{e}"),
        ("->w left [x] ->b", 2, "{e,o,x}"),
        ("->w {e} [x] {x,o} [o] ->b", 3, "{x}"),
        ("->w ({e} + {x}) [o] ->b", 2, "{e,x}"),
        ("->w {e} (up {x})* [o] ->b", 2, "{e,x}"),
        ("->w {e} ([x] {x} [o])* [e] ->b", 4, "{e,o}"),
        ("->w {e} ->b [x] ->w", 3, "{e,o,x}"),  # states behind a switch may be set up by hand
        ("->w {e} {! left} [$ t=1] [x] ->b", 3, "{e}"),
    ],
)
def test_possible_pieces(rules: str, number: int, expected: str) -> None:
    game, printer = analysed(rules)
    assert printer.pieces(game.rules.pieces_before(modifier(game, number))) == expected


def test_sites_from_which_the_same_follows_are_alike() -> None:
    game, printer = analysed("->w {x} [e] left {e} [x] (left {e} [x])* ->b")
    assert [printer.action(arc) for arc in game.graph.modifiers] == [
        "#1 ->w",
        "#2 [e]",
        "#3 [x]",
        "#4 [x]",
        "#5 ->b",
    ]
    behind = [arc.target for arc in game.graph.modifiers]
    merged = game.rules.merged
    assert merged.first[behind[3]] == behind[2]
    assert merged.numbers(behind[3]) == {4: 4, 5: 5}
    assert [site for site, first in merged.first.items() if site != first] == [behind[3]]
    # In the merged graph the second kind of jump leads to where the first one does.
    assert game.merged.graph.modifiers[3].target == behind[2]


@pytest.mark.parametrize(
    "rules",
    [
        "->w [x] left {e} [o] ->b [x] left {o} [o] ->w",  # other pieces
        "->w [x] left {e} [o] ->b [e] left {e} [o] ->w",  # other pieces on the square
        "->w [x] left {e} [o] ->b [x] left {e} [o] ->b",  # other switches
    ],
)
def test_sites_that_differ_are_not_alike(rules: str) -> None:
    game, _ = analysed(rules)
    first = game.rules.merged.first
    assert first[modifier(game, 2).target] != first[modifier(game, 5).target]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("->w [x] left {e} [o] ->b", True),
        ("->w [x] left right {e} [o] ->b", False),
        ("->w [x] {x} left {e} [o] ->b", True),  # it is known that there is an x
        ("->w [x] {! left {x}} [o] ->b", True),
        ("->w [x] {! left (left + right) {x}} [o] ->b", False),
        ("->w [x] (left {e})* [o] ->b", True),
        ("->w [x] (left {e} + right {e})* [o] ->b", False),
        ("->w [x] {$ x>2} [o] ->b", False),  # counting pieces sees all squares
        ("->w [x] {$ t>2} [o] ->b", True),
        ("->w [x] [$ t=x] ->b", False),
    ],
)
def test_blind_regions_do_not_see_where_they_start(rules: str, expected: bool) -> None:
    game, _ = analysed(rules)
    assert game.rules.is_blind(modifier(game, 2).target) == expected


def test_a_second_way_tells_nothing_about_the_piece_on_the_start() -> None:
    """Two ways that change nothing lead to the test of a piece that is not known."""
    game, _ = analysed("->w (([x] up)* + ([o] down)*) {x} [e] ->b")
    start = modifier(game, 1).target
    pieces = frozenset({0, 1})
    assert not is_blind(game.graph, start, game.identity, pieces)
    assert is_blind(game.graph, start, game.identity, frozenset({1}))


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # A fixed step, and where it can be gone.
        ("->w [e] up {o} ->b", "up if up {o}: #3 ->b"),
        (
            "->w [e] (left + right) {o} ->b",
            """
            right if right {o}: #3 ->b
            left if left {o}: #3 ->b
            """,
        ),
        # Tests of the square itself are decided.
        ("->w [e] {e} up ->b", "up if up: #3 ->b"),
        ("->w [e] {x} up ->b", ""),
        ("->w [e] {! left right {x}} up ->b", "up if up: #3 ->b"),
        # Lines are not fixed.
        ("->w [x] (left {e})* ->b", "other ways (left {e})*: #3 ->b"),
        # What counts pieces cannot be told before.
        ("->w [x] {$ x>1} up ->b", "not known"),
    ],
)
def test_ways_told_before_a_piece_is_put(rules: str, expected: str) -> None:
    game, printer = analysed(rules)
    assert printer.ways(game.rules.ways(modifier(game, 2))) == text(expected)


def test_what_is_enough_to_go_on() -> None:
    """A stone has a liberty if a neighbour is empty, or a neighbour of its own colour has one."""
    near = "(left + right + up + down)"
    game, printer = analysed(f"->w {{e}} [x] {{? ({near} {{x}})* {near} {{e}}}} ->b")
    enough = game.rules.sufficient(modifier(game, 2).target)
    assert enough is not None
    assert printer.expression(enough) == (
        "(left + right + up + down) {e}"
        " + up {x} <-1 +1 +3> {e} + down {x} <-3 -1 +1 from 3> {e}"
        " + right {x} <-3 +1 +3> {e} + left {x} <-3 -1 +3> {e}"
    )


def test_forms_of_the_rules_for_those_who_need_numbers() -> None:
    alike, _ = analysed("->w {x} [e] left {e} [x] (left {e} [x])* ->b")
    assert alike.numbered is alike.rules
    different, _ = analysed("->w {x} [e] left {e} [x] ->b")
    assert different.numbered is different.merged
