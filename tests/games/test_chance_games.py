"""The bundled games with chance or hidden information: exact values, by two readings of each."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice

import pytest

from semisplit import load
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.percepts import percepts
from semisplit.language.gdl.play.interpret import State
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term
from tests.support.chance_games import MODELS, value
from tests.support.gdl_facts import LEVELS, count_levels

_LEVELS = 10


def gdl_rules(name: str) -> GdlRules:
    rules = load(name, engine="interpreter").rules
    assert isinstance(rules, GdlRules)
    return rules


@pytest.mark.parametrize("name", MODELS)
def test_the_second_reading_has_the_known_counts(name: str) -> None:
    model = MODELS[name]
    known = [level for level in LEVELS[name][:_LEVELS] if level.states < 10_000]
    found = count_levels(model.start, model.roles, model.after, model.goals)
    assert [*islice(found, len(known))] == known


@pytest.mark.parametrize(("name", "white"), [("pig", 70.941304118), ("dice_race", 54.961585999)])
def test_what_the_first_player_wins(name: str, white: float) -> None:
    assert value(MODELS[name], 0) == pytest.approx(white)
    assert compiled_value(name, 0) == pytest.approx(white)


def compiled_value(name: str, role: int) -> float:
    """What a role can expect if all see everything, by the compiled game."""
    rules = gdl_rules(name)
    game = compile_game(rules.description)

    @cache
    def values(state: bytes) -> tuple[float, ...]:
        player = game.player(state)
        if not player:
            return tuple(map(float, game.scores(state)))
        following = [game.play(state, codes) for codes in game.moves(state)]
        found = [values(after) for after in following if after is not None]
        if player == rules.chance:
            return tuple(sum(column) / len(found) for column in zip(*found))
        return max(found, key=lambda one: one[player - 1])

    return values(game.codec.pack(rules.start))[role]


Strategy = Callable[[tuple[tuple[str, ...], ...], str], Fraction]
"""How likely a move is, after all that was seen."""


def expected(rules: GdlRules, strategies: dict[str, Strategy], role: str) -> Fraction:
    """The goal of a role if those who play draw by strategies; the others' moves are as likely."""
    game, roles = rules.interpreter, [one.name for one in rules.description.roles]

    def go(state: State, seen: dict[str, tuple[tuple[str, ...], ...]]) -> Fraction:
        if game.is_terminal(state):
            return Fraction(max(game.goals(state)[roles.index(role)]))
        legal = dict(zip(roles, game.legal(state)))
        mover = next((one for one in roles if len(legal[one]) > 1), roles[0])
        total = Fraction(0)
        for move in legal[mover]:
            likely = Fraction(1, len(legal[mover]))
            if mover in strategies and len(legal[mover]) > 1:
                likely = strategies[mover](seen[mover], move.name)
            if likely:
                joint = tuple(move if one == mover else legal[one][0] for one in roles)
                after = game.next_state(state, joint)
                total += likely * go(after, {one: _seen(seen, one, after) for one in roles})
        return total

    return go(game.initial, dict.fromkeys(roles, ()))


def _seen(
    seen: dict[str, tuple[tuple[str, ...], ...]], role: str, state: State
) -> tuple[tuple[str, ...], ...]:
    return (*seen[role], tuple(map(write_term, percepts(state, Term(role)))))


def best_reply(rules: GdlRules, strategies: dict[str, Strategy], role: str) -> Fraction:
    """The most that a role can expect against strategies, by trying all of its own."""
    game, roles = rules.interpreter, [one.name for one in rules.description.roles]
    at = roles.index(role)
    Weighted = list[tuple[State, Fraction, dict[str, tuple[tuple[str, ...], ...]]]]

    def go(belief: Weighted) -> Fraction:
        """What comes of states that look the same to the role."""
        state = belief[0][0]
        if game.is_terminal(state):
            return sum(
                (weight * max(game.goals(one)[at]) for one, weight, _ in belief), Fraction(0)
            )
        found = []
        for own in game.legal(state)[at]:
            groups: dict[tuple[bool, tuple[Term, ...]], Weighted] = {}
            for one, weight, seen in belief:
                legal = dict(zip(roles, game.legal(one)))
                others = [r for r in roles if r != role and len(legal[r]) > 1]
                mover = others[0] if others else next(r for r in roles if r != role)
                for move in legal[mover]:
                    likely = Fraction(1, len(legal[mover]))
                    if mover in strategies and len(legal[mover]) > 1:
                        likely = strategies[mover](seen[mover], move.name)
                    if likely:
                        moves = {r: legal[r][0] for r in roles} | {mover: move, role: own}
                        after = game.next_state(one, tuple(moves[r] for r in roles))
                        key = game.is_terminal(after), percepts(after, Term(role))
                        known = {r: _seen(seen, r, after) for r in roles}
                        groups.setdefault(key, []).append((after, weight * likely, known))
            found.append(sum((go(group) for group in groups.values()), Fraction(0)))
        return max(found)

    return go([(game.initial, Fraction(1), dict.fromkeys(roles, ()))])


def test_switching_wins_two_times_in_three() -> None:
    rules = gdl_rules("monty_hall")
    assert best_reply(rules, {}, "candidate") == Fraction(200, 3)
    for answer, wins in (("switch", 2), ("stay", 1)):

        def strategy(seen: object, move: str, answer: str = answer) -> Fraction:
            return Fraction(move == answer) if move in ("switch", "stay") else Fraction(1, 3)

        assert expected(rules, {"candidate": strategy}, "candidate") == Fraction(100 * wins, 3)


def _card(seen: tuple[tuple[str, ...], ...]) -> str:
    (card,) = (one[7:-1] for one in seen[0] if one.startswith("(holds "))
    return card


def _first(seen: tuple[tuple[str, ...], ...], move: str) -> Fraction:
    """An equilibrium of first: it always checks, and calls a bet with a king or often a queen."""
    calls = {"jack": Fraction(0), "queen": Fraction(1, 3), "king": Fraction(1)}[_card(seen)]
    chances = {"check": Fraction(1), "bet": Fraction(0), "call": calls, "fold": 1 - calls}
    return chances[move]


def _second(seen: tuple[tuple[str, ...], ...], move: str) -> Fraction:
    """The equilibrium of second."""
    bets = {"jack": Fraction(1, 3), "queen": Fraction(0), "king": Fraction(1)}[_card(seen)]
    calls = {"jack": Fraction(0), "queen": Fraction(1, 3), "king": Fraction(1)}[_card(seen)]
    chances = {"check": 1 - bets, "bet": bets, "call": calls, "fold": 1 - calls}
    return chances[move]


def test_first_loses_an_eighteenth_of_a_coin_in_kuhn_poker() -> None:
    rules = gdl_rules("kuhn_poker")
    first = 50 - Fraction(25, 18)
    assert expected(rules, {"first": _first, "second": _second}, "first") == first
    assert best_reply(rules, {"second": _second}, "first") == first
    assert best_reply(rules, {"first": _first}, "second") == 100 - first


def test_hidden_shapes_are_worth_the_same() -> None:
    rules = gdl_rules("hidden_rps")

    def any_shape(seen: object, move: str) -> Fraction:
        return Fraction(1, 3)

    for role, other in (("red", "blue"), ("blue", "red")):
        assert best_reply(rules, {other: any_shape}, role) == 50
