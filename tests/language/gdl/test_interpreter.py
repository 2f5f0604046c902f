"""What rules mean, one rule of the language at a time."""

import pytest

from semisplit.core.errors import WorkLimit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import Interpreter, Position, Step
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term
from tests.support.gdl import GAME, TIC_TAC_TOE, perft


def interpret(text: str, max_work: int = 1_000_000) -> Interpreter:
    return Interpreter(parse(text), max_work)


def rows(text: str, name: str) -> set[str]:
    """What holds of a predicate in the initial state of the smallest game with more rules."""
    game = interpret(GAME + text)
    found = game.model(game.start.fluents)[name].rows
    return {" ".join(map(write_term, row)) for row in found}


def fluents(position: Position) -> set[str]:
    return set(map(write_term, position.fluents))


def moves(game: Interpreter, position: Position) -> list[str]:
    return [" ".join(step.wire for step in steps) for steps, _ in game.moves(position)]


def test_joins() -> None:
    edges = "(e a b) (e b c) (e c a) (e c c) "
    assert rows(edges + "(<= (p ?x ?z) (e ?x ?y) (e ?y ?z))", "p") == {
        "a c",
        "b a",
        "b c",
        "c b",
        "c a",
        "c c",
    }
    assert rows(edges + "(<= (p ?x) (e ?x ?x))", "p") == {"c"}
    assert rows(edges + "(<= (p ?x) (e ?x ?y) (distinct ?x ?y))", "p") == {"a", "b", "c"}
    assert rows(edges + "(<= (p ?x ?y) (e ?x a) (e a ?y))", "p") == {"c b"}
    assert rows(edges + "(<= p (e ?x ?y) (e ?y ?x) (distinct ?x ?y))", "p") == set()


def test_functions() -> None:
    facts = "(q (f a b)) (q (f b (g b))) (q (f (g b) b)) (q (g b)) (q c) "
    assert rows(facts + "(<= (p ?x) (q (f ?x b)))", "p") == {"a", "(g b)"}
    assert rows(facts + "(<= (p ?x) (q (f ?x ?y)) (q ?y))", "p") == {"b"}
    assert rows(facts + "(<= (p ?x) (q (f ?x (g ?x))))", "p") == {"b"}
    assert rows(facts + "(<= (p (h ?x ?y)) (q (f ?x ?y)) (not (q ?x)))", "p") == {
        "(h a b)",
        "(h b (g b))",
    }


def test_functions_of_different_arities_do_not_match() -> None:
    assert rows("(q (f a)) (q (f a b)) (q f) (<= (p ?x) (q (f ?x)))", "p") == {"a"}


def test_negation_is_about_complete_strata() -> None:
    text = "(d 1) (d 2) (d 3) (n 1 2) (n 2 3) (<= (top ?x) (d ?x) (not (more ?x)))"
    text += "(<= (more ?x) (n ?x ?y)) (<= (low ?x) (d ?x) (not (top ?x)))"
    assert rows(text, "top") == {"3"}
    assert rows(text, "low") == {"1", "2"}


def test_recursion() -> None:
    edges = "(e a b) (e b c) (e c d) (e d b) (node a) (node b) (node c) (node d) "
    reach = "(<= (r ?x ?y) (e ?x ?y)) (<= (r ?x ?z) (r ?x ?y) (e ?y ?z)) "
    assert rows(edges + reach + "(<= (p ?x) (r ?x ?x))", "p") == {"b", "c", "d"}
    apart = "(<= (p ?x ?y) (node ?x) (node ?y) (not (r ?x ?y)))"
    assert rows(edges + reach + apart, "p") == {"a a", "b a", "c a", "d a"}
    mutual = (
        "(<= (u ?y) (v ?x) (e ?x ?y)) (<= (v ?y) (u ?x) (e ?x ?y)) (v a) (<= (p ?x) (u ?x) (v ?x))"
    )
    assert rows(edges + mutual, "p") == {"b", "c", "d"}
    both = "(<= (t ?x ?z) (t ?x ?y) (t ?y ?z) (e ?y ?z)) (<= (t ?x ?y) (e ?x ?y))"
    assert len(rows(edges + both, "t")) == 12


def test_alternatives_and_negated_alternatives() -> None:
    facts = "(d a) (d b) (d c) (q a) (r b) "
    assert rows(facts + "(<= (p ?x) (d ?x) (or (q ?x) (r ?x)))", "p") == {"a", "b"}
    assert rows(facts + "(<= (p ?x) (d ?x) (not (or (q ?x) (r ?x))))", "p") == {"c"}
    assert rows(facts + "(<= (p ?x) (d ?x) (not (distinct ?x b)))", "p") == {"b"}
    many = "(or (q ?x) (r ?x) (distinct ?x b))" * 6
    assert rows(f"{facts}(<= (p ?x) (d ?x) {many})", "p") == {"a", "b", "c"}
    assert rows(f"{facts}(<= (p ?x) (d ?x) (distinct ?x a) {many})", "p") == {"b", "c"}


def test_nothing_stays_that_is_not_said_to() -> None:
    game = interpret(
        "(role a) (init x) (init y) (legal a m) (<= (next x) (true x) (true y)) (goal a 1)"
        "(<= terminal (not (true x)))"
    )
    (first,) = [after for _, after in game.moves(game.start)]
    assert fluents(first) == {"x"}
    (second,) = [after for _, after in game.moves(first)]
    assert fluents(second) == set()
    assert second.player == 0
    assert not list(game.moves(second))


