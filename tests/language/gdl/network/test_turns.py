"""The proof that roles take turns: it holds what it says, and finds what it should."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semisplit.games
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.network import turns as module
from semisplit.language.gdl.network.circuit import build_circuit
from semisplit.language.gdl.network.turns import Turns, find_turns
from semisplit.language.gdl.play.interpret import Interpreter
from tests.support.generate_gdl import descriptions

FOLDER = Path(semisplit.games.__file__).parent
TURNS = ("breakthrough", "connect4_3p", "double_ttt_choice", "dual_connect_four", "hex_4", "nim")
NOT_TURNS = ("blocker", "chinook", "double_ttt_sync", "farming_quandries", "rps_well")


def prove(description: Description) -> Turns:
    return find_turns(build_circuit(ground(description)))


def bundled(name: str) -> Description:
    return parse((FOLDER / f"{name}.kif").read_text(), name)


@pytest.mark.parametrize("name", [*TURNS, "pentago", "tic_tac_toe", "torus_ttt_3p"])
def test_games_with_turns_are_proven(name: str) -> None:
    turns = prove(bundled(name))
    assert turns.exclusive
    assert len(turns.slots) == len(turns.controls) > 1


@pytest.mark.parametrize("name", NOT_TURNS)
def test_games_without_are_not(name: str) -> None:
    assert not prove(bundled(name)).exclusive


def test_a_single_role_has_nobody_to_wait_for() -> None:
    assert prove(bundled("buttons")).exclusive


def game(*rules: str) -> Description:
    """Two roles; `real` says who may choose, the others wait."""
    return parse(
        """(role a) (role b) (init (control a)) (init (tick 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal ?r left) (real ?r)) (<= (legal ?r right) (real ?r))
        (<= (legal ?r wait) (role ?r) (not (real ?r)))
        (<= (next (tick ?n)) (true (tick ?m)) (succ ?m ?n))
        (<= terminal (true (tick 3))) (goal a 50) (goal b 50)"""
        + "".join(rules),
        "turns",
    )


ALTERNATING = """(<= (real ?r) (true (control ?r)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))"""


def test_slots_are_the_moves_of_a_turn_and_controls_say_whose_it_is() -> None:
    description = game(ALTERNATING)
    program = ground(description)
    turns = prove(description)
    chosen = [[str(program.moves[code][1].name) for code in codes] for codes in turns.slots]
    assert chosen == [["left", "right"]] * 2
    first, second = turns.controls
    assert first == second ^ 1


def test_what_happens_only_once_is_seen() -> None:
    """In the third step both may choose, though there is a control."""
    assert not prove(game(ALTERNATING, "(<= (real ?r) (role ?r) (true (tick 2)))")).exclusive


def test_what_would_happen_after_the_end_does_not_matter() -> None:
    both = "(<= (real ?r) (role ?r) (true (tick 3)))"
    assert prove(game(ALTERNATING, both)).exclusive


def test_a_control_that_depends_on_moves_is_not_proven() -> None:
    again = """(<= (real ?r) (true (control ?r)))
    (<= (next (control ?r)) (does ?r left)) (<= (next (control a)) (does b right))
    (<= (next (control b)) (does a right))"""
    assert not prove(game(again)).exclusive


def test_without_an_exact_turn_there_are_no_slots() -> None:
    """In the second step nobody chooses."""
    rules = "(<= (real a) (true (tick 0))) (<= (real b) (true (tick 2)))"
    turns = prove(game(rules))
    assert turns.exclusive
    assert turns.slots == ()


def test_a_clock_with_too_many_states_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TICKS", 3)
    assert not prove(game(ALTERNATING)).exclusive


@given(descriptions(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_what_is_proven_is_so(text: str, seed: int) -> None:
    description = parse(text)
    turns = prove(description)
    interpreter, random = Interpreter(description), Random(seed)
    state = interpreter.start.fluents
    for _ in range(5):
        legal = interpreter.legal(state)
        if interpreter.is_terminal(state):
            break
        if turns.exclusive:
            assert sum(len(moves) > 1 for moves in legal) <= 1
        state = interpreter.next_state(state, tuple(map(random.choice, legal)))
