"""The sub-games of bundled games."""

from collections.abc import Callable

import pytest

from semisplit import games
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.decompose.decomposition import Decomposition
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term


def _decompose(name: str, **options: bool) -> Decomposition:
    return decompose(parse(games.text(name), name), **options)


def _argument(place: int) -> Callable[[Term], object]:
    return lambda fluent: fluent.arguments[place]


def _shade(fluent: Term) -> object:
    x, y = (int(write_term(argument)) for argument in fluent.arguments[:2])
    return (x + y) % 2


def _panel(fluent: Term) -> object:
    x, y = (int(write_term(argument)) for argument in fluent.arguments[:2])
    return (x < 3, y < 3)


@pytest.mark.parametrize(
    ("name", "part", "sizes", "control", "useless", "kind"),
    [
        ("lights_on_parallel", _panel, [16] * 4, 21, 0, "parallel, asynchronous"),
        ("blocks_world_parallel", _argument(0), [9, 9], 4, 0, "compound moves"),
        ("asteroids_parallel", _argument(0), [58, 58], 50, 0, "compound moves"),
        ("double_ttt_sync", _argument(0), [18, 18], 2, 2, "parallel, synchronous"),
        ("double_ttt_choice", _argument(0), [18, 18], 2, 2, "parallel, asynchronous"),
        ("dual_connect_four", _argument(0), [96, 96], 2, 2, "parallel, asynchronous"),
        ("chinook", _shade, [64, 64], 43, 2, "parallel, synchronous"),
        ("nim", _argument(0), [2, 6, 5, 3], 2, 2, "parallel, asynchronous"),
        ("turtle_brain", _argument(0), [17] * 3, 61, 0, "in series"),
    ],
)
def test_each_game_of_several_is_found(
    name: str,
    part: Callable[[Term], object],
    sizes: list[int],
    control: int,
    useless: int,
    kind: str,
) -> None:
    found = _decompose(name)
    assert [len(fluents) for fluents in found.subgames] == sizes
    parts = [{part(fluent) for fluent in fluents} for fluents in found.subgames]
    assert all(len(values) == 1 for values in parts)
    assert len(set.union(*parts)) == len(sizes)
    assert (len(found.control), len(found.useless)) == (control, useless)
    assert kind in found.kind


def test_a_labyrinth_beside_blocks() -> None:
    found = _decompose("incredible")
    names = [{fluent.name for fluent in fluents} for fluents in found.subgames]
    assert names == [{"at", "gold"}, {"on", "table"}]
    assert {fluent.name for fluent in found.control} == {"step"}
    assert len(found.useless) == 16
    assert {step.move.name for step in found.useless} == {"contemplate"}
    # Each block's moves do something else; what happens in the labyrinth is one of three things.
    assert [len(classes) for classes in found.meta_actions] == [3, 60]


def test_queens_are_one_board_and_giving_up() -> None:
    found = _decompose("queens08lg")
    assert [len(fluents) for fluents in found.subgames] == [64, 1]
    assert len(found.control) == 9
    assert not found.useless


@pytest.mark.parametrize(
    "name", ["nonogram_g", "nonogram_g_counted", "nonogram_checkerboard", "nonogram_rally"]
)
def test_nonograms_are_lines_which_may_overlap(name: str) -> None:
    found = _decompose(name)
    size = len(found.subgames)
    cells = frozenset[Term]().union(*found.subgames)
    lines = [
        frozenset(cell for cell in cells if cell.arguments[place] == value)
        for place in (0, 1)
        for value in sorted({cell.arguments[place] for cell in cells}, key=str)
    ]
    assert found.subgames in (tuple(lines[:size]), tuple(lines[size:]))
    assert size == (6 if name == "nonogram_rally" else 5)
    both = _decompose(name, overlapping=True)
    assert both.overlapping
    assert both.kind == "games that overlap"
    assert len(both.subgames) == 2 * size
    assert set(both.subgames) == set(lines)


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe_gdl",
        "connect4_7",
        "connect4_8",
        "breakthrough_gdl",
        "eight_puzzle",
        "othello",
        "pentago_gdl",
        "torus_ttt_3p",
        "blocker",
        "hex_4",
        "hanoi",
        "buttons",
        "rps_well",
        "queens06ug",
        "farming_quandries",
    ],
)
def test_what_is_one_piece_stays_so(name: str) -> None:
    found = _decompose(name)
    assert len(found.subgames) < 2
    assert found.kind == "one game"


def test_moves_are_pairs_of_moves_in_two_worlds() -> None:
    found = _decompose("blocks_world_parallel")
    for place, classes in enumerate(found.meta_actions):
        assert len(classes) == 12
        assert all(len({step.move.arguments[place] for step in steps}) == 1 for steps in classes)
        assert sum(map(len, classes)) == 144


def test_the_same_seed_finds_the_same_and_others_too() -> None:
    first, again, other = (
        decompose(parse(games.text("nim"), "nim"), seed=seed) for seed in (0, 0, 1)
    )
    assert first.evidence == again.evidence
    assert first.evidence != other.evidence
    assert first.subgames == again.subgames == other.subgames
