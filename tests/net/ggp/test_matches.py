"""Ours against ours, over real sockets."""

import asyncio
from contextlib import ExitStack

import pytest

import semisplit
from semisplit.game import Game
from semisplit.language.gdl.rules import GdlRules
from semisplit.net.ggp.client import Address
from semisplit.net.ggp.host import Host, Terms
from semisplit.net.ggp.messages import find_move
from semisplit.net.ggp.records import MatchRecord
from tests.support.ggp_peers import playing


def play(game: Game, agents: list[str], terms: Terms) -> list[MatchRecord]:
    with ExitStack() as stack:
        ports = [stack.enter_context(playing(agent)) for agent in agents]
        addresses = [Address(f"127.0.0.1:{port}") for port in ports]
        return asyncio.run(Host(game, addresses, terms, seed=1).play())


def check(game: Game, record: MatchRecord) -> None:
    """A record tells a game by the rules, to its end, in which nobody has done anything wrong."""
    assert isinstance(game.rules, GdlRules)
    interpreter = game.rules.interpreter
    state = interpreter.start.fluents
    for moves, errors in zip(record.moves, record.errors):
        assert errors == [""] * len(moves)
        joint = [find_move(move, may) for move, may in zip(moves, interpreter.legal(state))]
        assert None not in joint
        state = interpreter.next_state(state, tuple(move for move in joint if move is not None))
    assert interpreter.is_terminal(state)
    assert record.is_completed
    assert record.goal_values == [max(goals) for goals in interpreter.goals(state)]
    assert len(record.states) == len(record.state_times) == len(record.moves) + 1
    assert len(record.states[-1]) == len(state)


@pytest.mark.parametrize(
    ("name", "agents", "terms"),
    [
        ("tic_tac_toe.kif", ["orthodox", "random"], Terms(2, 1, scramble=True)),
        ("buttons", ["auto"], Terms(2, 1)),
        ("connect4_7", ["random", "random"], Terms(2, 2)),
        ("connect4_3p", ["random", "random", "random"], Terms(2, 2, scramble=True)),
        ("rps_well", ["random", "random"], Terms(2, 2, games=2)),
    ],
)
def test_matches_are_played_to_their_end(name: str, agents: list[str], terms: Terms) -> None:
    game = semisplit.load(name, engine="interpreter")
    records = play(game, agents, terms)
    assert len(records) == terms.games
    for record in records:
        check(game, record)
