"""Moves entered by clicks lead to moves of the rules, whatever the game is like."""

import pytest

import semisplit
from semisplit.core.errors import IllegalMove
from semisplit.game import State
from semisplit.ui.play.entry import splitting
from semisplit.ui.web.clicks import Clicks


def begin(game: str, *moves: str) -> State:
    state = splitting(semisplit.load(game)).initial_state()
    for move in moves:
        state = state.apply(move)
    return state


def click(state: State, *squares: str) -> Clicks:
    clicks = Clicks(state)
    for square in squares:
        clicks = clicks.click(_place(state, square))
    return clicks


def _place(state: State, square: str) -> int:
    appearance = state.game.rules.appearance
    assert appearance
    return appearance.geometry.names.index(square)


def squares(clicks: Clicks, state: State) -> list[str]:
    appearance = state.game.rules.appearance
    assert appearance
    return sorted(appearance.geometry.names[place] for place in clicks.places)


def test_squares_that_can_come_next_are_known_after_each_click() -> None:
    state = begin("amazons")
    assert squares(click(state), state) == ["a4", "d1", "g1", "j4"]
    after = click(state, "d1", "d2")
    assert "d1" in squares(after, state)
    assert after.shown.piece("d2") == state.piece("d1")
    whole = click(state, "d1", "d2", "h6").move
    assert str(whole) == "d1-d2-h6"


def test_a_piece_stays_where_it_is_until_it_is_put_down() -> None:
    state = begin("breakthrough")
    assert click(state, "b2").shown.piece("b2") == "w"


def test_what_is_no_choice_is_made_without_asking() -> None:
    state = begin("breakthrough", "b2-b3", "a7-a6")
    move = click(state, "b1").move
    assert str(move) == "b1-b2"


def test_steps_that_name_no_square_are_passed_over() -> None:
    state = begin("go_9x9")
    clicks = click(state)
    assert len(clicks.places) == 81
    assert list(clicks.words) == ["blackPassed=1"]
    assert str(click(state, "e5").move) == "e5"


def test_moves_with_the_same_squares_are_told_apart_by_the_piece() -> None:
    state = begin("chess", "a2-a4", "b7-b5", "a4-b5", "h7-h6", "b5-b6", "h6-h5", "b6-a7", "h5-h4")
    choice = click(state, "a7")
    assert choice.move is None
    assert list(choice.words) == ["T", "N", "B", "Q"]
    assert state.apply(next(iter(choice.words.values()))).is_nodal


def test_moves_in_gdl_are_clicked_by_the_cells_they_name_or_change() -> None:
    state = begin("breakthrough_gdl")
    assert squares(click(state, "2 2"), state) == ["1 3", "2 3", "3 3"]
    assert str(click(state, "2 2", "3 3").move) == "(move 2 2 3 3)"
    columns = begin("connect4_7")
    assert str(click(columns, "3 1").move) == "(drop 3)"


def test_a_game_without_board_is_played_by_words() -> None:
    assert list(click(begin("rps_well")).words) == ["paper", "rock", "scissors", "well"]


def test_a_click_can_be_taken_back() -> None:
    state = begin("breakthrough")
    first = Clicks(state)
    assert first.click(_place(state, "b2")).before is first


def test_a_click_elsewhere_is_refused() -> None:
    with pytest.raises(IllegalMove, match="no move"):
        click(begin("breakthrough"), "e5")


@pytest.mark.parametrize("game", ["breakthrough", "english_draughts", "the_mill_game", "othello"])
def test_all_moves_can_be_clicked(game: str) -> None:
    state = begin(game)
    for _ in range(12):
        found: set[State] = set()
        stack = [Clicks(state)]
        while stack:
            clicks = stack.pop()
            found |= {state.apply(move) for move in clicks.words.values()}
            if clicks.move is not None:
                found.add(state.apply(clicks.move))
            stack += [clicks.click(place) for place in clicks.places]
        assert found == {state.apply(move) for move in state.moves()}
        state = state.apply(state.moves()[-1])
