"""Games in which players see only what `sees` says, and chance."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit import load
from semisplit.core.errors import RuleError
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.play.interpret import Position, Steps
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Atom, Term
from semisplit.language.gdl.text.notation import write_term
from semisplit.language.gdl.trial import try_out
from tests.support.gdl import GAME
from tests.support.gdl_oracle import stable_model

HIDDEN = ("monty_hall", "hidden_rps", "kuhn_poker", "krieg_tic_tac_toe")


def gdl_rules(name: str) -> GdlRules:
    rules = load(name, engine="interpreter").rules
    assert isinstance(rules, GdlRules)
    return rules


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("(<= p (sees you a))", "'sees' in a body"),
        ("(<= (sees you) (true s))", "'sees' takes 2 arguments"),
        ("(<= (sees you ?x) (true s))", "variable ?x in the head"),
        ("(p (sees you a))", "'sees' is used as a function"),
    ],
)
def test_errors(rules: str, message: str) -> None:
    with pytest.raises(RuleError, match=message.replace("(", r"\(").replace("?", r"\?")):
        parse(GAME + rules)


def test_somebody_has_to_play() -> None:
    with pytest.raises(RuleError, match="nobody plays but 'random'"):
        parse(GAME.replace("you", "random"))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("(<= (sees me a) (true s))", "'me' is not a player"),
        ("(role random) (legal random go) (<= (sees random a) (true s))", "draws by lot"),
    ],
)
def test_warnings(rules: str, message: str) -> None:
    assert any(message in one.message for one in parse(GAME + rules).warnings)


def test_chance_needs_no_goal_and_no_warning() -> None:
    description = parse(f"{GAME}(role random) (legal random go)")
    assert len(description.warnings) == len(parse(GAME).warnings)
    rules = GdlRules(description)
    assert (rules.chance, rules.seats, rules.hides) == (2, (1,), False)
    assert gdl_rules("monty_hall").hides


@pytest.mark.parametrize("name", HIDDEN)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_percepts_are_those_of_the_stable_model(name: str, seed: int) -> None:
    rules, random = gdl_rules(name), Random(seed)
    game, roles = rules.interpreter, rules.description.roles
    state = game.initial
    while not game.is_terminal(state):
        joint = tuple(map(random.choice, game.legal(state)))
        given_facts = [Atom("true", (fluent,)) for fluent in state if fluent.name != "sees"]
        given_facts += [Atom("does", (role, move)) for role, move in zip(roles, joint)]
        expected = stable_model(rules.description.rules, given_facts).get("sees", set())
        state = game.next_state(state, joint)
        position = game.begin(state)
        for player, role in enumerate(roles, 1):
            seen = tuple(sorted(percept for one, percept in expected if one == role))
            assert rules.view(position, player) == seen
        assert rules.read_position(rules.write_position(position)) == position


@pytest.mark.parametrize("name", HIDDEN)
def test_the_compiled_game_has_the_same_percepts(name: str) -> None:
    rules, random = gdl_rules(name), Random(1)
    compiled = compile_game(rules.description)
    for _ in range(20):
        position: Position = rules.start
        while position.player:
            state = compiled.codec.pack(position)
            steps = random.choice([*rules.interpreter.list_moves(position)])
            codes = compiled.codec.codes(steps)
            assert codes is not None
            after = compiled.play(state, codes)
            following = rules.interpreter.follow(position, steps)
            assert following is not None
            assert after is not None
            assert compiled.codec.unpack(after) == following
            position = following


def test_a_position_says_what_was_seen() -> None:
    rules = gdl_rules("krieg_tic_tac_toe")
    position = rules.start
    for text in ("(try 2 2)", "(try 2 2)"):
        steps = next(one for one in rules.interpreter.list_moves(position) if text in _text(one))
        following = rules.interpreter.follow(position, steps)
        assert following is not None
        position = following
    assert rules.view(position, 2) == (Term("taken"),)
    assert "\nseen: (oplayer taken)\n" in rules.write_position(position)
    assert "sees" not in rules.beside_board(position)


def _text(steps: Steps) -> str:
    return " ".join(write_term(step.move) for step in steps)


def test_players_have_to_know_what_they_may_do() -> None:
    text = gdl_rules("krieg_tic_tac_toe").source.text
    assert try_out(GdlRules(parse(text)), 20.0, games=20).faults == []
    blind = text.replace("(sees ?other turn)", "(sees random turn)")
    assert blind != text
    faults = try_out(GdlRules(parse(blind)), 20.0, games=20).faults
    assert any("what oplayer may do does not follow from what it has seen" in one for one in faults)
