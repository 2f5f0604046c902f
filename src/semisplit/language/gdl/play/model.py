"""The perfect model of a set of clauses: all atoms that follow, as far as somebody asks for them.

A stratum is a set of predicates that depend on each other. Its negations are about strata below
it. So a stratum is the least set of atoms that its clauses allow: they are applied until nothing
new follows. What they look up in strata below is worked out when they do.

A relation of which only some rows are wanted is worked out as a whole if that takes little. Else
only what is asked for is (see `demand`), until that has taken as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from semisplit.core.errors import WorkLimit
from semisplit.core.limits import Allowance
from semisplit.language.gdl.play.joins import (
    SAMPLE,
    Bindings,
    Condition,
    Estimate,
    Join,
    Path,
    Relation,
    Row,
    Tests,
    expected_rows,
    instantiate,
    look_up,
)
from semisplit.language.gdl.play.strata import Answering, Joins, Program, Stratum
from semisplit.language.gdl.text.ast import Atom, Term
from semisplit.language.gdl.text.limits import MAX_TERM_DEPTH, MAX_TERM_SIZE
from semisplit.language.gdl.text.terms import variables_of

_QUESTION = 5
"""Rows of work that a question takes besides."""
_UNKNOWN, _DOMAIN = 4.0, 8.0
"""Rows of a relation of unknown size without open arguments, and how many times more with each."""
Find = Callable[[str, tuple[Path, ...], Row], Iterable[Row]]
"""Finds the rows of a predicate that have certain terms at certain places."""
_NESTED = 16
"""Strata of a level that may wait for each other; Python does not allow many nested calls."""


class Model:
    """What follows from clauses and given relations, worked out as far as it is asked for."""

    def __init__(
        self, program: Program, max_work: int, below: Model | None = None, **given: Relation
    ):
        self._program = program
        self._below = below
        self._level: int = 0 if below is None else below._level + 1
        self._relations: dict[str, Relation] = given
        self._work = Allowance(max_work, "evaluating the rules takes too long in this position")
        self._asked: dict[str, int] = defaultdict(int)
        """How many rows were looked at for questions about a predicate."""
        self._nested = 0

    def __getitem__(self, name: str) -> Relation:
        """All rows of a predicate."""
        model = self._model_of(name)
        if name not in model._relations:
            model._complete(name)
        return model._relations[name]

    def _model_of(self, name: str) -> Model:
        """The model that knows a predicate: this one, or one below."""
        model, level = self, self._program.level.get(name, 0)
        while model._below is not None and level < model._level:
            model = model._below
        return model

    # Whole relations

    def _complete(self, name: str) -> None:
        """Work out the whole of a relation."""
        program = self._program
        if name not in program.stratum_of:
            self._relations[name] = Relation()
        elif self._nested < _NESTED:
            self._fill(program.stratum(name))
        else:
            for stratum in self._needed(name):
                self._fill(stratum)

    def _needed(self, name: str) -> list[Stratum]:
        """The strata of this level that are to be completed for a predicate, in order."""
        program, found, waiting = self._program, {name}, [name]
        while waiting:
            for target in program.below.get(waiting.pop(), ()):
                is_here = program.level.get(target, 0) == self._level
                if is_here and target not in self._relations and target not in found:
                    found.add(target)
                    waiting.append(target)
        numbers = {program.stratum_of[one] for one in found if one in program.stratum_of}
        return [program.strata[number] for number in sorted(numbers)]

    def _fill(self, stratum: Stratum) -> None:
        """Apply all clauses of a stratum until nothing new follows."""
        for name in stratum.names:
            self._relations[name] = Relation()

        def apply() -> None:
            joins = stratum.joins(self._work, self._estimate(stratum))
            fresh: dict[str, Relation] = defaultdict(Relation)
            for join in joins.first:
                self._apply(join, {}, fresh)
            self._go_on(joins, fresh)

        self._work_on(stratum, apply)

    def _try(self, name: str) -> Relation | None:
        """The whole of a relation, if that is known or takes little work."""
        program, before = self._program, self._work.left
        if name not in self._relations:
            done = self._work.attempt(program.whole[name], lambda: self._complete(name))
            program.remember(name, before - self._work.left if done else None)
        return self._relations.get(name)

    # Questions

    def _find(self, name: str, paths: tuple[Path, ...], key: Row) -> Iterable[Row]:
        """The rows of a predicate that have certain terms at certain places."""
        model = self._model_of(name)
        relation = model._relations.get(name)
        if relation is None:
            given = ((path[0], term) for path, term in zip(paths, key) if not path[1])
            relation = model._answer(name, dict(given))
        return relation.find(paths, key)

    def _holds(self, name: str, row: Row) -> bool:
        """Whether a row is one of a predicate."""
        model = self._model_of(name)
        relation = model._relations.get(name)
        if relation is None:
            relation = model._answer(name, dict(enumerate(row)))
        return row in relation.rows

    def _answer(self, name: str, given: Mapping[int, Term]) -> Relation:
        """A relation that has all rows of a predicate with certain terms as arguments."""
        program = self._program
        if not given or name not in program.stratum_of or self._nested >= _NESTED:
            return self[name]
        if self._asked[name] >= program.patience[name] and (whole := self._try(name)):
            return whole
        found = program.answering(name, tuple(given), self._estimate)
        relations, question = self._relations, tuple(given.values())
        if found.questions not in relations:
            for one in found.stratum.names:
                relations.setdefault(one, Relation())
        if relations[found.questions].add(question):
            before = self._work.left
            self._work_on(found.stratum, lambda: self._begin(found, question))
            self._asked[name] += before - self._work.left
        return relations[found.answers]

    def _begin(self, found: Answering, question: Row) -> None:
        """Answer a question, which is new."""
        self._work.spend(_QUESTION)
        self._go_on(self._answering_joins(found), {found.questions: Relation([question])})

    def _answering_joins(self, found: Answering) -> Joins:
        # Their conditions are in order already.
        return found.stratum.joins(self._work, lambda atom, bound: 0)

    def stream(self, name: str, paths: tuple[Path, ...], key: Row) -> Iterator[Row]:
        """Rows of a predicate with certain terms at certain places, each as soon as it is found.

        Nothing of what is found on the way is kept, and a row may come several times. So this is
        for who wants a few of many rows.
        """
        model, program = self._model_of(name), self._program
        given = {path[0]: term for path, term in zip(paths, key) if not path[1]}
        is_known = name in model._relations or name not in program.stratum_of
        if is_known or program.is_recursive(name) or len(given) == program.arity(name):
            yield from self._find(name, paths, key)
            return
        found = program.answering(name, tuple(given), model._estimate)
        fresh = {found.questions: Relation([tuple(given.values())])}
        for join in model._answering_joins(found).again.get(found.questions, ()):
            for row in model._rows(join, fresh, model.stream):
                if all(look_up(row, path) == term for path, term in zip(paths, key)):
                    yield row

    def _estimate(self, stratum: Stratum) -> Estimate:
        """How many rows conditions of the clauses of a stratum have, as far as it can be known."""
        unknown = {*stratum.names}

        def estimate(atom: Atom, bound: frozenset[str]) -> float:
            model = self._model_of(atom.name)
            if atom.name not in unknown and (relation := model._known(atom.name)):
                self._work.spend(min(len(relation.rows), SAMPLE))
                rows = expected_rows(relation, atom, bound)
                if rows is not None:
                    return rows
                if atom.name == "does" or not model._level:
                    return 0
            still_open = {variable.name for variable in variables_of(atom)} - bound
            return _UNKNOWN * _DOMAIN ** len(still_open)

        return estimate

    def _known(self, name: str) -> Relation | None:
        """The whole of a relation, unless it takes much work or may be too deep below."""
        is_hard = self._program.patience[name] > 0 or self._nested >= _NESTED
        return self._relations.get(name) if is_hard else self._try(name)

    # Clauses

    def _work_on(self, stratum: Stratum, act: Callable[[], None]) -> None:
        """Do something about the relations of a stratum."""
        self._nested += 1
        try:
            act()
        except BaseException:
            # Who asks again must not find a part of it.
            for unfinished in stratum.names:
                self._relations.pop(unfinished, None)
            raise
        finally:
            self._nested -= 1

    def _go_on(self, joins: Joins, fresh: Mapping[str, Relation]) -> None:
        """Apply clauses to what is new, until nothing new follows.

        Only what has a new condition can follow anew, so each condition in the stratum is looked up
        among the rows of the last round.
        """
        while fresh:
            before, fresh = fresh, defaultdict(Relation)
            for name in before:
                for join in joins.again.get(name, ()):
                    self._apply(join, before, fresh)

    def _apply(
        self, join: Join, before: Mapping[str, Relation], fresh: Mapping[str, Relation]
    ) -> None:
        name = join.head.name
        # The rows that are found here must not be among those that are looked up meanwhile.
        for row in list(self._rows(join, before)):
            if self._relations[name].add(row):
                fresh[name].add(row)

    def _rows(
        self, join: Join, before: Mapping[str, Relation], find: Find | None = None
    ) -> Iterator[Row]:
        """What a clause says, given what holds."""
        for bindings in self._solve(join, before, find or self._find):
            row = tuple(instantiate(term, bindings) for term in join.head.arguments)
            if join.grows:
                _check_size(row)
            yield row

    def _solve(self, join: Join, before: Mapping[str, Relation], find: Find) -> Iterator[Bindings]:
        """The ways in which the conditions of a clause hold that say anything new, depth first."""
        if not self._passes(join.tests, {}):
            return
        if not join.conditions:
            yield {}
            return
        levels = [self._matches(join.conditions[0], {}, before, find)]
        while levels:
            bindings = next(levels[-1], None)
            if bindings is None:
                levels.pop()
            elif len(levels) == len(join.conditions):
                yield bindings
                del levels[join.decided :]
            else:
                condition = join.conditions[len(levels)]
                levels.append(self._matches(condition, bindings, before, find))

    def _matches(
        self,
        condition: Condition,
        bindings: Bindings,
        before: Mapping[str, Relation],
        find: Find,
    ) -> Iterator[Bindings]:
        """All ways in which a condition holds, given what some variables stand for."""
        key = tuple(instantiate(term, bindings) for term in condition.keys)
        if condition.is_fresh:
            rows = before[condition.name].find(condition.paths, key)
        else:
            rows = find(condition.name, condition.paths, key)
        for row in rows:
            self._work.spend(1)
            more = dict(bindings)
            for path, name in condition.found:
                term = look_up(row, path)
                if term is None or more.setdefault(name, term) != term:
                    break
            else:
                if self._passes(condition.tests, more):
                    yield more

    def _passes(self, tests: Tests, bindings: Bindings) -> bool:
        return all(
            instantiate(one.left, bindings) != instantiate(one.right, bindings)
            for one in tests.distinct
        ) and not any(
            self._holds(one.name, tuple(instantiate(term, bindings) for term in one.arguments))
            for one in tests.negative
        )


def _check_size(row: Row) -> None:
    """Stop before terms grow so large that nothing can be done with them."""
    level: list[Any] = [*row]
    size = depth = 0
    while level:
        size, depth = size + len(level), depth + 1
        if size > MAX_TERM_SIZE or depth > MAX_TERM_DEPTH:
            raise WorkLimit("the rules make larger and larger terms, without an end")
        level = [argument for term in level for argument in term.arguments]
