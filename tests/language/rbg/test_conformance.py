"""The language by example: small rules and the moves they give, as on the wire."""

import math

import pytest

from semisplit.language.rbg.check.printer import print_rule
from semisplit.language.rbg.play.interpret import KEEPER
from semisplit.language.rbg.split.straight import KINDS, straightness
from semisplit.language.rbg.text.ast import Number, Operation, Variable
from tests.support.prelude import description, game, wires
from tests.support.rules import rbg

VECTORS = {
    "->w right ->>": {"2 2"},
    "->w (right + down) {e,x} [o,x] ->> [e] ->b (up+left+right) ->> {}": {
        "2 2 2 4",
        "2 3 2 4",
        "4 2 4 4",
        "4 3 4 4",
    },
    "->w ([x] right)* ->>": {"1 3", "1 2 2 3", "1 2 2 2 3 3"},
    "->w (right [x])^2 down ->>": {"2 2 3 3 5 4"},
    "->w ((right + down)* {e}) [x] ({x} + up {e}) ->>": {
        "1 2 1 3",
        "4 2 4 3",
        "4 2 1 3",
        "5 2 5 3",
    },
    "->w right {! down} [$ t=2] {? left {e}} ->> {$ t==2} [e] ->b ->>": {"2 2 2 3"},
    "->w {? [x] {x}} {e} ->>": {"1 2"},
    "->w {? [x] {e}} ->>": set(),
    "->w {! down {e}} ->b": set(),
    "->w [] ->>": set(),
    "->w ([] + right) ->>": {"2 2"},
    "->w right": set(),
    "->w right ->b": {"2 2"},
    "->w {? ->b right} ->>": {"1 2"},
    "[$ u=e+x*2] ->w ->>": {"1 3"},
    "{$ t-1 < 0} ->w ->>": {"1 2"},
    "[$ t=1, u=7-2] ->w ->>": {"1 4"},
    "->w (down + down) ->>": {"4 2"},
    "->w ({e} + {e,x}) ->>": {"1 2"},
    # A dot is the empty word, also as a whole alternative or pattern.
    "->w (right + .) ->>": {"1 2", "2 2"},
    "->w {? .} ->>": {"1 2"},
    # Different walks with the same modifiers are one move, different switches are two.
    "->w (down {e} + right {x} left down) [x] ->>": {"4 2 4 3"},
    "->w (down ->> + down ->>)": {"4 2", "4 3"},
    "->w [x,x] ->>": {"1 2 1 4", "1 3 1 4"},
    # Division truncates toward zero and fails for zero.
    "[$ t=3] {$ (0-7)/2==0-t} ->w ->>": {"1 3"},
    "->w ({$ 1/t==0} + {$ t==0} right) ->>": {"2 2"},
}


@pytest.mark.parametrize("rules", VECTORS)
def test_moves(rules: str) -> None:
    assert wires(rules) == VECTORS[rules]


def test_moves_after_moves() -> None:
    state = game("->w (right + down) {e,x} [o,x] ->> [e] ->b (up+left+right) ->> {}")
    after = state.initial_state().apply("2 2 2 4")
    assert after.player_name == "b"
    assert after.piece("b2") == "e"
    assert {move.wire for move in after.moves()} == {"1 7", "3 7"}

    after = game("->w right {! down} [$ t=2] {? left {e}} ->> {$ t==2} [e] ->b ->>").initial_state()
    after = after.apply("2 2 2 3")
    assert after.piece("b2") == "e"
    assert {move.wire for move in after.moves()} == {"2 6"}


def test_game_over_in_the_hands_of_a_player() -> None:
    state = game("->w right ->b").initial_state().apply("2 2")
    assert state.player_name == "b"
    assert state.is_terminal


@pytest.mark.parametrize("rules", ["[$ t=t-1] ->w ->>", "[$ t=4] ->w ->>", "[$ t=u+4] ->w ->>"])
def test_keeper_stuck_at_once(rules: str) -> None:
    state = game(rules).initial_state()
    assert state.player == KEEPER
    assert state.is_terminal
    assert state.scores == (0, 0)


def test_values_after_the_keeper() -> None:
    assert game("[$ u=e+x*2] ->w ->>").initial_state().values == {"t": 0, "u": 5}
    assert game("[$ t=1, u=7-2] ->w ->>").initial_state().values == {"t": 1, "u": 5}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("t*2/3", 0),  # t*(2/3)
        ("5-2+3", 6),
        ("7-2-3", 2),
        ("2+7-3", 6),
        ("9/3/3", 1),
        ("2*3-1", 5),
        ("9-2*3", 3),
        ("(9-2)*1", 7),
        ("+5", 5),
    ],
)
def test_arithmetic_precedence(text: str, value: int) -> None:
    state = game(f"[$ t=3] [$ u={text}] ->w ->>").initial_state()
    assert state.values["u"] == value


def test_arithmetic_tree() -> None:
    rules = description("[$ u=t*2/3]").rules
    two_thirds = Operation("/", Number(2), Number(3))
    assert rules.value == Operation("*", Variable("t"), two_thirds)  # type: ignore[union-attr]


def test_each_variable_has_its_own_bound() -> None:
    assert wires("[$ t=3] [$ w=t*33] ->w ->>") == {"1 4"}
    assert game("[$ t=3] [$ b=t*33] ->w ->>").initial_state().is_terminal


def test_modifier_numbers() -> None:
    text = "[$ t=1] (->w up* {e} ([x] + [o,e]) {? [x] ->b} . ->>)^2 [$ w=100, b=0] ->> {}"
    modifiers = rbg(game(text)).interpreter.automaton.modifiers
    shown = [print_rule(edge.action) for edge in modifiers if edge.action is not None]
    turn = ["->w", "[x]", "[o]", "[e]", "->>"]
    assert shown == ["[$ t=1]", *turn, *turn, "[$ w=100]", "[$ b=0]", "->>"]
    assert [edge.number for edge in modifiers] == list(range(1, 15))


@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ("->w ([x] up)* ->>", [math.inf] * 4),
        ("->w [x] . [o] up ->>", [2, 2, 2, 1]),
        ("->w {? [x][o]} [x] ->>", [2, 1, 1, 1]),
    ],
)
def test_straightness(rules: str, numbers: list[float]) -> None:
    assert [straightness(description(rules).rules, kind) for kind in KINDS] == numbers


def test_semimoves_of_both_kinds() -> None:
    """With Mod every modifier ends a semimove, otherwise only dots and switches do."""
    rules = "->w [x] . right {e,x,o} [$ t=1] right [o] ->> {}"
    automaton = game(rules).rules.interpreter
    position = automaton.run_keeper(automaton.start)

    def line(mod: bool) -> list[list[tuple[int, int]]]:
        steps, state = [], position
        while state is position or not automaton.is_nodal(state):
            ((semimove, state),) = automaton.semimoves(state, mod=mod)
            steps.append([(step.vertex + 1, step.number) for step in semimove])
        return steps

    assert line(mod=True) == [[(1, 2)], [(1, -1)], [(2, 3)], [(3, 4)], [(3, 5)]]
    assert line(mod=False) == [[(1, 2), (1, -1)], [(2, 3), (3, 4), (3, 5)]]
