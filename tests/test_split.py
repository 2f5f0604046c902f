"""Split strategies: where the dots go, and that a split game rolls up to the original one."""

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from semisplit import games, load
from semisplit.core.errors import UnknownName
from semisplit.rbg.ast import Rule
from semisplit.rbg.description import Description, parse
from semisplit.rbg.interpret import KEEPER, Interpreter, Position, Steps
from semisplit.rbg.printer import print_rule
from semisplit.rbg.simulate import Simulation, random_move
from semisplit.rbg.split import STRATEGIES, SplitStrategy, add_plus, add_shift, split_rules
from tests import generate
from tests.prelude import description

BOARD = "rectangle(up,down,left,right,[e,e,e,e][e,e,e,e][e,e,e,e])"


def on_large_board(rules: str) -> Description:
    """A game on three rows of four empty squares."""
    return parse(
        f"#players = w(1), b(1) #pieces = e, x, o #variables = #board = {BOARD} #rules = {rules}"
    )


@pytest.mark.parametrize(
    ("rules", "plus", "shift"),
    [
        (
            "->w (left* + right*)(up* + down*) {e} ([x] + {o} [e] + right [o] + up) ->>",
            "->w (left* + right*) (up* + down*) {e} ([x] + . {o} [e] + . right [o] + . up) ->>",
            "->w (left* + right*) . (up* + down*) {e} ([x] + {o} [e] + right [o] + up) ->>",
        ),
        (
            "->w ((left + right)* + up [x])* ->>",
            "->w (. (left + right)* + . up [x])* ->>",
            "->w (((left + right) .)* + up [x])* ->>",
        ),
        (
            "->w (up + down) left {e} left (up + down) ->>",
            "->w (up + down) left {e} left (up + down) ->>",
            "->w (up + down) . left {e} left (up + down) ->>",
        ),
        ("->w {? (up + {e})} (up + [x]) ->>", "->w {? up + {e}} (. up + [x]) ->>", None),
    ],
)
def test_where_dots_go(rules: str, plus: str, shift: str | None) -> None:
    tree = on_large_board(rules).rules
    assert print_rule(add_plus(tree)) == plus
    assert print_rule(add_shift(tree)) == shift or shift is None


@pytest.mark.parametrize(
    ("rules", "repaired"),
    [
        # One move on two ways: the dot moves on.
        ("->w (right + .right) ->b", "->w (right + right) . ->b"),
        # A dot in a loop leaves it.
        ("->w ((left + right) .)* [x] ->>", "->w (left + right)* . [x] ->>"),
        ("->w (. right left)* [x] ->>", "->w (right left)* . [x] ->>"),
        # A game may end behind the switch, here where there is no way up.
        (
            "->w (. {! up} + . (up + down)*) ->> up ->b",
            "->w ({! up} + (up + down)*) . ->> up ->b",
        ),
        # In a corner there is no choice on either side.
        (
            "->w (left + right) . (up + down) {e} [x] ->>",
            "->w (left + right) (up + down) {e} [x] ->>",
        ),
        # Here there is.
        (
            "->w (left* + right*) . (up* + down*) {e} [x] ->>",
            "->w (left* + right*) . (up* + down*) {e} [x] ->>",
        ),
        # The keeper ignores dots.
        ("->w [x] ->> (. {e} + . {x}) ->w", "->w [x] ->> ({e} + {x}) ->w"),
        ("->w [x] . ->>", "->w [x] ->>"),
    ],
)
def test_repair_and_removal(rules: str, repaired: str) -> None:
    game = on_large_board(rules)
    assert print_rule(split_rules(game.rules, game.board, SplitStrategy())) == repaired


def test_names_of_strategies() -> None:
    assert [str(SplitStrategy.parse(name)) for name in STRATEGIES] == list(STRATEGIES)
    assert SplitStrategy.parse("modplus") == SplitStrategy(mod=True, plus=True)
    with pytest.raises(UnknownName, match="did you mean 'ModPlus'"):
        SplitStrategy.parse("ModPlsu")
    with pytest.raises(UnknownName):
        SplitStrategy.parse("")


def rolled_up(game: Interpreter, position: Position, mod: bool) -> Counter[Steps]:
    """All sequences of semimoves up to the next nodal state, without their dots."""
    found: Counter[Steps] = Counter()
    stack: list[tuple[Steps, Position]] = [((), position)]
    while stack:
        before, state = stack.pop()
        for steps, after in game.semimoves(state, mod=mod):
            path = before + steps
            if game.is_nodal(after):
                found[tuple(step for step in path if step.number > 0)] += 1
            else:
                stack.append((path, after))
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(generate.rules)
def test_generated_games_are_equivalent(rules: Rule) -> None:
    game = description("->w")
    whole = Interpreter(game, rules)
    start = whole.run_keeper(whole.start)
    moves = Counter(steps for steps, _ in whole.moves(start))
    assert set(moves.values()) <= {1}
    for name in STRATEGIES:
        strategy = SplitStrategy.parse(name)
        divided = Interpreter(game, split_rules(rules, game.board, strategy))
        assert rolled_up(divided, start, strategy.mod) == moves


def sample_positions(game: Interpreter, plies: int, count: int, seed: str) -> list[Position]:
    """The initial state and some states of a game drawn semimove by semimove."""
    random = Random(seed)
    position: Position | None = game.start
    path = []
    while position is not None and len(path) < plies:
        path.append(game.run_keeper(position))
        position = random_move(game, path[-1], random, Simulation(), mod=True)
    return [path[0], *random.sample(path[1:], min(count, len(path) - 1))]


# In Arimaa the analysis of split points takes long, or moves are counted by tens of thousands.
@pytest.mark.parametrize("name", [name for name in games.names() if "arimaa" not in name])
def test_games_are_equivalent(name: str) -> None:
    whole = load(name).interpreter
    # Later these have tens of thousands of moves.
    plies = {"breakthru": 13, "connect6": 1, "paper_soccer": 10}.get(name, 40)
    positions = [p for p in sample_positions(whole, plies, 2, name) if p.player != KEEPER]
    moves = [Counter(steps for steps, _ in whole.moves(position)) for position in positions]
    for strategy in STRATEGIES:
        game = load(name, strategy)
        assert game.split is not None
        for position, expected in zip(positions, moves):
            assert rolled_up(game.interpreter, position, game.split.mod) == expected
