"""Beliefs, and agents in games in which players do not see the position."""

from collections import Counter
from random import Random

import pytest

from semisplit import Game, load
from semisplit.agents import make_agent, parse_agent
from semisplit.agents.imperfect.belief import Belief, Seen
from semisplit.agents.imperfect.sampling import SamplingAgent
from semisplit.core.errors import InputError
from semisplit.core.steps import Position, Steps
from semisplit.search import Budget

LONGEST = 7
"""Moves after which there are not too many possibilities yet."""
NAMES = ("monty_hall", "hidden_rps", "kuhn_poker", "krieg_tic_tac_toe")


def consistent(game: Game, player: int, history: list[Seen]) -> set[Position]:
    """All positions that could have led to what a player has seen, by trying all moves."""
    rules, found = game.rules, {game.initial_state().position}
    for own, view in history:
        found = {
            after
            for position in found
            for steps in (game.reasoner.list_moves(position) if position.player else ())
            if not own or rules.part(steps, player) == own
            if (after := game.reasoner.follow(position, steps)) is not None
            and rules.view(after, player) == view
        }
    running = {position for position in found if position.player}
    return running or found


def played(game: Game, player: int, belief: Belief, seed: int) -> list[Seen]:
    """Play at random to the end; the belief follows, and the true position is always in it."""
    state, random, history = game.initial_state(), Random(seed), list[Seen]()
    while not state.is_terminal and len(history) < LONGEST:
        assert any(
            {*map(tuple, belief.own_moves(position))} == own_steps(game, state.position, player)
            for position in belief.positions
        )
        move = state.random_move(random)
        has_choice = len(own_steps(game, state.position, player)) > 1
        own = game.rules.part(move.steps, player) if has_choice else ()
        state = state.apply(move)
        history.append(Seen(own, game.rules.view(state.position, player)))
        belief.go_on(history[-1])
        assert belief.is_consistent
        expected = consistent(game, player, history)
        assert {*belief.positions} <= expected
        assert belief.positions
    return history


def own_steps(game: Game, position: Position, player: int) -> set[Steps]:
    found = {game.rules.part(steps, player) for steps in game.reasoner.list_moves(position)}
    return found - {()}


@pytest.mark.parametrize("name", NAMES)
def test_all_that_is_possible_is_believed(name: str) -> None:
    game = load(name)
    for player in game.rules.seats:
        for seed in range(3):
            belief = Belief(game, player, Random(seed), most=100_000)
            history = played(game, player, belief, seed)
            assert {*belief.positions} == consistent(game, player, history)


@pytest.mark.parametrize("name", NAMES)
def test_a_few_samples_stay_possible(name: str) -> None:
    game = load(name)
    for player in game.rules.seats:
        for seed in range(3):
            played(game, player, Belief(game, player, Random(seed), most=3), seed)


def test_the_host_of_monty_hall_is_weighed() -> None:
    game = load("monty_hall")
    belief = Belief(game, 1, Random(0))
    state = game.initial_state().apply("(hide 2)")
    belief.go_on(Seen((), game.rules.view(state.position, 1)))
    chosen = state.parse_move("(choose 1)")
    for move, own in ((chosen, chosen.steps), (None, ())):
        # There is only one door left to open, which nobody chooses.
        state = state.apply(move or state.moves()[0])
        belief.go_on(Seen(own, game.rules.view(state.position, 1)))
    weights = {str(position.fluents): weight for position, weight in belief.positions.items()}
    total = sum(weights.values())
    assert sorted(round(weight / total, 6) for weight in weights.values()) == [0.333333, 0.666667]


@pytest.mark.parametrize("agent", ["orthodox", "flat-mc", "orthodox+mast"])
def test_the_candidate_switches(agent: str) -> None:
    game = load("monty_hall")
    for seed in range(3):
        one = make_agent(parse_agent(agent), game, seed, 1)
        assert isinstance(one, SamplingAgent)
        state, random = game.initial_state(), Random(seed)
        while not state.is_terminal:
            if 1 in state.deciders:
                move = one.think(Budget(simulations=400)).move
            else:
                move = state.random_move(random)
            if {"stay", "switch"} <= {str(legal) for legal in state.moves()}:
                assert str(move) == "switch"
            one.play(move)
            state = state.apply(move)


def test_what_is_hidden_makes_no_difference() -> None:
    """The second player of a hidden game thinks the same whatever the first has written."""
    game = load("hidden_rps")
    thoughts = Counter[str]()
    for shape in ("rock", "paper", "scissors"):
        one = make_agent(parse_agent("orthodox"), game, 7, 2)
        one.play(game.initial_state().parse_move(f"(write {shape})"))
        thought = one.think(Budget(simulations=600))
        thoughts[f"{thought.move} {thought.score}"] += 1
    assert len(thoughts) == 1


def test_a_player_has_to_be_named() -> None:
    with pytest.raises(InputError, match="say which one"):
        make_agent(parse_agent("orthodox"), load("kuhn_poker"), 0)


@pytest.mark.parametrize(
    ("game", "kind"), [("pig", "chance"), ("kuhn_poker", "hidden information")]
)
def test_several_trees_are_refused(game: str, kind: str) -> None:
    with pytest.raises(InputError, match=f"cannot play games of {kind}"):
        make_agent(parse_agent("mt-mcts"), load(game), 0, 1)
