"""The bundled games with chance or hidden information, read a second time, in plain Python.

A state is a tuple, in which there is also what players have seen of the last move. All moves in a
state are those of one role; goals are None before the end.
"""

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple

State = tuple[Any, ...]


class Model(NamedTuple):
    """A game."""

    start: State
    roles: int
    chance: int | None
    """The role, from 0, that draws its moves by lot."""
    mover: Callable[[State], int]
    moves: Callable[[State], list[State]]
    goals: Callable[[State], tuple[int, ...] | None]

    def after(self, state: State) -> list[State]:
        """The states after each move, none if the game is over."""
        return self.moves(state) if self.goals(state) is None else []


def value(model: Model, role: int) -> float:
    """What a role can expect if all see everything, and each maximizes its own goal."""

    @cache
    def values(state: Hashable) -> tuple[float, ...]:
        assert isinstance(state, tuple)
        if (ends := model.goals(state)) is not None:
            return ends
        following = [values(after) for after in model.after(state)]
        if (mover := model.mover(state)) == model.chance:
            return tuple(sum(column) / len(following) for column in zip(*following))
        return max(following, key=lambda found: found[mover])

    return values(model.start)[role]


# Pig: white, black, random


def _pig_after(state: State) -> list[State]:
    phase, (points, turn, left, mover) = state
    if phase == "die":
        sums = [min(10, turn + number) for number in range(2, 7)]
        stays = [("choice", (points, sum_, left, mover)) for sum_ in sums]
        return [("choice", (points, 0, left - 1, 1 - mover)), *stays]
    own = min(10, points[mover] + turn)
    held = (own, points[1]) if mover == 0 else (points[0], own)
    moves: list[State] = [("choice", (held, 0, left - 1, 1 - mover))]
    if turn < 10:
        moves.append(("die", (points, turn, left, mover)))
    return moves


def _pig_goals(state: State) -> tuple[int, ...] | None:
    _, ((white, black), _, left, _) = state
    if max(white, black) < 10 and left:
        return None
    lead = 50 * ((white > black) - (white < black))
    return (50 + lead, 50 - lead, 0)


PIG = Model(
    ("choice", ((0, 0), 0, 12, 0)),
    3,
    2,
    lambda state: 2 if state[0] == "die" else state[1][3],
    _pig_after,
    _pig_goals,
)


# Dice race: white, black, random


def _race_after(state: State) -> list[State]:
    die, places, mover, time = state
    if not die:
        return [(number, places, mover, time) for number in (1, 2)]
    own, theirs = places[mover], places[1 - mover]
    moves = []
    for piece in (0, 1):
        to = min(4, own[piece] + die)
        if own[piece] == 4 or (to < 4 and theirs == (4 - to, 4 - to)):
            continue
        walked = (to, own[1]) if piece == 0 else (own[0], to)
        hit = tuple(0 if 0 < to < 4 and place == 4 - to else place for place in theirs)
        after = (walked, hit) if mover == 0 else (hit, walked)
        moves.append((0, after, 1 - mover, time + 1))
    return moves or [(0, places, 1 - mover, time + 1)]


def _race_goals(state: State) -> tuple[int, ...] | None:
    _, places, _, time = state
    if (4, 4) in places:
        return (*(100 * (own == (4, 4)) for own in places), 0)
    return (50, 50, 0) if time == 20 else None


DICE_RACE = Model(
    (0, ((0, 0), (0, 0)), 0, 0),
    3,
    2,
    lambda state: state[2] if state[0] else 2,
    _race_after,
    _race_goals,
)


# Kuhn poker: first, second, random

_CARDS = ("jack", "queen", "king")


def _kuhn_after(state: State) -> list[State]:
    history, cards, _ = state
    if cards is None:
        deals = permutations(range(3), 2)
        return [("", deal, (("has", deal[0]), ("has", deal[1]))) for deal in deals]
    actions = "fc" if history.endswith("b") else "kb"
    found = []
    for action in actions:
        shows = action == "c" or history + action == "kk"
        seen = (action, cards if shows else None)
        found.append((history + action, cards, seen))
    return found


