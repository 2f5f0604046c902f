"""The bundled games in GDL against all known facts, as deep as time allows.

The tests do the same for small depths and few games. Run from the root of the repository; prints
a line for each game, and ends with status 1 if something differs:

    python -m benchmarks.gdl_facts [GAMES...] [--moves 1000000] [--playouts 1000000]
"""

import argparse
from math import sqrt

from tests.support.gdl_facts import LEVELS, RANDOM_PLAY, affordable, compiled_levels

from semisplit import load
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.rules import GdlRules


def check_levels(name: str, rules: GdlRules, game: CompiledGame, moves: float) -> str | None:
    """What differs in the counts, if something does."""
    known = affordable(LEVELS[name], moves)
    for depth, (expected, found) in enumerate(zip(known, compiled_levels(rules, game))):
        if found != expected:
            return f"depth {depth}: {found}, expected {expected}"
    print(f"{name:24}depth {len(known) - 1:2} of {len(LEVELS[name]) - 1:2}", end="")
    return None


def check_random_play(name: str, rules: GdlRules, game: CompiledGame, count: int) -> str | None:
    """What differs in the averages by more than four standard errors, if something does."""
    known = RANDOM_PLAY[name]
    played = game.playouts(game.codec.pack(rules.start), seed=1, count=count)
    sums = (played.moves, *played.scores)
    means, errors = (known.length, *known.goals), (known.length_error, *known.goal_errors)
    print("  length and goals", *(f"{total / count:.3f}" for total in sums), end="")
    for total, expected, error in zip(sums, means, errors, strict=True):
        # The table is rounded.
        allowed = 4 * error * sqrt(1 + known.games / count) + 0.001
        if abs(total / count - expected) > allowed:
            return f"mean {total / count}, expected {expected} +- {error}"
    return None


def main() -> int:
    """Check all games, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*LEVELS])
    parser.add_argument("--moves", type=float, default=1_000_000, help="to make for the counts")
    parser.add_argument("--playouts", type=int, default=1_000_000)
    arguments = parser.parse_args()
    differences = 0
    for name in arguments.games:
        rules = load(name).rules
        assert isinstance(rules, GdlRules)
        game = compile_game(rules.description)
        difference = check_levels(name, rules, game, arguments.moves)
        if difference is None and name in RANDOM_PLAY:
            difference = check_random_play(name, rules, game, arguments.playouts)
        print(f"  {difference or 'ok'}", flush=True)
        differences += difference is not None
    return min(differences, 1)


if __name__ == "__main__":
    raise SystemExit(main())
