"""A second reading of descriptions in GDL: as logic programs, solved by clingo.

Bodies are multiplied out here in a way of their own, so that the normal form is tested, too.
"""

from collections.abc import Iterable, Iterator, Sequence

import clingo

from semisplit.language.gdl.text.ast import (
    And,
    Atom,
    Distinct,
    Literal,
    Not,
    Or,
    Rule,
    Term,
    TermOrVariable,
    Variable,
)


def stable_model(rules: Iterable[Rule], given: Iterable[Atom]) -> dict[str, set[tuple[Term, ...]]]:
    """The only stable model of rules and given facts: the rows of each predicate."""
    lines = [f"{_atom(atom)}." for atom in given]
    for rule in rules:
        for body in _bodies(list(rule.body)):
            lines.append(f"{_atom(rule.head)} :- {', '.join(['#true', *body])}.")
    control = clingo.Control(["2", "--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    models: list[Sequence[clingo.Symbol]] = []
    control.solve(on_model=lambda model: models.append(model.symbols(atoms=True)))
    (symbols,) = models
    rows: dict[str, set[tuple[Term, ...]]] = {}
    for symbol in symbols:
        rows.setdefault(symbol.name[2:], set()).add(tuple(map(_read, symbol.arguments)))
    return rows


def _bodies(literals: list[Literal], negated: bool = False) -> Iterator[list[str]]:
    """The ways in which all literals hold, or in which their negations all do."""
    if not literals:
        yield []
        return
    first, *others = literals
    for one in _ways(first, negated):
        for rest in _bodies(others, negated):
            yield one + rest


def _ways(literal: Literal, negated: bool) -> Iterator[list[str]]:
    match literal:
        case Not(inner):
            yield from _ways(inner, not negated)
        case Or(parts) | And(parts):
            if isinstance(literal, And) != negated:
                yield from _bodies(list(parts), negated)
            else:
                for part in parts:
                    yield from _ways(part, negated)
        case Distinct(left, right):
            yield [f"{_term(left)} {'==' if negated else '!='} {_term(right)}"]
        case Atom():
            yield [f"not {_atom(literal)}" if negated else _atom(literal)]


def _atom(atom: Atom) -> str:
    inner = ",".join(map(_term, atom.arguments))
    return f"p_{atom.name}({inner})" if inner else f"p_{atom.name}"


def _term(term: TermOrVariable) -> str:
    if isinstance(term, Variable):
        return f"V_{term.name}"
    inner = ",".join(map(_term, term.arguments))
    return f"c_{term.name}({inner})" if inner else f"c_{term.name}"


def _read(symbol: clingo.Symbol) -> Term:
    return Term(symbol.name[2:], tuple(map(_read, symbol.arguments)))
