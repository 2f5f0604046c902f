"""What can be read off states: it is what positions say."""

import struct
from random import Random

import pytest

import semisplit
from semisplit.compiler.runtime.abi import SCORES
from semisplit.core.features import Feature, GoalCircuit
from semisplit.language.gdl.rules import GdlRules


def read(feature: Feature, state: bytes) -> int:
    if feature.place is not None:
        return int(struct.unpack_from("=i", state, 4 * feature.place)[0])
    bits = int.from_bytes(state, "little")
    return sum(value for bit, value in feature.bits if bits >> bit & 1)


def states(game: semisplit.Game, games: int = 2) -> list[tuple[semisplit.State, bytes]]:
    """Positions of some random games, and how the compiled game knows them."""
    random, found = Random(1), []
    compiled = game.compiled
    for _ in range(games):
        state = game.initial_state()
        while True:
            packed = compiled.run_keeper(compiled.codec.pack(state.position))
            found.append((state, packed))
            if not (moves := state.moves()):
                break
            state = state.apply(random.choice(moves))
    return found


def numbers(game: semisplit.Game) -> dict[str, Feature]:
    return {feature.name: feature for feature in game.rules.features.numbers}


def test_symbols_of_fluents() -> None:
    game = semisplit.load("tic_tac_toe.kif")
    symbols = {feature.name: feature for feature in game.rules.features.symbols}
    for state, packed in states(game):
        fluents = state.position.fluents
        crosses = [f for f in fluents if f.name == "cell" and f.arguments[2].name == "x"]
        assert read(symbols["cell/3 3 x"], packed) == len(crosses)
        assert sum(
            int.from_bytes(packed, "little") >> bit & 1 for bit in game.rules.features.marks
        ) == len(fluents)


def test_symbols_are_pieces_on_a_board() -> None:
    game = semisplit.load("reversi")
    for state, packed in states(game, 1):
        pieces = list(game.rules.pieces(state.position))
        for symbol in game.rules.features.symbols:
            assert read(symbol, packed) == pieces.count(symbol.name)


def test_numbers_that_goals_depend_on() -> None:
    game = semisplit.load("farming_quandries")
    assert {name for name in numbers(game) if name.startswith("(score")} == {
        f"(score {player} ?)" for player in game.rules.players
    }
    for state, packed in states(game):
        if state.is_terminal:
            scores = [
                read(numbers(game)[f"(score {player} ?)"], packed) for player in game.rules.players
            ]
            assert scores == list(state.scores)


def test_numbers_may_be_binary() -> None:
    game = semisplit.load("farmers")
    packed = states(game, 1)[0][1]
    money = [read(feature, packed) for name, feature in numbers(game).items() if "money" in name]
    assert money == [25, 25, 25]


def test_what_is_on_the_board_is_no_number() -> None:
    assert not numbers(semisplit.load("breakthrough.kif"))


def test_numbers_of_rbg_are_what_scores_are_made_of() -> None:
    found = numbers(semisplit.load("skirmish"))
    assert {"{P}", "{p}"} <= found.keys()
    assert not numbers(semisplit.load("breakthrough"))


@pytest.mark.parametrize("name", ["tic_tac_toe.kif", "hex_4", "connect4_7"])
def test_the_goal_circuit_says_what_goals_are(name: str) -> None:
    """With fluents that are simply true or false it is the logic of the rules."""
    game = semisplit.load(name)
    circuit = game.rules.goal_circuit
    assert circuit
    for _, packed in states(game):
        holds = evaluate(circuit, int.from_bytes(packed, "little"))
        reached = {
            player: value for literal, player, value in reversed(circuit.goals) if holds[literal]
        }
        if struct.unpack_from("=i", packed, 4)[0] == 0:
            players = range(1, len(game.rules.players) + 1)
            scores = struct.unpack_from(f"={len(players)}i", packed, SCORES)
            assert tuple(reached.get(player, 0) for player in players) == scores


def evaluate(circuit: GoalCircuit, bits: int) -> list[bool]:
    holds = [False, True] * circuit.nodes
    for node, bit in circuit.inputs:
        holds[2 * node] = bool(bits >> bit & 1)
        holds[2 * node + 1] = not holds[2 * node]
    for block in circuit.blocks:
        for _ in range(100 if block.is_loop else 1):
            for node, left, right in block.gates:
                holds[2 * node] = holds[left] and holds[right]
                holds[2 * node + 1] = not holds[2 * node]
    return holds


def test_circuits_are_kept() -> None:
    rules = semisplit.load("hex_4").rules
    assert isinstance(rules, GdlRules)
    first = rules.goal_circuit
    assert GdlRules(rules.description).goal_circuit == first
