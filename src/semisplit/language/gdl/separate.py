"""Predicates separated by their arguments, where names alone are not stratified.

By names, `(<= (goal ?role 0) (role ?role) (not (goal ?role 100)))` depends on its own negation;
but the goal 0 only depends on the goal 100. So they become two predicates, named after the atoms
they stand for: `(goal ? 0)` and `(goal ? 100)`, each with one argument, the role.

At first arguments are separated in which rules write constants or functions. If that does not do,
all arguments are, so that each predicate is a ground atom. Which terms can stand there is known
from relations that are the same in all states, or else from all rules (see `domains`). Other rules
ask for a predicate as before: it follows from each of those it has become.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from semisplit.core.errors import WorkLimit
from semisplit.language.gdl.check.dependencies import Dependencies, negative_circles
from semisplit.language.gdl.features.domains import Functor, find_functors, places
from semisplit.language.gdl.play.joins import Relation, look_up, lookup
from semisplit.language.gdl.play.model import Model
from semisplit.language.gdl.play.strata import Program
from semisplit.language.gdl.text.ast import Atom, Clause, Distinct, Term, TermOrVariable, Variable
from semisplit.language.gdl.text.limits import MAX_SEPARATED
from semisplit.language.gdl.text.notation import write_term
from semisplit.language.gdl.text.terms import is_ground, substitute, variables, variables_of

_FIXED_WORK = 1_000_000
"""Rows that may be looked at to work out relations that are the same in all states."""
_HOLE = Variable("")
"""Stands for an argument that is not separated; it is written as a question mark."""


def separate(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Clauses that mean the same, and are stratified by names if the rules are by atoms.

    What is still in a circle then is in one by atoms, too, or it takes too many atoms to know.
    """
    patterns: dict[str, TermOrVariable] = {}
    for is_deep in (False, True):
        dependencies = Dependencies(clauses)
        circles = negative_circles(dependencies)
        if not circles:
            break
        names = {name for number in circles for name in dependencies.components[number]}
        try:
            clauses = _Separation(clauses, names, patterns, is_deep=is_deep).separate()
        except WorkLimit:
            # The circle is reported as it is.
            break
    return tuple(clauses)


def written(name: str) -> str:
    """The name of a predicate in messages: that in the rules, or an atom for which it stands."""
    base, _, rest = name.partition(" ")
    return rest if rest.startswith("(") else base


