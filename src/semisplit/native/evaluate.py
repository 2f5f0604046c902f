"""Evaluating expressions, the parts of the rules in which nothing changes.

From where the evaluation starts to where it leads it is in one of two forms: a `Row`, the squares
that a relation known at compile time leads to from one square, or `Many`, any set of squares.
`Evaluator.forward` computes where an expression leads; `Evaluator.matches` only whether it leads
anywhere, and stops as soon as that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from llvmlite import ir

from semisplit.native.arithmetic import Symbols, compare
from semisplit.native.code import Code, Condition, Squareset, Value, i1, i64
from semisplit.native.expression import (
    LOOP,
    Choice,
    Expression,
    Holds,
    On,
    Repeat,
    Sequence_,
    Static,
    Stay,
    Test,
)
from semisplit.native.relation import Relation

_NARROW = 2
"""Words up to which a ray is looked up as a set."""
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


@dataclass(frozen=True)
class Row:
    """The squares that a relation leads to from a square, none if the condition does not hold."""

    relation: Relation
    square: Value
    condition: Condition


@dataclass(frozen=True)
class Many:
    """Any set of squares."""

    squares: Squareset
    expected: int
    """How many squares to expect in it; only speed depends on it."""


Place = Row | Many


@dataclass(frozen=True)
class _Ray:
    """A line of squares that is followed as long as a piece of some kinds is there."""

    squares: Relation
    """All squares in the direction, from each square."""
    free: frozenset[int]
    direction: int
    """Whether it leads to higher bits (1) or lower ones (-1)."""
    inclusive: bool
    """Whether the square that stops it belongs to it."""


class Evaluator:
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
        self.code = code
        self.symbols = symbols
        self._start_counts = start_counts
        self._changing = changing
        self._branches = 0
        """Branches for empty places that the code being emitted is inside."""
        self._start = start
        self._start_pieces = start_pieces
        squares = code.squares
        self._identity = Relation.identity(squares.board, squares.size)

    # Places

    def at(self, square: Value, condition: Condition = True) -> Row:
        """The place of a single square."""
        return Row(self._identity, square, condition)

    def squares(self, place: Place) -> Squareset:
        """A place as a set."""
        if isinstance(place, Many):
            return place.squares
        return self.code.only_if(place.condition, self.code.row(place.relation, place.square))

    def many(self, place: Place) -> Many:
        """A place as any set."""
        if isinstance(place, Many):
            return place
        return Many(self.squares(place), self._expected(place))

    def is_any(self, place: Place) -> Condition:
        """Whether a place has a square."""
        if isinstance(place, Many):
            return self.code.is_any(place.squares)
        inside = self.code.is_in(place.relation.domain, place.square)
        return self.code.all_of(place.condition, inside)

    def join(self, a: Place | None, b: Place) -> Place:
        """The squares of both places."""
        if a is None:
            return b
        if isinstance(a, Row) and isinstance(b, Row) and a.square is b.square:
            if a.relation == b.relation:
                return replace(a, condition=self.code.any_of(a.condition, b.condition))
            if a.condition is b.condition:
                return replace(a, relation=a.relation | b.relation)
        x, y = self.many(a), self.many(b)
        expected = min(x.expected + y.expected, len(self.code.squares.bits))
        return Many(self.code.either(x.squares, y.squares), expected)

    def is_single(self, place: Place) -> bool:
        """Whether a place is at most one square, known by number."""
        return isinstance(place, Row) and place.relation.is_function

    def to_square(self, place: Row) -> Row:
        """A place that is at most one square, as that square under a condition."""
        if place.relation == self._identity:
            return place
        if place.relation.is_identity:
            return self.at(place.square, self.is_any(place))
        condition = self.is_any(place)
        return self.at(self.code.next_square(place.relation, place.square), condition)

    # Forward

    def forward(self, expression: Expression, place: Place) -> Place:
        """Where an expression leads."""
        match expression:
            case Static():
                return self._static(expression, place)
            case On(pieces=pieces):
                return self._on(pieces, place)
            case Holds(comparison=comparison):
                return self.only_if(compare(self.code, self.symbols, comparison), place)
            case Test():
                return self._test(expression, place)
            case Sequence_(members):
                for number, member in enumerate(members):
                    place = self.forward(member, place)
                    rest = members[number + 1 :]
                    if isinstance(member, Stay) and self._is_worth_a_branch(rest, place):
                        return self.forward_if_any(Sequence_(rest), place)
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
        with b.if_then(possible):
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
        return Many(merged[0], self._expected(after))

    def _is_worth_a_branch(self, factors: Sequence[Expression], place: Place) -> bool:
        certain = isinstance(place, Row) and place.condition is True
        if certain or self._branches == _MAX_BRANCHES:
            return False
        return sum(factor.cost for factor in factors) > _WORTH_A_BRANCH

    def _expected(self, place: Place) -> int:
        """How many squares to expect in a place."""
        return place.expected if isinstance(place, Many) else place.relation.most

    def only_if(self, condition: Condition, place: Place) -> Place:
        """The place if a condition holds, otherwise no square."""
        if isinstance(place, Row):
            return replace(place, condition=self.code.all_of(place.condition, condition))
        return replace(place, squares=self.code.only_if(condition, place.squares))

    def _static(self, expression: Static, place: Place) -> Place:
        relation = expression.relation
        if isinstance(place, Row):
            return replace(place, relation=place.relation.then(relation))
        if expression.parts and relation.constant is None and len(relation.shifts) > _MAX_SHIFTS:
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
            found = self._guarded(place.condition, lambda: self._matches_from(test, place.square))
            return self.only_if(found if test.positive else self.code.negate(found), place)
        here = self.many(place)
        if test.body is None or (test.cost > LOOP and here.expected <= _FEW):
            return replace(here, squares=self._filter(here.squares, test))
        everywhere = Many(self.code.squares.board, len(self.code.squares.bits))
        matching = self.squares(self.forward(test.body.reverse, everywhere))
        operation = self.code.both if test.positive else self.code.without
        return replace(here, squares=operation(here.squares, matching))

    def _matches_from(self, test: Test, square: Value) -> Condition:
        if test.body is None:
            return self._changing(test, square)
        return self.matches(test.body, self.at(square))

    def _guarded(self, condition: Condition, evaluate: Callable[[], Condition]) -> Condition:
        """A condition that is evaluated only if another one holds."""
        if isinstance(condition, bool):
            return evaluate() if condition else False
        before = self.code.b.block
        with self.code.b.if_then(condition):
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
        ray = self._ray(repeat, place)
        if ray is not None and isinstance(place, Row):
            return self._along(ray, repeat, place)
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
        found = code.condition(stop(frontier)) if stop else ir.Constant(i1, 0)
        if stop:
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

    def _ray(self, repeat: Repeat, place: Place) -> _Ray | None:
        """The ray that a repetition follows from a place, if there is a table for it.

        `(step {e})*` stops before the first square that is not empty. In `step ({e} step)*` the
        place is one step ahead already, and the first such square is included.
        """
        if not isinstance(place, Row) or self.code.words > _NARROW:
            return None
        match repeat.body.factors:
            case (Static(relation=step), On(pieces=free)):
                inclusive = False
                fits = place.relation == self._identity
            case (On(pieces=free), Static(relation=step)):
                inclusive = True
                fits = place.relation == step and repeat.least == 0
            case _:
                return None
        direction = _direction(step)
        if not fits or direction is None:
            return None
        squares = step.then(step.closure(self.code.squares.board))
        return _Ray(squares, free, direction, inclusive)

    def _along(self, ray: _Ray, repeat: Repeat, place: Row) -> Place:
        """The squares of a ray up to the first that fails its test."""
        squares = self.code.only_if(place.condition, self.code.row(ray.squares, place.square))
        line = self.code.as_set(squares)
        blockers = self.code.as_set(self.code.without(line, self.code.pieces_set(ray.free)))
        reach: Squareset = self._up_to(line, blockers, ray.direction, ray.inclusive)
        if not ray.inclusive and repeat.least == 0:
            reach = self.code.either(reach, self.squares(place))
        return Many(reach, ray.squares.most)

    def _up_to(self, ray: Value, blockers: Value, direction: int, inclusive: bool) -> Value:
        b, zero, one = self.code.b, self.code.as_set(0), self.code.as_set(1)
        if direction > 0:
            # Without a blocker, `lowest` is 0 and all bits below it are all there are.
            lowest = b.and_(blockers, b.sub(zero, blockers))
            below = b.sub(lowest, one)
            return b.and_(ray, b.or_(below, lowest) if inclusive else below)
        last = self.code.words * 64 - 1
        leading = b.ctlz(blockers, ir.Constant(i1, 0))
        width = self.code.set_type
        # All bits up to the highest blocker, or to the one below it if that one is reached.
        everything = ir.Constant(width, (1 << last + 1) - 1)
        none = b.icmp_unsigned("==", blockers, zero)
        beyond = b.lshr(everything, b.select(none, zero, leading))
        if inclusive:
            beyond = b.lshr(beyond, one)
        return b.and_(ray, b.not_(b.select(none, zero, beyond)))

    # Whether an expression leads anywhere

    def matches(self, expression: Expression, place: Place) -> Condition:
        """Whether an expression leads anywhere."""
        return self._matches(list(expression.factors), place)

    def _matches(self, factors: list[Expression], place: Place) -> Condition:
        for number, factor in enumerate(factors):
            rest = factors[number + 1 :]
            if self.is_single(place) and self._prefers_walk(factors[number:]):
                assert isinstance(place, Row)
                return self._walks(factors[number:], place)
            last = number == len(factors) - 1
            if last and isinstance(factor, Choice) and factor.cost > LOOP:
                return self._first_match(factor.members, place)
            if isinstance(factor, Repeat) and self._ray(factor, place) is None and rest:
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

    # Walks: one square after another, with branches

    def _prefers_walk(self, factors: list[Expression]) -> bool:
        if not any(isinstance(part, Repeat) for part in _parts(factors)):
            return False
        if not all(_can_walk(factor, last=factor is factors[-1]) for factor in factors):
            return False
        relations = [part.relation for part in _parts(factors) if isinstance(part, Static)]
        irregular = any(len(relation.shifts) > 2 for relation in relations)
        return irregular or self.code.words > 1

    def _walks(self, factors: list[Expression], place: Row) -> Condition:
        b = self.code.b
        place = self.to_square(place)
        found, failed, end = (b.append_basic_block(n) for n in ("found", "failed", "walked"))
        start = b.append_basic_block("walk")
        b.cbranch(self.code.condition(place.condition), start, failed)
        b.position_at_end(start)
        self._walk(factors, place.square, found, failed)
        b.position_at_end(found)
        b.branch(end)
        b.position_at_end(failed)
        b.branch(end)
        b.position_at_end(end)
        result = b.phi(i1)
        result.add_incoming(ir.Constant(i1, 1), found)
        result.add_incoming(ir.Constant(i1, 0), failed)
        return result

    def _walk(
        self,
        factors: list[Expression],
        square: Value,
        found: ir.Block,
        failed: ir.Block,
        arrive: Callable[[Value], None] | None = None,
    ) -> None:
        """Walk from a square; go to `found` with `arrive` told where, or to `failed`."""
        b = self.code.b
        for number, factor in enumerate(factors):
            rest = factors[number + 1 :]
            match factor:
                case Choice(members):
                    for member in members[:-1]:
                        otherwise = b.append_basic_block("otherwise")
                        self._walk([*member.factors], square, found, otherwise)
                        b.position_at_end(otherwise)
                    self._walk([*members[-1].factors], square, found, failed)
                    return
                case Repeat(body, least):
                    if least:
                        self._walk_repeat(body, [*body.factors], rest, square, found, failed)
                    else:
                        self._walk_repeat(body, [], rest, square, found, failed)
                    return
                case Static(relation=relation):
                    place = self.to_square(Row(relation, square, True))
                    # A test of a piece fails off the board; otherwise we have to look.
                    tested = rest and isinstance(rest[0], On) and self.code.layout.mailbox_bytes
                    if relation.is_identity or not tested:
                        self._branch_unless(place.condition, failed)
                    square = place.square
                case _:
                    place = self.to_square(self._row(self.forward(factor, self.at(square))))
                    self._branch_unless(place.condition, failed)
        if arrive:
            arrive(square)
        b.branch(found)

    def _walk_repeat(
        self,
        body: Expression,
        first: list[Expression],
        rest: list[Expression],
        square: Value,
        found: ir.Block,
        failed: ir.Block,
    ) -> None:
        b = self.code.b
        head, step = b.append_basic_block("again"), b.append_basic_block("further")
        arrivals: list[tuple[Value, ir.Block]] = []

        def arrive(where: Value) -> None:
            arrivals.append((where, b.block))

        self._walk(first, square, head, failed, arrive)
        b.position_at_end(head)
        here = b.phi(i64)
        self._walk(rest, here, found, step)
        b.position_at_end(step)
        self._walk([*body.factors], here, head, failed, arrive)
        for where, block in arrivals:
            here.add_incoming(where, block)

    def _row(self, place: Place) -> Row:
        assert isinstance(place, Row)
        return place

    def _branch_unless(self, condition: Condition, failed: ir.Block) -> None:
        b = self.code.b
        onward = b.append_basic_block("onward")
        b.cbranch(self.code.condition(condition), onward, failed)
        b.position_at_end(onward)


def _direction(step: Relation) -> int | None:
    """Whether a function leads to higher bits (1) or to lower ones (-1) everywhere."""
    if not step.is_function:
        return None
    signs = {1 if distance > 0 else -1 if distance < 0 else 0 for distance in step.shifts}
    return signs.pop() if signs in ({1}, {-1}) else None


def _parts(factors: list[Expression]) -> list[Expression]:
    """All parts of expressions that a walk meets, without the contents of patterns."""
    found = []
    for factor in factors:
        found.append(factor)
        match factor:
            case Sequence_(members) | Choice(members):
                found += _parts([*members])
            case Repeat(body):
                found += _parts([*body.factors])
    return found


def _can_walk(expression: Expression, *, last: bool) -> bool:
    """Whether from a square there is always at most one way on, but for when to stop repeating."""
    match expression:
        case Static(relation=relation):
            return relation.is_function
        case Sequence_(members):
            return all(_can_walk(member, last=last and member is members[-1]) for member in members)
        case Choice(members):
            return last and all(_can_walk(member, last=True) for member in members)
        case Repeat(body):
            straight = all(_can_walk(f, last=False) for f in body.factors)
            plain = not any(isinstance(part, Repeat) for part in _parts([*body.factors]))
            return straight and plain and body.skeleton.longest_path is not None
        case _:
            return True
