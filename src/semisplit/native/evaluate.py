"""Evaluating expressions, the parts of the rules in which nothing changes.

From where the evaluation starts to where it leads it is in one of two forms: a `Row`, the squares
that a relation known at compile time leads to from one square, or `Many`, any set of squares.
`Evaluator.forward` computes where an expression leads; `Evaluator.matches` only whether it leads
anywhere, and stops as soon as that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from llvmlite import ir

from semisplit.native.arithmetic import Symbols, compare
from semisplit.native.code import Code, Condition, Squareset, Value, i1
from semisplit.native.expression import (
    LOOP,
    Chain,
    Choice,
    Expression,
    Holds,
    On,
    Repeat,
    Static,
    Stay,
    Test,
)
from semisplit.native.places import Many, Place, Places, Row
from semisplit.native.rays import along, find_ray
from semisplit.native.walks import Walks

_WORTH_A_BRANCH = 16
"""The cost above which an expression is not evaluated for an empty place."""
_MAX_BRANCHES = 8
"""How deep such branches are nested."""
_FEW = 8
"""Squares up to which an expensive pattern is tried one by one."""
_MAX_SHIFTS = 6
"""Shifts up to which a relation is applied to a set at once, if it has simpler parts."""
_MAX_UNROLLED = 8
"""Steps up to which a repetition becomes straight code."""


class Evaluator(Places):
    """Emits code that evaluates expressions at one place of a function."""

    def __init__(
        self,
        code: Code,
        symbols: Symbols,
        start_counts: list[int],
        changing: Callable[[Test, Value], Value],
        start: Value | None = None,
        start_pieces: frozenset[int] = frozenset(),
    ):
        """Set up the evaluator.

        Args:
            code: Where to emit.
            symbols: The names of the description.
            start_counts: How many of each piece there are at the start.
            changing: Emits the evaluation of a pattern with modifiers from a square.
            start: The square where the evaluation starts.
            start_pieces: The pieces that may be on it.
        """
        super().__init__(code)
        self._walks = Walks(self)
        self.symbols = symbols
        self._start_counts = start_counts
        self._changing = changing
        self._branches = 0
        """Branches for empty places that the code being emitted is inside."""
        self._start = start
        self._start_pieces = start_pieces
        self._known: list[dict[Hashable, tuple[Expression, Place, Place]]] = [{}]
        """Where expressions lead from places, for each conditional part the code is inside.

        What is known outside of a conditional part is known inside as well.
        """
        self._tested: list[dict[Hashable, list[tuple[Condition, Condition]]]] = [{}]
        """The same for patterns on single squares: whether they hold if a condition does."""

    @contextmanager
    def conditional(self) -> Iterator[None]:
        """While the code that is emitted may not run: what it finds out is forgotten afterwards."""
        self._known.append({})
        self._tested.append({})
        yield
        self._known.pop()
        self._tested.pop()

    # Forward

    def forward(self, expression: Expression, place: Place) -> Place:
        """Where an expression leads."""
        key = id(expression), _key(place)
        for known in self._known:
            if key in known:
                return known[key][2]
        after = self._forward(expression, place)
        # Expression and place are kept, for their addresses are the key.
        self._known[-1][key] = expression, place, after
        return after

    def _forward(self, expression: Expression, place: Place) -> Place:
        match expression:
            case Static():
                return self._static(expression, place)
            case On(pieces=pieces):
                return self._on(pieces, place)
            case Holds(comparison=comparison):
                return self.only_if(compare(self.code, self.symbols, comparison), place)
            case Test():
                return self._test(expression, place)
            case Chain(members):
                for number, member in enumerate(members):
                    place = self.forward(member, place)
                    rest = members[number + 1 :]
                    if isinstance(member, Stay) and self._is_worth_a_branch(rest, place):
                        return self.forward_if_any(Chain(rest), place)
                return place
            case Choice(members):
                joined: Place | None = None
                for member in members:
                    joined = self.join(joined, self.forward(member, place))
                assert joined is not None
                return joined
            case Repeat():
                return self._repeat(expression, place)
        raise TypeError(expression)

    def forward_if_any(self, expression: Expression, place: Place) -> Place:
        """Where an expression leads; if it is expensive, evaluated only if the place is not empty.

        What happens often is worth a branch: a test fails and much would follow.
        """
        if not self._is_worth_a_branch(expression.factors, place):
            return self.forward(expression, place)
        code, b = self.code, self.code.b
        possible = self.is_any(place)
        if isinstance(possible, bool):
            return self.forward(expression, place)
        before = b.block
        self._branches += 1
        with b.if_then(possible), self.conditional():
            after = self.forward(expression, place)
            single = isinstance(after, Row) and after.relation.is_function
            if isinstance(after, Row) and single:
                after = self.to_square(after)
                inside: list[Value] = [code.condition(after.condition), after.square]
            else:
                inside = [code.as_set(self.squares(after))]
            last = b.block
        self._branches -= 1
        merged = []
        for value in inside:
            phi = b.phi(value.type)
            phi.add_incoming(value, last)
            phi.add_incoming(ir.Constant(value.type, 0), before)
            merged.append(phi)
        if isinstance(after, Row) and single:
            # A square that was known before needs no merging.
            known = isinstance(place, Row) and after.square is place.square
            return self.at(after.square if known else merged[1], merged[0])
        return Many(merged[0], self.expected(after))

    def _is_worth_a_branch(self, factors: Sequence[Expression], place: Place) -> bool:
        certain = isinstance(place, Row) and place.condition is True
        if certain or self._branches == _MAX_BRANCHES:
            return False
        if self.is_single(place) and factors and isinstance(factors[0], Test):
            # It will get a branch of its own.
            return False
        return sum(factor.cost for factor in factors) > _WORTH_A_BRANCH

    def _static(self, expression: Static, place: Place) -> Place:
        relation = expression.relation
        if isinstance(place, Row):
            return replace(place, relation=place.relation.then(relation))
        if expression.parts and relation.constant is None and relation.has_more_shifts(_MAX_SHIFTS):
            return self.forward(expression.parts, place)
        expected = min(place.expected * relation.most, len(self.code.squares.bits))
        return Many(self.code.image(relation, place.squares), expected)

    def _on(self, pieces: frozenset[int], place: Place) -> Place:
        if isinstance(place, Row) and place.square is self._start and place.relation.is_identity:
            if not pieces & self._start_pieces:
                return self.only_if(False, place)
            if pieces >= self._start_pieces:
                return place
        if (
            isinstance(place, Row)
            and place.relation.is_function
            and (self.code.words > 1 or place.relation.is_identity)
        ):
            place = self.to_square(place)
            # Off the board, in the place behind the last square, there is no piece.
            return self.only_if(self.code.is_on(pieces, place.square), place)
        here = self.many(place)
        expected = min(here.expected, sum(self._start_counts[piece] for piece in pieces))
        return Many(self.code.both(here.squares, self.code.pieces_set(pieces)), expected)

    def _test(self, test: Test, place: Place) -> Place:
        if isinstance(place, Row) and place.relation.is_function:
            place = self.to_square(place)
            found = self._matches_if(place.condition, test, place.square)
            return self.only_if(found if test.positive else self.code.negate(found), place)
        here = self.many(place)
        if test.body is None or (test.cost > LOOP and here.expected <= _FEW):
            return replace(here, squares=self._filter(here.squares, test))
        everywhere = Many(self.code.squares.board, len(self.code.squares.bits))
        matching = self.squares(self.forward(test.body.reverse, everywhere))
        operation = self.code.both if test.positive else self.code.without
        return replace(here, squares=operation(here.squares, matching))

    def _matches_if(self, condition: Condition, test: Test, square: Value) -> Condition:
        """Whether a pattern holds on a square, evaluated only if a condition holds."""
        key = id(test.body or test.rule.body), id(square)
        for known in self._tested:
            for earlier, found in known.get(key, ()):
                if _implies(condition, earlier):
                    return found
        found = self._guarded(condition, lambda: self._matches_from(test, square))
        self._tested[-1].setdefault(key, []).append((condition, found))
        return found

    def _matches_from(self, test: Test, square: Value) -> Condition:
        if test.body is None:
            return self._changing(test, square)
        return self.matches(test.body, self.at(square))

    def _guarded(self, condition: Condition, evaluate: Callable[[], Condition]) -> Condition:
        """A condition that is evaluated only if another one holds."""
        if isinstance(condition, bool):
            return evaluate() if condition else False
        before = self.code.b.block
        with self.code.b.if_then(condition), self.conditional():
            found = self.code.condition(evaluate())
            inside = self.code.b.block
        result = self.code.b.phi(i1)
        result.add_incoming(ir.Constant(i1, 0), before)
        result.add_incoming(found, inside)
        return result

    def _filter(self, squares: Squareset, test: Test) -> Squareset:
        """The squares of a set for which a pattern holds, tried one by one."""
        code, b = self.code, self.code.b
        rest = code.as_set(squares)
        before = b.block
        head, body, end = (b.append_basic_block(name) for name in ("each", "try", "tried"))
        b.branch(head)
        b.position_at_end(head)
        left, kept = b.phi(code.set_type), b.phi(code.set_type)
        left.add_incoming(rest, before)
        kept.add_incoming(code.as_set(0), before)
        b.cbranch(code.condition(code.is_any(left)), body, end)
        b.position_at_end(body)
        square = code.lowest(left)
        with self.conditional():
            found = self._matches_from(test, square)
        keep = found if test.positive else code.negate(found)
        one = b.and_(left, b.sub(code.as_set(0), left))
        kept.add_incoming(b.or_(kept, code.as_set(code.only_if(keep, one))), b.block)
        left.add_incoming(b.xor(left, one), b.block)
        b.branch(head)
        b.position_at_end(end)
        return kept

    # Repetition

    def _repeat(self, repeat: Repeat, place: Place) -> Place:
        ray = find_ray(self, repeat, place)
        if ray is not None and isinstance(place, Row):
            return along(self, ray, repeat, place)
        start = self.many(place)
        if repeat.least:
            start = self.many(self.forward(repeat.body, start))
        steps = repeat.body.skeleton.longest_path
        unrolled = steps is not None and steps <= _MAX_UNROLLED and repeat.body.cost < LOOP
        if unrolled and self.code.words == 1:
            assert steps is not None
            reached, frontier = start.squares, start
            for _ in range(steps):
                frontier = self.many(self.forward(repeat.body, frontier))
                reached = self.code.either(reached, frontier.squares)
        else:
            reached = self._fixpoint(repeat.body, start.squares, None)
        return Many(reached, len(self.code.squares.bits))

    def _fixpoint(
        self,
        body: Expression,
        start: Squareset,
        stop: Callable[[Value], Condition] | None,
    ) -> Value:
        """All squares reached by repeating the body; the search ends early where `stop` holds.

        With `stop` the result is whether it held.
        """
        code, b = self.code, self.code.b
        before = b.block
        head, step, end = (b.append_basic_block(name) for name in ("repeat", "step", "reached"))
        b.branch(head)
        b.position_at_end(head)
        reached, frontier = b.phi(code.set_type), b.phi(code.set_type)
        for phi in (reached, frontier):
            phi.add_incoming(code.as_set(start), before)
        with self.conditional():
            if stop:
                found = code.condition(stop(frontier))
                proceed = b.append_basic_block("proceed")
                checked = b.block
                b.cbranch(found, end, proceed)
                b.position_at_end(proceed)
            more = self.squares(self.forward(body, Many(frontier, len(code.squares.bits))))
        new = code.as_set(code.without(more, reached))
        done = b.block
        b.cbranch(code.condition(code.is_any(new)), step, end)
        b.position_at_end(step)
        reached.add_incoming(b.or_(reached, new), step)
        frontier.add_incoming(new, step)
        b.branch(head)
        b.position_at_end(end)
        if not stop:
            return reached
        result = b.phi(i1)
        result.add_incoming(ir.Constant(i1, 1), checked)
        result.add_incoming(ir.Constant(i1, 0), done)
        return result

    # Whether an expression leads anywhere

    def matches(self, expression: Expression, place: Place) -> Condition:
        """Whether an expression leads anywhere."""
        return self._matches(list(expression.factors), place)

    def _matches(self, factors: list[Expression], place: Place) -> Condition:
        for number, factor in enumerate(factors):
            rest = factors[number + 1 :]
            if self.is_single(place) and self._walks.prefers_walk(factors[number:]):
                assert isinstance(place, Row)
                return self._walks.walks(factors[number:], place)
            last = number == len(factors) - 1
            if last and isinstance(factor, Choice) and factor.cost > LOOP:
                return self._first_match(factor.members, place)
            if isinstance(factor, Repeat) and find_ray(self, factor, place) is None and rest:
                return self._search(factor, rest, place)
            place = self.forward(factor, place)
        return self.is_any(place)

    def _first_match(self, members: tuple[Expression, ...], place: Place) -> Condition:
        found: Condition = False
        for member in members:
            found = self._unless(found, partial(self.matches, member, place))
        return found

    def _unless(self, condition: Condition, evaluate: Callable[[], Condition]) -> Condition:
        missing = self.code.negate(condition)
        return self.code.any_of(condition, self._guarded(missing, evaluate))

    def _search(self, repeat: Repeat, rest: list[Expression], place: Place) -> Condition:
        """Whether the rest matches after some repetitions."""
        if isinstance(place, Row):
            # From a single square tables help: the first two steps are made with them.
            if repeat.least:
                return self._search_on(repeat, rest, self.many(self.forward(repeat.body, place)))
            found = self._matches(rest, place)
            return self._unless(
                found,
                lambda: self._search_on(repeat, rest, self.many(self.forward(repeat.body, place))),
            )
        start = self.many(place)
        if repeat.least:
            start = self.many(self.forward(repeat.body, start))
        return self._search_on(repeat, rest, start)

    def _search_on(self, repeat: Repeat, rest: list[Expression], start: Many) -> Condition:

        def stop(frontier: Value) -> Condition:
            return self._matches(rest, Many(frontier, len(self.code.squares.bits)))

        return self._fixpoint(repeat.body, start.squares, stop)


def _key(place: Place) -> Hashable:
    """What tells a place from others, with addresses of values in place of values."""
    if isinstance(place, Row):
        return id(place.relation), id(place.square), id(place.condition)
    return place.squares if isinstance(place.squares, int) else id(place.squares), place.expected


def _implies(condition: Condition, other: Condition) -> bool:
    """Whether it can be seen that a condition holds only if another one does."""
    if other is True or condition is other:
        return True
    match condition:
        case ir.Instruction(opname="and", operands=operands):
            return any(_implies(operand, other) for operand in operands)
        case ir.PhiInstr(incomings=incomings):
            return all(_is_false(value) or _implies(value, other) for value, _ in incomings)
    return False


def _is_false(condition: Value) -> bool:
    return isinstance(condition, ir.Constant) and condition.constant == 0
