"""What is said, as text."""

import re
from random import Random

import pytest

import semisplit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.text.ast import Term
from semisplit.net.ggp.messages import (
    Abort,
    Info,
    Introduction,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    find_move,
    read_info,
    read_message,
    write_info,
    write_play,
    write_start,
)
from semisplit.net.ggp.scramble import Spelling
from semisplit.net.shared.messages import BadMessage


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("( INFO )", Info()),
        (" (info)\n", Info()),
        ("INFO", Info()),
        ("( PING )", Ping()),
        ("( PREVIEW ((role a) (role b) ) 10 )", Preview()),
        ("( START m x ((role x) (p) ) 30 10)", Start("m", "x", "(role x) (p) ", 30, 10)),
        ("(start M.1 X ((role x)) 30 10 extra (more))", Start("M.1", "X", "(role x)", 30, 10)),
        (
            "( START m x ((role x); a ( comment\n ) 0 1000000000",
            Start("m", "x", "(role x); a ( comment\n ", 0, 1e9),
        ),
        ("( PLAY m NIL )", Play("m", ())),
        ("(Play m nil)", Play("m", ())),
        ("( PLAY m ( ) )", Play("m", ())),
        ("( PLAY m (( mark 1 1 ) noop ) )", Play("m", ("( mark 1 1 )", "noop"))),
        ("(PLAY match1 (move a 1) noop)", Play("match1", ("(move a 1)", "noop"))),
        ("(PLAY m up)", Play("m", ("up",))),
        ("( STOP m (a b ) )", Stop("m", ("a", "b"))),
        ("( ABORT m )", Abort("m")),
    ],
)
def test_every_tolerated_spelling_is_read(text: str, meaning: object) -> None:
    assert read_message(text) == meaning


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "hello",
        "( START m x (rules) 30 )",
        "( START m x rules 30 10)",
        "( START m x ((role x)) NaN 10)",
        "( START m x ((role x)) 30 -1)",
        "( START m x ((role x)) 30 (10))",
        "( START (m) x ((role x)) 30 10)",
        "( START m x ((role x 30 10",
        "( PLAY )",
        "( PLAY " + "m" * 1000 + " NIL )",
        "(" * 100_000,
        "\x00\x1b[2J",
    ],
)
def test_what_means_nothing_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(BadMessage) as raised:
        read_message(text)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 200


def test_hosts_write_as_ggp_base_does() -> None:
    rules = ["( role x )", "( <= terminal ( true a ) )"]
    start = write_start("m.1", "x", rules, 30, 10)
    assert start == "( START m.1 x (( role x ) ( <= terminal ( true a ) ) ) 30 10)"
    assert write_play("m.1", []) == "( PLAY m.1 NIL )"
    assert write_play("m.1", ["( mark 1 1 )", "noop"]) == "( PLAY m.1 (( mark 1 1 ) noop ) )"
    assert write_play("m.1", ["noop"], "STOP") == "( STOP m.1 (noop ) )"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (write_info("me", "busy"), Introduction("me", "busy")),
        ("((NAME Some Body) (Status AVAILABLE))", Introduction("SomeBody", "available")),
        ("available", Introduction("", "available")),
        ("( busy )", Introduction("", "busy")),
        ("", Introduction()),
        ("((((", Introduction()),
        ("( () (name) )", Introduction()),
        ("( (name \u265e\x1b) )", Introduction(r"\xe2\x99\x9e\x1b")),
    ],
)
def test_players_introduce_themselves_in_several_ways(text: str, meaning: Introduction) -> None:
    assert read_info(text) == meaning


def test_moves_are_found_whatever_their_spaces_and_capitals() -> None:
    mark = Term("mark", (Term("1"), Term("f", (Term("a"),))))
    legal = [Term("noop"), mark]
    assert find_move("( MARK 1 ( f a ))", legal) == mark
    assert find_move("(mark 1(f a)) ; mine", legal) == mark
    assert find_move("( noop )", legal) == Term("noop")
    for text in ("", "mark", "(mark 1)", "(mark 1 (f a)) noop", "((noop) noop)", ")("):
        assert find_move(text, legal) is None


def test_rules_are_sent_without_comments_in_one_spelling() -> None:
    text = "(role X); (\r(<= (legal x (Go ?A)) (n ?a)) (n 1) (<= TERMINAL (true (GO 1))) (goal X 0)"
    assert Spelling(parse(text)).rules() == [
        "( role X )",
        "( <= ( legal X ( Go ?a ) ) ( n ?a ) )",
        "( n 1 )",
        "( <= terminal ( true ( Go 1 ) ) )",
        "( goal X 0 )",
    ]


def test_scrambling_changes_names_and_nothing_else() -> None:
    text = (
        "(role random) (role x) (init (at 1)) (<= (legal ?R (go _ -2 ?R)) (role ?r))"
        "(<= (next (at ?n)) (or (does x ?n) (not (true (at 1)))) (true (at ?n)))"
        "(<= terminal (true (at 1)) (distinct 1 x)) (goal x 100) (goal random 0)"
    )
    description = parse(text)
    scrambled = Spelling(description, Random(1))
    sent = " ".join(scrambled.rules())
    for word in ("role", "init", "legal", "next", "true", "does", "random", "_", "-2", "100", "or"):
        assert f" {word} " in sent
    for word in ("x", "at", "go", "?r", "?n"):
        assert f" {word} " not in sent
    # The same game, when the names are those of before.
    back = scrambled.ours(sent)
    plain = " ".join(Spelling(description).rules())
    assert re.sub(r"\?\w+", "?", back) == re.sub(r"\?\w+", "?", plain)
    assert scrambled.ours(scrambled.theirs("(go _ -2 x)").upper()) == "(go _ -2 x)"
    assert Spelling(description, Random(2)).theirs("go") != scrambled.theirs("go")


def test_a_scrambled_game_is_the_same_game() -> None:
    game = semisplit.load("breakthrough.kif", engine="interpreter")
    rules = game.rules.description  # type: ignore[attr-defined]
    scrambled = Spelling(rules, Random(3))
    other = semisplit.Game.parse(" ".join(scrambled.rules()), "x.kif", engine="interpreter")
    state, same = game.initial_state(), other.initial_state()
    random = Random(4)
    for _ in range(8):
        moves = {str(move): move for move in state.moves()}
        theirs = {scrambled.ours(str(move)): move for move in same.moves()}
        assert moves.keys() == theirs.keys()
        chosen = random.choice(sorted(moves))
        state, same = state.apply(moves[chosen]), same.apply(theirs[chosen])