def _kuhn_goals(state: State) -> tuple[int, ...] | None:
    history, cards, _ = state
    if history in ("", "k", "b", "kb"):
        return None
    if history.endswith("f"):
        winner, coins = (1, 1) if history == "kbf" else (0, 1)
    else:
        winner, coins = int(cards[1] > cards[0]), 2 if history.endswith("c") else 1
    first = 50 + 25 * coins * (1 if winner == 0 else -1)
    return (first, 100 - first, 0)


KUHN = Model(
    ("", None, None),
    3,
    2,
    lambda state: 2 if state[1] is None else len(state[0]) % 2,
    _kuhn_after,
    _kuhn_goals,
)


# Hidden rock, paper, scissors: red, blue


def _rps_after(state: State) -> list[State]:
    return [(*state, shape) for shape in range(3)]


def _rps_goals(state: State) -> tuple[int, ...] | None:
    if len(state) < 3:
        return None
    red = (50, 100, 0)[(state[1] - state[2]) % 3]
    return (red, 100 - red)


RPS = Model(("",), 2, None, lambda state: len(state) - 1, _rps_after, _rps_goals)


# Kriegspiel tic-tac-toe

_LINES = [
    *(tuple((x, y) for y in range(3)) for x in range(3)),
    *(tuple((x, y) for x in range(3)) for y in range(3)),
    tuple((i, i) for i in range(3)),
    tuple((i, 2 - i) for i in range(3)),
]


def _krieg_after(state: State) -> list[State]:
    mover, marks, tried, _ = state
    found: list[State] = []
    for cell in product(range(3), repeat=2):
        if cell in marks[mover] or (mover, cell) in tried:
            continue
        if cell in marks[1 - mover]:
            found.append((mover, marks, tried | {(mover, cell)}, "taken"))
        else:
            own = marks[mover] | {cell}
            after = (own, marks[1]) if mover == 0 else (marks[0], own)
            found.append((1 - mover, after, tried, "marked"))
    return found


def _krieg_goals(state: State) -> tuple[int, ...] | None:
    _, marks, _, _ = state
    won = [any(own.issuperset(line) for line in _LINES) for own in marks]
    if any(won):
        return tuple(100 * one for one in won)
    return (50, 50) if len(marks[0]) + len(marks[1]) == 9 else None


KRIEG = Model(
    (0, (frozenset(), frozenset()), frozenset(), None),
    2,
    None,
    lambda state: int(state[0]),
    _krieg_after,
    _krieg_goals,
)


# Monty Hall: candidate, random


def _monty_after(state: State) -> list[State]:
    stage, car, chosen, opened, _ = state
    doors = range(3)
    if stage == 0:
        return [(1, door, None, None, None) for door in doors]
    if stage == 1:
        return [(2, car, door, None, None) for door in doors]
    if stage == 2:
        return [(3, car, chosen, door, door) for door in doors if door not in (car, chosen)]
    return [(4, car, door, opened, car) for door in doors if door != opened]


MONTY = Model(
    (0, None, None, None, None),
    2,
    1,
    lambda state: 1 - state[0] % 2,
    _monty_after,
    lambda state: (100 * (state[1] == state[2]), 0) if state[0] == 4 else None,
)

MODELS = {
    "pig": PIG,
    "dice_race": DICE_RACE,
    "kuhn_poker": KUHN,
    "hidden_rps": RPS,
    "krieg_tic_tac_toe": KRIEG,
    "monty_hall": MONTY,
}


def random_play(model: Model) -> Iterator[tuple[float, int, tuple[int, ...]]]:
    """Each way through a game by random moves: how likely it is, its length and its goals."""
    waiting: list[tuple[State, float, int]] = [(model.start, 1.0, 0)]
    while waiting:
        state, likely, length = waiting.pop()
        if (ends := model.goals(state)) is not None:
            yield likely, length, ends
            continue
        following = model.after(state)
        waiting += ((after, likely / len(following), length + 1) for after in following)
