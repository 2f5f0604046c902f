"""Boards in the terminal: whose pieces are whose, colours, marks, and who sits above."""

import io
from typing import Any

import pytest
from rich.console import Console

import semisplit
from semisplit.core.board import geometry
from semisplit.core.board.diagram import lay_out
from semisplit.game import State
from semisplit.language.rbg.features.sides import owners
from semisplit.ui.cli.terminal.drawing import draw_state, sits_above
from semisplit.ui.render.colours import player_colours
from tests.support.rules import rbg

CHESS = {"white": "P N B R T Q K", "black": "p n b r t q k"}
STONES = {"white": "w", "black": "b"}
DRAUGHTS = {"white": "w W", "black": "b B"}
ARIMAA = {"gold": "R C D H M E", "silver": "r c d h m e"}
SIDES = {
    "amazons": STONES,
    "arimaa": ARIMAA,
    "arimaa_fixed_position": ARIMAA,
    "arimaa_split": ARIMAA,
    "breakthru": {"gold": "g F", "silver": "s"},
    "chess": CHESS,
    "chess_king_capture": CHESS,
    "connect4": {"red": "r", "yellow": "y"},
    "english_draughts": DRAUGHTS,
    "fox_and_hounds": {"fox": "f", "hounds": "h"},
    "go": DRAUGHTS,
    "go_13x13": DRAUGHTS,
    "go_9x9": DRAUGHTS,
    "go_9x9_mc": DRAUGHTS,
    "go_constsum": DRAUGHTS,
    "hex": {"red": "r", "blue": "b"},
    "hex_9x9": {"red": "r", "blue": "b"},
    "international_draughts": DRAUGHTS,
    "skirmish": CHESS,
    "tic_tac_toe": {"xplayer": "x", "oplayer": "o"},
}


@pytest.mark.parametrize("game", semisplit.games.names("rbg"))
def test_sides_of_all_games(game: str) -> None:
    sides = SIDES.get(game, STONES)
    expected = {piece: player for player, pieces in sides.items() for piece in pieces.split()}
    assert owners(rbg(semisplit.load(game)).description) == expected


def parse(pieces: str, rules: str, players: str = "white(1), black(1)") -> semisplit.Game:
    first = pieces.split(",")[0]
    return semisplit.Game.parse(
        f"#players = {players}\n#pieces = {pieces}\n#variables =\n"
        f"#board = rectangle(up,down,left,right,[{first},{first}])\n#rules = {rules}",
        engine="interpreter",
    )


def test_sides_of_pieces_that_rules_and_names_tell_or_do_not() -> None:
    # What both can begin with is nobody's, unless its name tells more.
    game = parse(
        "e, one, two, both, whiteWall, wall",
        "->white {one} right [e] left {two, both} [e] ->black ({both} [e] + {e} [two]) ->> {}",
    )
    assert owners(rbg(game).description) == {"both": "black", "two": "black", "whiteWall": "white"}
    # Tests of another square do not count, and neither do changes after the first.
    game = parse(
        "e, a, b", "->white {a} [e] right [b] ->black {b} {! left {a}} [e] left [a] ->> {}"
    )
    assert owners(rbg(game).description) == {"a": "white", "b": "black"}


def render(text: object, **options: Any) -> str:
    file = io.StringIO()
    Console(file=file, force_terminal=True, highlight=False, **options).print(text, end="")
    return file.getvalue()


def after(game: str, *moves: str) -> tuple[State, State]:
    """The states before and after the last of some moves."""
    states = [semisplit.load(game).initial_state()]
    for move in moves:
        states.append(states[-1].apply(move))
    return states[-2], states[-1]


def test_colours_tell_sides_and_what_has_changed() -> None:
    before, state = after("breakthrough", "b2-b3")
    text = draw_state(state, before)
    plain = text.plain
    console = Console()

    def look(row: int, column: str) -> tuple[str, str, bool]:
        """The sign, the colour behind it and whether it is on a mark."""
        line = text.split("\n")[8 - row]
        at = 2 + 2 * "abcdefgh".index(column)
        style = line.get_style_at_offset(console, at)
        around = [line.get_style_at_offset(console, at + side).reverse for side in (-1, 1)]
        return line.plain[at], style.bgcolor.name if style.bgcolor else "", around == [True, True]

    assert look(1, "a") == ("w", "bright_white", False)
    assert look(8, "h") == ("b", "grey23", False)
    assert look(3, "b") == ("w", "bright_white", True)
    assert look(2, "b") == (".", "", True)
    assert look(4, "b") == (".", "", False)
    # Marks are no part of the text, and neither are colours.
    assert plain == draw_state(state).plain
    assert (
        semisplit.load("breakthrough").parse_state(plain).position.pieces == state.position.pieces
    )


