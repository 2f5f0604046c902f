"""Grounding large rules: clingo finds the fluents and moves there can be, joins of tables the rest.

clingo writes each rule as often as its variables have values. Here a rule is one join, whose rows
come to atoms only where they say something that no other says (see `relations`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from semisplit.core.errors import CompileLimit
from semisplit.language.gdl.check.check import goal_value
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.ground.atoms import Atoms
from semisplit.language.gdl.ground.bodies import Relation
from semisplit.language.gdl.ground.clingo import Limits, run_clingo
from semisplit.language.gdl.ground.moves import take_apart
from semisplit.language.gdl.ground.program import GroundProgram, Rules, read_names
from semisplit.language.gdl.ground.relations import Relations, TooMuch
from semisplit.language.gdl.ground.rows import FALSE, TRUE
from semisplit.language.gdl.ground.split import split_clauses
from semisplit.language.gdl.ground.tables import Integers, Table, look_up
from semisplit.language.gdl.ground.translate import Possible, needed_clauses, open_predicates
from semisplit.language.gdl.ground.vocabulary import Column, Vocabulary
from semisplit.language.gdl.text.ast import Atom, Clause, Term


def ground_large(description: Description, limits: Limits) -> GroundProgram:
    """Ground a description by joins.

    Raises:
        CompileLimit: If it takes too much.
    """
    fluents, moves = _find_possible(description, limits)
    vocabulary, atoms = (
        Vocabulary(),
        Atoms(len(fluents), np.array([role for role, _ in moves], np.int64)),
    )
    clauses = take_apart(needed_clauses(description.clauses))
    inputs = 2 * np.arange(1, atoms.number, dtype=np.int32)
    of_fluents, of_moves = inputs[: len(fluents)], inputs[len(fluents) :]
    true = _table(vocabulary, [(fluent,) for fluent in fluents], of_fluents)
    does = _table(vocabulary, [(description.roles[role], move) for role, move in moves], of_moves)
    try:
        relations = Relations(clauses, vocabulary, atoms, limits, true=true, does=does)
        init, next_, legal, terminal, goal = (
            relations[name] for name in ("init", "next", "legal", "terminal", "goal")
        )
    except TooMuch as error:
        raise CompileLimit(_complaint(description, limits, error)) from None
    rules = atoms.rules
    roles = {vocabulary.number(role): number for number, role in enumerate(description.roles)}
    goals = [
        (roles[role], number, literal)
        for (role, value), literal in _literals(goal).items()
        if role in roles and (number := goal_value(vocabulary.term(value))) is not None
    ]
    return GroundProgram(
        name=description.source.name,
        roles=description.roles,
        fluents=tuple(fluents),
        initial=_of(init, true) != FALSE,
        moves=tuple(moves),
        atoms=atoms.number,
        fluent_atoms=of_fluents.astype(np.int64) >> 1,
        move_atoms=of_moves.astype(np.int64) >> 1,
        next=_of(next_, true),
        legal=_of(legal, does),
        terminal=_literals(terminal).get((), FALSE),
        goals=tuple(sorted(goals, key=lambda goal: (goal[0], -goal[1]))),
        rules=Rules(rules.owners, rules.starts, rules.literals, np.full(len(rules), -1)),
        clauses=(),
    )


def _find_possible(
    description: Description, limits: Limits
) -> tuple[list[Term], list[tuple[int, Term]]]:
    """The fluents and moves there can ever be, in order, if what is negated is left out."""
    open_ = open_predicates(description.clauses)
    changing = [
        replace(clause, negative=tuple(a for a in clause.negative if a.name not in open_))
        for clause in description.clauses
        if not _keeps(clause)
    ]
    clauses = needed_clauses(changing, ("init", "next", "legal", "role"))
    first, second = limits.divided()
    translation = Possible(clauses)
    output = run_clingo(translation.text, first)
    if output.exceeded:
        translation = Possible(split_clauses(clauses))
        output = run_clingo(translation.text, second)
    if output.exceeded:
        raise CompileLimit(
            f"to find the fluents and moves of {description.source.name} takes more than"
            f" {limits.in_words(output.exceeded)}"
        )
    named = read_names(translation, output.text)
    roles = {role: number for number, role in enumerate(description.roles)}
    return sorted(fluent for (fluent,) in named["true"]), sorted(
        (roles[role], move) for role, move in named["does"]
    )


def _keeps(clause: Clause) -> bool:
    """Whether a clause says only that what holds may go on to do so."""
    kept = Atom("true", clause.head.arguments)
    return clause.head.name == "next" and kept in clause.positive


def _table(vocabulary: Vocabulary, rows: Sequence[tuple[Term, ...]], literals: Column) -> Relation:
    """Rows of terms as a table."""
    numbers = np.array([[*map(vocabulary.number, row)] for row in rows], np.int32)
    return Table(len(rows), dict(enumerate(numbers.T)), (literals,))


def _of(relation: Relation, wanted: Relation) -> Integers:
    """The literal of each row of a table in a relation."""
    if not relation.length or not wanted.length:
        return np.full(wanted.length, FALSE, np.int64)
    return look_up(wanted, relation, FALSE).astype(np.int64)


def _literals(relation: Relation) -> dict[tuple[int, ...], int]:
    """The literal of each row, by the numbers of its terms."""
    columns = [column.tolist() for column in relation.columns.values()]
    rows = zip(*columns) if columns else [()] * relation.length
    literals = relation.literals[0].tolist() if relation.literals else [TRUE] * relation.length
    return dict(zip(rows, literals))


def _complaint(description: Description, limits: Limits, error: TooMuch) -> str:
    """Why grounding was given up."""
    rule = error.clause.rule or error.clause
    span = error.clause.rule and error.clause.rule.span
    where = f" in line {span.position[0]}" if span else ""
    return (
        f"the rules of {description.source.name} without variables take more than"
        f" {limits.in_words(error.limit)}; it was exceeded by a rule for '{rule.head.name}'{where}"
    )
