"""Warnings: what is legal but surely not meant."""

from __future__ import annotations

from collections.abc import Iterable

from semisplit.core.errors import did_you_mean
from semisplit.core.report import Report
from semisplit.core.source import Span
from semisplit.gdl.ast import Atom, Rule, Term, TermOrVariable, Variable
from semisplit.gdl.check import atoms
from semisplit.gdl.keywords import ARITIES
from semisplit.gdl.parser import Parser

_CHANCE = "random"


def lint(rules: tuple[Rule, ...], parser: Parser, report: Report[Span]) -> None:
    """Warn of what can be seen in the rules."""
    said: dict[str, Atom] = {}
    asked: dict[str, Atom] = {}
    for rule in rules:
        said.setdefault(rule.head.name, rule.head)
        for atom in atoms(rule.body):
            asked.setdefault(atom.name, atom)
    warn_predicates(said, asked, report)
    everywhere = [rule.head for rule in rules]
    everywhere += [atom for rule in rules for atom in atoms(rule.body)]
    warn_terms(everywhere, "fluent", ("init", "next"), "true", 0, report)
    warn_terms(everywhere, "move", ("legal",), "does", 1, report)
    warn_roles(everywhere, report)
    for name, span in parser.functions.items():
        if name in parser.predicates:
            message = f"'{parser.spelling[name]}' is the name of a relation and of a function"
            report.warning(span, message, "that is allowed, but easily taken for each other")


def warn_predicates(said: dict[str, Atom], asked: dict[str, Atom], report: Report[Span]) -> None:
    """Warn of predicates that are only used, or only defined."""
    own = [name for name in said if name not in ARITIES]
    for name, atom in asked.items():
        if name not in said and name not in ARITIES:
            _warn(atom, f"'{name.partition(' ')[0]}' never holds: no rule is about it", own, report)
    for name, atom in said.items():
        if name == "sees":
            message = "'sees' has no meaning here: all players see everything"
            report.warning(_at(atom), message, "games of hidden information cannot be played")
        elif name not in asked and name not in ARITIES:
            report.warning(_at(atom), f"'{name.partition(' ')[0]}' is never used")


def warn_terms(
    everywhere: Iterable[Atom],
    what: str,
    givers: tuple[str, ...],
    reader: str,
    place: int,
    report: Report[Span],
) -> None:
    """Warn of fluents and moves that are asked for and that no rule brings about."""
    given = {_key(atom.arguments[place]) for atom in everywhere if atom.name in givers}
    if None in given:
        # A variable can be anything.
        return
    known = [key[0] for key in given if key is not None]
    warned: set[tuple[str, int]] = set()
    for atom in everywhere:
        key = _key(atom.arguments[place]) if atom.name == reader else None
        if key is not None and key not in given and key not in warned:
            warned.add(key)
            verb = "becomes true" if what == "fluent" else "is legal"
            written = f"'{key[0]}'" + (f" with {key[1]} argument(s)" if key[0] in known else "")
            _warn(atom, f"{what} {written} never {verb}", known, report)


def warn_roles(everywhere: Iterable[Atom], report: Report[Span]) -> None:
    """Warn of players that are none."""
    roles = {atom.arguments[0]: atom for atom in everywhere if atom.name == "role"}
    if (chance := roles.get(Term(_CHANCE))) is not None:
        message = f"'{_CHANCE}' is a player like the others here"
        report.warning(_at(chance), message, "for other programs it draws its moves by lot")
    names = [role.name for role in roles]
    for atom in everywhere:
        if atom.name in ("legal", "does", "goal", "input"):
            role = atom.arguments[0]
            if isinstance(role, Term) and role not in roles:
                _warn(atom, f"'{role.name}' is not a player", names, report)


def _warn(atom: Atom, message: str, known: list[str], report: Report[Span]) -> None:
    """Warn of a name at an atom, suggesting the one that was probably meant."""
    name = message.split("'")[1]
    meant = did_you_mean(name, [one for one in known if one != name])
    report.warning(_at(atom), message, f"did you mean '{meant}'?" if meant else None)


def _key(term: TermOrVariable) -> tuple[str, int] | None:
    return None if isinstance(term, Variable) else (term.name, len(term.arguments))


def _at(atom: Atom) -> Span:
    assert atom.span is not None  # it has been read
    return atom.span
