"""Arimaa against a second reading of its rules, in plain Python, and positions set up by hand."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from semisplit import State, load
from semisplit.language.rbg.play.interpret import KEEPER
from tests.support.compare import check_position
from tests.support.rules import rbg

Square = tuple[int, int]
"""Column and row, both from 0, the row counted from gold's side."""
Board = dict[Square, str]

SQUARES = [(x, y) for y in reversed(range(8)) for x in range(8)]
TRAPS = ((2, 2), (2, 5), (5, 2), (5, 5))
STRENGTH = "rcdhme"


def beside(square: Square) -> list[Square]:
    x, y = square
    near = [(x, y + 1), (x, y - 1), (x - 1, y), (x + 1, y)]
    return [(x, y) for x, y in near if 0 <= x < 8 and 0 <= y < 8]


def friends(board: Board, one: Square, other: Square) -> bool:
    return other in board and board[one].isupper() == board[other].isupper()


def stronger(board: Board, one: Square, other: Square) -> bool:
    """Whether the piece on one square is an enemy stronger than that on the other."""
    if one not in board or friends(board, one, other):
        return False
    return STRENGTH.index(board[one].lower()) > STRENGTH.index(board[other].lower())


def can_go(board: Board, square: Square) -> bool:
    return any(friends(board, square, other) for other in beside(square)) or not any(
        stronger(board, other, square) for other in beside(square)
    )


def moved(board: Board, *ways: tuple[Square, Square]) -> Board:
    """The board after pieces have gone one after the other, and the traps."""
    board = dict(board)
    for start, end in ways:
        assert end not in board
        board[end] = board.pop(start)
    helpless = [
        trap
        for trap in TRAPS
        if trap in board and not any(friends(board, trap, other) for other in beside(trap))
    ]
    return {square: piece for square, piece in board.items() if square not in helpless}


def acts(board: Board, gold: bool) -> Iterator[tuple[int, Board]]:
    """What each step, push and pull costs, and leads to."""
    for start, piece in board.items():
        if piece.isupper() != gold or not can_go(board, start):
            continue
        empty = [end for end in beside(start) if end not in board]
        enemies = [enemy for enemy in beside(start) if enemy in board]
        weaker = [enemy for enemy in enemies if stronger(board, start, enemy)]
        for end in empty:
            if piece.lower() != "r" or end[1] != start[1] + (-1 if gold else 1):
                yield 1, moved(board, (start, end))
            for enemy in weaker:
                yield 2, moved(board, (start, end), (enemy, start))
        for enemy in weaker:
            for end in beside(enemy):
                if end not in board:
                    yield 2, moved(board, (enemy, end), (start, enemy))


def winners(board: Board) -> list[str]:
    """Who has won, in the order gold, silver."""
    gold = any(piece == "R" and y == 7 for (_, y), piece in board.items())
    silver = any(piece == "r" and y == 0 for (_, y), piece in board.items())
    pieces = set(board.values())
    won = {"gold": gold or "r" not in pieces, "silver": silver or "R" not in pieces}
    return [player for player, has_won in won.items() if has_won]


Outcome = tuple[frozenset[tuple[Square, str]], str, int]
"""The board, who has won or else is to move, and how many steps are left."""


def outcomes(board: Board, before: Board, gold: bool, steps: int) -> Counter[Outcome]:
    """What the moves of `arimaa_split` lead to; each is a step, push or pull, or ends the turn."""
    me, opponent = ("gold", "silver") if gold else ("silver", "gold")
    found: Counter[Outcome] = Counter()
    if board != before:
        found[frozenset(board.items()), opponent, 4] += 1
    for cost, after in acts(board, gold):
        left, pieces = steps - cost, frozenset(after.items())
        if left < 0:
            continue
        for winner in winners(after):
            found[pieces, f"{winner} has won", left] += 1
        if not winners(after):
            if left:
                found[pieces, me, left] += 1
            elif after != before:
                found[pieces, opponent, 4] += 1
    return found


def layers(state: State) -> tuple[Board, Board]:
    """The board, and the board as it was before the turn."""
    names = [rbg(state.game).description.pieces[number] for number in state.position.pieces]
    boards = [dict(zip(SQUARES, names[:64])), dict(zip(SQUARES, names[64:]))]
    board, before = (
        {square: piece for square, piece in one.items() if piece != "empty"} for one in boards
    )
    return board, before


def value(state: State, name: str) -> int:
    description = rbg(state.game).description
    names = [*description.players, *description.variables]
    values: dict[str, int] = dict(zip(names, state.position.values))
    return values[name]


