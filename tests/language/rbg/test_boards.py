"""Boards: vertices in order, edges, initial pieces, coordinates."""

import pytest

from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.text.boards import Board


def board(text: str) -> Board:
    return parse(
        f"#players = p(1) #pieces = e, x, o #variables = #board = {text} #rules = ->p"
    ).board


def neighbours(board: Board, name: str) -> dict[str, str]:
    edges = board.edges[board.names.index(name)]
    return {label: board.names[target] for label, target in edges.items()}


def test_rectangle_with_a_hole() -> None:
    small = board("rectangle(up,down,left,right,[e,x,o][e,,e])")
    assert small.names == ("rx0y0", "rx1y0", "rx2y0", "rx0y1", "rx2y1")
    assert small.pieces == ("e", "x", "o", "e", "e")
    assert neighbours(small, "rx1y0") == {"left": "rx0y0", "right": "rx2y0"}
    assert neighbours(small, "rx0y0") == {"right": "rx1y0", "down": "rx0y1"}
    assert small.geometry.names == ("a2", "b2", "c2", "a1", "c1")


def test_holes_at_the_ends_of_rows() -> None:
    assert board("rectangle(u,d,l,r,[,e][e,])").names == ("rx1y0", "rx0y1")


def test_hexagon() -> None:
    small = board("hexagon(NW,NE,E,SE,SW,W,[e,e][e,x,e][e,e])")
    assert neighbours(small, "hx1y1") == {
        "NW": "hx0y0",
        "NE": "hx1y0",
        "E": "hx2y1",
        "SE": "hx1y2",
        "SW": "hx0y2",
        "W": "hx0y1",
    }
    assert neighbours(small, "hx0y0") == {"E": "hx1y0", "SE": "hx1y1", "SW": "hx0y1"}
    assert neighbours(small, "hx1y2") == {"NW": "hx1y1", "NE": "hx2y1", "W": "hx0y2"}
    assert small.geometry.names == ("a3", "b3", "a2", "b2", "c2", "b1", "c1")


@pytest.mark.parametrize("rows", ["[e][e,e][e,e,e]", "[e,e,e][e,e][e]", "[e]"])
def test_hexagon_of_one_phase(rows: str) -> None:
    triangle = board(f"hexagon(NW,NE,E,SE,SW,W,{rows})")
    for name in triangle.names:
        for label, target in neighbours(triangle, name).items():
            back = {"NW": "SE", "NE": "SW", "E": "W", "SE": "NW", "SW": "NE", "W": "E"}[label]
            assert neighbours(triangle, target)[back] == name


def test_cuboid() -> None:
    cube = board("cuboid(up,down,left,right,front,back,[[e,e][e,x]][[e,o][e,e]])")
    assert cube.names[3] == "cx1y1z0"
    assert cube.names[4] == "cx0y0z1"
    assert cube.pieces[3] == "x"
    assert neighbours(cube, "cx1y1z0") == {"up": "cx1y0z0", "left": "cx0y1z0", "front": "cx1y1z1"}
    assert neighbours(cube, "cx1y0z1")["back"] == "cx1y0z0"
    assert cube.geometry.names[4] == "2a2"


def test_explicit_graph() -> None:
    triangle = board("a[e]{n:b, m:a} b[x]{n:c} c[o]{}")
    assert triangle.names == ("a", "b", "c")
    assert triangle.pieces == ("e", "x", "o")
    assert neighbours(triangle, "a") == {"n": "b", "m": "a"}
    assert neighbours(triangle, "c") == {}
    assert triangle.labels == ["m", "n"]
