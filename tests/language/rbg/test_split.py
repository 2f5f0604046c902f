"""Split strategies: where the dots go, and that a split game rolls up to the original one."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semisplit import games, load
from semisplit.core.errors import UnknownName
from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.language.rbg.check.description import Description, parse
from semisplit.language.rbg.check.printer import print_rule
from semisplit.language.rbg.play.automaton import build_automaton
from semisplit.language.rbg.play.interpret import KEEPER, Interpreter, Position, Steps
from semisplit.language.rbg.play.simulate import SimulationCounts, random_move
from semisplit.language.rbg.split.dots import Legality
from semisplit.language.rbg.split.split import add_plus, add_shift, split_rules
from semisplit.language.rbg.split.static import StaticGraph, members
from semisplit.language.rbg.text.ast import Rule, Shift
from semisplit.language.rbg.text.boards import Board
from tests.support import generate
from tests.support.prelude import description
from tests.support.rules import rbg
from tests.support.sampling import exhaustive, sampled_strategies

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


def illegal_by_search(rules: Rule, board: Board) -> set[int]:
    """Illegal dots found square by square: on some ways from a start to a node, not on others."""
    automaton = build_automaton(rules)
    graph = StaticGraph(automaton, board)

    def onward(node: int, vertex: int) -> Iterator[tuple[tuple[int, int], int]]:
        for edge in automaton.edges[node]:
            label = edge.action.label if isinstance(edge.action, Shift) else None
            reached = board.edges[vertex].get(label) if label else vertex
            if reached is not None and graph.live[edge.target] >> reached & 1:
                yield (edge.target, reached), edge.number

    nodes = [(n, v) for n, live in enumerate(graph.live) for v in members(live)]
    starts = {target for node in nodes for target, number in onward(*node) if number > 0}
    illegal: set[int] = set()
    for start in starts | set(nodes[:1]):
        crossed: dict[tuple[int, int], frozenset[tuple[object, int]]] = {start: frozenset()}
        stack = [start]
        while stack:
            node = stack.pop()
            for target, number in onward(*node):
                if number <= 0:
                    dots = crossed[node] | ({(node, number)} if number else set())
                    if target not in crossed:
                        crossed[target] = dots
                        stack.append(target)
                    illegal |= {-number for _, number in crossed[target] ^ dots}
    return illegal


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(generate.dotted, st.booleans())
def test_illegal_dots_are_those_found_by_search(rules: Rule, large: bool) -> None:
    board = (on_large_board if large else description)("->w").board
    graph = StaticGraph(build_automaton(rules), board)
    assert Legality(board).illegal_dots(graph) == illegal_by_search(rules, board)


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
    path: list[Position] = []
    while position is not None and len(path) < plies:
        path.append(game.run_keeper(position))
        position = random_move(game, path[-1], random, SimulationCounts(), mod=True)
    return [path[0], *random.sample(path[1:], min(count, len(path) - 1))]


def names_and_strategies() -> Iterator[Any]:
    for name in games.names("rbg"):
        if "arimaa" in name:
            continue  # Moves are counted by tens of thousands.
        sampled = sampled_strategies(name, 2)
        yield name, sampled
        yield pytest.param(name, sorted(set(STRATEGIES) - set(sampled)), marks=exhaustive)


@pytest.mark.parametrize(("name", "strategies"), list(names_and_strategies()))
def test_games_are_equivalent(name: str, strategies: list[str]) -> None:
    whole = rbg(load(name)).interpreter
    # Later these have tens of thousands of moves.
    plies = {"breakthru": 13, "connect6": 1, "paper_soccer": 10}.get(name, 40)
    positions = [p for p in sample_positions(whole, plies, 2, name) if p.player != KEEPER]
    moves = [Counter(steps for steps, _ in whole.moves(position)) for position in positions]
    for strategy in strategies:
        game = load(name, strategy)
        assert game.split is not None
        for position, expected in zip(positions, moves):
            assert rolled_up(rbg(game).interpreter, position, game.split.mod) == expected
