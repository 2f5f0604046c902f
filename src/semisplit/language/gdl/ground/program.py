"""Ground programs: arrays of rules about numbered atoms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semisplit.core.errors import CompileError
from semisplit.language.gdl.check.check import goal_value
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.ground.clingo import Limits, run_clingo
from semisplit.language.gdl.ground.translate import Translation, Writer
from semisplit.language.gdl.text.ast import Clause, Term

Integers = NDArray[np.int64]
FALSE, TRUE = 0, 1
"""Literals of atom 0. The literal of an atom is twice its number, one more if it is negated."""
_SECONDS, _LINES = 3, 150_000
"""What clingo may take and write to ground a description as it is."""


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules: an atom holds if all literals of a body with that head do."""

    heads: Integers
    """The atom that each rule derives."""
    starts: Integers
    """Where the literals of each rule begin, and the end of all."""
    literals: Integers
    origins: Integers
    """The marked clause from which each rule comes, -1 if it has no mark."""

    def __len__(self) -> int:
        return len(self.heads)


@dataclass(frozen=True, eq=False)
class GroundProgram:
    """A game without variables."""

    name: str
    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]
    initial: NDArray[np.bool_]
    """Which fluents hold at the beginning."""
    moves: tuple[tuple[int, Term], ...]
    """Role, counted from 0, and move; in order."""
    atoms: int
    """Atoms have smaller numbers."""
    fluent_atoms: Integers
    move_atoms: Integers
    next: Integers
    """The literal that says whether each fluent is next."""
    legal: Integers
    """The literal that says whether each move is legal."""
    terminal: int
    goals: tuple[tuple[int, int, int], ...]
    """Role, value and literal; by roles, and the highest value first."""
    rules: Rules
    clauses: tuple[Clause, ...]
    """The clauses that `Rules.origins` counts."""


def ground(description: Description, limits: Limits | None = None) -> GroundProgram:
    """Ground a description.

    clingo does it if that takes little. What is larger is ground by joins, which does not come to
    quite as few gates.

    Raises:
        CompileLimit: If it takes too much.
        CompileError: If clingo does not work.
    """
    limits = limits or Limits.usual()
    translation = Translation(description.clauses)
    few = replace(limits, seconds=min(limits.seconds, _SECONDS), lines=min(limits.lines, _LINES))
    try:
        output = run_clingo(translation.text, few)
        if not output.exceeded:
            return _read(description, translation, output.text)
        from semisplit.language.gdl.ground.large import ground_large

        return ground_large(description, limits)
    except RuntimeError as error:
        raise CompileError(description.source.name, str(error)) from error


def _read_rules(text: bytes, marks: int) -> tuple[Rules, Integers]:
    """The rules of what clingo has written, and the atoms that it leaves open."""
    begin, end = text.find(b"\n") + 1, text.find(b"\n4 ")
    body = text[begin : end + 1 if end >= 0 else len(text)]
    if body.endswith(b"\n0\n"):
        body = body[:-2]
    numbers = np.fromstring(body, dtype=np.int64, sep=" ")
    characters = np.frombuffer(body, np.uint8)
    words = np.cumsum(characters <= ord(" "))
    lines = np.concatenate([[0], words[characters == ord("\n")]])[:-1].astype(np.int64)
    # A line is: 1, whether the head is left open, 1 and the head, 0, the number of literals, these.
    is_choice, width = numbers[lines + 1] == 1, numbers[lines + 2]
    first_mark = 0
    if np.any(width > 1):
        first_mark = int(numbers[lines[width > 1][0] + 3])
    lines, is_choice = lines[width == 1], is_choice[width == 1]
    open_ = np.unique(numbers[lines[is_choice] + 3])
    lines = lines[~is_choice]
    counts = numbers[lines + 5]
    places = np.repeat(lines + 6 - _before(counts), counts) + np.arange(counts.sum())
    signed = numbers[places]
    literals = 2 * np.abs(signed) + (signed < 0)
    owners = np.repeat(np.arange(len(lines)), counts)
    is_mark = (signed >= first_mark) & (signed < first_mark + marks) & (first_mark > 0)
    origins = np.full(len(lines), -1, np.int64)
    origins[owners[is_mark]] = signed[is_mark] - first_mark
    counts = np.bincount(owners[~is_mark], minlength=len(lines))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Rules(numbers[lines + 3], starts, literals[~is_mark], origins), open_


def _before(counts: Integers) -> Integers:
    """The sum of the counts before each."""
    return np.cumsum(counts) - counts


def _read(description: Description, translation: Translation, text: bytes) -> GroundProgram:
    rules, open_ = _read_rules(text, len(translation.marked))
    named = read_names(translation, text)
    is_open = np.zeros(1 + _largest_atom(rules, open_, named), bool)
    is_open[open_] = True
    roles = {role: number for number, role in enumerate(description.roles)}
    # An atom that only occurs negated may have a name though it can never hold.
    fluents = {t[0]: lit for t, lit in named["true"].items() if is_open[lit >> 1]}
    moves = {
        (roles[role], move): lit for (role, move), lit in named["does"].items() if is_open[lit >> 1]
    }
    in_order = sorted(fluents)
    codes = sorted(moves)
    goals = [
        (roles[role], number, lit)
        for (role, value), lit in named["goal"].items()
        if role in roles and (number := goal_value(value)) is not None
    ]
    initial = {terms[0] for terms in named["init"]}
    legal = named["legal"]
    return GroundProgram(
        name=description.source.name,
        roles=description.roles,
        fluents=tuple(in_order),
        initial=np.array([fluent in initial for fluent in in_order], bool),
        moves=tuple(codes),
        atoms=len(is_open),
        fluent_atoms=_array(fluents[fluent] >> 1 for fluent in in_order),
        move_atoms=_array(moves[code] >> 1 for code in codes),
        next=_array(named["next"].get((fluent,), FALSE) for fluent in in_order),
        legal=_array(legal[description.roles[role], move] for role, move in codes),
        terminal=named["terminal"].get((), FALSE),
        goals=tuple(sorted(goals, key=lambda goal: (goal[0], -goal[1]))),
        rules=rules,
        clauses=tuple(translation.marked),
    )


def _array(numbers: Any) -> Integers:
    return np.array(list(numbers), np.int64)


def _largest_atom(rules: Rules, open_: Integers, named: dict[str, dict[Any, int]]) -> int:
    names = max((lit >> 1 for atoms in named.values() for lit in atoms.values()), default=0)
    largest = (int(array.max(initial=0)) for array in (rules.heads, rules.literals >> 1, open_))
    return max(names, *largest)


def read_names(translation: Writer, text: bytes) -> dict[str, dict[tuple[Term, ...], int]]:
    """The literals of atoms with a name: by predicates, and by arguments."""
    predicates = ("init", "true", "next", "legal", "does", "goal", "terminal")
    named: dict[str, dict[tuple[Term, ...], int]] = {name: {} for name in predicates}
    reader = translation.reader()
    begin = text.find(b"\n4 ")
    for line in text[begin + 1 :].decode().splitlines() if begin >= 0 else ():
        kind, _, rest = line.partition(" ")
        if kind == "4":
            _, atom, count, *literals = rest.split(" ")
            predicate, has_arguments, _ = atom.partition("(")
            arguments = tuple(reader.arguments(atom)) if has_arguments else ()
            named[predicate][arguments] = TRUE if count == "0" else 2 * int(literals[0])
    return named
