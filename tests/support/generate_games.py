"""Random games as text: any geometry, 1 to 400 squares, rules like real ones.

Rules are made of what descriptions are made of: slides, jumps, lines, groups, patterns of them,
with and without modifiers, counting, and a keeper who turns pieces over and ends the game. Small
parts are combined freely, so that most of them mean nothing and all of them are legal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from random import Random

from semisplit.core.strategy import STRATEGIES

GEOMETRIES = ("rectangle", "hexagon", "cuboid", "graph")
MAX_SQUARES = 400
_PIECES = ("e", "x", "o", "y", "z")
_PLAYERS = ("w", "b", "g")
_VARIABLES = "t(3), u(200)"


@dataclass(frozen=True)
class GeneratedGame:
    """A description and how to play it."""

    text: str
    split: str | None
    geometry: str


def generate(random: Random) -> GeneratedGame:
    """A random game."""
    geometry = random.choice(GEOMETRIES)
    pieces = _PIECES[: random.randint(2, len(_PIECES))]
    cells = _cells(random, pieces, _size(random))
    board, labels = _BOARDS[geometry](random, cells)
    players = _PLAYERS[: random.randint(1, len(_PLAYERS))]
    rules = _Rules(random, geometry, labels, pieces, players).rules()
    text = (
        f"#players = {', '.join(f'{player}(100)' for player in players)}\n"
        f"#pieces = {', '.join(pieces)}\n#variables = {_VARIABLES}\n"
        f"#board = {board}\n#rules = {rules}\n"
    )
    # To find other split points takes long on large boards.
    splits = [None, "Mod", *(STRATEGIES if len(cells) <= 128 else ())]
    return GeneratedGame(text, random.choice(splits), geometry)


# Boards


def _size(random: Random) -> int:
    """How many squares: as often one word to a set as several, and the edges of words, too."""
    if random.random() < 0.15:
        return random.choice([1, 2, 63, 64, 65, 127, 128, 129, 192, 193, 256, 257, 320])
    if random.random() < 0.5:
        return random.choice([random.randint(1, 12), random.randint(1, 64)])
    return random.randint(65, MAX_SQUARES)


def _cells(random: Random, pieces: tuple[str, ...], size: int) -> list[str]:
    """The pieces of so many squares; most are empty."""
    filled = random.choice([0, 0.05, 0.2, 0.5])
    return [random.choice(pieces) if random.random() < filled else "e" for _ in range(size)]


def _rows(cells: list[str], width: int) -> list[list[str]]:
    """Cells in full rows."""
    full = max(len(cells) // width * width, width)
    cells = cells + ["e"] * (full - len(cells))
    return [cells[start : start + width] for start in range(0, full, width)]


def _width(random: Random, size: int) -> int:
    """About the square root, or anything."""
    return random.choice([max(round(sqrt(size)), 1), random.randint(1, size)])


def _punched(random: Random, rows: list[list[str]]) -> str:
    """Rows as text, perhaps with holes."""
    holes = random.choice([0, 0, 0, 0.1]) if min(map(len, rows)) > 1 else 0
    punched = [["" if random.random() < holes else cell for cell in row] for row in rows]
    punched[0][0] = rows[0][0]
    return "".join(f"[{','.join(row)}]" for row in punched)


def _rectangle(random: Random, cells: list[str]) -> tuple[str, tuple[str, ...]]:
    labels = ("up", "down", "left", "right")
    rows = _rows(cells, _width(random, len(cells)))
    return f"rectangle({','.join(labels)},{_punched(random, rows)})", labels


def _cuboid(random: Random, cells: list[str]) -> tuple[str, tuple[str, ...]]:
    labels = ("up", "down", "left", "right", "front", "back")
    depth = random.choice([1, 2, 3, max(round(len(cells) ** (1 / 3)), 1)])
    layer = _rows(cells[: max(len(cells) // depth, 1)], _width(random, max(len(cells) // depth, 1)))
    layers = "".join(f"[{_punched(random, layer)}]" for _ in range(depth))
    return f"cuboid({','.join(labels)},{layers})", labels


def _hexagon(random: Random, cells: list[str]) -> tuple[str, tuple[str, ...]]:
    labels = ("NW", "NE", "E", "SE", "SW", "W")
    side = max(round((len(cells) / 3) ** 0.5), 1)
    first, peak = random.randint(1, 2 * side), random.randint(0, side)
    widths = [*range(first, first + peak), *range(first + peak, 0, -1)]
    rows = []
    while widths and len(cells) >= widths[0]:
        rows.append(cells[: widths[0]])
        cells = cells[widths.pop(0) :]
    return f"hexagon({','.join(labels)},{_punched(random, rows or [['e']])})", labels


def _graph(random: Random, cells: list[str]) -> tuple[str, tuple[str, ...]]:
    """Circles, tubes, and graphs without any order."""
    labels = ("la", "lb", "lc", "ld")[: random.randint(1, 4)]
    size = len(cells)
    distances = [random.choice([1, -1, 2, _width(random, size)]) for _ in labels]
    # Without any order, large boards take long to compile.
    disorder = random.choice([0, 0.05, 1] if size <= 128 else [0, 2 / size])
    missing = random.choice([0, 0.1, 0.5])
    vertices = []
    for vertex, piece in enumerate(cells):
        edges = []
        for label, distance in zip(labels, distances):
            if random.random() >= missing:
                ordered = random.random() >= disorder
                target = (vertex + distance) % size if ordered else random.randrange(size)
                edges.append(f"{label}:v{target}")
        vertices.append(f"v{vertex}[{piece}]{{{', '.join(edges)}}}")
    if not any(label in "".join(vertices) for label in labels[:1]):
        vertices[0] = f"v0[{cells[0]}]{{{labels[0]}:v0}}"
    used = tuple(label for label in labels if any(f"{label}:" in vertex for vertex in vertices))
    return " ".join(vertices), used


_BOARDS: dict[str, Callable[[Random, list[str]], tuple[str, tuple[str, ...]]]] = {
    "rectangle": _rectangle,
    "hexagon": _hexagon,
    "cuboid": _cuboid,
    "graph": _graph,
}


# Rules


class _Rules:
    """Writes rules for a board."""

    def __init__(
        self,
        random: Random,
        geometry: str,
        labels: tuple[str, ...],
        pieces: tuple[str, ...],
        players: tuple[str, ...],
    ):
        self._random = random
        self._labels = labels
        self._pieces = pieces
        self._players = players
        self._any = f"({' + '.join(labels)})*"
        if geometry == "rectangle":
            self._any = "(up* + down*)(left* + right*)"
        self._asked: list[str] = []
        """Searches that have been written, to be asked again."""

    def rules(self) -> str:
        turns = []
        for player in self._players * self._random.randint(1, 2):
            mine, theirs = self._piece(), self._piece()
            turns.append(f"->{player} {self._move(mine, theirs)}")
            if self._chance(0.8):
                turns.append(f"->> {self._keeper(mine, theirs)}")
        return "\n  ".join(["(", *turns, ")*"])

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _one_of(self, *makers: Callable[[], str]) -> str:
        return self._random.choice(makers)()

    # Small parts

    def _piece(self) -> str:
        return self._random.choice(self._pieces)

    def _on(self) -> str:
        if self._chance(0.4):
            return "{e}"
        count = self._random.choice([1, 1, 1, 2, 2, len(self._pieces), 0])
        return f"{{{', '.join(self._random.sample(self._pieces, count))}}}"

    def _step(self) -> str:
        """A fixed step: straight, diagonal, or a knight's."""
        count = self._random.choice([1, 1, 1, 2, 2, 3])
        return " ".join(self._random.choice(self._labels) for _ in range(count))

    def _steps(self, make: Callable[[str], str]) -> str:
        """The same for several steps."""
        steps = [make(self._step()) for _ in range(self._random.randint(1, 4))]
        return f"({' + '.join(steps)})"

    def _number(self, depth: int = 2) -> str:
        if depth and self._chance(0.4):
            a, b = self._number(depth - 1), self._number(depth - 1)
            return f"({a} {self._random.choice('+-*/')} {b})"
        return self._random.choice(["t", "u", "w", *self._pieces, str(self._random.randint(0, 9))])

    def _comparison(self) -> str:
        comparator = self._random.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"{{$ {self._number()} {comparator} {self._number()}}}"

    def _assignment(self) -> str:
        return self._random.choice(
            ["[$ t=t+1]", "[$ u=u+1]", "[$ t=3-t]", "[$ u=x]", f"[$ u={self._number()}]"]
        ).replace("=x", f"={self._piece()}")

    # Without modifiers

    def _slide(self, s: str) -> str:
        """A line up to a piece, with it or not, or ahead of it."""
        a, b = self._on(), self._on()
        return self._random.choice(
            [
                f"({s} {a})*",
                f"{s} {a} ({s} {a})*",
                f"({s} {a})* {s} {b}",
                f"{s} ({a} {s})*",
                f"({a} {s})* {b} {s}",
                f"{s} {a} ({s} {a})* {s} {b}",
                f"({s} {a})^{self._random.randint(1, 4)}",
                f"{s}*",
            ]
        )

    def _search(self, depth: int) -> str:
        """A way to other squares, with tests on the way."""
        if self._asked and self._chance(0.15):
            return self._random.choice(self._asked)
        makers: list[Callable[[], str]] = [
            self._step,
            lambda: f"{self._step()} {self._on()}",
            lambda: self._slide(self._step()),
            lambda: self._steps(self._slide),
            lambda: self._steps(lambda s: f"{s} {self._on()}"),
            self._way,
            self._way,
            self._group,
            lambda: self._any,
        ]
        if depth:
            inner = depth - 1
            makers += 2 * [
                lambda: f"{self._search(inner)} {self._search(inner)}",
                lambda: f"({self._search(inner)} + {self._search(inner)})",
                lambda: f"{self._search(inner)} {self._test(inner)}",
                lambda: f"({self._test(inner)} {self._search(inner)} + {self._test(inner)})",
            ]
            makers += [
                lambda: f"({self._test(inner)} {self._step()})*",
                lambda: f"({self._step()} {self._test(inner)})*",
                lambda: f"({self._search(inner)})*",
            ]
        found = self._one_of(*makers)
        self._asked.append(found)
        return found

    def _way(self) -> str:
        """A way with one square at a time, but for when to stop and where to turn off."""
        parts = []
        for _ in range(self._random.randint(2, 4)):
            s, a = self._step(), self._on()
            parts.append(
                self._random.choice(
                    [s, a, f"{s} {a}", self._slide(s), f"({a} {s} + {self._step()} {self._on()})"]
                )
            )
        return " ".join(parts)

    def _group(self) -> str:
        """A search through connected squares."""
        around = self._steps(lambda s: s)
        return f"({around} {self._on()})* {around} {self._on()}"

    def _test(self, depth: int) -> str:
        """Something that stays where it is."""
        makers: list[Callable[[], str]] = [
            self._on,
            self._on,
            self._comparison,
            lambda: f"{{{self._random.choice('?!')} {self._random.choice(self._labels)}}}",
        ]
        if depth:
            makers += 3 * [lambda: self._pattern(depth - 1)]
        return self._one_of(*makers)

    def _pattern(self, depth: int) -> str:
        sign = self._random.choice("?!")
        if self._chance(0.2):
            return f"{{{sign} {self._changing(depth)}}}"
        return f"{{{sign} {self._search(depth)}}}"

    def _changing(self, depth: int) -> str:
        """The content of a pattern that puts pieces on squares."""
        parts = [self._search(depth), f"[{self._piece()}]", self._search(depth)]
        if self._chance(0.3):
            parts.insert(0, self._random.choice([self._on(), self._assignment()]))
        return " ".join(parts)

    # Moves

    def _move(self, mine: str, theirs: str) -> str:
        def jump(s: str) -> str:
            away = self._random.choice(["e", self._piece()])
            return self._random.choice(
                [
                    f"{s} {{{theirs}}} [{away}] {s} {{e}}",
                    f"({s} {{e}})* {s} {{{theirs}}} [{away}] {s} {{e}} ({s} {{e}})*",
                ]
            )

        def jumps() -> str:
            one = self._steps(jump)
            more = self._random.choice(["", f"({one})*", f"({one})* {{! {one}}}"])
            return f"{self._lift(mine)} {one} {more} [{mine}]"

        return self._one_of(
            lambda: f"{self._any} {{e}} {self._maybe_test()} [{mine}] {self._tail(theirs)}",
            lambda: f"{self._any} {{e}} {self._test(2)}",
            lambda: f"{self._lift(mine)} {self._search(2)} [{mine}] {self._tail(theirs)}",
            lambda: f"{self._lift(mine)} {self._steps(self._slide)} {self._maybe_test()} [{mine}]",
            lambda: f"{self._lift(mine)} {self._search(1)} {self._on()}",
            jumps,
            self._free,
            lambda: f"{self._any} {self._on()} {self._cases()} {self._cases()}",
            lambda: f"({self._free()} + {self._any} {{e}} [{mine}])",
        )

    def _lift(self, mine: str) -> str:
        return f"{self._any} {{{mine}}} {self._maybe_test()} [e]"

    def _maybe_test(self) -> str:
        return self._test(2) if self._chance(0.4) else ""

    def _tail(self, theirs: str) -> str:
        """What follows when a piece has been put down."""
        condition = self._search(1)
        return self._random.choice(
            [
                "",
                "",
                self._test(2),
                self._cases(),
                f"({{! {condition}}} + {{? {condition}}} {self._any} {{{theirs}}} [e])",
                f"({self._test(1)} + {self._test(1)} {self._search(0)} {{{theirs}}} [e])",
                f"{self._search(1)}",
            ]
        )

    def _free(self) -> str:
        """Any sequence of searches and modifiers."""
        parts = []
        for _ in range(self._random.randint(1, 3)):
            parts.append(self._one_of(lambda: self._search(2), lambda: self._test(2)))
            modifier = self._one_of(lambda: f"[{self._piece()}]", self._assignment)
            if self._chance(0.3):
                modifier = f"({modifier} + {self._test(1)} [{self._piece()}])"
            parts.append(modifier)
        return " ".join(parts)

    def _cases(self) -> str:
        """Alternatives that ask the same or exclude each other."""
        search, on = self._search(1), self._on()
        cases = []
        for number in range(self._random.randint(2, 3)):
            test = self._random.choice(
                [
                    f"{{? {search}}}",
                    f"{{! {search}}}",
                    f"{on} {{? {search}}}",
                    f"{{$ t == {number}}}",
                    f"{{$ t == {number}}} {{! {search}}}",
                    f"{self._step()} {on} {{{self._random.choice('?!')} {search}}}",
                    self._test(1),
                ]
            )
            effect = self._random.choice([f"[{self._piece()}]", self._assignment(), self._step()])
            cases.append(f"{test} {effect}")
        return f"({' + '.join(cases)})"

    def _keeper(self, mine: str, theirs: str) -> str:
        parts = []
        for _ in range(self._random.randint(0, 3)):
            condition = self._random.choice([self._search(2), self._changing(1)])
            s, back = self._step(), self._step()
            line = f"{s} {{{theirs}}} ({s} {{{theirs}}})* {s} {{{mine}}}"
            parts.append(
                self._random.choice(
                    [
                        f"({{? {condition}}} [{self._piece()}] + {{! {condition}}})",
                        f"({{? {condition}}} [$ w=100] ->> {{}} + {{! {condition}}} [$ w=50])",
                        f"({{! {line}}} + {{? {line}}} ({s} {{{theirs}}} [{mine}])* {s} {{{mine}}}"
                        f" ({back} {{{mine}}})*)",
                        f"({self._any} {self._on()} {self._test(1)} [{self._piece()}] + [$ u=u+1])",
                        f"({self._test(2)} {self._assignment()} + {self._test(2)} [{mine}]"
                        f" + {self._search(1)})",
                        f"[{mine}]",
                        self._cases(),
                        f"({self._cases()} + [$ t=t+1] + [$ t=0])",
                        self._test(2) if self._chance(0.3) else f"({self._search(1)} + [{mine}])",
                    ]
                )
            )
        return " ".join(parts)
