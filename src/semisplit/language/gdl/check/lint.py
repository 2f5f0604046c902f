"""Warnings: what is legal but surely not meant."""

from __future__ import annotations

from collections.abc import Collection

from semisplit.core.errors import did_you_mean
from semisplit.core.report import Report
from semisplit.core.source import Span
from semisplit.language.gdl.check.check import atoms, place_of
from semisplit.language.gdl.names import Names
from semisplit.language.gdl.text.ast import Atom, Rule, Term, TermOrVariable, Variable
from semisplit.language.gdl.text.board_comment import BoardComment
from semisplit.language.gdl.text.keywords import ARITIES, CHANCE
from semisplit.language.gdl.text.parser import Parser

_MAX_COMPARISONS = 100_000
"""Names that are compared with misspelt ones; then there are no suggestions any more."""


def lint(rules: tuple[Rule, ...], parser: Parser, names: Names, report: Report[Span]) -> None:
    """Warn of what can be seen in the rules."""
    linter = _Linter(rules, report)
    linter.warn_predicates()
    linter.warn_terms("fluent {} never becomes true", ("init", "next"), "true", 0)
    linter.warn_terms("move {} never is legal", ("legal",), "does", 1)
    linter.warn_unread_fluents()
    linter.warn_roles()
    linter.warn_board(BoardComment(report.source))
    _warn_names(names, report)
    for name, span in parser.functions.items():
        if name in parser.predicates:
            message = f"'{parser.spelling[name]}' is the name of a relation and of a function"
            report.warning(span, message, "that is allowed, but easily taken for each other")


class _Linter:
    def __init__(self, rules: tuple[Rule, ...], report: Report[Span]):
        self._report = report
        self._heads = [rule.head for rule in rules]
        self._conditions = [atom for rule in rules for atom in atoms(rule.body)]
        self._comparisons = 0

    def warn_predicates(self) -> None:
        """Warn of predicates that are only used, or only defined."""
        said = {atom.name: atom for atom in reversed(self._heads) if atom.name not in ARITIES}
        asked = {atom.name: atom for atom in reversed(self._conditions) if atom.name not in ARITIES}
        for name, atom in asked.items():
            if name not in said:
                self._warn(atom, "{} never holds: no rule is about it", name, said)
        for name, atom in said.items():
            if name not in asked:
                self._warn(atom, "{} is never used", name)

    def warn_terms(self, message: str, givers: tuple[str, ...], reader: str, place: int) -> None:
        """Warn of fluents and moves that are asked for and that no rule brings about."""
        given = {_key(atom.arguments[place]) for atom in self._heads if atom.name in givers}
        if None in given:
            # A variable can be anything.
            return
        names = {key[0] for key in given if key is not None}
        asked = [atom for atom in reversed(self._conditions) if atom.name == reader]
        for key, atom in {_key(atom.arguments[place]): atom for atom in asked}.items():
            if key is not None and key not in given:
                name, arity = key
                arguments = f" with {arity} argument(s)" if name in names else ""
                self._warn(atom, message.replace("{}", f"{{}}{arguments}"), name, names)

    def warn_unread_fluents(self) -> None:
        """Warn of fluents that hold at the start and that nothing asks for."""
        asked = {_key(atom.arguments[0]) for atom in self._conditions if atom.name == "true"}
        if None in asked:
            return
        names = {key[0] for key in asked if key is not None}
        given = [atom for atom in reversed(self._heads) if atom.name in ("init", "next")]
        for key, atom in {_key(atom.arguments[0]): atom for atom in given}.items():
            if key is not None and key not in asked:
                self._warn(atom, "nothing asks for fluent {}", key[0], names)

    def warn_board(self, comment: BoardComment) -> None:
        """Warn of a comment about the board that says nothing."""
        if comment.span is None:
            return
        if not comment.is_understood:
            message = "this does not say what the board is"
            hint = "like '; board: (cell ?x ?y ?piece)', or '; board: none'"
            self._report.warning(comment.span, message, hint)
        known = {_key(atom.arguments[0]) for atom in self._heads if atom.name in ("init", "next")}
        for cells in comment.cells:
            if None not in known and (cells.name, cells.arity) not in known:
                message = f"fluent '{cells.name}' with {cells.arity} argument(s) never becomes true"
                self._report.warning(comment.span, message)

    def warn_roles(self) -> None:
        """Warn of players that are none."""
        roles = {atom.arguments[0]: atom for atom in self._heads if atom.name == "role"}
        for atom in self._heads:
            if atom.name == "sees" and atom.arguments[0] == Term(CHANCE):
                message = f"'{CHANCE}' draws by lot, whatever it sees"
                self._report.warning(place_of(atom), message)
        names = {role.name for role in roles if isinstance(role, Term)}
        for atom in (*self._heads, *self._conditions):
            if atom.name in ("legal", "does", "goal", "input", "sees"):
                role = atom.arguments[0]
                if isinstance(role, Term) and role not in roles:
                    self._warn(atom, "{} is not a player", role.name, names)

    def _warn(self, atom: Atom, message: str, name: str, known: Collection[str] = ()) -> None:
        """Warn of a name, suggesting the one that was probably meant."""
        name = name.partition(" ")[0]
        meant = None
        self._comparisons += len(known)
        if self._comparisons <= _MAX_COMPARISONS:
            meant = did_you_mean(name, (one for one in known if one != name))
        hint = f"did you mean '{meant}'?" if meant else None
        self._report.warning(place_of(atom), message.format(f"'{name}'"), hint)


def _key(term: TermOrVariable) -> tuple[str, int] | None:
    return None if isinstance(term, Variable) else (term.name, len(term.arguments))


def _warn_names(names: Names, report: Report[Span]) -> None:
    """Warn of names that differ only in capital letters."""
    together: dict[str, list[str]] = {}
    for name in sorted(names.apart):
        together.setdefault(name.lower(), []).append(name)
    for spellings in together.values():
        places = [report.source.text.find(one) for one in spellings]
        listed = " and ".join(f"'{one}'" for one in spellings)
        hint = "a comment '; case: ignored' makes one of them"
        report.warning(
            Span(report.source, max(places), max(places) + len(spellings[0])),
            f"{listed} are taken for different names, as they are used like such",
            hint,
        )