SIMULTANEOUS = """
(role a) (role b) (role c)
(legal a 1) (legal a 2) (<= (legal b 1) (true go)) (legal c 1) (legal c 2) (legal c 3)
(init go) (<= (next (did ?r ?m)) (does ?r ?m))
(<= terminal (not (true go))) (<= (goal ?r 7) (role ?r))
"""


def test_only_roles_with_a_choice_choose() -> None:
    game = interpret(SIMULTANEOUS)
    assert game.start.player == 1
    assert moves(game, game.start) == ["1 1", "1 2", "1 3", "2 1", "2 2", "2 3"]
    (_, _, (steps, after), *_) = game.moves(game.start)
    assert steps == (Step(1, Term("1")), Step(3, Term("3")))
    assert fluents(after) == {"(did a 1)", "(did b 1)", "(did c 3)"}
    assert after.player == 0


def test_roles_choose_one_after_the_other() -> None:
    game = interpret(SIMULTANEOUS)
    inside = game.follow(game.start, (Step(1, Term("2")),))
    assert inside is not None
    assert not game.is_nodal(inside)
    assert inside.player == 3
    assert inside.fluents == game.start.fluents
    assert moves(game, inside) == ["1", "2", "3"]
    assert [steps for steps, _ in game.semimoves(inside, mod=False)] == [
        (Step(3, Term(move)),) for move in "123"
    ]
    after = game.follow(inside, (Step(3, Term("1")),))
    assert after == game.follow(game.start, (Step(1, Term("2")), Step(3, Term("1"))))


@pytest.mark.parametrize(
    "steps",
    [
        ((2, "1"),),
        ((1, "3"),),
        ((3, "1"), (1, "1")),
        ((1, "1"), (3, "1"), (1, "1")),
        ((1, "1"), (2, "1"), (3, "1")),
    ],
)
def test_what_is_not_legal_cannot_be_followed(steps: tuple[tuple[int, str], ...]) -> None:
    game = interpret(SIMULTANEOUS)
    assert game.follow(game.start, tuple(Step(role, Term(move)) for role, move in steps)) is None


def test_without_any_choice_the_first_role_moves() -> None:
    game = interpret("(role a) (role b) (legal a x) (legal b y) (goal a 0) (<= terminal (true e))")
    assert game.start.player == 1
    assert moves(game, game.start) == ["x"]


def test_a_role_without_a_move_ends_the_game() -> None:
    game = interpret(
        "(role a) (role b) (legal a x) (legal a y) (<= (legal b y) (true e))"
        "(goal a 3) (<= terminal (true e))"
    )
    assert game.start.player == 0
    assert not list(game.moves(game.start))
    assert game.follow(game.start, (Step(1, Term("x")),)) is None
    assert game.goals(game.start.fluents) == [[3], []]


def test_goals_are_numbers() -> None:
    game = interpret(
        "(role a) (legal a x) (<= terminal (true e)) (v 3) (v 40) (v big) (v 101) (v 007)"
        "(<= (goal a ?v) (v ?v))"
    )
    assert game.goals(game.start.fluents) == [[3, 7, 40]]


def test_tic_tac_toe() -> None:
    game = interpret(TIC_TAC_TOE)
    assert [perft(game, game.start, depth) for depth in range(4)] == [1, 9, 72, 504]
    position = game.start
    for cell in ("1 1", "2 1", "1 2", "2 2", "1 3"):
        found = [p for steps, p in game.moves(position) if steps[0].wire == f"(mark {cell})"]
        (position,) = found
    assert position.player == 0
    assert game.is_terminal(position.fluents)
    assert game.goals(position.fluents) == [[100], [0]]


GROWING = [
    ("one more each step", "(<= (next (f ?x)) (true ?x))"),
    ("twice as large each step", "(<= (next (f ?x ?x)) (true ?x))"),
]


@pytest.mark.parametrize("rule", [rule for _, rule in GROWING], ids=[name for name, _ in GROWING])
def test_states_that_grow_without_an_end(rule: str) -> None:
    game = interpret(f"(role a) (init x) (legal a go) (goal a 0) (<= terminal (true e)) {rule}")
    with pytest.raises(WorkLimit, match="larger and larger terms"):
        perft(game, game.start, 1_000)


def test_terms_that_double_with_each_rule() -> None:
    chain = "".join(f"(<= (p{i + 1} (f ?x ?x)) (p{i} ?x)) " for i in range(60))
    with pytest.raises(WorkLimit, match="larger and larger terms"):
        rows(f"(p0 a) {chain}", "p60")


def test_too_much_work() -> None:
    digits = "".join(f"(d {i}) " for i in range(10))
    join = "".join(f"(d ?x{i}) " for i in range(8))
    game = interpret(f"{GAME}{digits}(<= (legal you (a ?x0)) {join} (not (d ?x7)))", 10_000)
    with pytest.raises(WorkLimit, match="takes too long in this position"):
        _ = game.start


def test_asking_again_does_not_find_a_part_of_what_follows() -> None:
    digits = "".join(f"(d {i}) " for i in range(10))
    game = interpret(f"{GAME}{digits}(<= (p ?x ?y ?z) (d ?x) (d ?y) (d ?z) (true s))", 500)
    for _ in range(2):
        with pytest.raises(WorkLimit):
            _ = game.model(game.start.fluents)["p"]


def test_a_long_chain_of_predicates() -> None:
    chain = "".join(f"(<= p{i + 1} p{i}) " for i in range(5_000))
    assert rows(f"(<= p0 (true s)) {chain}", "p5000") == {""}
