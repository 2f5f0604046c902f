"""What games in GDL offer to searches that decompose them: `look_ahead` and `bounds`."""

from random import Random

import pytest

import semisplit
from tests.support.rules import present
from tests.support.subgames import final_states, start_of, subgames


@pytest.mark.parametrize(
    "name", ["incredible", "nonogram_g", "double_ttt_sync", "chinook", "rps_well", "hex_4"]
)
def test_looking_ahead_tells_what_playing_does(name: str) -> None:
    compiled, random = semisplit.load(name).compiled, Random(1)
    state = start_of(semisplit.load(name))
    while compiled.player(state):
        ahead = compiled.look_ahead(state)
        assert [move for move, _ in ahead] == compiled.moves(state)
        for move, scores in random.sample(ahead, min(20, len(ahead))):
            after = present(compiled.play(state, move))
            is_over = compiled.player(after) == 0
            assert scores == (compiled.scores(after) if is_over else None)
        state = present(compiled.play(state, random.choice(ahead)[0]))


@pytest.mark.parametrize("name", ["incredible", "nonogram_g", "double_ttt_sync", "hex_4"])
def test_who_knows_all_knows_the_score_and_who_knows_less_is_never_too_low(name: str) -> None:
    game, random = semisplit.load(name), Random(2)
    compiled = game.compiled
    every = (1 << 8 * compiled.facts.state_bytes) - 1
    masks = [random.getrandbits(8 * compiled.facts.state_bytes) for _ in range(30)]
    states = final_states(game, 40)
    for state in states:
        exact, *possible = compiled.bounds(state, [every, *masks])
        assert exact == compiled.scores(state)
        for mask, bounds in zip(masks, possible):
            for other in states:
                this, that = (int.from_bytes(one, "little") & mask for one in (state, other))
                if this == that:
                    scores = compiled.scores(other)
                    assert all(score <= bound for score, bound in zip(scores, bounds))


def test_the_parts_of_incredible_bound_its_score() -> None:
    game = semisplit.load("incredible")
    maze, blocks = subgames(game, {"at": 0, "gold": 0, "on": 1, "table": 1})

    def bound(fluents: str, mask: int) -> int:
        state = game.compiled.codec.pack(game.parse_state(f"(step 19) {fluents}").position)
        return game.compiled.bounds(state, [mask])[0][0]

    assert bound("(gold w)", maze) == 100
    assert bound("(gold x)", maze) == 55
    assert bound("(on b d) (on d f) (on c a) (on a e)", blocks) == 100
    assert bound("(on c a) (on a e)", blocks) == 75
    assert bound("(on b d) (on d f)", blocks) == 70
    assert bound("(table a)", blocks) == 45
