"""Do groups gain more if simulations know patterns, as those of the paper on grouping nodes do?

Its programs play Go with "small hand-tuned patterns", of which it says no more. Here simulations
know captures, escapes and fights near the last move. That is knowledge of the game, so it is
no part of semisplit; it takes the place of a policy of simulations in this process.

Run from the root of the repository:

    python -m benchmarks.patterns [--iterations 1500] [--factor 3] [--games 40]

Prints the scores of four matches: patterns against none, both without groups; then groups with a
part of the iterations against none, both without patterns and both with them; and at last
groups against none with patterns and as many iterations.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

import semisplit
from semisplit.agents import parse_agent
from semisplit.lab.matches.play import play_game
from semisplit.search import Budget
from semisplit.search.coding import choose_coding
from semisplit.search.engine.candidates import candidate, state_at
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import integers_at
from semisplit.search.features.groups.functions import TARGET
from semisplit.search.features.groups.situation import describe_move
from semisplit.search.features.policies.compiling import FUNCTIONS, PolicyFunctions
from semisplit.search.features.policies.record import workspace
from semisplit.search.features.policies.settings import SimulationPolicy
from semisplit.search.notation import parse_settings
from semisplit.stats.evidence import score_interval
from semisplit.stats.records import Pairs

SIZE = 9
POINTS = SIZE * SIZE
GAME = semisplit.load("go_9x9_mc")
PATTERNS = "+mobility,sample=128,chance=0.1"
"""The policy whose place patterns take: greedy among all moves, with a tenth drawn alike."""


def _bits() -> NDArray[np.int64]:
    """The bits of a state that tell of a stone: by colour, 1 and 2, and point."""
    codec, pieces = GAME.compiled.codec, list(GAME.rules.traits["put"].values)
    stones = [pieces.index("b"), pieces.index("w")]
    return np.array([[codec.piece_bit(stone, at) for at in range(POINTS)] for stone in stones])


def _targets() -> NDArray[np.int64]:
    """The point of each code of a move; -1 of a pass."""
    coding = choose_coding(GAME, parse_settings("orthodox+mobility"))
    codec = coding.game.codec
    steps = (codec.steps(coding.decode([code])) for code in range(coding.codes))
    return np.array([describe_move(GAME.rules, step)[TARGET] for step in steps])


def _around(offsets: list[tuple[int, int]]) -> NDArray[np.int64]:
    """For each point: those at some offsets from it, -1 for what is outside of the board."""
    found = np.full((POINTS, len(offsets)), -1)
    for point in range(POINTS):
        for place, (down, right) in enumerate(offsets):
            row, column = point // SIZE + down, point % SIZE + right
            if 0 <= row < SIZE and 0 <= column < SIZE:
                found[point, place] = row * SIZE + column
    return found


BITS, TARGETS = _bits(), _targets()
# In the order of a walk round the point, so that neighbours of numbers are neighbours on the board.
RING = _around([(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)])
COLOURS, BLOCKS, LIBERTIES, SEEN, STACK = (POINTS * part for part in range(5))
"""Where in the memory of a position these are."""


@kernel
def _read(p: Any, board: Any) -> None:
    """Write down the colours of points, and find blocks and their liberties."""
    state = integers_at(state_at(workspace(p), 0))
    for point in range(POINTS):
        board[COLOURS + point] = 0
        board[BLOCKS + point] = -1
        board[SEEN + point] = -1
        for colour in range(2):
            bit = BITS[colour, point]
            if (state[bit >> 5] >> (bit & 31)) & 1:
                board[COLOURS + point] = colour + 1
    for point in range(POINTS):
        if board[COLOURS + point] and board[BLOCKS + point] < 0:
            _read_block(board, point)


@kernel
def _read_block(board: Any, first: int) -> None:
    """Find the stones of a block, which is known by its first one, and count its liberties."""
    board[LIBERTIES + first] = 0
    board[BLOCKS + first] = first
    board[STACK] = first
    top = 1
    while top:
        top -= 1
        point = board[STACK + top]
        for i in range(0, 8, 2):
            beside = RING[point, i]
            if beside < 0:
                continue
            if board[COLOURS + beside] == 0:
                if board[SEEN + beside] != first:
                    board[SEEN + beside] = first
                    board[LIBERTIES + first] += 1
            elif board[COLOURS + beside] == board[COLOURS + first] and board[BLOCKS + beside] < 0:
                board[BLOCKS + beside] = first
                board[STACK + top] = beside
                top += 1


@kernel
def _value(board: Any, point: int, player: int, last: int) -> float:
    """What a move is worth: a capture or an escape most, then a pattern next to the last move."""
    empty, captures, saves, safe = 0, False, False, False
    for i in range(0, 8, 2):
        beside = RING[point, i]
        if beside < 0:
            continue
        colour = board[COLOURS + beside]
        if colour == 0:
            empty += 1
            continue
        liberties = board[LIBERTIES + board[BLOCKS + beside]]
        if colour != player:
            captures |= liberties == 1
        elif liberties == 1:
            saves = True
        else:
            safe |= liberties > 2
    if captures:
        return 3.0
    if empty < 2 and not safe:
        return 0.0
    if saves:
        return 3.0
    return 2.0 if _is_near(point, last) and _is_pattern(board, point, player) else 1.0


@kernel
def _is_near(point: int, last: int) -> bool:
    """Is a point one of the eight around the last move?"""
    near = False
    for i in range(8 if last >= 0 else 0):
        near |= RING[last, i] == point
    return near


@kernel
def _colour(board: Any, point: int, direction: int) -> int:
    """The colour in a direction, a number of the walk; -1 outside of the board."""
    there = RING[point, direction & 7]
    return board[COLOURS + there] if there >= 0 else -1


@kernel
def _is_pattern(board: Any, point: int, player: int) -> bool:
    """Is it a hane, a cut, or a push along the border?"""
    enemy = 3 - player
    for i in range(0, 8, 2):
        if _colour(board, point, i) != enemy:
            continue
        for turn in range(-1, 2, 2):
            if _colour(board, point, i + turn) == player:
                beside = _colour(board, point, i + 2 * turn)
                if beside != 0 or _colour(board, point, i - 2 * turn) != enemy:
                    return True
    return False


def value_moves(p: Any, player: int) -> None:
    """What the policy does: find the values of candidates."""
    s = workspace(p)
    # States behind moves are not looked at, so there is room.
    board = integers_at(p.afters)
    _read(p, board)
    last = TARGETS[s.worker.trace[s.worker.trace_length - 1].step] if s.worker.trace_length else -1
    for i in range(p.count):
        steps, _ = candidate(s, 0, i)
        point = TARGETS[steps[0]]
        p.values[i] = _value(board, point, player, last) if point >= 0 else 1.0


def play(first: str, second: str, iterations: int, games: int) -> str:
    """The score of the first agent in a match, as a row of a table."""
    results = []
    for number in range(games):
        agents = [parse_agent(first), parse_agent(second)]
        turn = 1 if number % 2 == 0 else -1
        seeds = (2 * number, 2 * number + 1)
        played = play_game(GAME, agents[::turn], seeds, Budget(simulations=iterations))
        assert played.failure is None, played.failure
        results.append(played.scores[::turn][0])
    low, high = score_interval(pairs := Pairs.of(results)).in_percent
    return f"| {first} | {second} | {games} | {100 * pairs.score:.1f} ({low:.1f} to {high:.1f}) |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--iterations", type=int, default=1500, help="of who has more")
    parser.add_argument("--factor", type=float, default=3.0, help="as many more they are")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--exploration", type=float, default=1.9, help="C")
    arguments = parser.parse_args()
    FUNCTIONS[SimulationPolicy.MOBILITY] = PolicyFunctions(value_moves, looks=False)
    constant = f",C={arguments.exploration:g}"
    plain, groups = "orthodox", "groups[proximity,border]"
    share = f",share={1 / arguments.factor:.6g}"
    print("| agent | against | games | score |")
    print("|---|---|---|---|")
    for first, second in (
        (plain + PATTERNS + constant, plain + constant),
        (groups + constant + share, plain + constant),
        (groups + PATTERNS + constant + share, plain + PATTERNS + constant),
        (groups + PATTERNS + constant, plain + PATTERNS + constant),
    ):
        print(play(first, second, arguments.iterations, arguments.games), flush=True)


if __name__ == "__main__":
    main()
