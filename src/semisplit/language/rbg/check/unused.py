"""Warnings about names that are declared and then never used."""

from __future__ import annotations

from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Compare,
    Count,
    Number,
    Off,
    On,
    Operation,
    Rule,
    Variable,
    parts,
)
from semisplit.language.rbg.text.boards import Board
from semisplit.language.rbg.text.declarations import Names
from semisplit.language.rbg.text.report import Report


def warn_unused(names: Names, board: Board, rules: Rule, report: Report) -> None:
    """Warn of pieces and variables that occur nowhere but in their declaration."""
    used = set(board.pieces)
    for rule in parts(rules):
        match rule:
            case On(pieces):
                used |= pieces
            case Off(piece):
                used.add(piece)
            case Assign(variable, value):
                used.add(variable)
                used |= _names_in(value)
            case Compare(left, _, right):
                used |= _names_in(left) | _names_in(right)
    for kind, declared in (("piece", names.pieces), ("variable", [*names.variables])):
        for name in declared:
            if name not in used:
                report.warning(names.declared_at[name], f"{kind} '{name}' is never used")


def _names_in(value: Arithmetic) -> set[str]:
    match value:
        case Variable(name) | Count(name):
            return {name}
        case Operation(_, left, right):
            return _names_in(left) | _names_in(right)
        case Number():
            return set()
