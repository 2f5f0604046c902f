"""Game, State and Move as users meet them."""

import copy
import pickle
from pathlib import Path
from random import Random

import pytest

import semisplit
from semisplit import games, load
from semisplit.core.errors import (
    IllegalMove,
    InputError,
    ManyMoves,
    SemisplitError,
    UnknownName,
)
from tests.support.hostile import NASTY
from tests.support.prelude import game
from tests.support.rules import present, rbg


def some_states(name: str, split: str | None = None) -> list[semisplit.State]:
    """The first states of a random game; in a split game also those inside moves."""
    random = Random(name)
    state = load(name, split).initial_state()
    states = [state]
    # Their second moves are some of 129,240 and of 20,000.
    for _ in range(0 if name in ("connect6", "arimaa_fixed_position") else 8):
        options = state.semimoves()
        if not options:
            break
        state = state.apply(random.choice(options))
        states.append(state)
    return states


@pytest.mark.parametrize("name", games.names("rbg"))
def test_moves_and_states_as_text(name: str) -> None:
    """Every legal move is found again by its text and by its wire form, every state by its own."""
    for state in some_states(name)[::4]:
        legal = state.moves()
        texts = [str(move) for move in legal]
        assert len(set(texts)) == len(texts)
        for move in legal[:20]:
            assert state.parse_move(str(move)) == move
            assert state.parse_move(move.wire) == move
        assert state.game.parse_state(str(state)) == state


@pytest.mark.parametrize("name", ["chess", "amazons", "hex", "the_mill_game"])
def test_split_states(name: str) -> None:
    for state in some_states(name, "ModPlusShift"):
        for semimove in state.semimoves():
            assert state.parse_move(str(semimove)) == semimove
            after = state.apply(semimove)
            assert after.is_dead == (not after.is_nodal and not after.moves())


def test_states_compare_hash_and_pickle() -> None:
    start = load("breakthrough").initial_state()
    one = start.apply("a2-a3").apply("a7-a6").apply("b2-b3")
    two = start.apply("b2-b3").apply("a7-a6").apply("a2-a3")
    # The same board, but the last move ended elsewhere, and moves start where the last one ended.
    assert one != two
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert hash(again) == hash(one)
    assert {one: 1}[again] == 1
    assert copy.copy(one) == copy.deepcopy(one) == one
    move = pickle.loads(pickle.dumps(start.moves()[0]))
    assert move == start.moves()[0]
    assert str(move) == str(start.moves()[0])
    assert load("breakthrough", "Mod").initial_state() != start
    assert start.moves()[0] == start.moves()[0]
    assert len({*start.moves(), *start.moves()}) == 22


def test_what_a_state_tells() -> None:
    state = load("breakthrough").initial_state()
    assert (state.player, state.player_name) == (1, "white")
    assert state.piece("a1") == "w"
    assert state.scores == (0, 0)
    assert state.is_nodal
    assert not state.is_terminal
    assert not state.is_dead
    assert state.semimoves() == state.moves()
    assert "breakthrough" in repr(state)
    assert repr(state.moves()[0]) == f"Move({state.moves()[0]})"
    assert load("chess").initial_state().values["idle"] == 1


def test_a_dead_state() -> None:
    state = load("breakthrough", "Mod").initial_state().apply("a1-")
    assert state.is_dead
    assert state.semimoves() == []
    assert not state.is_terminal


def test_promotion_is_told_by_the_piece() -> None:
    state = game("->w right ([x] + [o] + [e]) ->>").initial_state()
    assert sorted(map(str, state.moves())) == ["b2", "b2=o", "b2=x"]


def test_moves_that_differ_in_the_modifier_only() -> None:
    state = game("->w (->> + ->> + [$ t=1] ->> + [$ t=2] ->>)").initial_state()
    assert sorted(map(str, state.moves())) == ["a2#2", "a2#3", "t=1", "t=2"]


def test_more_moves_than_can_be_listed() -> None:
    state = semisplit.Game.parse(NASTY["10^9 moves"]).initial_state()
    with pytest.raises(ManyMoves):
        state.moves()
    moves = {state.random_move(Random(seed)) for seed in range(3)}
    assert len(moves) == 3
    for move in moves:
        assert len(str(move).split("-")) == 6
        assert state.parse_move(move.wire) == move
        assert state.apply(move).player_name == "b"


def test_illegal_moves() -> None:
    state = load("breakthrough").initial_state()
    with pytest.raises(IllegalMove, match="'a2-a4' is not a legal move; did you mean 'a2-a3'"):
        state.apply("a2-a4")
    with pytest.raises(IllegalMove, match="legal is for example"):
        state.apply("")
    with pytest.raises(IllegalMove):
        state.apply("1 1")
    black = state.apply("a2-a3").moves()[0]
    with pytest.raises(IllegalMove, match="is not legal here"):
        state.apply(black)


