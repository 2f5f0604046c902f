"""The section `#board`: generators and explicit graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from semisplit.core.board import geometry
from semisplit.core.board.geometry import Geometry
from semisplit.language.rbg.text.declarations import Names
from semisplit.language.rbg.text.limits import MAX_VERTICES
from semisplit.language.rbg.text.reader import Reader, SyntaxFault
from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import Token, end_of_section


@dataclass(frozen=True)
class Board:
    """A directed graph with at most one edge per vertex and label. The game starts at vertex 0."""

    names: tuple[str, ...]
    """Vertex names of the language, like `rx0y0`. Vertex number v + 1 is used on the wire."""
    pieces: tuple[str, ...]
    """The piece on each vertex at the start."""
    edges: tuple[dict[str, int], ...]
    """For each vertex: label to target."""
    geometry: Geometry

    @property
    def labels(self) -> list[str]:
        """The labels of all edges, sorted."""
        return sorted({label for edges in self.edges for label in edges})


_DIRECTIONS = {"rectangle": 4, "hexagon": 6, "cuboid": 6}
_Rows = list[list[str | None]]
_Cell = tuple[int, int, int]


def read_board(tokens: list[Token], section: Token, names: Names, report: Report) -> Board | None:
    """Read the board; None if it is too wrong to go on with."""
    if not tokens:
        hint = "like 'rectangle(up,down,left,right, [e,e] [e,e])'"
        report.error(section, "the board is empty", hint)
        names.complete = False
        return None
    reader = Reader(tokens, end_of_section(tokens), report)
    errors = len(report.errors)
    try:
        if reader.next.text in _DIRECTIONS:
            board = _read_generated(reader, names)
        else:
            board = _read_graph(reader, names)
        if not reader.at_end:
            reader.fail(f"expected the end of the board, found {reader.next}")
    except SyntaxFault:
        board = None
    names.complete &= len(report.errors) == errors
    if board is not None:
        names.useless_labels = set(names.labels) - set(board.labels)
        names.labels = sorted({*names.labels, *board.labels})
    return board


def _read_generated(reader: Reader, names: Names) -> Board:
    generator = reader.take()
    reader.expect("(", f"after '{generator.text}'")
    labels: list[str] = []
    for _ in range(_DIRECTIONS[generator.text]):
        labels.append(_read_label(reader, names, labels))
        reader.expect(",", "after a direction")
    names.labels = labels
    if generator.text == "cuboid":
        return _cuboid(reader, labels, generator, names)
    rows = _read_rows(reader, names)
    reader.expect(")", "after the rows")
    if generator.text == "hexagon":
        return _hexagon(reader, labels, rows, generator)
    if len({len(row) for row in rows}) > 1 or not rows[0]:
        reader.report.error(generator, "the rows of a rectangle must have equal, positive length")
        raise SyntaxFault
    cells = {(x, y, 0): piece for y, row in enumerate(rows) for x, piece in enumerate(row) if piece}
    board_names = {cell: f"rx{cell[0]}y{cell[1]}" for cell in cells}
    layout = geometry.rectangle([(x, y) for x, y, _ in cells], len(rows))
    return _build(cells, board_names, labels, _grid_steps, layout, generator, reader)


def _read_label(reader: Reader, names: Names, others: list[str]) -> str:
    label = reader.expect_name("the name of a direction")
    names.check_new(label, reader.report)
    if label.text in others:
        reader.report.error(label, f"direction '{label.text}' is given twice")
    return label.text


def _read_rows(reader: Reader, names: Names) -> _Rows:
    rows: _Rows = []
    while not rows or reader.sees("["):
        reader.expect("[", "at the start of a row")
        row: list[str | None] = []
        if not reader.accept("]"):
            row.append(_read_cell(reader, names))
            while reader.accept(","):
                row.append(_read_cell(reader, names))
            reader.expect("]", "or ',' in a row")
        rows.append(row)
    return rows


def _read_cell(reader: Reader, names: Names) -> str | None:
    """A piece, or None for a hole."""
    if reader.next.kind != "name":
        return None
    piece = reader.take()
    if piece.text not in names.pieces and names.complete:
        reader.report.unknown(piece, "undeclared piece", names.pieces)
    reader.skip_arguments(piece)
    return piece.text


def _grid_steps(x: int, y: int, z: int) -> list[_Cell]:
    """Neighbours in the order up, down, left, right, front, back."""
    return [
        (x, y - 1, z),
        (x, y + 1, z),
        (x - 1, y, z),
        (x + 1, y, z),
        (x, y, z + 1),
        (x, y, z - 1),
    ]


def _hexagon(reader: Reader, labels: list[str], rows: _Rows, generator: Token) -> Board:
    widths = [len(row) for row in rows]
    peak = widths.index(max(widths))
    steps = [after - before for before, after in pairwise(widths)]
    if 0 in widths or steps != [1] * peak + [-1] * (len(rows) - 1 - peak):
        reader.report.error(
            generator,
            "the rows of a hexagon must grow by one cell each, then shrink by one cell each",
            f"the rows here have {', '.join(map(str, widths))} cells",
        )
        raise SyntaxFault

    def neighbours(x: int, y: int, z: int) -> list[_Cell]:
        """In the order NW, NE, E, SE, SW, W."""
        above = x - 1 if y <= peak else x
        below = x if y < peak else x - 1
        return [
            (above, y - 1, z),
            (above + 1, y - 1, z),
            (x + 1, y, z),
            (below + 1, y + 1, z),
            (below, y + 1, z),
            (x - 1, y, z),
        ]

    cells = {(x, y, 0): piece for y, row in enumerate(rows) for x, piece in enumerate(row) if piece}
    board_names = {cell: f"hx{cell[0]}y{cell[1]}" for cell in cells}
    layout = geometry.hexagon([(x, y) for x, y, _ in cells], widths)
    return _build(cells, board_names, labels, neighbours, layout, generator, reader)


def _cuboid(reader: Reader, labels: list[str], generator: Token, names: Names) -> Board:
    layers: list[_Rows] = []
    while not layers or reader.sees("["):
        reader.expect("[", "at the start of a layer")
        layers.append(_read_rows(reader, names))
        reader.expect("]", "after the rows of a layer")
    reader.expect(")", "after the layers")
    shapes = {tuple(len(row) for row in layer) for layer in layers}
    widths = set(next(iter(shapes)))
    if len(shapes) > 1 or len(widths) > 1 or 0 in widths:
        reader.report.error(
            generator, "all layers of a cuboid must have the same number of equally long rows"
        )
        raise SyntaxFault
    cells = {
        (x, y, z): piece
        for z, layer in enumerate(layers)
        for y, row in enumerate(layer)
        for x, piece in enumerate(row)
        if piece
    }
    board_names = {(x, y, z): f"cx{x}y{y}z{z}" for x, y, z in cells}
    layout = geometry.cuboid(list(cells), len(layers[0]))
    return _build(cells, board_names, labels, _grid_steps, layout, generator, reader)


def _build(
    cells: dict[_Cell, str],
    names: dict[_Cell, str],
    labels: list[str],
    neighbours: Callable[[int, int, int], list[_Cell]],
    layout: Geometry,
    generator: Token,
    reader: Reader,
) -> Board:
    """Number the cells in their order and connect neighbours."""
    if not cells:
        reader.report.error(generator, "the board has no vertices")
        raise SyntaxFault
    _check_size(len(cells), generator, reader.report)
    numbers = {cell: number for number, cell in enumerate(cells)}
    edges = tuple(
        {
            label: numbers[target]
            for label, target in zip(labels, neighbours(*cell))
            if target in numbers
        }
        for cell in cells
    )
    return Board(tuple(names.values()), tuple(cells.values()), edges, layout)


def _read_graph(reader: Reader, names: Names) -> Board:
    """Read `name[piece]{label:target, ...}` until the tokens end."""
    vertices: dict[str, int] = {}
    pieces: list[str] = []
    edges: list[dict[str, Token]] = []
    first = reader.next
    while not reader.at_end:
        name = reader.expect_name("a vertex or a board generator")
        if name.text in vertices:
            reader.report.error(name, f"vertex '{name.text}' is given twice")
        vertices[name.text] = len(pieces)
        reader.expect("[", "with the piece of the vertex")
        piece = _read_cell(reader, names)
        if piece is None:
            reader.fail(f"expected a piece, found {reader.next}")
        pieces.append(piece)
        reader.expect("]", "after the piece")
        edges.append(_read_edges(reader, names))
    _check_size(len(pieces), first, reader.report)
    for outgoing in edges:
        for target in outgoing.values():
            if target.text not in vertices:
                reader.report.unknown(target, "an edge leads to an unknown vertex", [*vertices])
                vertices[target.text] = 0
    return Board(
        tuple(vertices)[: len(pieces)],
        tuple(pieces),
        tuple({label: vertices[target.text] for label, target in e.items()} for e in edges),
        geometry.graph(tuple(vertices)[: len(pieces)]),
    )


def _read_edges(reader: Reader, names: Names) -> dict[str, Token]:
    edges: dict[str, Token] = {}
    reader.expect("{", "with the edges of the vertex")
    if reader.accept("}"):
        return edges
    while True:
        label = _read_label(reader, names, list(edges))
        reader.expect(":", "after the direction")
        edges[label] = reader.expect_name("the vertex where the edge leads")
        if reader.accept("}"):
            return edges
        reader.expect(",", "or '}' after an edge")


def _check_size(vertices: int, at: Token, report: Report) -> None:
    if vertices > MAX_VERTICES:
        report.fatal(at, f"the board has {vertices} vertices, more than {MAX_VERTICES} allowed")
