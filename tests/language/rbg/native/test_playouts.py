"""Playouts leave alone what their caller has listed."""

import ctypes

import pytest

from semisplit import Game
from semisplit.core.strategy import STRATEGIES
from tests.support.search_variants import PAWNS

_ROOM = 1 << 12
_UNTOUCHED = b"\xa5"


@pytest.mark.parametrize("split", STRATEGIES)
@pytest.mark.parametrize("function", ["orthodox_playouts", "semisplit_playouts"])
def test_lists_of_the_caller_stay_as_they_are(split: str, function: str) -> None:
    game = Game.parse(PAWNS, "pawns", split).compiled
    start = game.run_keeper(game.codec.pack(Game.parse(PAWNS, "pawns").rules.start))
    scratch, state = game._scratch(), game._copy(start)
    buffer, places = (ctypes.create_string_buffer(_UNTOUCHED * _ROOM, _ROOM) for _ in range(2))
    context, sums = scratch.context, (ctypes.c_int64 * game.facts.players)()
    context.buffer, context.places = ctypes.addressof(buffer), ctypes.addressof(places)
    context.buffer_end, context.enough = context.buffer + _ROOM, _ROOM // 4
    game._functions[function](state, 1, 50, sums, scratch.address)
    assert context.moves > 50
    assert buffer.raw == places.raw == _UNTOUCHED * _ROOM