def test_diagrams_of_all_shapes() -> None:
    texts = {
        "rectangle(up,down,left,right,[e,x][,o])": "2 . x\n1   o\n  a b",
        "hexagon(NW,NE,E,SE,SW,W,[e,x][e,o,e][e,e])": "    a b\n3  . x c\n2 . o .\n1  . .",
        "cuboid(u,d,l,r,f,k,[[e,x]][[o,e]])": "layer 1\n1 . x\n  a b\nlayer 2\n1 o .\n  a b",
        "p[e]{n:q} q[x]{n:p}": "p=. q=x",
    }
    for board, diagram in texts.items():
        text = (
            f"#players = w(9) #pieces = e, x, o #variables = v(5) #board = {board} #rules = ->w ->w"
        )
        small = semisplit.Game.parse(text)
        state = small.initial_state()
        assert (
            str(state)
            == f"{diagram}\nto move: w (after switch 1 at {first(small)})\nvalues: w=0 v=0"
        )
        assert small.parse_state(str(state)) == state
        assert small.parse_state(diagram) == state
        changed = small.parse_state(f"{diagram.replace('x', 'o')}\nvalues: v=3")
        assert changed.values == {"v": 3}
        assert "x" not in changed.pieces


@pytest.mark.parametrize(
    "rows", ["[,e][e,,e][e,]", "[,,e][e,e,e,e]", "[,][e,e,e]", "[e,][,e,e][,e]", "[,,][,,,e]"]
)
def test_diagrams_of_hexagons_with_holes(rows: str) -> None:
    text = "#players = w(9) #pieces = e #variables = #board = hexagon(a,b,c,d,f,g,{}) #rules = ->w"
    small = semisplit.Game.parse(text.format(rows))
    state = small.initial_state()
    assert small.parse_state(str(state)) == state


def first(small: semisplit.Game) -> str:
    return rbg(small).description.board.geometry.names[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (". x", "the diagram has 1 lines, but the board has 2 rows"),
        ("e x o e\n e e", "row 2 of the diagram has 4 squares, but the board has 3 there"),
        ("e x q\n e e", "there is no piece 'q'"),
        ("e x o\ne e\nvalues: t=9", "t must be a number from 0 to 3"),
        ("e x o\ne e\nvalues: s=1", "there is no variable 's'"),
        ("e x o\ne e\nto move: w (after switch 9 at a1)", "modifier 9 is not a switch"),
        ("e x o\ne e\nto move: w (after switch 2 at a1)", "modifier 2 is not a switch"),
        ("e x o\ne e\nto move: w (after switch 1 at z9)", "there is no vertex 'z9'"),
        ("e x o\ne e\nto move: b (after switch 1 at a1)", "behind switch 1 w is to move"),
        ("e x o\ne e\nto move: w (inside a move)", "expected 'after switch NUMBER at VERTEX'"),
    ],
)
def test_wrong_states(text: str, message: str) -> None:
    with pytest.raises(SemisplitError, match=message):
        game("->w [x] ->w").parse_state(text)


def test_symbols_are_short_and_unique() -> None:
    text = (
        "#players = w(1) #pieces = empty, whitePawn, whiteKing, blackPawn, white, w2, e2 "
        "#variables = #board = rectangle(a,b,c,d,[empty]) #rules = ->w"
    )
    symbols = semisplit.Game.parse(text.replace("players = w", "players = p").replace("->w", "->p"))
    assert present(symbols.rules.appearance).symbols == {
        "blackPawn": "bP",
        "e2": "e2",
        "empty": ".",
        "w2": "w2",
        "white": "w",
        "whiteKing": "wK",
        "whitePawn": "wP",
    }


def test_e_is_a_piece_if_another_one_is_empty() -> None:
    text = (
        "#players = p(1) #pieces = e, empty #variables = #board = rectangle(a,b,c,d,[empty]) "
        "#rules = ->p ([e] ->> + [empty] ->>)"
    )
    game = semisplit.Game.parse(text)
    assert present(game.rules.appearance).symbols == {"e": "e", "empty": "."}
    assert {str(move) for move in game.initial_state().moves()} == {"a1", "a1=e"}


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="there is no game 'ches'; did you mean 'chess'"):
        load("ches")
    with pytest.raises(InputError, match=r"cannot read no/such/file\.rbg: No such file"):
        load("no/such/file.rbg")
    with pytest.raises(UnknownName, match="there is no split strategy 'Modd'"):
        load("breakthrough", "Modd")
    with pytest.raises(UnknownName, match="there is no square 'i9'"):
        load("breakthrough").initial_state().piece("i9")


def test_comments_in_gdl_may_be_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "latin.kif"
    path.write_bytes(b"; caf\xe9\n" + semisplit.games.text("nim").encode())
    assert load(path, engine="interpreter").players == load("nim", engine="interpreter").players


def test_unreadable_files(tmp_path: Path) -> None:
    binary = tmp_path / "binary.rbg"
    binary.write_bytes(b"#players = \xff\xfe")
    with pytest.raises(InputError, match="is not a text file: byte 11 is not UTF-8"):
        load(binary)
    large = tmp_path / "large.rbg"
    large.write_bytes(b" " * 2_000_000)
    with pytest.raises(InputError, match="is too large"):
        load(large)
    with pytest.raises(InputError, match="cannot read"):
        load(tmp_path)
    with pytest.raises(InputError, match="File name too long"):
        load("a" * 5000)
    with pytest.raises(SemisplitError):
        load("a.\0")
