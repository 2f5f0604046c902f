"""Small games that are made of others, or nearly are."""

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.decompose.decomposition import Decomposition
from semisplit.language.gdl.text.notation import write_term
from tests.language.gdl.decompose import tiny
from tests.support.gdl import TIC_TAC_TOE


def _decompose(text: str) -> Decomposition:
    return decompose(parse(text))


def _firsts(found: Decomposition) -> list[set[str]]:
    """The first arguments of the fluents of each sub-game."""
    return [{write_term(f.arguments[0]) for f in fluents} for fluents in found.subgames]


def test_two_counters() -> None:
    found = _decompose(tiny.TWO_COUNTERS)
    assert _firsts(found) == [{"a"}, {"b"}]
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
