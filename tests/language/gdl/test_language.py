"""Games in GDL as everybody sees them: through Game, State and Move."""

import pickle

import pytest

from semisplit.core.errors import (
    IllegalMove,
    InputError,
    SemisplitError,
)
from semisplit.game import Game, State
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.registry import language_of
from tests.support.gdl import TIC_TAC_TOE

SHOW = """
(role Left) (role right) (role idle)
(init go) (thing Rock) (thing (Paper thin))
(<= (legal ?r ?t) (role ?r) (thing ?t) (distinct ?r idle) (true go)) (legal idle noop)
(<= (next (did ?r ?t)) (does ?r ?t))
(<= terminal (not (true go)))
(<= (goal ?r 10) (true (did ?r rock))) (<= (goal ?r 20) (true (did ?r ?t)))
"""


def load(text: str, name: str = "game.kif") -> Game:
    return Game.parse(text, name, engine="interpreter")


def test_the_language_is_told_by_the_name_or_else_by_the_text() -> None:
    assert language_of("", "a/b.kif").name == "gdl"
    assert language_of("(role a)", "x.RBG").name == "rbg"
    assert language_of("\ufeff\r\n; a comment", "<string>").name == "gdl"
    assert language_of(" (role a)", "some_game").name == "gdl"
    assert language_of("// chess\n#players", "chess").name == "rbg"
    assert load(TIC_TAC_TOE, "<string>").players == ("x", "o")


def test_play() -> None:
    game = load(TIC_TAC_TOE)
    state = game.initial_state()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        assert not state.is_terminal
        state = state.apply(move)
    assert state.player_name == "x"
    assert sorted(map(str, state.moves())) == [
        f"(mark {cell})" for cell in ("1 3", "2 3", "3 1", "3 2", "3 3")
    ]
    state = state.apply("(mark 1 3)")
    assert state.is_terminal
    assert state.player == 0
    assert state.scores == (100, 0)


def test_joint_moves() -> None:
    state = load(SHOW).initial_state()
    assert state.game.players == ("Left", "right", "idle")
    assert list(map(str, state.moves())) == [
        "(Paper thin) | (Paper thin)",
        "(Paper thin) | Rock",
        "Rock | (Paper thin)",
        "Rock | Rock",
    ]
    move = state.parse_move("Rock | (Paper thin)")
    assert move.wire == "rock (paper thin)"
    assert state.apply(move).scores == (20, 20, 20)


def test_scores_are_the_highest_goal_or_nothing() -> None:
    state = load(SHOW).initial_state()
    assert state.scores == (0, 0, 0)
    assert state.apply("Rock | Rock").scores == (20, 20, 20)


def test_unknown_moves() -> None:
    with pytest.raises(IllegalMove, match=r"did you mean '\(mark 1 1\)'"):
        load(TIC_TAC_TOE).initial_state().apply("mark 1 1")


def positions() -> list[State]:
    """Some states, one of them inside a move."""
    first = load(SHOW).initial_state()
    board = load(TIC_TAC_TOE).initial_state()
    half = first.game.rules.interpreter.follow(first.position, first.moves()[2].steps[:1])
    return [
        first,
        first.apply("Rock | Rock"),
        State(first.game, half),
        board,
        board.apply("(mark 2 2)"),
    ]


@pytest.mark.parametrize("state", positions())
def test_positions_as_text_and_back(state: State) -> None:
    assert state.game.parse_state(str(state)) == state
    assert pickle.loads(pickle.dumps(state)) == state


def test_positions_as_text() -> None:
    first, after, half, *_ = positions()
    assert str(first) == "go\nto move: Left"
    assert str(after) == "(did idle noop) (did Left Rock) (did right Rock)\nto move: nobody"
    assert str(half) == "go\nto move: right\nchosen: (Left Rock)"
    assert not half.is_nodal
    assert not half.is_dead


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gone", "there is no name 'gone'; did you mean 'go'"),
        ("(go", r"this parenthesis is not closed before the end of the file \(line 1, column 1\)"),
        ("(did ?x rock)", r"variable \?x in what has to be certain"),
        ("go\nto move: right", "by the rules Left is to move"),
        ("go\nchosen: (lift rock)", "there is no name 'lift'"),
        ("go\nchosen: (go rock)", "there is no player 'go'"),
        ("go\nchosen: (left rock rock)", r"expected \(PLAYER MOVE\)"),
        ("go\nchosen: (right rock)", "these moves cannot have been chosen"),
        ("go\nchosen: (left rock) (right rock)", "these moves cannot have been chosen"),
    ],
)
def test_positions_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(SemisplitError, match=message):
        load(SHOW).parse_state(text)


def test_the_end_of_a_game_can_be_read() -> None:
    state = load(SHOW).parse_state("(did LEFT rock)")
    assert state.is_terminal
    assert state.scores == (20, 0, 0)


def test_splitting_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be split by ModPlus: in GDL a move has one step"):
        load(TIC_TAC_TOE).split_by("ModPlus")


def test_moves_are_listed_without_making_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interpreter, "next_state", None)
    state = load(SHOW).initial_state()
    assert len(state.moves()) == state.game.reasoner.count_moves(state.position) > 1


def test_games_are_compiled() -> None:
    game = Game.parse(SHOW, "compiled.kif")
    assert game.compiled.facts.simultaneous
    state, interpreted = game.initial_state(), load(SHOW).initial_state()
    assert sorted(map(str, state.moves())) == sorted(map(str, interpreted.moves()))
    assert sorted(map(str, state.semimoves())) == sorted(map(str, interpreted.semimoves()))


def test_random_play() -> None:
    game = load(TIC_TAC_TOE)
    play = game.reasoner.random_play(game.initial_state().position, 1)
    results = [play(seed) for seed in range(5)]
    assert {score for score, _ in results} <= {0, 50, 100}
    assert all(5 <= made <= 9 for _, made in results)
    assert results == [play(seed) for seed in range(5)]
