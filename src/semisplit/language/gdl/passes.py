"""The passes from a description to machine code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.ground.program import GroundProgram, ground
from semisplit.language.gdl.ground.rows import Rows, write_rows
from semisplit.language.gdl.native.interface.compile import emit_code
from semisplit.language.gdl.network.circuit import ON_NETWORKS, ON_SUMS, reductions
from semisplit.language.gdl.network.network import Network
from semisplit.language.gdl.network.sums import Sums
from semisplit.language.gdl.network.verify import verify_network, verify_same, verify_sums
from semisplit.language.gdl.rules import GdlRules
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
from semisplit.language.gdl.text.notation import write_term
from semisplit.language.passes import Pass, machine_passes


def passes(rules: GdlRules) -> list[Pass]:
    """All of them, in order; those of the network that are made again have a number."""
    description = rules.description

    @cache
    def program() -> GroundProgram:
        return ground(description)

    @cache
    def reached() -> Sequence[Sums | Network]:
        return [found for _, found in reductions(program())]

    def on_network(name: str, place: int) -> Pass:
        return Pass(name, lambda: str(reached()[place]), lambda: _verify(reached(), place))

    return [
        Pass(
            "parse",
            lambda: "\n".join(map(_rule, description.rules)),
            lambda: _verify_text(description),
        ),
        Pass(
            "normal",
            lambda: "\n".join(map(_clause, description.clauses)),
            lambda: _verify_clauses(description.clauses),
        ),
        Pass("ground", lambda: _ground_text(program()), lambda: _verify_ground(program())),
        *(on_network(name, place) for place, name in enumerate(_names(), 1)),
        *machine_passes(rules.source.name, lambda: emit_code(description)),
    ]


def _names() -> Iterator[str]:
    seen: Counter[str] = Counter()
    for one in (*ON_SUMS, *ON_NETWORKS):
        name = one.__name__
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}{seen[name]}"


def _verify(reached: Sequence[Sums | Network], place: int) -> None:
    match reached[place - 1], reached[place]:
        case _, Sums() as sums:
            verify_sums(sums)
        case before, Network() as network:
            verify_network(network)
            if isinstance(before, Network):
                verify_same(before, network)


# Text


def _rule(rule: Rule) -> str:
    return _written(_atom(rule.head), map(_literal, rule.body))


def _clause(clause: Clause) -> str:
    negative = (f"(not {_atom(atom)})" for atom in clause.negative)
    positive, distinct = map(_atom, clause.positive), map(_literal, clause.distinct)
    return _written(_atom(clause.head), [*positive, *negative, *distinct])


def _written(head: str, body: Iterator[str] | list[str]) -> str:
    parts = [head, *body]
    return f"(<= {' '.join(parts)})" if len(parts) > 1 else head


def _atom(atom: Atom) -> str:
    return write_term(Term(atom.name, atom.arguments))


def _literal(literal: Literal) -> str:
    match literal:
        case Atom():
            return _atom(literal)
        case Not(inner):
            return f"(not {_literal(inner)})"
        case Distinct(left, right):
            return f"(distinct {write_term(left)} {write_term(right)})"
        case Or(literals):
            return f"(or {' '.join(map(_literal, literals))})"
        case And(literals):
            return f"(and {' '.join(map(_literal, literals))})"


def _ground_text(program: GroundProgram) -> str:
    """What inputs and outputs are, and all rules, in which atoms are numbers."""
    inputs = [
        *(
            f"{atom} is (true {write_term(fluent)})"
            for atom, fluent in zip(program.fluent_atoms, program.fluents)
        ),
        *(
            f"{atom} is (does {write_term(program.roles[role])} {write_term(move)})"
            for atom, (role, move) in zip(program.move_atoms, program.moves)
        ),
    ]
    rules = program.rules
    goals = np.array([literal for _, _, literal in program.goals], np.int64)
    outputs = np.concatenate([program.legal, [program.terminal], program.next, goals])
    return "\n".join(
        [*inputs, write_rows(Rows(rules.heads, rules.starts, rules.literals), "<-", outputs)]
    )


# What passes guarantee


def _verify_text(description: Description) -> None:
    """What is printed are the same rules when it is read again."""
    text = "\n".join(map(_rule, description.rules))
    assert parse(text, description.source.name).rules == description.rules


def _verify_clauses(clauses: Sequence[Clause]) -> None:
    """Each variable is in a positive atom."""
    for clause in clauses:
        bound = {name for atom in clause.positive for name in _variables(atom.arguments)}
        sides = [(one.left, one.right) for one in clause.distinct]
        others = [atom.arguments for atom in (clause.head, *clause.negative)]
        assert bound.issuperset(name for terms in (*sides, *others) for name in _variables(terms))


def _variables(terms: Sequence[Term | Variable]) -> Iterator[str]:
    for term in terms:
        if isinstance(term, Variable):
            yield term.name
        else:
            yield from _variables(term.arguments)


def _verify_ground(program: GroundProgram) -> None:
    """There is one atom for each fluent and move, and rules are about atoms that are there."""
    rules = program.rules
    inputs = np.concatenate([program.fluent_atoms, program.move_atoms])
    assert len(program.fluent_atoms) == len(program.fluents) == len(program.next)
    assert len(program.move_atoms) == len(program.moves) == len(program.legal)
    assert len(np.unique(inputs)) == len(inputs)
    assert np.all((inputs > 0) & (inputs < program.atoms))
    assert not np.any(np.isin(rules.heads, inputs))
    assert np.all(rules.literals >> 1 < program.atoms)
    assert len(rules.starts) == len(rules) + 1
