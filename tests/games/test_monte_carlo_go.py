"""Go as Monte-Carlo programs play it, against a second reading of its rules: sets of points."""

from random import Random

import pytest

from semisplit import State, load

SIZE = 9
POINTS = [(x, y) for x in range(SIZE) for y in range(SIZE)]
Point = tuple[int, int]


def around(point: Point) -> list[Point]:
    x, y = point
    return [p for p in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if p in set(POINTS)]


class Go:
    """A game in progress."""

    def __init__(self) -> None:
        self.stones: dict[Point, int] = {}
        self.player = 0
        self.ko: Point | None = None
        self.passes = self.moves = 0

    def block(self, point: Point, stones: dict[Point, int]) -> tuple[set[Point], set[Point]]:
        """The stones connected with one, and their liberties."""
        block, liberties, stack = {point}, set(), [point]
        while stack:
            for other in around(stack.pop()):
                if other not in stones:
                    liberties.add(other)
                elif stones[other] == stones[point] and other not in block:
                    block.add(other)
                    stack.append(other)
        return block, liberties

    def after(self, point: Point) -> tuple[dict[Point, int], set[Point]]:
        """The stones after a move, and those captured."""
        stones = {**self.stones, point: self.player}
        captured: set[Point] = set()
        for other in around(point):
            if stones.get(other) == 1 - self.player:
                block, liberties = self.block(other, stones)
                captured |= set() if liberties else block
        return {p: colour for p, colour in stones.items() if p not in captured}, captured

    def is_eye(self, point: Point) -> bool:
        if any(self.stones.get(other) != self.player for other in around(point)):
            return False
        x, y = point
        corners = [(x + a, y + b) for a in (-1, 1) for b in (-1, 1)]
        enemies = sum(self.stones.get(corner) == 1 - self.player for corner in corners)
        return enemies < (2 if len(around(point)) == 4 else 1)

    def legal(self) -> set[Point]:
        return {point for point in POINTS if point not in self.stones and self.allows(point)}

    def allows(self, point: Point) -> bool:
        if point == self.ko or self.is_eye(point):
            return False
        stones, _ = self.after(point)
        return bool(self.block(point, stones)[1])

    def play(self, point: Point | None) -> None:
        self.ko = None
        self.moves += 1
        self.passes = self.passes + 1 if point is None else 0
        if point is not None:
            self.stones, captured = self.after(point)
            block, liberties = self.block(point, self.stones)
            if len(captured) == 1 and len(block) == 1 and liberties == captured:
                (self.ko,) = captured
        self.player = 1 - self.player

    def black_wins(self) -> bool:
        area = [sum(colour == side for colour in self.stones.values()) for side in (0, 1)]
        empty = set(POINTS) - self.stones.keys()
        while empty:
            region, stack, touched = set(), [empty.pop()], set()
            while stack:
                point = stack.pop()
                region.add(point)
                for other in around(point):
                    if other in self.stones:
                        touched.add(self.stones[other])
                    elif other in empty:
                        empty.remove(other)
                        stack.append(other)
            if len(touched) == 1:
                area[touched.pop()] += len(region)
        return area[0] > area[1] + 5.5


def name(point: Point) -> str:
    return f"{'abcdefghi'[point[0]]}{point[1] + 1}"


@pytest.mark.parametrize("seed", range(6))
def test_games_are_those_of_the_rules(seed: int) -> None:
    state, go, random = load("go_9x9_mc").initial_state(), Go(), Random(seed)
    while not state.is_terminal:
        assert go.passes < 2
        assert go.moves < 243
        legal = {name(point): point for point in go.legal()}
        found = {str(move) for move in state.moves()}
        assert found == (set(legal) or {["blackPassed=1", "whitePassed=1"][go.player]})
        move = random.choice(sorted(found))
        go.play(legal.get(move))
        state = state.apply(move)
    assert go.passes == 2 or go.moves == 243
    assert state.scores == ((100, 0) if go.black_wins() else (0, 100))


KO = """
9 . . . . . . . . .
8 . . . . . . . . .
7 . . . . . . . . .
6 . . . . . . . . .
5 . . . . . . . . .
4 . . b w . . . . .
3 . b w . w . . . .
2 . . b w . . . . .
1 . . . . . . . . .
  a b c d e f g h i
"""


def test_a_ko_is_not_taken_back_at_once() -> None:
    before = load("go_9x9_mc").parse_state(KO)
    taken = before.apply("d3")
    assert taken.piece("c3") == "k"
    assert not legal_at(taken, "c3")
    # Black fills elsewhere, and not the ko; then it may be taken.
    assert legal_at(taken.apply("i9").apply("i1"), "c3")


def legal_at(state: State, square: str) -> bool:
    return square in map(str, state.moves())
