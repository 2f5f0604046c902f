"""Positions as pictures: squares, pieces that are told apart, marks, and names from strangers."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import semisplit
from semisplit.game import State
from semisplit.ui.render.layout import spread
from semisplit.ui.render.pieces import SHAPES, Look, piece_looks
from semisplit.ui.render.svg import draw
from tests.support.command_line import run

SVG = "{http://www.w3.org/2000/svg}"


def load(game: str) -> semisplit.Game:
    return semisplit.load(game, engine="interpreter")


def play(game: str, moves: int) -> Iterator[State]:
    """The states of a random game."""
    chance = random.Random(1)
    state = load(game).initial_state()
    yield state
    for _ in range(moves):
        state = state.apply(chance.choice(state.moves()))
        yield state


def picture(state: State, **options: Any) -> Element:
    return ElementTree.fromstring(draw(state.game.rules, state.position, **options))


def squares(svg: Element) -> dict[str, Element]:
    return {name: g for g in svg.iter(f"{SVG}g") if (name := g.get("data-square")) is not None}


def place(square: Element) -> tuple[float, float]:
    x, y = square.get("transform", "").removeprefix("translate(").removesuffix(")").split()
    return float(x), float(y)


def texts(svg: Element, group: str) -> list[str]:
    (found,) = (g for g in svg if g.get("class") == group)
    return [text.text or "" for text in found.iter(f"{SVG}text")]


def check(state: State) -> None:
    """A picture has a title, and each square once with its piece, somewhere in the view."""
    svg = picture(state)
    title = svg.find(f"{SVG}title")
    assert title is not None
    assert title.text
    assert title.text == f"{state.game.name}: {title.text.partition(': ')[2]}"
    appearance = state.game.rules.appearance
    if appearance is None:
        assert not squares(svg)
        assert texts(svg, "fluents")
        return
    drawn = squares(svg)
    assert list(drawn) == list(appearance.geometry.names)
    left, top, width, height = map(float, svg.get("viewBox", "").split())
    for square in drawn.values():
        x, y = place(square)
        assert left + 20 < x < left + width - 20
        assert top + 20 < y < top + height - 20
    assert len(set(map(place, drawn.values()))) == len(drawn)
    pieces = [
        next((g.get("data-piece") for g in s.iter() if g.get("data-piece")), None)
        for s in drawn.values()
    ]
    assert pieces == [None if appearance.symbols[p] == "." else p for p in state.pieces]


@pytest.mark.parametrize("game", semisplit.games.names())
def test_first_positions_of_all_games(game: str) -> None:
    check(load(game).initial_state())


@pytest.mark.parametrize(
    "game", ["hex_4", "double_ttt_sync", "nim", "the_mill_game", "breakthrough", "connect4_3p"]
)
def test_later_positions(game: str) -> None:
    for state in play(game, 4):
        check(state)


@pytest.mark.parametrize("game", semisplit.games.names())
def test_pieces_of_a_side_look_different(game: str) -> None:
    appearance = load(game).rules.appearance
    if appearance is None:
        return
    looks = piece_looks(appearance)
    assert looks.keys() == {piece for piece, sign in appearance.symbols.items() if sign != "."}
    by_side = [(appearance.owners.get(piece), look) for piece, look in looks.items()]
    assert len(set(by_side)) == len(by_side)


def test_shapes_are_different() -> None:
    assert len(set(SHAPES.values())) == len(SHAPES)


def test_usual_pieces_have_shapes() -> None:
    def looks(game: str) -> dict[str, str]:
        appearance = load(game).rules.appearance
        assert appearance
        found = piece_looks(appearance).items()
        return {piece: look.letters or look.shape for piece, look in found}

    chess = dict(zip("kqrtbnp", ["king", "queen", "rook", "tower", "bishop", "knight", "pawn"]))
    assert looks("chess") == chess | {piece.upper(): shape for piece, shape in chess.items()}
    assert looks("checkers") == {
        f"{side} {piece}": shape
        for side in ("white", "black")
        for piece, shape in (("man", "disc"), ("king", "crowned disc"))
    }
    assert looks("english_draughts") == {
        "w": "disc", "b": "disc", "W": "double disc", "B": "double disc"
    }  # fmt: skip
    assert looks("tic_tac_toe") == looks("tic_tac_toe_gdl") == {"x": "cross", "o": "ring"}
    assert looks("queens08lg") == {"queen": "queen"}
    assert looks("breakthru") == {"g": "disc", "F": "F", "s": "disc"}
    assert looks("arimaa")["E"] == looks("arimaa")["e"] == "E"
    assert looks("eight_puzzle") == {**{str(n): str(n) for n in range(1, 9)}, "gap": "hole"}
    assert looks("farming_quandries")["ripe red"] == "R"


def gdl(pieces: str, players: str = "white black", cells: str = "1 2", name: str = "mine") -> State:
    """A game whose first position has all these pieces in a row, beside a control fluent."""
    columns, names = cells.split(), pieces.split()
    roles = "".join(f"(role {player})(init (about {player}))" for player in players.split())
    board = "".join(f"(init (cell {columns[0]} {i} {piece}))" for i, piece in enumerate(names))
    text = f"; board: (cell ?x ?y ?piece)\n{roles}{board}(init (cell {columns[1]} 0 {names[0]}))"
    rest = "".join(
        f"(<= (legal {p} wait) (true (about {p}))) (<= (goal {p} 0) (true (about {p})))"
        for p in players.split()
    )
    game = semisplit.Game.parse(
        f"{text}{rest}(<= terminal (true (about {players.split()[0]})))",
        f"{name}.kif",
        engine="interpreter",
    )
    return game.initial_state()


def test_pieces_in_two_letters_and_names_that_clash() -> None:
    def looks(state: State) -> dict[str, Look]:
        appearance = state.game.rules.appearance
        assert appearance
        return piece_looks(appearance)

    shapes = {"wk": "king", "wq": "queen", "wr": "rook", "wb": "bishop", "wn": "knight"}
    relation = "".join(f"(owns white {piece})" for piece in shapes)
    state = gdl(" ".join(shapes))
    game = semisplit.Game.parse(state.game.text + relation, "mine.kif", engine="interpreter")
    assert {p: look.shape for p, look in looks(game.initial_state()).items()} == shapes
    # Nobody's, and two that have the same shape by name.
    found = looks(gdl("stone disc wall fish"))
    assert found["wall"] == Look("block")
    assert found["fish"] == Look("tile", "F")
    assert len(set(found.values())) == 4


def test_marks() -> None:
    *_, before, state = play("breakthrough", 1)
    changed = [
        name
        for name, old, new in zip(squares(picture(state)), before.pieces, state.pieces)
        if old != new
    ]
    marked = squares(picture(state, since=before.position, chosen=[0, 5], threatened=[5]))
    classes = {name: (square.get("class") or "").split() for name, square in marked.items()}
    assert len(changed) == 2
    assert [name for name in marked if "last" in classes[name]] == changed
    assert [name for name in marked if "chosen" in classes[name]] == ["a8", "f8"]
    assert [name for name in marked if "threatened" in classes[name]] == ["f8"]
    for name, square in marked.items():
        for mark in ("last", "chosen", "threatened"):
            drawn = [path for path in square.findall(f"{SVG}path") if path.get("class") == mark]
            assert len(drawn) == (mark in classes[name])
    plain = squares(picture(state)).values()
    assert {square.get("class") for square in plain} == {"square", "square dark"}


@pytest.mark.parametrize("game", ["chess", "hex_4", "the_mill_game", "double_ttt_sync"])
def test_turned_boards(game: str) -> None:
    state = load(game).initial_state()
    there, back = (squares(picture(state, turned=turned)) for turned in (False, True))
    appearance = state.game.rules.appearance
    assert appearance
    cells = appearance.geometry.on_a_grid().cells
    for layer in {z for _, _, z in cells}:
        names = [n for n, (_, _, z) in zip(appearance.geometry.names, cells) if z == layer]
        sums = {
            (round(x + u), round(y + v))
            for (x, y), (u, v) in ((place(there[name]), place(back[name])) for name in names)
        }
        assert len(sums) == 1


def test_labels() -> None:
    state = load("chess").initial_state()
    assert texts(picture(state), "labels") == [*"87654321abcdefgh"]
    assert texts(picture(state, turned=True), "labels") == [*"12345678hgfedcba"]
    assert texts(picture(load("double_ttt_sync").initial_state()), "labels")[::7] == [
        "cell 1",
        "cell 2",
    ]
    yavalath = texts(picture(load("yavalath").initial_state()), "labels")
    assert sorted(yavalath) == sorted("123456789abcdefghi")


def test_dark_squares() -> None:
    def dark(game: str) -> set[str]:
        drawn = squares(picture(load(game).initial_state()))
        return {name for name, square in drawn.items() if "dark" in (square.get("class") or "")}

    assert {"a1", "h8", "b2"} <= dark("chess")
    assert len(dark("chess")) == 32
    assert not dark("reversi")
    state = load("checkers").initial_state()
    used = {name for name, piece in zip(squares(picture(state)), state.pieces) if piece != "empty"}
    assert used < dark("checkers")


def test_lines_between_points() -> None:
    def lines(game: str) -> int:
        return len(list(picture(load(game).initial_state()).iter(f"{SVG}line")))

    assert lines("the_mill_game") == 32
    assert lines("go_9x9") == 2 * 8 * 9
    assert lines("chess") == lines("hex_4") == 0


def test_graphs_are_spread_out() -> None:
    def closest(points: list[tuple[float, float]]) -> float:
        return min(dist(one, other) for one, other in combinations(points, 2))

    circle = spread(tuple(((i - 1) % 12, (i + 1) % 12) for i in range(12)))
    for i, point in enumerate(circle):
        others = sorted(range(12), key=lambda other: dist(point, circle[other]))
        assert set(others[:3]) == {i, (i - 1) % 12, (i + 1) % 12}
    star = spread(tuple(tuple(range(1, 9)) if i == 0 else (0,) for i in range(9)))
    apart = spread(((1,), (0,), (3,), (2,), ()))
    alone = spread(((),) * 6)
    large = spread(tuple((max(i - 1, 0),) for i in range(1000)))
    for points in (circle, star, apart, alone, large):
        assert closest(points) > 1
    assert spread(((),)) == [(0, 0)]
    assert dist(apart[0], apart[1]) < dist(apart[0], apart[2])


def test_graphs_without_layout() -> None:
    game = semisplit.Game.parse(
        "#players = white(1), black(1)\n#pieces = e, w\n#variables =\n"
        "#board = here[w]{to:there} there[e]{to:nowhere} nowhere[e]{to:here}\n"
        "#rules = ->white {w} [e] to [w] ->black {w} [e] to [w] ->> {}",
        engine="interpreter",
    )
    state = game.initial_state()
    check(state)
    assert texts(picture(state), "labels") == ["here", "there", "nowhere"]
    assert len(list(picture(state).iter(f"{SVG}line"))) == 3


def test_what_is_not_on_the_board() -> None:
    assert texts(picture(load("connect4_7").initial_state()), "beside") == ["(control\u00a0white)"]
    assert texts(picture(load("nim").initial_state()), "fluents")[:3] == [
        "control",
        "first",
        "heap",
    ]
    assert not texts(picture(load("chess").initial_state()), "beside")


NASTY = [
    "<script>",
    "a&b",
    "\"'>",
    "]]>",
    "\x01\x02",
    "\ud800",
    "&#0,",
    "--><!--",
    "\u202e",
    "x" * 190,
]


@pytest.mark.parametrize("nasty", NASTY)
def test_names_from_strangers(nasty: str) -> None:
    state = gdl(f"{nasty} stone", f"{nasty}r other", f"{nasty}c d", name=nasty)
    svg = picture(state)
    shown = "".join(c if c.isprintable() or c == "\u202e" else "\ufffd" for c in nasty)
    assert f"{shown}c 0" in squares(svg)
    assert any(g.get("data-piece") == shown for g in svg.iter())
    assert svg.findtext(f"{SVG}title", "").startswith(f"{shown}.kif: ")
    assert any(shown in text for text in texts(svg, "beside")) or len(nasty) > 100
    tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
    assert tags <= {"svg", "title", "rect", "g", "path", "text", "line"}


def test_pictures_do_not_depend_on_the_order_of_sets() -> None:
    program = (
        "import semisplit; from semisplit.ui.render.svg import draw\n"
        "for game in ('chess', 'the_mill_game', 'pilgrimage', 'incredible'):\n"
        "    rules = semisplit.load(game, engine='interpreter').rules\n"
        "    print(draw(rules, rules.start))"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second


def test_the_same_in_notebooks_and_by_the_command_line(tmp_path: Path) -> None:
    before = semisplit.load("breakthrough").initial_state()
    shown = before._repr_svg_()
    assert shown == draw(before.game.rules, before.position)
    assert run("show", "breakthrough", "--svg", "-") == shown
    file = tmp_path / "board.svg"
    assert run("show", "breakthrough", "a2-a3", "--svg", str(file)) == ""
    after = before.apply("a2-a3")
    expected = draw(after.game.rules, after.position, since=before.position)
    assert file.read_text() == expected != shown
    missing = tmp_path / "no" / "board.svg"
    assert f"error: cannot write {missing}" in run(
        "show", "breakthrough", "--svg", str(missing), status=1
    )
