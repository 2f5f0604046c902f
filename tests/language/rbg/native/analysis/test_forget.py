"""Where the rules go on in the same way from every square, positions differ in nothing else."""

from random import Random

import pytest

import semisplit
from semisplit.game import Game
from semisplit.language.rbg.play.interpret import Position
from tests.support.board_games import board_game
from tests.support.graph_games import rbg_graph
from tests.support.rules import rbg

GAMES = ("breakthrough", "connect4", "the_mill_game", "reversi", "english_draughts", "paper_soccer")
WALK = 30


def futures(game: Game, position: Position, forgetful: frozenset[int]) -> set[Position]:
    """The positions after all moves, each on the first square if it forgets the square."""
    interpreter = game.rules.interpreter
    after = {interpreter.run_keeper(one) for _, one in interpreter.moves(position)}
    return {one._replace(vertex=0) if one.at in forgetful else one for one in after}


def check(game: Game, random: Random) -> int:
    """Play at random; how often the square could be changed without a difference."""
    forgetful = frozenset(game.compiled.facts.forgetful)
    state, changed = game.initial_state(), 0
    for _ in range(WALK):
        if state.is_terminal:
            break
        position = state.position
        if position.at in forgetful:
            other = position._replace(vertex=random.randrange(len(position.pieces)))
            assert futures(game, other, forgetful) == futures(game, position, forgetful)
            changed += other != position
        state = state.apply(state.random_move(random))
    return changed


@pytest.mark.parametrize("name", GAMES)
def test_forgotten_squares_make_no_difference(name: str) -> None:
    changed = check(semisplit.load(name), Random(1))
    # A ball rolls on from where it is.
    assert (changed > 5) == (name != "paper_soccer")


def test_forgotten_squares_of_random_games_make_no_difference() -> None:
    changed = 0
    for seed in range(12):
        for maker in (board_game, rbg_graph):
            changed += check(Game.parse(maker(Random(seed))), Random(seed))
    assert changed > 5


def test_keys_hold_all_but_what_is_said_twice() -> None:
    facts, layout = semisplit.load("amazons").compiled.facts, semisplit.load("amazons").compiled
    assert 0 < facts.key_bytes < facts.state_bytes
    state = layout.codec.pack(rbg(semisplit.load("amazons")).start)
    assert state[facts.key_bytes :] != bytes(facts.state_bytes - facts.key_bytes)
