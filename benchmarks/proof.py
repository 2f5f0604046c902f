"""Values of games, proven, beside what is known from elsewhere.

Run from the root of the repository:

    python -m benchmarks.proof [--nodes 400000000] [--table 1024] [GAME ...]

Prints a table as it goes; `benchmarks/results/proof.md` keeps one. Values are those for the player
who begins: 1 wins, D draws, 2 loses. They are known from the literature or from exhaustive searches
by other programs; a dash means that none is known to us. Nodes are positions that were made. Names
of games choose those that begin so. The exit status is 1 if a value is another one than that known.
"""

import argparse
import sys
import time
from collections.abc import Iterator

from tests.support.small_games import (
    breakthrough,
    connect_four,
    hex_board,
    knightthrough,
    m_n_k,
    three_mens_morris,
)

import semisplit
from semisplit.game import Game
from semisplit.search.proof import ProofSettings, Solver

_CONNECT_FOUR = {
    4: {4: "D", 5: "D", 6: "2", 7: "D", 8: "2"},
    5: {4: "D", 5: "D", 6: "D", 7: "D"},
    6: {4: "D", 5: "D", 6: "2"},
    7: {4: "D", 5: "D"},
    8: {4: "D"},
}
"""By height and width."""
_BREAKTHROUGH = {
    2: {(3, 5): "2", (3, 6): "1", (3, 7): "2", (4, 5): "2", (4, 6): "1", (5, 5): "2"},
    1: dict.fromkeys([(3, 4), (4, 4), (5, 4), (6, 4), (3, 5), (4, 5), (5, 5)], "1"),
}
"""By rows of pawns, and by width and height."""
_M_N_K = {(3, 3, 3): "D", (4, 3, 3): "1", (4, 4, 3): "1", (4, 4, 4): "D", (5, 4, 4): "D"}
_MISERE = {(3, 3, 3): "D", (4, 3, 3): "2", (4, 4, 3): "2", (4, 4, 4): "D"}
_KNIGHTTHROUGH = ((3, 5), (4, 5), (4, 6), (5, 5), (5, 6), (6, 6), (5, 7))
_BUNDLED = {"tic_tac_toe": "D", "tic_tac_toe.kif": "D", "nim": "1", "hex_4": "1"}


def games() -> Iterator[tuple[str, Game, str]]:
    """Each game with its name and its value, if that is known."""
    for name, value in _BUNDLED.items():
        yield name, semisplit.load(name), value
    for (m, n, k), value in _M_N_K.items():
        yield f"{m},{n},{k}", Game.parse(m_n_k(m, n, k)), value
    for (m, n, k), value in _MISERE.items():
        yield f"misere {m},{n},{k}", Game.parse(m_n_k(m, n, k, misere=True)), value
    yield "three men's morris", Game.parse(three_mens_morris()), "1"
    yield "three men's morris, not the centre first", _without_centre(), "-"
    for size in (3, 4, 5):
        yield f"Hex {size}x{size}", Game.parse(hex_board(size)), "1"
    for rows, values in _BREAKTHROUGH.items():
        for (width, height), value in values.items():
            name = f"Breakthrough {width}x{height}" + (", one row" if rows == 1 else "")
            yield name, Game.parse(breakthrough(width, height, rows)), value
    for height, by_width in _CONNECT_FOUR.items():
        for width, value in by_width.items():
            yield f"Connect Four {width}x{height}", Game.parse(connect_four(width, height)), value
    for width, height in _KNIGHTTHROUGH:
        name = f"Knightthrough {width}x{height}"
        yield name, Game.parse(knightthrough(width, height)), "-"


def _without_centre() -> Game:
    return Game.parse(three_mens_morris(centre=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", help="beginnings of their names")
    parser.add_argument("--nodes", type=int, default=400_000_000, help="for each game, at most")
    parser.add_argument("--table", type=int, default=1024, help="MB")
    options = parser.parse_args()
    print("| game | value | known | line | nodes | seconds | nodes/s | table |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    wrong = False
    for name, game, known in games():
        if options.games and not name.startswith(tuple(options.games)):
            continue
        # In Hex all moves are alike, and their number tells nothing.
        is_hex = name.lower().startswith("hex")
        settings = ProofSettings(options.table, 0.25 if is_hex else 1.0, is_hex)
        solver, state = Solver(game, settings), game.initial_state()
        begin = time.process_time()
        proof = solver.solve(state, nodes=options.nodes)
        seconds = time.process_time() - begin
        value = "?" if proof.value is None else {100: "1", 50: "D", 0: "2"}[proof.value]
        value = "endless" if proof.endless else value
        wrong |= "-" != known != value != "?"
        print(
            f"| {name} | {value} | {known} | {len(proof.line) or ''} | {proof.nodes:,}"
            f" | {seconds:.2f} | {proof.nodes / seconds:,.0f} | {proof.table_used:.0%} |",
            flush=True,
        )
    sys.exit(wrong)


if __name__ == "__main__":
    main()
