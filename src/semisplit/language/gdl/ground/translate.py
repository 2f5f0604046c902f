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
_CLOSURE = """\
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- legal(R,M), role(R).
"""


class Translation:
    """A program for clingo."""

    def __init__(self, clauses: Iterable[Clause]):
        self._names: dict[str, int] = {}
        """The number that stands for each name: clingo has rules of its own for names."""
        needed = _needed(clauses)
        open_ = _open_predicates(needed)
        self.marked = [clause for clause in needed if _is_open(clause, open_)]
        """The clauses that have a mark, by its number."""
        marks = {id(clause): number for number, clause in enumerate(self.marked)}
        lines = [self._clause(clause, marks.get(id(clause))) for clause in needed]
        # Two more, because a choice among several is how the marks are recognised.
        lines.append(f"{{{';'.join(f'mark({n})' for n in range(len(marks) + 2))}}}.")
        lines += [f"#show {predicate}." for predicate in _SHOWN]
        self.text = _CLOSURE + "\n".join(lines) + "\n"

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


class _Reader:
    """Terms from their texts."""

    def __init__(self, names: list[str]):
        self._names = names

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
                    stack[-1].append(self._term(name, ()))
                    name = ""
                if part == ")":
                    inner, function = stack.pop(), functions.pop()
                    if not stack:
                        return inner
                    stack[-1].append(self._term(function, tuple(inner)))
                elif part != ",":
                    name = part
        raise AssertionError(f"clingo wrote {text}")

    def _term(self, name: str, arguments: tuple[Term, ...]) -> Term:
        return Term(self._names[int(name[1:])], arguments)


def _needed(clauses: Iterable[Clause]) -> list[Clause]:
    """The clauses on which play depends."""
    by_head: dict[str, list[Clause]] = defaultdict(list)
    for clause in clauses:
        by_head[clause.head.name].append(clause)
    needed: list[Clause] = []
    names, left = set(_WANTED), list(_WANTED)
    while left:
        for clause in by_head[left.pop()]:
            needed.append(clause)
            new = {atom.name for atom in (*clause.positive, *clause.negative)} - names
            names |= new
            left += sorted(new)
    return needed


def _open_predicates(clauses: Sequence[Clause]) -> set[str]:
    """The predicates that depend on the state or on moves."""
    open_ = {"true", "does"}
    while more := {c.head.name for c in clauses if _is_open(c, open_)} - open_:
        open_ |= more
    return open_


def _is_open(clause: Clause, open_: set[str]) -> bool:
    return any(atom.name in open_ for atom in (*clause.positive, *clause.negative))
