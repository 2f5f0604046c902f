"""`semisplit solve`: a line of moves that solves a puzzle, or the value of a position."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semisplit.core.work import limited
from semisplit.ui.cli import shell
from semisplit.ui.cli.options import Game, Json, Split

if TYPE_CHECKING:
    from semisplit.lab.bench.solving import Attempt, Summary

_TWO = 2


def solve(
    game: Game,
    after: Annotated[list[str] | None, typer.Argument(help="Moves made before.")] = None,
    position: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Begin with the position in this file; '-' is stdin."),
    ] = None,
    player: Annotated[str | None, typer.Option(help="Whose score is proven.")] = None,
    split: Split = None,
    table: Annotated[
        int, typer.Option(min=1, max=1 << 20, help="MB for positions that have been proven.")
    ] = 256,
    agent: Annotated[
        str,
        typer.Option(
            help="Who searches in a puzzle, like mt-mcts, uct-transpositions or orthodox.",
            autocompletion=shell.agents,
        ),
    ] = "mt-mcts,plans=true",
    runs: Annotated[
        int,
        typer.Option(min=1, help="Solve a puzzle so often, each time with other random numbers."),
    ] = 1,
    budget: Annotated[
        str,
        typer.Option(help="What each search may take: 60s, 1000000sims; for two: 1000000states."),
    ] = "60s",
    seed: Annotated[int, typer.Option(help="Of random numbers.")] = 0,
    json: Json = False,
) -> None:
    """Solve a puzzle, or find the value of a position in a game of two players.

    A puzzle is a game of one player: moves to the highest score are looked for. In a game of two it
    is proven what a player can force, and a line of best play is shown. The exit status is 1 if
    that takes too long.
    """
    import semisplit
    from semisplit.agents import parse_agent
    from semisplit.core.errors import InputError
    from semisplit.lab.bench.solving import attempts, summarize
    from semisplit.lab.matches.budgets import Like, parse_budget

    config, limit = parse_agent(agent), parse_budget(budget)
    with limited():
        loaded = semisplit.load(game)
    if isinstance(limit, Like):
        raise InputError("a budget like another agent's is for matches; 60s and 1000000sims are")
    if len(loaded.players) == _TWO:
        from semisplit.core.strategy import SplitStrategy
        from semisplit.search.proof import ProofSettings
        from semisplit.ui.cli.verbs.experiment.prove import find_state, prove_state

        if limit.simulations is not None:
            raise InputError(f"proofs make no simulations; for {game} a budget is 60s, 10000states")
        with limited():
            state = find_state(loaded, position, after or ())
        strategy = SplitStrategy.parse(split) if split else None
        prove_state(state, player, limit, ProofSettings(table, split=strategy), json)
        return
    if after or position or player or split:
        raise InputError(f"{game} is solved from its beginning, as a whole: it is not for two")
    made: list[Attempt] = []
    try:
        for attempt in attempts(loaded, config, limit, runs, seed):
            made.append(attempt)
            if runs > 1 and not json:
                print(f"{len(made):4}: {_tell(attempt)}", flush=True)
    except KeyboardInterrupt:
        if not made:
            raise typer.Exit(130) from None
    best = max(made, key=lambda one: one.score)
    if json:
        known = {"game": game, "agent": agent, "budget": budget, **summarize(made).to_json()}
        line = [str(move) for move in best.line]
        print(json_module.dumps({**known, "score": best.score, "line": line, "note": best.note}))
    else:
        print(_tell_all(summarize(made)) if runs > 1 else _tell(best))
        if best.note:
            print(best.note)
        for number, move in enumerate(best.line, 1):
            print(f"{number:4}. {move}")
    if not best.solved:
        raise typer.Exit(1)


def _tell(attempt: Attempt) -> str:
    work = f"{attempt.playouts:,} playouts in {attempt.seconds:.2f} s"
    if attempt.decomposition_seconds:
        work += f", after {attempt.decomposition_seconds:.2f} s of decomposition"
    if attempt.solved:
        return f"solved in {len(attempt.line)} moves by {work}"
    return f"not solved: the best line has {attempt.score:.0%} of the score after {work}"


def _tell_all(summary: Summary) -> str:
    failed = f"{summary.failures} of {summary.runs} searches failed"
    if summary.mean_seconds is None:
        return failed
    return (
        f"{failed}; others took {summary.mean_playouts:,.0f} playouts and"
        f" {summary.mean_seconds:.2f} s, {summary.decomposition_seconds:.2f} s of them for the"
        f" decomposition, with a standard deviation of {summary.sd_seconds:.2f} s"
    )