class _Separation:
    """One round of it, for some predicates."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        names: set[str],
        patterns: dict[str, TermOrVariable],
        *,
        is_deep: bool,
    ):
        """Look at what there is.

        Args:
            clauses: All clauses.
            names: The predicates that are to be separated.
            patterns: What predicates of an earlier round stand for; those of this one are added.
            is_deep: Whether all of their arguments are separated, down to constants.
        """
        self._names = names
        self._patterns = patterns
        self._is_deep = is_deep
        self._inner = [clause for clause in clauses if clause.head.name in names]
        self._others = [clause for clause in clauses if clause.head.name not in names]
        self._functors = find_functors(clauses)
        self._fixed = _fixed_relations(self._others, self._inner)
        inside = [atom for clause in self._inner for atom in self._inside(clause)]
        self._places = {
            (atom.name, place)
            for atom in inside
            for place, term in enumerate(atom.arguments)
            if is_deep or isinstance(term, Term)
        }
        self._made = 0

    def separate(self) -> list[Clause]:
        """All clauses, those of the predicates separated."""
        if not self._places:
            return [*self._others, *self._inner]
        instances = [made for clause in self._inner for made in self._instances(clause)]
        bridges = {made.head.name: self._bridge(one) for one, made in instances}
        clauses = _without_unfounded([made for _, made in instances], self._patterns)
        heads = {clause.head.name for clause in clauses}
        return [*self._others, *clauses, *(bridges[name] for name in bridges if name in heads)]

    def _inside(self, clause: Clause) -> Iterator[Atom]:
        """The atoms of a clause whose predicates are separated."""
        for atom in (clause.head, *clause.positive, *clause.negative):
            if atom.name in self._names:
                yield atom

    # Terms in place of variables

    def _instances(self, clause: Clause) -> Iterator[tuple[Clause, Clause]]:
        """A clause with all terms that can stand where predicates are separated, before and after.

        Raises:
            WorkLimit: If there are too many.
        """
        waiting = [clause]
        while waiting:
            one = waiting.pop()
            self._made += 1
            if self._made > MAX_SEPARATED:
                raise WorkLimit("there are too many atoms in a circle")
            if not self._can_hold(one):
                continue
            variable = self._open_variable(one)
            if variable is None:
                yield one, self._renamed(one)
            else:
                waiting += (_bind(one, variable, term) for term in self._values(one, variable))

    def _open_variable(self, clause: Clause) -> Variable | None:
        """A variable that stands where predicates are separated; one of fixed relations first."""
        found = dict.fromkeys(
            variable
            for atom in self._inside(clause)
            for place, term in enumerate(atom.arguments)
            if (atom.name, place) in self._places
            for variable in self._open(term)
        )
        fixed = {
            v for atom in clause.positive if atom.name in self._fixed for v in variables_of(atom)
        }
        return next((v for v in found if v in fixed), next(iter(found), None))

    def _open(self, term: TermOrVariable) -> Iterator[Variable]:
        if isinstance(term, Variable):
            yield term
        elif self._is_deep:
            yield from variables(term)

    def _values(self, clause: Clause, variable: Variable) -> Iterable[Term]:
        """What a variable can stand for in a clause."""
        for atom in clause.positive:
            if atom.name in self._fixed and variable in variables_of(atom):
                return self._fixed_values(atom, variable)
        bound = [
            self._functors.get(argument, {})
            for atom in clause.positive
            for argument, term in places(atom)
            if term == variable
        ]
        first, *others = bound or [{}]
        common = (one for one in first if all(one in other for other in others))
        return [_open_term(variable, functor) for functor in common]

    def _fixed_values(self, atom: Atom, variable: Variable) -> Iterable[Term]:
        """What a variable can stand for in an atom of a fixed relation."""
        paths, keys, found = lookup(atom, ())
        path = next(path for path, name in found if name == variable.name)
        ground = tuple(key for key in keys if isinstance(key, Term))
        rows = self._fixed[atom.name].find(paths, ground)
        terms = {term for row in rows if (term := look_up(row, path)) is not None}
        if self._is_deep:
            return sorted(terms)
        functors = dict.fromkeys(Functor(term.name, len(term.arguments)) for term in sorted(terms))
        return [_open_term(variable, functor) for functor in functors]

    def _can_hold(self, clause: Clause) -> bool:
        """Whether what is fixed does not forbid that a clause holds."""
        return (
            all(one.left != one.right for one in clause.distinct)
            and all(self._has_row(one) for one in clause.positive if one.name in self._fixed)
            and not any(
                self._has_row(one)
                for one in clause.negative
                if one.name in self._fixed and is_ground(*one.arguments)
            )
        )

    def _has_row(self, atom: Atom) -> bool:
        paths, keys, _ = lookup(atom, ())
        ground = tuple(key for key in keys if isinstance(key, Term))
        return any(True for _ in self._fixed[atom.name].find(paths, ground))

    # New names

    def _renamed(self, clause: Clause) -> Clause:
        return replace(
            clause,
            head=self._rename(clause.head),
            positive=tuple(map(self._rename, clause.positive)),
            negative=tuple(map(self._rename, clause.negative)),
        )

    def _rename(self, atom: Atom) -> Atom:
        """The atom of a separated predicate, whose arguments are what is still open."""
        if atom.name not in self._names:
            return atom
        kept: list[TermOrVariable] = []
        arguments: list[TermOrVariable] = []
        for place, term in enumerate(atom.arguments):
            if (atom.name, place) not in self._places:
                kept.append(_HOLE)
                arguments.append(term)
            elif self._is_deep:
                kept.append(term)
            else:
                assert isinstance(term, Term)  # it has been bound
                kept.append(Term(term.name, (_HOLE,) * len(term.arguments)))
                arguments += term.arguments
        pattern = self._patterns.get(atom.name)
        if pattern is None:
            pattern = Term(atom.name.partition(" ")[0], (_HOLE,) * len(atom.arguments))
        pattern = _filled(pattern, iter(kept))
        if not kept:
            return atom
        name = f"{atom.name.partition(' (')[0]} {write_term(pattern)}"
        self._patterns[name] = pattern
        return replace(atom, name=name, arguments=tuple(arguments))

    def _bridge(self, clause: Clause) -> Clause:
        """The clause by which a predicate follows from one that it has become."""
        numbers = iter(range(1, 1_000_000))

        def opened(term: TermOrVariable, is_kept: bool) -> TermOrVariable:
            if isinstance(term, Variable) or not is_kept:
                return Variable(f"any {next(numbers)}")
            return Term(term.name, tuple(opened(one, self._is_deep) for one in term.arguments))

        head = clause.head
        arguments = (
            opened(term, (head.name, place) in self._places)
            for place, term in enumerate(head.arguments)
        )
        general = replace(head, arguments=tuple(arguments))
        return Clause(general, (self._rename(general),), rule=clause.rule)


def _fixed_relations(clauses: Sequence[Clause], inner: Sequence[Clause]) -> dict[str, Relation]:
    """The relations that some clauses ask for and that are the same in all states."""
    dependencies = Dependencies(clauses)
    changing = {"true", "does", *(clause.head.name for clause in inner)}
    asked = {atom.name for clause in inner for atom in (*clause.positive, *clause.negative)}
    names = [
        name
        for name in sorted(asked & dependencies.edges.keys())
        if dependencies.path(name, changing) is None
    ]
    model, found = Model(Program(clauses, ()), _FIXED_WORK), {}
    for name in names:
        # What takes long is not needed for certain.
        with suppress(WorkLimit):
            found[name] = model[name]
    return found


def _without_unfounded(clauses: Sequence[Clause], patterns: Iterable[str]) -> list[Clause]:
    """Clauses without those that ask for separated predicates that never hold."""
    separated = {*patterns}
    while True:
        heads = {clause.head.name for clause in clauses}
        missing = separated - heads
        kept = [c for c in clauses if not any(atom.name in missing for atom in c.positive)]
        if len(kept) == len(clauses):
            break
        clauses = kept
    return [
        replace(c, negative=tuple(atom for atom in c.negative if atom.name not in missing))
        for c in clauses
    ]


def _bind(clause: Clause, variable: Variable, term: Term) -> Clause:
    """A clause with a term in place of a variable."""
    bindings = {variable: term}

    def bound(atom: Atom) -> Atom:
        return replace(atom, arguments=tuple(substitute(one, bindings) for one in atom.arguments))

    def unequal(one: Distinct) -> Distinct:
        left, right = substitute(one.left, bindings), substitute(one.right, bindings)
        return replace(one, left=left, right=right)

    return replace(
        clause,
        head=bound(clause.head),
        positive=tuple(map(bound, clause.positive)),
        negative=tuple(map(bound, clause.negative)),
        distinct=tuple(map(unequal, clause.distinct)),
    )


def _open_term(variable: Variable, functor: Functor) -> Term:
    """A term of a function, or a constant, with new variables for its arguments."""
    arguments = (Variable(f"{variable.name} {place}") for place in range(functor.arity))
    return Term(functor.name, tuple(arguments))


def _filled(pattern: TermOrVariable, terms: Iterator[TermOrVariable]) -> TermOrVariable:
    """A pattern with terms in its holes, in order."""
    if isinstance(pattern, Variable):
        return next(terms)
    return Term(pattern.name, tuple(_filled(one, terms) for one in pattern.arguments))