def outcome(state: State) -> Outcome:
    player = state.position.player
    to_move = state.game.player_name(player)
    if player == KEEPER:
        to_move = f"{'gold' if state.scores == (100, 0) else 'silver'} has won"
    return frozenset(layers(state)[0].items()), to_move, value(state, "steps")


def set_up(random: Random) -> State:
    """A state of `arimaa_split` after the pieces have been put on the board."""
    state = load("arimaa_split").initial_state()
    for _ in range(32):
        state = state.apply(random.choice(state.moves()))
    return state


@pytest.mark.parametrize("seed", range(3))
def test_moves(seed: int) -> None:
    random = Random(seed)
    state = set_up(random)
    while not state.is_terminal and value(state, "turns") < 199:
        board, before = layers(state)
        moves = state.moves()
        reached = [state.apply(move) for move in moves]
        expected = outcomes(board, before, state.player_name == "gold", value(state, "steps"))
        assert Counter(map(outcome, reached)) == expected
        state = random.choice(reached)


def whole_turns(board: Board, before: Board, gold: bool, steps: int = 4) -> Counter[Outcome]:
    """What the moves of `arimaa` lead to, each a whole turn; steps that are left do not count."""
    found: Counter[Outcome] = Counter()
    for cost, after in acts(board, gold):
        if cost > steps:
            continue
        pieces = frozenset(after.items())
        for winner in winners(after):
            found[pieces, f"{winner} has won", 0] += 1
        if not winners(after):
            if after != before:
                found[pieces, "silver" if gold else "gold", 0] += 1
            found += whole_turns(after, before, gold, steps - cost)
    return found


def position(turns: int = 0, **squares: str) -> State:
    """Gold is to move; the pieces are given with their squares."""
    pieces = {square: piece for piece in squares for square in squares[piece].split()}
    rows = [[pieces.get(f"{x}{y}", ".") for x in "abcdefgh"] for y in range(8, 0, -1)]
    layer = "\n".join(map(" ".join, rows))
    game = load("arimaa_fixed_position")
    return game.parse_state(f"{layer}\n{layer}\nvalues: turns={turns}")


POSITIONS = [
    # A rabbit cannot go back, and an elephant that walks in a circle has not moved.
    position(R="d4", E="a1", r="h5"),
    # The cat is frozen until the horse comes; the dog can be pushed and pulled.
    position(R="a2", C="c4", H="e4", d="c5", r="h7"),
    # A piece on a trap is held by its friend.
    position(R="c3", C="c2", M="h3", r="g3", e="a3"),
    # Gold reaches the farthest row, pushes a rabbit there, or takes the last one.
    position(R="b7", D="g3", r="g2"),
    position(R="a2", E="f4", r="f5", c="h8"),
    # Both lose their last rabbit at the same time.
    position(R="c3", C="c4", r="c5"),
]


@pytest.mark.parametrize("state", POSITIONS)
def test_whole_turns(state: State) -> None:
    board, before = layers(state)
    reached = Counter(outcome(state.apply(move))[:2] for move in state.moves())
    expected: Counter[tuple[frozenset[tuple[Square, str]], str]] = Counter()
    for (pieces, to_move, _), number in whole_turns(board, before, gold=True).items():
        expected[pieces, to_move] += number
    assert reached == expected


@pytest.mark.parametrize("strategy", [None, "Mod"])
def test_compiled_turns(strategy: str | None) -> None:
    game = load("arimaa_fixed_position", strategy)
    for state in POSITIONS[1::2]:
        check_position(
            rbg(game).interpreter, game.compiled, state.position, True if strategy else None
        )


def test_both_players_may_win_at_the_same_time() -> None:
    """The cat pushes the last silver rabbit into a trap and leaves the last gold one in another."""
    state = position(R="c3", C="c4", r="c5")
    reached = [state.apply(move) for move in state.moves()]
    both = [after for after in reached if layers(after)[0] == {(2, 4): "C"}]
    assert {after.scores for after in both} == {(0, 100), (100, 0)}


def test_a_player_who_cannot_move_loses() -> None:
    """The camel comes beside the rabbit, which has no friend."""
    state = position(R="a2", M="f5", r="h5").apply("1f5-1g5-1c3")
    assert state.is_terminal
    assert state.player_name == "silver"
    assert state.scores == (100, 0)


@pytest.mark.parametrize(("turns", "result"), [(198, None), (199, (50, 50))])
def test_the_game_is_drawn_after_200_turns(turns: int, result: tuple[int, int] | None) -> None:
    state = position(turns, R="a2", r="h7").apply("1a2-1b2-1c3")
    assert (state.scores if state.is_terminal else None) == result
