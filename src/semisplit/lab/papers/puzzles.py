"""The papers' puzzles solved again, beside the printed figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from semisplit.agents import parse_agent
from semisplit.lab.bench.solving import Attempt, attempts, summarize
from semisplit.lab.papers import Experiment, PrintedSolution
from semisplit.lab.papers.reproduce import Selection, check_known
from semisplit.lab.reports.document import Table
from semisplit.lab.store.circumstances import describe
from semisplit.lab.store.database import Store
from semisplit.loading import load
from semisplit.search import Budget

RUNS = 100
"""Of each agent with each puzzle."""


def solve_again(
    experiment: Experiment,
    runs: int,
    scale: float,
    selection: Selection,
    store: Store,
    on_attempt: Callable[[str], None],
) -> Table:
    """Solve the puzzles of an experiment, as far as that has not been done before.

    Args:
        experiment: What the paper printed.
        runs: How often each puzzle is solved by each agent.
        scale: Shrinks the playouts after which a search is given up.
        selection: Which puzzles and agents are wanted.
        store: Where attempts are kept.
        on_attempt: Is called with what is about to be done.
    """
    printed = experiment.solutions
    check_known("game", selection.games, {one.game for one in printed})
    check_known("agent", selection.agents, {one.agent for one in printed})
    most = experiment.setting.budgets["search"].amount
    assert most is not None
    budget = Budget(simulations=max(1, round(scale * most)))
    rows, seen = [], []
    for one in printed:
        chosen = ((one.game, selection.games), (one.agent, selection.agents))
        if all(not wanted or value in wanted for value, wanted in chosen):
            made: list[Attempt] = []
            for number in range(runs):
                on_attempt(f"{one.game}, {one.agent}, {number + 1} of {runs}")
                attempt, when = _attempt_once(one, budget, number, store)
                made.append(attempt)
                seen.append(when)
            rows.append(_row(one, made))
    header = (
        *("puzzle", "agent", "runs", "playouts", "paper", "seconds", "paper"),
        *("deviation", "paper", "failures", "paper"),
    )
    other = "" if scale == 1 else f" (the experiment: after {most:,})"
    note = (
        "Means and standard deviations are over searches that did not fail. Seconds include those"
        " of the decomposition, in parentheses; compiling is not counted. A search has failed"
        f" after {budget.simulations:,} playouts{other}. Circumstances: {describe(seen)}."
    )
    return Table(experiment.source.item, header, tuple(rows), note)


def _attempt_once(
    printed: PrintedSolution, budget: Budget, seed: int, store: Store
) -> tuple[Attempt, dict[str, str]]:
    game = load(printed.game)
    key = json.dumps([printed.game, game.text, printed.agent, budget.simulations, seed])
    if store.measurement(key) is None:
        (attempt,) = attempts(game, parse_agent(printed.agent), budget, 1, seed)
        store.add_measurement(key, vars(replace(attempt, line=())))
    known = store.measurement(key)
    assert known is not None
    figures, when = known
    return Attempt(**figures), when


def _row(printed: PrintedSolution, made: list[Attempt]) -> tuple[str, ...]:
    ours = summarize(made)
    return (
        printed.game,
        printed.agent,
        str(ours.runs),
        _number(ours.mean_playouts),
        _number(printed.playouts),
        _seconds(ours.mean_seconds, ours.decomposition_seconds),
        _seconds(printed.seconds, printed.decomposition),
        _seconds(ours.sd_seconds),
        _seconds(printed.deviation),
        str(ours.failures),
        "" if printed.failures is None else str(printed.failures),
    )


def _number(number: float | None) -> str:
    return "" if number is None else f"{number:,.0f}"


def _seconds(seconds: float | None, part: float | None = None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:,.2f}" + (f" ({part:.2f})" if part else "")
