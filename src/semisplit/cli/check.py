"""`semisplit check`: what is wrong with a description."""

from __future__ import annotations

import json as json_module
import math
import sys
from typing import TYPE_CHECKING, Any

from semisplit.cli.options import Game, Json

if TYPE_CHECKING:
    from semisplit.core.diagnostics import Diagnostic


def check(game: Game, json: Json = False) -> None:
    """Report errors and warnings, or say that all is well with a summary."""
    import semisplit
    from semisplit.cli.rbg import rbg_rules
    from semisplit.core.errors import RuleError
    from semisplit.rbg.check import check as find_warnings
    from semisplit.rbg.straight import straightness

    text, name = semisplit.read_description(game)
    try:
        loaded = semisplit.Game.parse(text, name)
    except RuleError as error:
        if not json:
            raise
        print(json_module.dumps({"errors": [_as_json(d) for d in error.diagnostics]}))
        sys.exit(1)
    rules = rbg_rules(loaded)
    description = rules.description
    warnings = find_warnings(description)
    most = straightness(description.rules)
    summary = {
        "players": list(description.players),
        "pieces": list(description.pieces),
        "variables": list(description.variables),
        "board": description.board.geometry.shape,
        "vertices": len(description.board.names),
        "modifiers": len(rules.automaton.modifiers),
        "nodes": len(rules.automaton.edges),
        "modifiers_per_move": int(most) if math.isfinite(most) else None,
    }
    if json:
        found = {"errors": [], "warnings": [_as_json(d) for d in warnings]}
        print(json_module.dumps({**found, **summary}))
        return
    for warning in warnings:
        print(warning.render())
    noun = "no warnings" if not warnings else f"{len(warnings)} warning(s)"
    print(f"{name}: no errors, {noun}")
    print(
        f"  {len(description.players)} players, {len(description.pieces)} pieces,"
        f" {len(description.variables)} variables,"
        f" {description.board.geometry.shape} of {len(description.board.names)} vertices"
    )
    bound = f"at most {most:.0f}" if math.isfinite(most) else "no fixed number of"
    print(
        f"  automaton of {summary['nodes']} nodes with {summary['modifiers']} modifiers,"
        f" {bound} offs and assignments in a move"
    )


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
