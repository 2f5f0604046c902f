"""Many moves made at once."""

from random import Random

import pytest

import semisplit

MOST = 256


@pytest.mark.parametrize(
    "name", ["breakthrough.kif", "tic_tac_toe.kif", "farmers", "double_ttt_sync", "hanoi", "hex_4"]
)
def test_apply_each_makes_each_move_as_if_it_were_alone(name: str) -> None:
    game = semisplit.load(name).compiled
    random = Random(1)
    for _ in range(3):
        state = game.run_keeper(game.codec.pack(semisplit.load(name).rules.start))
        while game.player(state):
            moves = game.moves(state)
            some = random.sample(moves, min(len(moves), MOST))
            states = []
            for codes in some:
                after = game.play(state, codes)
                assert after is not None
                states.append(game.run_keeper(after))
            assert game.apply_each(state, some) == states
            state = states[0]
