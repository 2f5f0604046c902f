"""How games end: positions before the last moves, and the result."""

import pytest

from semisplit import State, load
from tests.support.rules import rbg


def diagram(columns: int, rows: int, fill: str = ".", **pieces: str) -> str:
    """A diagram of a few pieces, each given with its squares: `w="a1 b1"`."""
    board = [[fill] * columns for _ in range(rows)]
    for piece, squares in pieces.items():
        for square in squares.split():
            board[rows - int(square[1:])][ord(square[0]) - ord("a")] = piece.strip("_")
    return "\n".join(" ".join(row) for row in board)


def row(game: str, number: int, line: str) -> str:
    """The initial diagram with one row replaced."""
    lines = str(load(game).initial_state()).splitlines()[:-2]
    return "\n".join(line if old.split()[0] == str(number) else old for old in lines)


ENDINGS = [
    ("breakthrough", diagram(8, 8, w="a7", b="h7"), "a7-a8", (100, 0)),
    ("breakthrough", diagram(8, 8, w="a2", b="h2"), "a2-a3 h2-h1", (0, 100)),
    ("breakthrough", diagram(8, 8, w="a2", b="b3"), "a2-b3", (100, 0)),
    ("knightthrough", diagram(8, 8, w="a6", b="h7"), "a6-b8", (100, 0)),
    ("knightthrough", diagram(8, 8, w="a2", b="h2"), "a2-b4 h2-f1", (0, 100)),
    ("amazons", diagram(10, 10, "x", w="a1", e="a2", b="j9"), "a1-a2-a1", (100, 0)),
    # Stalemate, mate, and mate on the hundredth idle move, which comes too late.
    ("chess", diagram(8, 8, k="a8", K="c7", Q="b5"), "b5-b6", (50, 50)),
    ("chess", diagram(8, 8, k="a8", K="c7", T="b5"), "b5-a5", (100, 0)),
    ("chess", diagram(8, 8, k="a8", K="c7", T="b5") + "\nvalues: idle=98", "b5-a5", (100, 0)),
    ("chess", diagram(8, 8, k="a8", K="c7", T="b5") + "\nvalues: idle=99", "b5-a5", (50, 50)),
    ("chess_king_capture", diagram(8, 8, k="a8", K="c7", T="a5"), "a5-a8", (100, 0)),
    ("chess_king_capture", diagram(8, 8, k="a8", K="a1", p="b2"), "a1-a2 b2-b1=t", None),
    ("skirmish", diagram(8, 8, k="a8", K="c7", T="a5"), "a5-a8", (100, 0)),
    ("skirmish", diagram(8, 8, k="a8", K="c1", T="a5"), "c1-c2", None),
    ("english_draughts", diagram(8, 8, b="d4", w="c3"), "d4-c3-b2", (100, 0)),
    # Twenty idle moves are a draw, unless the opponent could not move anyway.
    ("english_draughts", diagram(8, 8, B="d4", W="a7") + "\nvalues: idle=19", "d4-c5", (50, 50)),
    ("english_draughts", diagram(8, 8, B="d4") + "\nvalues: idle=19", "d4-c5", (100, 0)),
    ("english_draughts", diagram(8, 8, B="d4", w="c3 a7") + "\nvalues: idle=19", "d4-c3-b2", None),
    ("international_draughts", diagram(10, 10, w="d4", b="e5"), "d4-e5-f6", (100, 0)),
    # Here a king's capture does not end the idle moves.
    (
        "international_draughts",
        diagram(10, 10, W="d4", b="e5 a9") + "\nvalues: idle=19",
        "d4-e5-f6",
        (50, 50),
    ),
    ("gomoku_standard", diagram(15, 15, w="a1 b1 c1 d1"), "e1", (100, 0)),
    ("gomoku_standard", diagram(15, 15, w="a1 b1 c1 d1 f1"), "e1", None),
    ("gomoku_free_style", diagram(15, 15, w="a1 b1 c1 d1 f1"), "e1", (100, 0)),
    ("connect6", diagram(19, 19, w="a1 b1 c1 d1"), "s19 e1-f1", (100, 0)),
    ("connect6", diagram(19, 19, w="a1 b1 c1 d1 f1"), "s19 e1", (100, 0)),
    ("connect4", diagram(7, 6, r="a1 b1 d1"), "c6", (100, 0)),
    ("tic_tac_toe", diagram(3, 3, x="a1 b2"), "c3", (100, 0)),
    ("tic_tac_toe", diagram(3, 3, x="a1 a3 b1 c2", o="a2 b2 c1 c3"), "b3", (50, 50)),
    ("pentago", diagram(6, 6, w="a1 b1 c1 d1"), "e1", (100, 0)),
    # A rotation may complete a line of the opponent's.
    ("pentago", diagram(6, 6, b="a1 b1 c1 d2 d3"), "a6-e2#70", (0, 100)),
    ("reversi", diagram(8, 8, b="a1", w="b1"), "c1", (100, 0)),
    ("reversi", diagram(8, 8, b="a1", w="b1 f7 f8 g7 g8 h6 h7"), "c1", (0, 100)),
    ("yavalath", row("yavalath", 5, "w w . w . . . . ."), "c5", (100, 0)),
    ("yavalath", row("yavalath", 5, "w w . . . . . . ."), "c5", (0, 100)),
    ("hex", row("hex", 11, ". r r r r r r r r r r"), "a11", (100, 0)),
    ("hex_9x9", row("hex_9x9", 9, "r r r r r r r r ."), "i9", (100, 0)),
    ("hex_9x9", row("hex_9x9", 9, ". r r . r r r r r"), "a9", None),
    # Nobody owns an empty board; one stone owns it all; captured stones count for nothing.
    ("go_9x9", diagram(9, 9), "blackPassed=1 whitePassed=1", (0, 0)),
    ("go_9x9", diagram(9, 9, b="e5"), "blackPassed=1 whitePassed=1", (81, 0)),
    ("go_9x9", diagram(9, 9, w="a1", b="a2"), "b1 whitePassed=1 blackPassed=1", (81, 0)),
    ("go_9x9", diagram(9, 9, w="a1", b="i9"), "blackPassed=1 whitePassed=1", (1, 1)),
    (
        "go_9x9",
        diagram(9, 9, w="a1", b="i9 h9") + "\nvalues: moves=161",
        "blackPassed=1",
        (2, 1),
    ),
    (
        "go_constsum",
        diagram(19, 19, w="a1", b="s19 r19"),
        "blackPassed=1 whitePassed=1",
        (100, 0),
    ),
]


