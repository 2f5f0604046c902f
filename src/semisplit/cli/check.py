"""`semisplit check`: what is wrong with a description."""

from __future__ import annotations

import json as json_module
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.cli.options import Game, Json

if TYPE_CHECKING:
    from semisplit.core.diagnostics import Diagnostic
    from semisplit.language.rules import Rules
    from semisplit.rbg.language import RbgRules

_SECONDS = 1.0
"""How long to play at random."""


def check(
    game: Game,
    play: Annotated[
        bool, typer.Option("--play", help="Also play at random for a second (GDL only).")
    ] = False,
    json: Json = False,
) -> None:
    """Report errors and warnings, or say that all is well with a summary."""
    import semisplit
    from semisplit.core.errors import InputError, RuleError
    from semisplit.rbg.language import RbgRules

    text, name = semisplit.read_description(game)
    try:
        rules = semisplit.Game.parse(text, name).rules
    except RuleError as error:
        if not json:
            raise
        print(json_module.dumps({"errors": [_as_json(d) for d in error.diagnostics]}))
        sys.exit(1)
    if play and isinstance(rules, RbgRules):
        raise InputError("--play is for games in GDL")
    checked = _check_rbg(rules) if isinstance(rules, RbgRules) else _check_gdl(rules, play)
    if json:
        found = {"errors": [], "warnings": [_as_json(d) for d in checked.warnings]}
        print(json_module.dumps({**found, **checked.summary}))
    else:
        for warning in checked.warnings:
            print(warning.render())
        noun = f"{len(checked.warnings)} warning(s)" if checked.warnings else "no warnings"
        print(f"{name}: no errors, {noun}")
        for line in checked.lines:
            print(f"  {line}")
    if checked.faults:
        sys.exit(1)


@dataclass(frozen=True)
class _Checked:
    """What there is to say about a description without errors."""

    warnings: Sequence[Diagnostic]
    summary: dict[str, Any]
    lines: list[str]
    """The summary in words."""
    faults: Sequence[str] = ()
    """What went wrong in play."""


def _check_rbg(rules: RbgRules) -> _Checked:
    from semisplit.rbg.check import check as find_warnings
    from semisplit.rbg.straight import straightness

    description = rules.description
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
    bound = f"at most {most:.0f}" if math.isfinite(most) else "no fixed number of"
    lines = [
        f"{len(description.players)} players, {len(description.pieces)} pieces,"
        f" {len(description.variables)} variables,"
        f" {description.board.geometry.shape} of {len(description.board.names)} vertices",
        f"automaton of {summary['nodes']} nodes with {summary['modifiers']} modifiers,"
        f" {bound} offs and assignments in a move",
    ]
    return _Checked(find_warnings(description), summary, lines)


def _check_gdl(rules: Rules, play: bool) -> _Checked:
    from semisplit.gdl.language import GdlRules
    from semisplit.gdl.trial import try_out

    assert isinstance(rules, GdlRules)  # there are two languages
    description, start = rules.description, rules.start
    relations = {clause.head.name for clause in description.clauses}
    legal = rules.interpreter.legal(start.fluents)
    summary: dict[str, Any] = {
        "players": list(rules.players),
        "rules": len(description.rules),
        "relations": len(relations),
        "fluents": len(start.fluents),
        "moves": {name: len(moves) for name, moves in zip(rules.players, legal)},
    }
    lines = [
        f"{len(rules.players)} players, {len(description.rules)} rules, {len(relations)} relations",
        f"{len(start.fluents)} fluents at the start, where "
        + ", ".join(f"{name} has {count}" for name, count in summary["moves"].items())
        + " legal moves",
    ]
    if not play:
        return _Checked(description.warnings, summary, lines)
    trial = try_out(rules, _SECONDS)
    summary["play"] = {"games": trial.games, "steps": trial.steps, "faults": trial.faults}
    lines.append(f"played {trial.games} games at random, {trial.steps} steps")
    lines += trial.faults or ["nothing was wrong in them"]
    return _Checked(description.warnings, summary, lines, trial.faults)


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
