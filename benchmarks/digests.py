"""Digests of what is emitted and of many searches, to see whether a change has changed any.

Run from the root of the repository, before and after, on the same machine, and compare:

    python -m benchmarks.digests > before.txt
    python -m benchmarks.digests > after.txt
    diff before.txt after.txt

A line has a name, a colon and a digest. Code depends on the processor, results on its arithmetic.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator

from tests.support.search_variants import PAWNS, all_variants

from semisplit import Game, games, load
from semisplit.core.errors import NotCompiled
from semisplit.rbg.native.interface.compile import emit_game
from semisplit.runtime.abi import Part
from semisplit.search import Budget, Search, Settings
from semisplit.search.notation import parse_settings

STRATEGIES = (None, "Mod", "ModPlus", "Shift")
PARTS = {"Mod": Part.GUIDED, None: Part.NUMBERED}
"""What is emitted besides the game itself, by split strategy."""
GAMES = ("breakthrough", "amazons", "chess", "go_9x9", "reversi", "english_draughts", "hex")
VARIANTS = (
    "orthodox",
    "orthodox+mast+rave",
    "semisplit-nodal@Mod",
    "semisplit-raw+mast-split@Mod",
    "rollup-nodal+mast-mix+rave-context@Mod",
    "semisplit-nodal+mast-context+rave-context@ModShift",
    "orthodox/semisplit+mast-split@Mod",
)


def emitted(name: str) -> Iterator[tuple[str, str]]:
    """The LLVM IR of a bundled game with some split strategies."""
    for split in STRATEGIES:
        rules = load(name, split).rules
        for part in dict.fromkeys((Part.GAME, PARTS.get(split, Part.GAME))):
            try:
                text = str(
                    emit_game(rules.description, rules.divided, rules.strategy, part).module.ir
                )
            except NotCompiled as error:
                text = str(error)
            yield f"ir {name} {split} {part.value}", text


def searched(game: Game, settings: Settings, simulations: int) -> str:
    """All that a search has found, after a move and its most likely answer."""
    search = Search(game, settings, seed=7)
    results = []
    for _ in range(2):
        results.append(search.run(Budget(simulations=simulations)).to_json())
        search.play(str(results[-1]["move"]))
    for one in results:
        for measured in ("seconds", "tree_share", "bytes"):
            del one[measured]
    return json.dumps(results)


def all_results() -> Iterator[tuple[str, str]]:
    """Everything, with its name."""
    for settings in all_variants():
        yield f"search pawns {settings}", searched(Game.parse(PAWNS, "pawns"), settings, 100)
    for name in GAMES:
        for variant in VARIANTS:
            settings = parse_settings(variant)
            yield f"search {name} {variant}", searched(load(name), settings, 300)
    for name in games.names("rbg"):
        yield from emitted(name)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    for name, content in all_results():
        print(f"{name}: {hashlib.sha256(content.encode()).hexdigest()[:16]}", flush=True)


if __name__ == "__main__":
    main()
