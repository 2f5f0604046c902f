"""`semisplit explain`: what a split strategy does to a game."""

from __future__ import annotations

import json as json_module
import time
from dataclasses import asdict, replace
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.cli import shell
from semisplit.cli.options import Game, Json
from semisplit.core.errors import InputError, WorkLimit
from semisplit.core.work import doing, limited

if TYPE_CHECKING:
    import semisplit as package
    from semisplit.gdl.language import GdlRules

_MAX_VISITS = 2_000_000
"""How much work goes into the moves of one position."""


def explain(
    game: Game,
    split: Annotated[
        str,
        typer.Option(help="The strategy, like Mod or ModPlus.", autocompletion=shell.splits),
    ] = "Mod",
    seconds: Annotated[float, typer.Option(help="How long to play at random.")] = 1.0,
    dot: Annotated[
        bool, typer.Option(help="Print the network of a game in GDL for Graphviz.")
    ] = False,
    features: Annotated[
        bool, typer.Option(help="Print what short random play tells about the game.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the rules with their split points, and how moves look when split.

    Of games in GDL, show what has become of their rules, a network of gates.
    """
    import semisplit
    from semisplit.gdl.language import GdlRules

    with limited(more_seconds=2 * seconds):
        loaded = semisplit.load(game)
        rules = loaded.rules
        if features:
            _show_features(loaded, json)
        elif isinstance(rules, GdlRules):
            _explain_network(rules, dot, json)
        elif dot:
            raise InputError(f"{game} has no network: it is not in GDL")
        else:
            _explain_split(game, split, seconds, json)


def _show_features(game: package.Game, json: bool) -> None:
    from semisplit.agent.auto.features import measure_features

    found = measure_features(game)
    print(json_module.dumps(asdict(found)) if json else found)


def _explain_network(rules: GdlRules, dot: bool, json: bool) -> None:
    from semisplit.gdl.network.explain import explain

    network = explain(rules.description)
    if dot:
        print(network.dot())
    else:
        print(json_module.dumps(network.sizes) if json else network)


def _explain_split(game: str, split: str, seconds: float, json: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    import semisplit
    from semisplit.cli.rbg import rbg_rules
    from semisplit.cli.tables import print_table
    from semisplit.lab.document import Table
    from semisplit.rbg.printer import layout_rule

    whole, divided = semisplit.load(game), semisplit.load(game, split)
    rows = [_statistics(loaded, seconds) for loaded in (whole, divided)]
    if json:
        print(json_module.dumps(rows))
        return
    console = Console(highlight=False)
    rules = rbg_rules(divided)
    with doing(f"laying out the rules of {game} ({rules.description.size})"):
        text = Text(layout_rule(rules.divided, rules.description.pieces, console.width))
    text.highlight_regex(r"(?<=\s)\.(?=\s)", "bold reverse red")
    text.highlight_regex(r"->>|->\w+", "bold green")
    console.print(text)
    assert divided.split is not None
    dots = len(rules.automaton.dots)
    modifiers = " and behind every modifier" if divided.split.mod else ""
    console.print(f"\nA semimove ends at {dots} split point(s) (.){modifiers}, and with the move.")
    titles = ("random play", "games", "moves/game", "states/game", "semimoves/move", "branching")
    cells = (
        (mode, str(games), *("-" if a is None else f"{a:.2f}" for a in averages))
        for mode, games, *averages in (row.values() for row in rows)
    )
    print_table(Table("", titles, tuple(cells)), console)
    if any(row["branching"] is None for row in rows):
        console.print("Looking for the moves of one position takes too long to play at random.")


def _statistics(game: package.Game, seconds: float) -> dict[str, Any]:
    """Averages of random play, per game over those that ended in time, otherwise over all moves."""
    from semisplit.cli.rbg import rbg_rules
    from semisplit.rbg.interpret import Interpreter
    from semisplit.rbg.simulate import SimulationCounts, random_move

    divided = rbg_rules(game)
    rules = Interpreter(divided.description, divided.divided, _MAX_VISITS)
    mod, mode = (game.split.mod, str(game.split)) if game.split else (None, "orthodox")
    statistics, ended = SimulationCounts(), SimulationCounts()
    deadline = time.monotonic() + seconds

    def play() -> None:
        nonlocal ended
        while True:
            position = rules.run_keeper(rules.start)
            random = Random(statistics.games)
            while after := random_move(rules, position, random, statistics, mod=mod):
                if not time.monotonic() <= deadline:
                    return
                position = rules.run_keeper(after)
            statistics.games += 1
            ended = replace(statistics)
            if not time.monotonic() <= deadline:
                return

    least = 1
    try:
        with doing(f"playing at random ({mode})"):
            play()
    except WorkLimit:
        # If it was the first position that takes too long, nothing is known.
        least = 0
    moves, states = max(least, statistics.moves), max(least, statistics.states)
    return {
        "mode": mode,
        "games": ended.games,
        "moves_per_game": ended.moves / ended.games if ended.games else None,
        "states_per_game": ended.states / ended.games if ended.games else None,
        "semimoves_per_move": statistics.semimoves / moves if moves else None,
        "branching": statistics.choices / states if states else None,
    }
