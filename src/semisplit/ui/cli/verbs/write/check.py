"""`semisplit check`: what is wrong with a description."""

from __future__ import annotations

import json as json_module
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.core.work import limited
from semisplit.ui.cli.options import Game, Json

if TYPE_CHECKING:
    from semisplit.core.diagnostics import Diagnostic

_SECONDS = 1.0
"""How long to play at random."""


@limited()
def check(
    game: Game,
    play: Annotated[
        bool, typer.Option("--play", help="Also play at random for a second (GDL only).")
    ] = False,
    json: Json = False,
) -> None:
    """Report errors and warnings, or say that all is well with a summary."""
    import semisplit
    from semisplit.core.errors import RuleError

    text, name = semisplit.read_description(game)
    try:
        rules = semisplit.Game.parse(text, name).rules
    except RuleError as error:
        if not json:
            raise
        print(json_module.dumps({"errors": [_as_json(d) for d in error.diagnostics]}))
        sys.exit(1)
    warnings, summary = rules.language.warnings(rules), rules.language.summary(rules)
    data, lines, faults = summary.data, summary.lines, []
    if play:
        trial = rules.language.try_out(rules, _SECONDS)
        faults = trial.faults
        data["play"] = {"games": trial.games, "steps": trial.steps, "faults": faults}
        lines.append(f"played {trial.games} games at random, {trial.steps} steps")
        lines += faults or ["nothing was wrong in them"]
    if json:
        found = {"errors": [], "warnings": [_as_json(d) for d in warnings]}
        print(json_module.dumps({**found, **data}))
    else:
        for warning in warnings:
            print(warning.render())
        noun = f"{len(warnings)} warning(s)" if warnings else "no warnings"
        print(f"{name}: no errors, {noun}")
        for line in lines:
            print(f"  {line}")
    if faults:
        sys.exit(1)


def _as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    line, column = diagnostic.position
    return {
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "line": line,
        "column": column,
        "hint": diagnostic.hint,
        "macros": [macro for macro, _ in diagnostic.calls],
    }
