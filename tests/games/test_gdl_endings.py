"""Ends of games in GDL that random play hardly ever reaches: positions and what they are worth."""

import pytest

from semisplit import load
from tests.support.rules import gdl


def cells(board: str, rows: str, stones: str) -> str:
    """The fluents of a board, drawn row by row, with dots for empty cells."""
    names = {name[0]: name for name in stones.split()}
    return " ".join(
        f"(cell {board} {x} {y} {names[stone]})"
        for y, row in enumerate(rows.split(), start=1)
        for x, stone in enumerate(row, start=1)
        if stone != "."
    )


def money(**coins: int) -> str:
    """What each farmer has, in binary digits."""
    return " ".join(
        f"(one (money {player}) {place})"
        for player, amount in coins.items()
        for place in range(9)
        if amount >> place & 1
    )


def ship(number: int, east: int, north: int, speed: int) -> str:
    places = f"(place {number} east {east}) (place {number} north {north})"
    return f"{places} (speed {number} east 0) (speed {number} north {speed})"


NO_LINE = "rrbbrrbb bbrrbbrr rrbbrrbb bbrrbbrr rrbbrrbb bbrrbbrr"
RED_LINE = "rrrrbrbb bbrrbbrr rrbbrrbb bbrrbbrr rrbbrrbb bbrrbbrr"
PILGRIMS = "(cell 1 1 red pilgrim) (cell 6 6 blue pilgrim)"
WALK = "(phase red walk) (phase blue walk) (control red)"
PICTURES = {
    "checkerboard": "m.m.m .m.m. m.m.m .m.m. m.m.m",
    "cube": "..mmmm .m..mm mmmm.m m..m.m m..mm. mmmm..",
    "g": ".mmm. m.... m.mmm m...m .mmm.",
    "hourglass": "mmmmm .mmm. ..m.. .mmm. mmmmm",
    "ig": "m...m .mmmm .m... .mmm. m...m",
    "rally": "m.m.m. mm.m.m m.m.m. m..... m..... m.....",
    "sitdog": ".m... mm..m .mmmm .mmm. mm.m.",
    "tetris": "..m.. .mmm. mm.mm m..mm mmmm.",
}
ENDINGS = {
    "one ship at the planet, one moving": (
        "asteroids_parallel",
        f"{ship(1, 15, 5, 0)} {ship(2, 1, 1, 3)} (step 20)",
        (50,),
    ),
    "both ships at the planet": (
        "asteroids_parallel",
        f"{ship(1, 15, 5, 0)} {ship(2, 15, 5, 0)} (step 20)",
        (100,),
    ),
    "a ship that rests where the other coordinate is the planet's": (
        "asteroids_parallel",
        f"{ship(1, 5, 15, 0)} {ship(2, 1, 1, 3)} (step 20)",
        (25,),
    ),
    "a full suicide board": (
        "dual_connect_four",
        f"{cells('suicide', NO_LINE, 'red black')} (control red)",
        (50, 50),
    ),
    "a full suicide board with a line": (
        "dual_connect_four",
        f"{cells('suicide', RED_LINE, 'red black')} (control red)",
        (0, 100),
    ),
    "a full normal board with a line": (
        "dual_connect_four",
        f"{cells('normal', RED_LINE, 'red black')} (control red)",
        (100, 0),
    ),
    "two farmers above 80": (
        "farmers",
        f"{money(red=80, green=79, blue=105)} (step 10)",
        (100, 0, 100),
    ),
    "two richest farmers": (
        "farmers",
        f"{money(red=9, green=33, blue=33)} (step 10)",
        (0, 100, 100),
    ),
    "both pilgrims at home": (
        "pilgrimage",
        f"{PILGRIMS} (level 1 1 0) (level 6 6 0) {WALK}",
        (50, 50),
    ),
    "a pilgrim at home": ("pilgrimage", f"{PILGRIMS} (level 1 1 0) (level 6 6 1) {WALK}", (100, 0)),
    "no time left for pilgrims": (
        "pilgrimage",
        f"{PILGRIMS} (level 1 1 2) (level 6 6 5) (timer red 0) (timer blue 0) {WALK}",
        (30, 0),
    ),
    "a blocked player with more pieces": (
        "checkers",
        "(cell 1 4 white man) (cell 2 5 black man) (cell 3 6 black man) (cell 8 1 white man)"
        " (cell 7 2 black man) (cell 6 3 black man) (cell 4 7 white man) (cell 3 8 black man)"
        " (cell 5 8 black man) (pieces white 7) (pieces black 6) (control white) (step 50)",
        (100, 0),
    ),
    "two lines after turning": (
        "pentago_gdl",
        f"{cells('', 'rrrrr. ...... bbbbb.', 'red black')} (control black placing)".replace(
            "  ", " "
        ),
        (50, 50),
    ),
    "lamps that shine in the last state only": (
        "turtle_brain",
        "(cell 2 1 1) (cell 2 2 2) (cell 2 3 3) (cell 2 4 4) (step 60)",
        (0,),
    ),
    "six queens that do not attack each other": (
        "queens06ug",
        f"{cells('', '...q.. q..... ....q. .q.... .....q ..q...', 'queen')} (step 6)",
        (100,),
    ),
    "quitting instead of the eighth queen": ("queens08lg", "(step 8) given_up", (0,)),
    **{
        f"the solution of {name}": (f"nonogram_{name}", cells("", picture, "marked"), (100,))
        for name, picture in PICTURES.items()
    },
    **{
        f"the solution of {name}, after as many marks": (
            f"nonogram_{name}_counted",
            f"{cells('', PICTURES[name], 'marked')} (marks {PICTURES[name].count('m')})",
            (100,),
        )
        for name in ("checkerboard", "g", "ig")
    },
    "as many marks as the solution has, in wrong cells": (
        "nonogram_checkerboard_counted",
        f"{cells('', 'mmmmm mmmmm mmm.. ..... .....', 'marked')} (marks 13)",
        (0,),
    ),
}


@pytest.mark.parametrize(("game", "fluents", "goals"), ENDINGS.values(), ids=ENDINGS)
def test_ending(game: str, fluents: str, goals: tuple[int, ...]) -> None:
    state = load(game, engine="interpreter").parse_state(fluents)
    rules = gdl(state.game).interpreter
    assert rules.is_terminal(state.position.fluents)
    assert rules.goals(state.position.fluents) == [[goal] for goal in goals]