def test_marks_without_colours() -> None:
    before, state = after("breakthrough", "g2-h3")
    marked = render(draw_state(state, before), no_color=True)
    assert "3 . . . . . . .\x1b[0m\x1b[7m \x1b[0mw\x1b[7m \x1b[0m" in marked
    assert "\x1b[4" not in marked
    piped = io.StringIO()
    Console(file=piped).print(draw_state(state, before), end="")
    assert "3 . . . . . . . w" in piped.getvalue()
    assert "\x1b" not in piped.getvalue()


def test_players_have_the_colours_of_their_names() -> None:
    def behind(players: str) -> list[str]:
        game = parse(
            "e, x, y",
            "->{} {{e}} [x] ->{} {{e}} [y] ->> {{}}".format(*players.split()),
            ", ".join(f"{name}(1)" for name in players.split()),
        )
        state = game.parse_state("x y")
        line = draw_state(state).split("\n")[0]
        styles = [line.get_style_at_offset(Console(), at) for at in (2, 4)]
        return [style.bgcolor.name for style in styles if style.bgcolor]

    assert behind("white black") == ["bright_white", "grey23"]
    assert behind("redPlayer playerBlue") == ["red3", "blue3"]
    assert behind("gold silver") == ["gold3", "grey70"]
    # Neither white nor black, nor alike.
    first, second = behind("fred ottilie")
    assert first != second
    assert not {first, second} & {"bright_white", "grey23", "red3"}


def test_turned_boards() -> None:
    game = semisplit.load("chess")
    turned = draw_state(game.initial_state(), turned=True).plain.splitlines()
    assert turned[0] == "1 R N B K Q B N R"
    assert turned[-1] == "  h g f e d c b a"
    hexagon = rbg(semisplit.load("hex_9x9")).description.board.geometry
    lines, places = lay_out(hexagon, ["."] * len(hexagon.names), turned=True)
    # Each cell is in the line with its number.
    for name, (line, column) in zip(hexagon.names, places):
        assert lines[line].split()[0] == name[1:]
        assert lines[line][column] == "."
    assert lines[0].split() == ["i"]
    assert lines[1].split() == ["1", ".", "h"]


@pytest.mark.parametrize("game", semisplit.games.names("rbg"))
def test_a_turned_board_is_the_drawing_from_the_other_side(game: str) -> None:
    board = rbg(semisplit.load(game)).description.board
    layout = board.geometry.on_a_grid()
    signs = [chr(0x4E00 + vertex) for vertex in range(len(layout.names))]
    there, back = (
        [[sign for sign in line if sign in signs] for line in lines]
        for lines, _ in (lay_out(layout, signs, turned=turned) for turned in (False, True))
    )
    there, back = ([line for line in lines if line] for lines in (there, back))
    # Layers lie below each other, each of them turned.
    for first in range(
        0, len(there), rows := len(there) // (1 + max(z for _, _, z in layout.cells))
    ):
        layer = back[first : first + rows]
        assert there[first : first + rows] == [line[::-1] for line in reversed(layer)]


@pytest.mark.parametrize(
    ("game", "above"),
    [
        ("breakthrough", "black"),
        ("chess", "black"),
        ("amazons", "black"),
        ("english_draughts", "black"),
        ("international_draughts", "black"),
        ("go", None),
        ("reversi", None),
        ("breakthru", None),
        ("paper_soccer", None),
        ("fox_and_hounds", None),
        ("the_mill_game", None),
    ],
)
def test_who_sits_above(game: str, above: str | None) -> None:
    state = semisplit.load(game).initial_state()
    assert [player for player in state.game.players if sits_above(state, player)] == (
        [above] if above else []
    )


def test_graphs_with_names_as_in_chess_are_boards() -> None:
    state = semisplit.load("the_mill_game").initial_state()
    lines = draw_state(state.apply(state.moves()[0])).plain.splitlines()
    assert lines[1] == "6   .   .   ."
    assert lines[-1] == "  a b c d e f g"
    for names in ("a1 b2x", "v1 v2 v3", "a1 b1", "a1 c2", "a2 b4", "a01 b2"):
        graph = geometry.graph(names.split())
        assert graph.on_a_grid() is graph


def test_players_have_different_colours() -> None:
    colours = player_colours(["red1", "cyan", "redTeam", "fox", "white"])
    assert len(set(colours.values())) == 5