@pytest.mark.parametrize(("game", "start", "moves", "result"), ENDINGS)
def test_ending(game: str, start: str, moves: str, result: tuple[int, int] | None) -> None:
    """The last move ends the game with this result, or does not end it (None)."""
    state = load(game).parse_state(start)
    for move in moves.split():
        assert not state.is_terminal
        state = state.apply(move)
    assert (state.scores if state.is_terminal else None) == result


def play(game: str, moves: str) -> State:
    state = load(game).initial_state()
    for move in moves.split():
        state = state.apply(move)
    return state


def test_fools_mate() -> None:
    assert play("chess", "f2-f3 e7-e5 g2-g4 d8-h4").scores == (0, 100)


def resume(game: str, moves: str, board: str, at: str) -> State:
    """A state of another board and current square, but with the control reached by some moves."""
    _, control, values = str(play(game, moves)).rsplit("\n", 2)
    return load(game).parse_state(f"{board}\n{control.split(' at ')[0]} at {at}\n{values}")


def test_the_fox_reaches_the_bottom_row_or_is_caught() -> None:
    board = diagram(8, 8, f="b2", h="c5 e5")
    state = resume("fox_and_hounds", "b8 a7 a1-b2", board, at="b2").apply("a1")
    assert state.is_terminal
    assert state.scores == (100, 0)
    board = diagram(8, 8, f="a5", h="b4 c5")
    state = resume("fox_and_hounds", "b8 a7", board, at="a5").apply("c5-b6")
    assert state.is_terminal
    assert state.scores == (0, 100)


def test_the_flagship_escapes_or_is_captured() -> None:
    escorts = "e5 f5 g5 e6 g6 e7 f7 g7 f4 f8 d4 h8"
    state = resume("breakthru", escorts, diagram(11, 11, F="f6", s="a11"), at="a1").apply("f6-f11")
    assert state.is_terminal
    assert state.scores == (100, 0)
    state = resume("breakthru", escorts, diagram(11, 11, F="f6", s="a8"), at="a1")
    state = state.apply("f6-b6").apply("a8-a7-a7-a8").apply("b6-b7").apply("a8-b7")
    assert state.is_terminal
    assert state.scores == (0, 100)


def test_the_ball_in_the_upper_goal_wins_for_black() -> None:
    state = play("paper_soccer", "k14-k15 k16-k17 k18-k19 k20-k21 k22-k23 k24-k25")
    assert state.is_terminal
    assert state.scores == (0, 100)


def test_flying_in_place_closes_a_mill_again() -> None:
    """White has three men, all in one mill, and two of black's five are outside mills."""
    placing = "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 d5 e5"
    state = play("the_mill_game", placing)
    handed_over = state.apply(state.moves()[0]).moves()[0].steps[-1].number
    men = dict.fromkeys(rbg(state.game).description.board.names, "e")
    men |= dict.fromkeys(("g7", "g4", "g1"), "w") | dict.fromkeys(
        ["a4", "b4", "c4", "d5", "e5"], "b"
    )
    board = " ".join(f"{point}={piece}" for point, piece in men.items())
    state = state.game.parse_state(f"{board}\nto move: (after switch {handed_over} at a1)")
    assert state.player_name == "white"
    moves = state.moves()
    assert len(moves) == 54
    assert sum(move.steps[0].vertex == move.steps[1].vertex for move in moves) == 6
