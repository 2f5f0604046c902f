"""Clauses as a program for clingo, and its names back.

Three rules more make it enumerate all that can ever hold: a fluent that is initial or may be next
may be true, and a legal move may be made. Whether they do is left open, so clingo cannot decide it
and keeps every rule that depends on it.

Each such rule gets a *mark*, an atom of its own that is left open, too. So every ground rule tells
from which clause it comes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from semisplit.language.gdl.text.ast import Atom, Clause, Term, TermOrVariable, Variable

_KEYWORDS = {"role", "init", "true", "next", "legal", "does", "goal", "terminal"}
_WANTED = ("init", "next", "legal", "goal", "terminal", "role")
_SHOWN = ("init/1", "true/1", "next/1", "legal/2", "does/2", "goal/2", "terminal/0")
_OPEN = ("true/1", "does/2")
_CLOSURE = """\
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- legal(R,M), role(R).
"""


class Writer:
    """Writes clauses for clingo, which has rules of its own for names: they become numbers."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        """The number that stands for each name."""

    def _clause(self, clause: Clause, mark: int | None) -> str:
        variables: dict[str, int] = defaultdict(lambda: len(variables))

        def term(term_: TermOrVariable) -> str:
            if isinstance(term_, Variable):
                return f"V{variables[term_.name]}"
            return self._name("c", term_.name) + arguments(term_.arguments)

        def arguments(terms: Sequence[TermOrVariable]) -> str:
            return f"({','.join(map(term, terms))})" if terms else ""

        def atom(atom_: Atom) -> str:
            name = atom_.name if atom_.name in _KEYWORDS else self._name("p", atom_.name)
            return name + arguments(atom_.arguments)

        body = [atom(each) for each in clause.positive]
        body += [f"not {atom(each)}" for each in clause.negative]
        body += [f"{term(each.left)}!={term(each.right)}" for each in clause.distinct]
        if mark is not None:
            body.append(f"mark({mark})")
        return f"{atom(clause.head)}{':-' if body else ''}{','.join(body)}."

    def _name(self, kind: str, name: str) -> str:
        return f"{kind}{self._names.setdefault(name, len(self._names))}"

    def reader(self) -> _Reader:
        """Reads terms that clingo has written."""
        return _Reader(list(self._names))


class Translation(Writer):
    """A program whose ground rules are those of a game."""

    def __init__(self, clauses: Iterable[Clause]):
        super().__init__()
        needed = needed_clauses(clauses)
        open_ = open_predicates(needed)
        self.marked = [clause for clause in needed if is_open(clause, open_)]
        """The clauses that have a mark, by its number."""
        marks = {id(clause): number for number, clause in enumerate(self.marked)}
        lines = [self._clause(clause, marks.get(id(clause))) for clause in needed]
        # Two more, because a choice among several is how the marks are recognised.
        lines.append(f"{{{';'.join(f'mark({n})' for n in range(len(marks) + 2))}}}.")
        self.text = _program(_CLOSURE, lines, _SHOWN)


class Possible(Writer):
    """A program whose facts are the fluents and moves there can be, of clauses without negation."""

    def __init__(self, clauses: Iterable[Clause]):
        super().__init__()
        closure = _CLOSURE.replace("{", "").replace("}", "")
        self.text = _program(closure, [self._clause(c, None) for c in clauses], _OPEN)


def _program(closure: str, lines: Iterable[str], shown: Iterable[str]) -> str:
    return "\n".join([closure, *lines, *(f"#show {predicate}." for predicate in shown)]) + "\n"


class _Reader:
    """Terms from their texts."""

    def __init__(self, names: list[str]):
        self._constants = {f"c{number}": Term(name) for number, name in enumerate(names)}

    def arguments(self, text: str) -> list[Term]:
        """The arguments of an atom."""
        parts = re.findall(r"[(),]|c\d+", text[text.index("(") :])
        stack: list[list[Term]] = []
        functions: list[str] = []
        name = ""
        for part in parts:
            if part == "(":
                functions.append(name)
                stack.append([])
                name = ""
            else:
                if name:
                    stack[-1].append(self._constants[name])
                    name = ""
                if part == ")":
                    inner, function = stack.pop(), functions.pop()
                    if not stack:
                        return inner
                    stack[-1].append(Term(self._constants[function].name, tuple(inner)))
                elif part != ",":
                    name = part
        raise AssertionError(f"clingo wrote {text}")


def needed_clauses(clauses: Iterable[Clause], wanted: Sequence[str] = _WANTED) -> list[Clause]:
    """The clauses on which play depends, or some predicates."""
    by_head: dict[str, list[Clause]] = defaultdict(list)
    for clause in clauses:
        by_head[clause.head.name].append(clause)
    needed: list[Clause] = []
    names, left = set(wanted), list(wanted)
    while left:
        for clause in by_head[left.pop()]:
            needed.append(clause)
            new = {atom.name for atom in (*clause.positive, *clause.negative)} - names
            names |= new
            left += sorted(new)
    return needed


def open_predicates(clauses: Sequence[Clause]) -> set[str]:
    """The predicates that depend on the state or on moves."""
    open_ = {"true", "does"}
    while more := {c.head.name for c in clauses if is_open(c, open_)} - open_:
        open_ |= more
    return open_


def is_open(clause: Clause, open_: set[str]) -> bool:
    return any(atom.name in open_ for atom in (*clause.positive, *clause.negative))
