"""Small games that are made of others, or nearly are."""

import pytest

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.decompose.decomposition import Decomposition
from semisplit.language.gdl.decompose.explain import Explained
from semisplit.language.gdl.text.notation import write_term
from tests.language.gdl.decompose import nonograms, tiny
from tests.support.gdl import TIC_TAC_TOE


def _decompose(text: str) -> Decomposition:
    return decompose(parse(text))


def _firsts(found: Decomposition) -> list[set[str]]:
    """The first arguments of the fluents of each sub-game."""
    return [{write_term(f.arguments[0]) for f in fluents} for fluents in found.subgames]


def test_two_counters() -> None:
    found = _decompose(tiny.TWO_COUNTERS)
    assert _firsts(found) == [{"a"}, {"b"}]
    assert found.evidence.proven
    assert {fluent.name for fluent in found.control} == {"time"}
    assert [step.move.name for step in found.useless] == ["rest"]
    assert found.kind == "games in parallel, asynchronous"


def test_what_is_joined_by_something_rare_is_one_piece() -> None:
    assert len(_decompose(tiny.COUPLED_COUNTERS).subgames) < 2


def test_what_is_joined_by_something_never_seen_is_one_piece() -> None:
    apart, joined = _decompose(tiny.LAMP_BESIDE_SWITCHES), _decompose(tiny.STUCK_LAMP)
    assert [len(fluents) for fluents in apart.subgames] == [1] * 21
    assert len(joined.subgames) < 2


def test_two_games_in_series() -> None:
    found = _decompose(tiny.SERIES)
    assert _firsts(found) == [{"left"}, {"right"}]
    assert found.kind == "games in series"


def test_games_that_can_be_gone_back_to_are_no_series() -> None:
    assert len(_decompose(tiny.BACK_AND_FORTH).subgames) < 2
    # The switches stay with the key and the key with what it unlocks.
    assert len(_decompose(tiny.UNLOCKED).subgames) < 2


def test_moves_that_are_pairs() -> None:
    found = _decompose(tiny.PAIRS)
    assert _firsts(found) == [{"1"}, {"2"}]
    assert found.kind == "games in parallel with compound moves"
    assert [len(classes) for classes in found.meta_actions] == [4, 4]


def test_two_boards_whose_empty_cells_are_fluents() -> None:
    found = _decompose(tiny.TWO_BOARDS)
    assert _firsts(found) == [{"l"}, {"r"}]
    assert [len(fluents) for fluents in found.subgames] == [27, 27]
    assert {step.move.name for step in found.useless} == {"noop"}


def test_two_boards_in_series() -> None:
    found = _decompose(tiny.BOARDS_IN_SERIES)
    assert _firsts(found) == [{"l"}, {"r"}]
    assert [len(fluents) for fluents in found.subgames] == [27, 27]
    assert found.kind == "games in series"
    phases = _decompose(tiny.BOARDS_WITH_PHASES)
    assert phases.kind == "games in series"
    assert [len(fluents) for fluents in phases.subgames] == [29, 27]
    assert {step.move.name for step in phases.useless} == {"noop"}


@pytest.mark.parametrize("text", [tiny.BOARDS_WITH_A_FLAG, tiny.BOARDS_SET_UP_LATER])
def test_rules_of_the_second_board_may_ask_whether_the_first_is_over(text: str) -> None:
    found = _decompose(text)
    cells = [{f for f in fluents if f.name == "cell"} for fluents in found.subgames]
    assert [{write_term(f.arguments[0]) for f in fluents} for fluents in cells] == [{"l"}, {"r"}]
    assert [len(fluents) for fluents in found.subgames] == [27, 28]
    assert found.kind == "games in series"
    assert not found.evidence.proven
    assert "By the rules" not in str(Explained(found, parse(text)))


def test_what_a_second_board_takes_over_from_the_first_joins_them() -> None:
    found = _decompose(tiny.FLAG_THAT_MATTERS)
    assert [len(fluents) for fluents in found.subgames] == [55]


@pytest.mark.parametrize("text", [nonograms.COUNTED_MARKS, nonograms.COUNTED_LINES])
def test_counters_do_not_keep_the_lines_of_a_nonogram_together(text: str) -> None:
    found = _decompose(text)
    lines = [{f for f in fluents if f.name == "cell"} for fluents in found.subgames]
    places = [[{f.arguments[axis] for f in cells} for axis in (0, 1)] for cells in lines if cells]
    assert sorted(map(len, filter(None, lines))) == [5] * 5
    assert all(1 in map(len, axes) for axes in places)
    # What was counted is something else.
    counters = [fluents for fluents, cells in zip(found.subgames, lines) if not cells]
    assert counters


def test_one_board_whose_empty_cells_are_fluents() -> None:
    found = _decompose(TIC_TAC_TOE)
    assert [len(fluents) for fluents in found.subgames] == [27]
    assert len(found.useless) == 2


def test_nothing_to_play() -> None:
    over = "(role a) (legal a x) (goal a 50) (init f) (<= (next f) (true f)) (<= terminal (true f))"
    found = _decompose(over)
    assert found.subgames == ()
    assert len(found.subgames) < 2
    assert {fluent.name for fluent in found.control} == {"f"}
