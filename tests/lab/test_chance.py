"""Matches at games with chance or hidden information."""

from contextlib import closing
from pathlib import Path

import pytest

from semisplit import load
from semisplit.agents import parse_agent
from semisplit.core.errors import InputError
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.matches.play import play_game
from semisplit.lab.store.database import Store
from semisplit.search import Budget

NAMES = ("pig", "dice_race", "kuhn_poker", "krieg_tic_tac_toe", "hidden_rps", "monty_hall")


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_to_their_end(name: str) -> None:
    game = load(name)
    seats = game.rules.seats
    agents = [parse_agent(one) for one in ("orthodox", "flat-mc")][: len(seats)]
    for seed in range(3):
        played = play_game(game, agents, [seed, seed + 1], Budget(simulations=50))
        assert played.failure is None
        assert len(played.scores) == len(seats)
        state = game.initial_state()
        for turn in played.turns:
            assert turn.player in state.deciders
            state = state.apply(turn.move)
        assert state.is_terminal
        assert played.scores == tuple(state.scores[player - 1] / 100 for player in seats)


def test_a_game_is_repeatable() -> None:
    game, agents = load("pig"), [parse_agent("random")] * 2

    def moves(seed: int) -> list[str]:
        played = play_game(game, agents, [seed, seed], Budget(simulations=1))
        return [turn.move for turn in played.turns]

    assert moves(1) == moves(1) != moves(2)


@pytest.mark.parametrize("name", ["dice_race", "kuhn_poker"])
def test_a_match_counts_who_plays(name: str, tmp_path: Path) -> None:
    agents = (parse_agent("orthodox"), parse_agent("random"))
    match = Match(load(name), agents, games=4, budget="100sims")
    assert match.game.seats == tuple(one for one in match.game.players if one != "random")
    with closing(Store(tmp_path / "games.db")) as store:
        *_, (_, games) = play_matches([match], store, None)
        assert len(games) == 4
        assert all(len(game.scores) == len(game.agents) == 2 for game in games)
        replay = store.replay(1)
        assert replay.players == match.game.seats
        assert match.game.rules.chance in {turn.player for turn in replay.turns}


def test_nobody_plays_for_chance() -> None:
    with pytest.raises(InputError, match="2 players"):
        Match(load("pig"), (parse_agent("random"),) * 3, games=1, budget="1sims")
