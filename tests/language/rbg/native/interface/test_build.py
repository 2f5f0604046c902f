"""What a game consists of: its functions, and what each calls and changes."""

import pytest

from semisplit.compiler.runtime.abi import Bundle
from tests.support.analysed import text
from tests.support.emitted import emitted, game_outline

RULES = "->w {e} [x] ->b {e} [o] ->w"


def test_a_game_whose_moves_are_not_split() -> None:
    assert game_outline(emitted(RULES)) == text("""
        act
        keeper
        region1
        run_keeper keeper()
        region2
        region3
        region6
        play step8()
        step8 act() state.at state.vertex state.player
        apply act() state.at state.vertex run_keeper() state.player state.e state.x state.o
        list_nodal list_on_copy()
        list_on_copy context.found context.written context.status region3() region2()
        list_moves context.work context.found list_nodal() context.status context.written act()
        orthodox_playout region3() region2() act()
        orthodox_playouts orthodox_playout()
        """)


def new(split: str | None, bundle: Bundle) -> set[str]:
    """Functions that are there besides those of the game whose moves are not split."""
    plain = {one.name for one in emitted(RULES).module.ir.functions}
    names = {one.name for one in emitted(RULES, split, bundle).module.ir.functions if one.blocks}
    return {name for name in names - plain if not name[-1].isdigit()}


@pytest.mark.parametrize(
    ("split", "bundle", "expected"),
    [
        (
            "Mod",
            Bundle.GAME,
            ["list_actions", "list_semimoves", "semisplit_playout", "semisplit_playouts"],
        ),
        ("Plus", Bundle.GAME, ["list_semimoves", "semisplit_playout", "semisplit_playouts"]),
        ("Mod", Bundle.GUIDED, ["best", "equal", "guided_playout", "guided_playouts"]),
        (
            None,
            Bundle.NUMBERED,
            ["apply_number", "best", "equal", "guided_playout", "guided_playouts", "list_numbers"],
        ),
        ("Mod", Bundle.THREADS, ["games", "thread"]),
    ],
)
def test_what_else_there_is(split: str | None, bundle: Bundle, expected: list[str]) -> None:
    assert sorted(new(split, bundle)) == expected
