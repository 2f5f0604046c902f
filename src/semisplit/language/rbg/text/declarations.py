"""The sections `#players`, `#pieces` and `#variables`."""

from __future__ import annotations

from dataclasses import dataclass, field

from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import RESERVED, Token


@dataclass
class Names:
    """The declared names, and whether all declarations could be read."""

    players: dict[str, int] = field(default_factory=dict)
    """Score bounds, in declared order; the first player has number 1."""
    pieces: list[str] = field(default_factory=list)
    """Sorted by byte order."""
    variables: dict[str, int] = field(default_factory=dict)
    """Upper bounds, sorted by name."""
    labels: list[str] = field(default_factory=list)
    """Edge names of the board, sorted."""
    useless_labels: set[str] = field(default_factory=set)
    """Those that a generator declares, but for which the board has no edge."""
    macros: list[str] = field(default_factory=list)
    """Names of macros and their parameters, for suggestions."""
    declared_at: dict[str, Token] = field(default_factory=dict)
    """Where players, pieces and variables are declared."""
    complete: bool = True
    """False after an error in a declaration; then unknown names are not worth a message."""

    def kind(self, name: str) -> str | None:
        """What a name was declared as: "piece", "player", "variable" or "label"."""
        if name in self.players:
            return "player"
        if name in self.variables:
            return "variable"
        if name in self.labels:
            return "label"
        return "piece" if name in self.pieces else None

    def check_new(self, name: Token, report: Report) -> None:
        """Report a name that is declared as something else already."""
        if other := self.kind(name.text):
            hint = "players, pieces, variables and directions share one space of names"
            report.error(name, f"'{name.text}' is declared as a {other} already", hint)
            report.explained(name.text)


def read_players(tokens: list[Token], section: Token, names: Names, report: Report) -> None:
    """Read `name(bound), ...` into `names.players`."""
    errors = len(report.errors)
    for name, bound in _read_list(tokens, section, report, "player", bounded=True):
        if name.text in names.players:
            report.error(name, f"player '{name.text}' is declared twice")
        names.players[name.text] = bound
        names.declared_at.setdefault(name.text, name)
    if not names.players and len(report.errors) == errors:
        report.error(section, "a game needs at least one player", "like '#players = white(100)'")
    names.complete &= len(report.errors) == errors


def read_pieces(tokens: list[Token], section: Token, names: Names, report: Report) -> None:
    """Read `name, ...` into `names.pieces`."""
    errors = len(report.errors)
    pieces = set()
    for name, _ in _read_list(tokens, section, report, "piece", bounded=False):
        names.check_new(name, report)
        pieces.add(name.text)
        names.declared_at.setdefault(name.text, name)
    if not pieces and len(report.errors) == errors:
        report.error(section, "a game needs at least one piece", "name the empty square, too")
    names.pieces = sorted(pieces)
    names.complete &= len(report.errors) == errors


def read_variables(tokens: list[Token], section: Token, names: Names, report: Report) -> None:
    """Read `name(bound), ...`, possibly nothing, into `names.variables`."""
    errors = len(report.errors)
    variables: dict[str, int] = {}
    for name, bound in _read_list(tokens, section, report, "variable", bounded=True):
        names.check_new(name, report)
        variables.setdefault(name.text, bound)
        names.declared_at.setdefault(name.text, name)
    names.variables = dict(sorted(variables.items()))
    names.complete &= len(report.errors) == errors


def _read_list(
    tokens: list[Token], section: Token, report: Report, what: str, *, bounded: bool
) -> list[tuple[Token, int]]:
    """Names, each with its bound; after an error, go on behind the next comma."""
    entries: list[tuple[Token, int]] = []
    entry: list[Token] = []
    for token in [*tokens, section._replace(text=",")]:
        if token.text != ",":
            entry.append(token)
            continue
        if entry and (read := _read_entry(entry, report, what, bounded)):
            entries.append(read)
        entry = []
    return entries


def _read_entry(
    entry: list[Token], report: Report, what: str, bounded: bool
) -> tuple[Token, int] | None:
    name = entry[0]
    if name.kind != "name" or name.text in RESERVED:
        report.error(name, f"expected the name of a {what}, found {name}")
        return None
    if not bounded:
        if len(entry) > 1:
            report.error(entry[1], f"expected ',' between {what}s, found {entry[1]}")
        return name, 0
    texts = [token.text for token in entry[1:4]]
    if len(texts) < 3 or texts[0] != "(" or entry[2].kind != "number" or texts[2] != ")":
        later = report.defined_later(entry[2]) if len(entry) > 2 else None
        hint = later or f"write '{name.text}(100)'"
        report.error(name, f"{what} '{name.text}' needs an upper bound", hint)
        return name, 1
    if len(entry) > 4:
        report.error(entry[4], f"expected ',' between {what}s, found {entry[4]}")
    if entry[2].value < 1:
        report.error(entry[2], f"the upper bound of '{name.text}' must be at least 1")
    return name, entry[2].value
