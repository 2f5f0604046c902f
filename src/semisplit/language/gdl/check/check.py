"""The restrictions that make a set of rules a description of a game.

Those of a single form are checked by the parser. What is here needs all rules, and with them the
clauses, in which each restriction is a plain sentence: no `or`, and negation on atoms only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, compress
from operator import not_

from semisplit.core.report import Report
from semisplit.core.source import Span
from semisplit.language.gdl.check.dependencies import Dependencies, Edge, negative_circles
from semisplit.language.gdl.separate import written
from semisplit.language.gdl.text.ast import (
    And,
    Atom,
    Clause,
    Distinct,
    Literal,
    Not,
    Or,
    Rule,
    Term,
    Variable,
)
from semisplit.language.gdl.text.keywords import CHANCE, NEEDED, NOT_IN_BODIES, NOT_IN_HEADS
from semisplit.language.gdl.text.terms import is_ground, variables, variables_of

MAX_GOAL = 100
"""The most that a player can get."""
_FREE_OF = {
    "init": {"true", "does"},
    "base": {"true", "does"},
    "input": {"true", "does"},
    "legal": {"does"},
    "goal": {"does"},
    "terminal": {"does"},
}
"""What predicates must not depend on."""
_WHY = {
    "init": "the initial state comes before all others",
    "base": "what it lists is the same in all states",
    "input": "what it lists is the same in all states",
    "legal": "it has to be known before anybody moves",
    "goal": "it is asked for in a state, when nobody moves",
    "terminal": "it is asked for in a state, when nobody moves",
}


def check(rules: tuple[Rule, ...], clauses: tuple[Clause, ...], report: Report[Span]) -> None:
    """Report every violation but those of circles."""
    check_complete(rules, report)
    for rule in rules:
        check_keywords(rule, report)
    check_safety(clauses, report)
    check_independence(Dependencies(clauses), report)


def check_circles(clauses: tuple[Clause, ...], report: Report[Span]) -> None:
    """Report what is wrong with circles, given clauses that are stratified if rules can be."""
    dependencies = Dependencies(clauses)
    check_stratified(dependencies, report)
    check_recursion(clauses, dependencies, report)


def check_complete(rules: tuple[Rule, ...], report: Report[Span]) -> None:
    """Each predicate without which there is no game has to be there."""
    start = Span(report.source, 0, 0)
    if not rules:
        report.error(start, "there are no rules", "the shortest game has four")
        return
    said = {rule.head.name for rule in rules}
    for name, hint in NEEDED.items():
        if name not in said:
            report.error(start, f"there is no rule for '{name}'", hint)
    players = [rule.head.arguments for rule in rules if rule.head.name == "role"]
    if players and all(player == (Term(CHANCE),) for player in players):
        report.error(start, f"nobody plays but '{CHANCE}'", NEEDED["role"])


def check_keywords(rule: Rule, report: Report[Span]) -> None:
    """Some predicates stand in heads only, some in bodies only, and `role` in facts."""
    head = rule.head
    if head.name in NOT_IN_HEADS:
        says = NOT_IN_HEADS[head.name]
        hint = f"rules ask for {says}, and do not say what it is; see 'init', 'next' and 'legal'"
        report.error(place_of(head), f"'{head.name}' in a head", hint)
    if head.name == "role" and rule.body:
        hint = "write one fact for each player: (role white)"
        report.error(place_of(head), "players cannot be given by a rule", hint)
    for atom in atoms(rule.body):
        if atom.name in NOT_IN_BODIES:
            hint = "give its conditions a predicate of their own, and use this one in both places"
            report.error(place_of(atom), f"'{atom.name}' in a body: it is for heads only", hint)
    value = head.arguments[1] if head.name == "goal" else None
    if isinstance(value, Term) and goal_value(value) is None:
        hint = f"goals are whole numbers from 0 to {MAX_GOAL}"
        report.error(place_of(head), "this is not a value of a goal", hint)


def goal_value(term: Term) -> int | None:
    """The number that a term stands for as a goal, if it does."""
    if term.arguments or not re.fullmatch(r"[0-9]{1,3}", term.name) or int(term.name) > MAX_GOAL:
        return None
    return int(term.name)


def check_safety(clauses: tuple[Clause, ...], report: Report[Span]) -> None:
    """Each variable has to occur in a positive condition, or it would stand for anything."""
    seen: set[tuple[int, Variable]] = set()
    for clause in clauses:
        bound = set(variables_of(*clause.positive))
        literals: list[Atom | Distinct] = [clause.head, *clause.negative, *clause.distinct]
        for literal in literals:
            for variable in variables_of(literal):
                if variable not in bound and (id(clause.rule), variable) not in seen:
                    seen.add((id(clause.rule), variable))
                    _report_unsafe(clause, literal, variable, report)


def _report_unsafe(
    clause: Clause, literal: Atom | Distinct, variable: Variable, report: Report[Span]
) -> None:
    rule, name = clause.rule, f"?{variable.name}"
    assert rule is not None  # clauses that have been read come from rules
    if not rule.body:
        hint = "a fact is about certain things; a rule can have conditions for variables"
        report.error(_find(variable, rule), f"variable {name} in a fact", hint)
        return
    hint = f"add a condition that says what {name} can be"
    if any(isinstance(part, Or) for part in rule.body):
        hint += ", and to each alternative of an 'or' if it is in one"
    where = "the head" if literal is clause.head else "a 'distinct'"
    if literal in clause.negative:
        where = "a 'not'"
    message = f"variable {name} in {where} is in no positive condition, so it could be anything"
    report.error(_find(variable, rule), message, hint)


def check_independence(dependencies: Dependencies, report: Report[Span]) -> None:
    """What is known before the state, or before the moves, cannot depend on them."""
    for name, forbidden in _FREE_OF.items():
        way = dependencies.path(name, forbidden)
        if way is not None:
            through = f" through {_names(way[1:])}" if len(way) > 1 else ""
            message = f"'{name}' depends on '{way[-1].target}'{through}"
            report.error(place_of(way[0].atom), message, _WHY[name])


def check_stratified(dependencies: Dependencies, report: Report[Span]) -> None:
    """Nothing may depend on its own negation."""
    for edge in negative_circles(dependencies).values():
        head, target = edge.clause.head.name, edge.target
        back = [] if target == head else dependencies.path(target, {head}) or []
        circle = [f"'{written(head)}'", f"not '{written(target)}'"]
        circle += [_link(step) for step in back if not _is_made(step.atom)]
        message = f"'{_base(head)}' depends on its own negation"
        report.error(place_of(edge.atom), message, f"the circle is {' <= '.join(circle)}")


def check_recursion(
    clauses: tuple[Clause, ...], dependencies: Dependencies, report: Report[Span]
) -> None:
    """In a circle of predicates terms may not grow: what goes round must come from outside."""
    for clause in clauses:
        head = clause.head
        mutual = [dependencies.are_mutual(atom.name, head.name) for atom in clause.positive]
        if not any(mutual) or _is_made(head):
            continue
        inside = compress(clause.positive, mutual)
        others = compress(clause.positive, map(not_, mutual))
        known = {*head.arguments, *chain.from_iterable(atom.arguments for atom in others)}
        for atom in inside:
            open_ones = [t for t in atom.arguments if t not in known and not is_ground(t)]
            if open_ones and not _is_made(atom):
                names = ", ".join(f"?{v.name}" for v in dict.fromkeys(variables(*open_ones)))
                circle = f"'{_base(head.name)}' depends on itself"
                if atom.name != head.name:
                    circle += f" through '{_base(atom.name)}'"
                report.error(
                    place_of(atom),
                    f"{circle}, and nothing says what {names} can be here",
                    "terms must not grow without an end: let this argument be one of the head, or"
                    " of a condition outside of the circle",
                )


def atoms(literals: tuple[Literal, ...]) -> Iterator[Atom]:
    """All atoms in a body."""
    for literal in literals:
        match literal:
            case Atom():
                yield literal
            case Not(inner):
                yield from atoms((inner,))
            case Or(parts) | And(parts):
                yield from atoms(parts)


def place_of(atom: Atom) -> Span:
    """Where an atom stands in the text."""
    assert atom.span is not None  # it has been read
    return atom.span


def _find(variable: Variable, rule: Rule) -> Span:
    """The first place of a variable in a rule."""
    assert rule.span is not None  # it has been read
    pattern = re.compile(rf"\?{re.escape(variable.name)}(?=[\s();])", re.IGNORECASE)
    found = pattern.search(rule.span.source.text, rule.span.start, rule.span.end)
    return Span(rule.span.source, *found.span()) if found else rule.span


def _is_made(atom: Atom) -> bool:
    """Whether its predicate stands for alternatives and not for a name in the text."""
    return atom.name.startswith("or ")


def _base(name: str) -> str:
    """The name of a predicate in the rules, whatever has become of it."""
    return name.partition(" ")[0]


def _link(edge: Edge) -> str:
    return f"'{written(edge.target)}'" if edge.is_positive else f"not '{written(edge.target)}'"


def _names(way: list[Edge]) -> str:
    names = dict.fromkeys(
        _base(edge.clause.head.name) for edge in way if not _is_made(edge.clause.head)
    )
    return ", ".join(f"'{name}'" for name in names)
