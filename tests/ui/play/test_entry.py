"""Moves as people enter them: as a whole, square by square, and in other ways of typing."""

import pytest

import semisplit
from semisplit.core.errors import IllegalMove
from semisplit.ui.play.entry import Entry, splitting


def begin(game: str, *moves: str) -> Entry:
    state = splitting(semisplit.load(game)).initial_state()
    for move in moves:
        state = state.apply(state.parse_move(move))
    return Entry(state)


def test_every_move_can_be_entered_square_by_square() -> None:
    for game in ("breakthrough", "chess", "amazons", "english_draughts", "the_mill_game"):
        entry = begin(game)
        reached = set()
        stack = [entry]
        while stack:
            place = stack.pop()
            assert place.squares()
            for square in place.squares():
                further = place.enter(square)
                (reached.add(further.steps) if further.is_complete else stack.append(further))
        assert reached == {move.steps for move in entry.state.moves()}


def test_whole_moves_in_all_forms() -> None:
    entry = begin("chess")
    move = entry.state.parse_move("e2-e4")
    for text in ("e2-e4", "e2 e4", " e2   e4 ", "e2- e4", move.wire):
        entered = entry.enter(text)
        assert entered.is_complete
        assert entered.steps == move.steps
    assert entry.enter("") is entry
    assert entry.enter("e2").text == "e2-"
    assert set(entry.enter("e2").squares()) == {"e3", "e4"}


def test_what_is_forced_is_made_and_promotion_is_a_choice() -> None:
    castling = begin("chess", "e2-e4", "a7-a6", "g1-f3", "b7-b6", "f1-e2", "c7-c6")
    assert castling.enter("e1 g1").is_complete
    text = semisplit.load("chess").initial_state()
    position = (
        str(text)
        .replace("8 r n b q k b n r", "8 . . . . k . . .")
        .replace("7 p p p p p p p p", "7 P . . . . . . .")
    )
    entry = Entry(splitting(semisplit.load("chess")).parse_state(position))
    promoted = entry.enter("a7")
    promoted = promoted if len(promoted.squares()) > 1 else promoted.enter(promoted.squares()[0])
    assert len({square.partition("=")[2] for square in promoted.squares()}) == 4


def draughts(position: str) -> Entry:
    """Black to move at English draughts, given the pieces with their squares."""
    rows = [list("........") for _ in range(8)]
    for piece, column, row in map(tuple, position.split()):
        rows[8 - int(row)]["abcdefgh".index(column)] = piece
    diagram = "\n".join(" ".join(row) for row in rows)
    return Entry(splitting(semisplit.load("english_draughts")).parse_state(diagram))


@pytest.mark.parametrize(
    ("start", "texts", "move"),
    [
        ("chess", "e2e4 E2E4 e2:e4 e2-E4 e2xe4", "e2-e4"),
        ("amazons", "d1d7g7 d1-d7g7 d1d7,g7 D1-D7/G7", "d1-d7-g7"),
        ("go_9x9", "pass PASS blackpassed=1", "blackPassed=1"),
        ("go_9x9", "D4", "d4"),
        ("breakthrough b2-b3 a7-a6 b3-b4 a6-a5", "b4xa5 B4xA5", "b4-a5"),
    ],
)
def test_other_ways_of_typing(start: str, texts: str, move: str) -> None:
    entry = begin(*start.split())
    for text in texts.split():
        assert entry.enter(text).steps == entry.state.parse_move(move).steps


def test_what_is_jumped_over_need_not_be_entered() -> None:
    entry = draughts("bh6 wg5 we3 wa1")
    (move,) = entry.state.moves()
    assert str(move) == "h6-g5-e3-d2"
    for text in ("h6xd2", "h6d2", "h6 d2", "h6g5e3d2"):
        assert entry.enter(text).steps == move.steps


def test_what_can_be_meant_in_several_ways_is_named() -> None:
    two_ways = draughts("bd8 wc7 wc5 we7 we5 wa1")
    with pytest.raises(IllegalMove, match="'d8xd4' can be d8-e7-e5-d4 or d8-c7-c5-d4"):
        two_ways.enter("d8xd4")
    # An arrow is no amazon, so this is not taken for a move that shoots there.
    with pytest.raises(IllegalMove, match="not possible"):
        begin("amazons").enter("d1g7")


def test_what_is_no_choice_may_be_entered() -> None:
    only_piece = draughts("bb6 wh2")
    assert set(only_piece.squares()) == {"a5", "c5"}
    for text in ("c5", "b6 c5", "b6c5", "b6-c5"):
        assert only_piece.enter(text).is_complete
    assert not only_piece.enter("b6").is_complete


def test_an_entry_knows_what_was_before() -> None:
    entry = begin("amazons").enter("d1d7")
    assert entry.before is not None
    assert entry.before.text == "d1-"
    assert entry.before.before is not None
    assert entry.before.before.steps == ()
    assert entry.before.before.before is None


@pytest.mark.parametrize(
    "text",
    ["e2-e5", "e5", "e2 e5", "e2 e4 e5", "e2 e4 e7", "e2e4e7e5", "\x1b[2J", "--", "x" * 10_000],
)
def test_what_cannot_be_entered(text: str) -> None:
    with pytest.raises(IllegalMove):
        begin("chess").enter(text)
