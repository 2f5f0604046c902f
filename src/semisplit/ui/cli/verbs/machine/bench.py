"""`semisplit bench`: how fast games are."""

from __future__ import annotations

import json as json_module
from typing import Annotated, Any

import typer

from semisplit.core.work import doing, limited
from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Json


def bench(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="Bundled games or paths; all bundled if none.", autocompletion=shell.games
        ),
    ] = None,
    split: Annotated[
        str,
        typer.Option(help="The strategy, like Mod or ModPlus.", autocompletion=shell.splits),
    ] = "Mod",
    seconds: Annotated[float, typer.Option(min=0, help="How long to play in each mode.")] = 1.0,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Measure a search on the first move instead.",
            autocompletion=shell.games,
        ),
    ] = None,
    agent: Annotated[
        str,
        typer.Option(
            help="What searches, like orthodox or semisplit-nodal+mast-split@Mod.",
            autocompletion=shell.agents,
        ),
    ] = "orthodox",
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Measure random play on an NVIDIA GPU instead.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure random play with whole and with split moves on one core, and compile times."""
    if gpu:
        _bench_gpu(games, split, seconds, json)
    elif search is not None:
        _bench_search(search, agent, seconds, json)
    else:
        _bench_playouts(games, split, seconds, json)


def _bench_search(game: str, agent: str, seconds: float, json: bool) -> None:
    from rich.console import Console

    from semisplit.agents import parse_agent
    from semisplit.lab.bench.measuring import measure_search

    # Limits are of processor time, and each thread uses some.
    threads = parse_agent(agent).threads
    with (
        limited(more_seconds=3 * seconds * threads),
        doing(f"measuring the search of {agent} at {game}"),
    ):
        speed = measure_search(game, agent, seconds)
    if json:
        print(json_module.dumps({"game": game, "agent": agent, **speed._asdict()}))
        return
    console = Console(highlight=False, markup=False, soft_wrap=True)
    width, wide = max(len(game), len("game")), max(len(agent), len("agent"))
    titles = ("sims/s", "nodal/s", "nodes", "bytes", "tree")
    console.print(_line(width, "game", "agent", *titles, wide=wide), style="bold")
    numbers = (*map(_short, speed[:4]), f"{speed.tree_share:.0%}")
    console.print(_line(width, game, agent, *numbers, wide=wide))
    if speed.note:
        console.print(speed.note)


def _bench_playouts(games: list[str] | None, split: str, seconds: float, json: bool) -> None:
    from rich.console import Console

    import semisplit
    from semisplit import games as catalogue
    from semisplit.core.strategy import SplitStrategy
    from semisplit.lab.bench.measuring import measure_compiling, measure_speed

    strategy = SplitStrategy.parse(split)
    # A typo in the last name is to be found before the first game is measured.
    texts = [semisplit.read_description(game) for game in games or catalogue.names("rbg")]
    console = Console(highlight=False, markup=False, soft_wrap=True)
    width = max(len(name) for _, name in texts)
    if not json:
        titles = ("nodal/s", "all/s", "games/s", "depth", "cold s", "cached s")
        console.print(_line(width, "game", "mode", *titles), style="bold")
    rows: list[dict[str, Any]] = []
    for text, name in texts:
        with limited(more_seconds=4 * seconds):
            loaded = semisplit.Game.parse(text, name)
            for used in (None, strategy) if loaded.rules.can_split else (None,):
                mode = str(used) if used else "orthodox"
                with doing(f"measuring {name}, {mode}"):
                    compiled, times = measure_compiling(text, name, used)
                    split_moves = used is not None
                    speed = measure_speed(compiled, loaded.rules, seconds, semisplit=split_moves)
                row = {"game": name, "mode": mode, **speed._asdict(), **times._asdict()}
                rows.append(row)
                if not json:
                    rates = (_short(rate) for rate in speed[:3])
                    rest = (f"{speed.mean_depth:.1f}", f"{times[0]:.2f}", f"{times[1]:.3f}")
                    console.print(_line(width, name, mode, *rates, *rest))
    if json:
        print(json_module.dumps(rows))


def _bench_gpu(games: list[str] | None, split: str, seconds: float, json: bool) -> None:
    from rich.console import Console

    import semisplit
    from semisplit import games as catalogue
    from semisplit.compiler.gpu.driver import Device
    from semisplit.core.strategy import SplitStrategy
    from semisplit.lab.bench.flat import measure_gpu

    Device.first()
    strategy = SplitStrategy.parse(split)
    loaded = [semisplit.load(game) for game in games or catalogue.names("rbg")]
    console = Console(highlight=False, markup=False, soft_wrap=True)
    width = max(len(game.name) for game in loaded)
    if not json:
        titles = ("nodal/s", "all/s", "games/s", "depth", "threads", "bytes")
        console.print(_line(width, "game", "mode", *titles), style="bold")
    rows: list[dict[str, Any]] = []
    for game in loaded:
        for used in (None, strategy) if game.rules.can_split else (None,):
            mode = str(used) if used else "orthodox"
            with limited(more_seconds=4 * seconds), doing(f"measuring {game.name}, {mode}"):
                speed, on_gpu = measure_gpu(game.rules.split(used), seconds)
            threads, local = on_gpu.blocks * on_gpu.block_threads, on_gpu.kernel.local_bytes
            row = {"game": game.name, "mode": mode, **speed._asdict()}
            rows.append({**row, "threads": threads, "bytes_per_thread": local})
            if not json:
                rates = (_short(rate) for rate in speed[:3])
                rest = (f"{speed.mean_depth:.1f}", str(threads), str(local))
                console.print(_line(width, game.name, mode, *rates, *rest))
    if json:
        print(json_module.dumps(rows))


def _line(width: int, game: str, mode: str, *numbers: str, wide: int = 12) -> str:
    # Rows are printed as they come, so a table that looks for the best widths is of no use.
    return f"{game:<{width}} {mode:<{wide}}" + "".join(f"{number:>9}" for number in numbers)


def _short(rate: float) -> str:
    """A rate in a unit that keeps it short."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.2f} {unit}"
    return f"{rate:.0f}"
