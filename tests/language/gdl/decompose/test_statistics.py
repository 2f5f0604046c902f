"""Decomposition by what is seen of random play."""

import pytest

from semisplit import games
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.decompose.decomposition import SEEN
from tests.language.gdl.decompose import tiny


@pytest.mark.parametrize(
    "text",
    [
        tiny.TWO_COUNTERS,
        tiny.PAIRS,
        *map(
            games.text,
            [
                "blocks_world_parallel",
                "double_ttt_choice",
                "lights_on_parallel",
                "nim",
                "nonogram_g",
                "tic_tac_toe_gdl",
            ],
        ),
    ],
)
def test_what_is_seen_is_what_the_rules_say(text: str) -> None:
    by_rules, seen = (decompose(parse(text), statistical=one) for one in (False, True))
    assert seen.subgames == by_rules.subgames
    assert seen.control == by_rules.control
    assert (seen.evidence.transitions, seen.evidence.proven) == (SEEN, False)


def test_what_is_rare_is_not_found() -> None:
    assert len(decompose(parse(tiny.COUPLED_COUNTERS), statistical=True).subgames) == 2
    found = decompose(parse(tiny.STUCK_LAMP), statistical=True)
    assert [len(fluents) for fluents in found.subgames] == [1] * 21


def test_the_same_seed_sees_the_same() -> None:
    first, again = (decompose(parse(games.text("nim")), 3, statistical=True) for _ in range(2))
    assert first.subgames == again.subgames
    assert first.evidence == again.evidence
