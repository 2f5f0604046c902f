"""A whole game description, from text to checked data."""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.core.diagnostics import Diagnostic
from semisplit.core.source import Source
from semisplit.core.work import doing
from semisplit.language.rbg.check.unused import warn_unused
from semisplit.language.rbg.text.ast import Rule, count_actions
from semisplit.language.rbg.text.boards import Board, read_board
from semisplit.language.rbg.text.declarations import (
    Names,
    read_pieces,
    read_players,
    read_variables,
)
from semisplit.language.rbg.text.lexer import tokenize
from semisplit.language.rbg.text.macros import Expander, read_items
from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.rules import read_rules


@dataclass(frozen=True)
class Description:
    """A checked game description."""

    source: Source
    players: dict[str, int]
    """Score bounds in declared order; the first player has number 1, the keeper 0."""
    pieces: tuple[str, ...]
    """Sorted."""
    variables: dict[str, int]
    """Upper bounds, sorted by name; players are not among them."""
    board: Board
    rules: Rule
    """In normal form."""
    warnings: tuple[Diagnostic, ...] = ()
    """What is legal but surely not meant."""

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return (
            f"{len(self.board.names):,} vertices, {len(self.pieces):,} pieces,"
            f" {len(self.variables):,} variables, {count_actions(self.rules):,} actions"
        )


def parse(text: str, name: str = "<string>") -> Description:
    """Read a game description.

    Args:
        text: The description.
        name: What to call it in messages, usually its path.

    Raises:
        RuleError: With all errors found.
    """
    with doing(f"reading {name}"):
        return _parse(Source(name, text))


def _parse(source: Source) -> Description:
    report = Report(source)
    items = read_items(tokenize(source, report), report)
    expander = Expander(items, report)
    names = Names(macros=items.macro_names(), complete=len(items.sections) == 5)
    bodies = {}
    for title, section in items.sections.items():
        errors = len(report.errors)
        bodies[title] = expander.section(section), section.name
        names.complete &= title == "rules" or len(report.errors) == errors
    report.explained(*expander.wrong_calls.values())
    board = None
    if "players" in bodies:
        read_players(*bodies["players"], names, report)
    if "pieces" in bodies:
        read_pieces(*bodies["pieces"], names, report)
    if "variables" in bodies:
        read_variables(*bodies["variables"], names, report)
    if "board" in bodies:
        board = read_board(*bodies["board"], names, report)
    if "rules" in bodies:
        rules = read_rules(*bodies["rules"], names, report)
    report.raise_errors()
    assert board is not None  # it is None only after an error
    expander.warn_unused()
    warn_unused(names, board, rules, report)
    return Description(
        source,
        names.players,
        tuple(names.pieces),
        names.variables,
        board,
        rules,
        tuple(report.warnings),
    )
