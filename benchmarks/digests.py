"""Digests of what is emitted and of many searches, to see whether a change has changed any.

Run from the root of the repository, before and after, on the same machine, and compare:

    python -m benchmarks.digests > before.txt
    python -m benchmarks.digests > after.txt
    diff before.txt after.txt

`python -m benchmarks.digests searches` leaves out what is emitted, and `ir` searches. A line has a
name, a colon and a digest. Code depends on the processor, results on its arithmetic.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from itertools import chain

from tests.support.rules import rbg
from tests.support.search_variants import PAWNS, all_variants, title

from semisplit import Game, games, load
from semisplit.agents import AgentConfig
from semisplit.agents.agent import make_search
from semisplit.agents.config import MctsConfig
from semisplit.agents.names import parse_agent
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.errors import NotCompiled
from semisplit.language.rbg.native.interface.compile import emit_game
from semisplit.search import Budget

STRATEGIES = (None, "Mod", "ModPlus", "Shift")
PARTS = {"Mod": Bundle.GUIDED, None: Bundle.NUMBERED}
"""What is emitted besides the game itself, by split strategy."""
GAMES = ("breakthrough", "amazons", "chess", "go_9x9", "reversi", "english_draughts", "hex")
VARIANTS = (
    "orthodox",
    "orthodox+mast+rave",
    "orthodox+grave,ref=20",
    "groups[proximity,border]",
    "groups[start/target]+mast+rave",
    "mini",
    "orthodox+mobility+ssc,chance=0.1",
    "orthodox,batch=8",
    "semisplit-nodal@Mod,parallel=leaf,playouts=8",
    "semisplit-nodal[piece]@ModPlus,final=rollup",
    "semisplit-nodal+mast-split@Mod,policy=gibbs,decay=batch,batch=20",
    "rollup-raw/orthodox@PlusShift,MSF=2",
    "semisplit-nodal@Mod",
    "semisplit-raw+mast-split@Mod",
    "rollup-nodal+mast-mix+rave-context@Mod",
    "semisplit-nodal+mast-context+rave-context@ModShift",
    "orthodox/semisplit+mast-split@Mod",
)
SEVERAL = {
    "mt-mcts": ("incredible", "lights_on_parallel", "dual_connect_four", "hanoi"),
    "mt-mcts,alpha=0.25": ("incredible",),
    "uct-transpositions": ("hanoi", "eight_puzzle"),
    "orthodox": ("connect4_7", "rps_well", "connect4_3p", "breakthrough_gdl"),
    "orthodox+mast+rave": ("connect4_7", "double_ttt_sync"),
    "groups[name]": ("double_ttt_sync",),
}
"""Agents at games in GDL."""


def emitted(name: str) -> Iterator[tuple[str, str]]:
    """The LLVM IR of a bundled game with some split strategies."""
    for split in STRATEGIES:
        rules = rbg(load(name, split))
        for part in dict.fromkeys((Bundle.GAME, PARTS.get(split, Bundle.GAME))):
            try:
                text = str(
                    emit_game(rules.description, rules.divided, rules.strategy, part).module.ir
                )
            except NotCompiled as error:
                text = str(error)
            yield f"ir {name} {split} {part.value}", text


def searched(game: Game, config: AgentConfig, simulations: int) -> str:
    """All that a search has found, after a move and its most likely answer."""
    search = make_search(config, game, 7)
    results = []
    for _ in range(2):
        if not search.state.is_terminal:
            results.append(search.run(Budget(simulations=simulations)).to_json())
            search.play(str(results[-1]["move"]))
    for one in results:
        for measured in ("seconds", "tree_share", "bytes", "note"):
            one.pop(measured, None)
    return json.dumps(results)


def all_searches() -> Iterator[tuple[str, str]]:
    """All that searches find, with its name."""
    for settings in all_variants():
        name, pawns = title(settings), Game.parse(PAWNS, "pawns")
        yield f"search pawns {name}", searched(pawns, MctsConfig(name, settings=settings), 100)
    for name in GAMES:
        for agent in VARIANTS:
            yield f"search {name} {agent}", searched(load(name), parse_agent(agent), 300)
    for agent, names in SEVERAL.items():
        for name in names:
            yield f"search {name} {agent}", searched(load(name), parse_agent(agent), 300)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=["searches", "ir"])
    what = parser.parse_args().what
    found = chain(
        all_searches() if what != "ir" else (),
        chain.from_iterable(emitted(name) for name in games.names("rbg") if what != "searches"),
    )
    for name, content in found:
        print(f"{name}: {hashlib.sha256(content.encode()).hexdigest()[:16]}", flush=True)


if __name__ == "__main__":
    main()
