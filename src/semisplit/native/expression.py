"""The parts of the rules without modifiers, prepared for evaluation on sets of squares.

Whatever the board alone decides, like `(up* + down*)(left* + right*)` or `{! left}`, becomes one
relation. What is left are tests of pieces and variables, patterns, and sums, sequences and stars of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from semisplit.native.relation import Relation
from semisplit.native.squares import Squares
from semisplit.rbg import ast
from semisplit.rbg.ast import Rule

LOOP = 100
"""The cost of a loop, in the unit of `cost`."""


class Expression:
    """A modifier-free part of the rules."""

    @cached_property
    def cost(self) -> int:
        """Roughly how many operations on sets an evaluation takes."""
        return 1

    @cached_property
    def skeleton(self) -> Relation:
        """Where the expression leads if every test succeeds."""
        raise NotImplementedError

    @cached_property
    def reverse(self) -> Expression:
        """The same paths from end to start."""
        return self

    @property
    def factors(self) -> tuple[Expression, ...]:
        """The parts of a sequence; of anything else, the expression itself."""
        return (self,)


@dataclass(frozen=True, eq=False)
class Static(Expression):
    """A relation; `parts` is the same thing made of simpler relations, if it has any."""

    relation: Relation
    parts: Expression | None = None

    @cached_property
    def cost(self) -> int:
        return 1 if self.relation.constant is not None else min(len(self.relation.shifts), 10)

    @cached_property
    def skeleton(self) -> Relation:
        return self.relation

    @cached_property
    def reverse(self) -> Expression:
        return Static(self.relation.inverse, self.parts.reverse if self.parts else None)


@dataclass(frozen=True, eq=False)
class Stay(Expression):
    """A test: it leads from a square to itself or nowhere."""

    identity: Relation

    @cached_property
    def skeleton(self) -> Relation:
        return self.identity


@dataclass(frozen=True, eq=False)
class On(Stay):
    """A test that one of these pieces, given by number, is on the square."""

    pieces: frozenset[int]


@dataclass(frozen=True, eq=False)
class Holds(Stay):
    """A test of a comparison."""

    comparison: ast.Compare


@dataclass(frozen=True, eq=False)
class Test(Stay):
    """A pattern; if it contains modifiers, `body` is None."""

    positive: bool
    body: Expression | None
    rule: Rule

    @cached_property
    def cost(self) -> int:
        return self.body.cost + 1 if self.body else 10 * LOOP


@dataclass(frozen=True, eq=False)
class Compound(Expression):
    """Several expressions."""

    members: tuple[Expression, ...]

    @cached_property
    def cost(self) -> int:
        return sum(member.cost for member in self.members)


class Chain(Compound):
    """One expression after the other."""

    @cached_property
    def skeleton(self) -> Relation:
        relation = self.members[0].skeleton
        for member in self.members[1:]:
            relation = relation.then(member.skeleton)
        return relation

    @cached_property
    def reverse(self) -> Expression:
        return Chain(tuple(member.reverse for member in reversed(self.members)))

    @property
    def factors(self) -> tuple[Expression, ...]:
        return self.members


class Choice(Compound):
    """Any of several expressions."""

    @cached_property
    def skeleton(self) -> Relation:
        relation = self.members[0].skeleton
        for member in self.members[1:]:
            relation |= member.skeleton
        return relation

    @cached_property
    def reverse(self) -> Expression:
        return Choice(tuple(member.reverse for member in self.members))


@dataclass(frozen=True, eq=False)
class Repeat(Expression):
    """An expression any number of times, or with `least` 1 at least once."""

    body: Expression
    least: int
    board: int

    @cached_property
    def cost(self) -> int:
        return LOOP + self.body.cost

    @cached_property
    def skeleton(self) -> Relation:
        closure = self.body.skeleton.closure(self.board)
        return self.body.skeleton.then(closure) if self.least else closure

    @cached_property
    def reverse(self) -> Expression:
        return Repeat(self.body.reverse, self.least, self.board)


class Translator:
    """Makes expressions of rules."""

    def __init__(self, squares: Squares, pieces: Sequence[str]):
        self._squares = squares
        self._pieces = {piece: number for number, piece in enumerate(pieces)}
        self._identity = Relation.identity(squares.board, squares.size)
        self._none = Relation((0,) * squares.size)
        self._known: dict[int, tuple[Rule, Expression]] = {}

    def translate(self, rule: Rule) -> Expression:
        """The expression of a rule without modifiers; switches and dots do nothing."""
        # Keyed by identity, for hashing a deep tree again and again takes too long.
        if id(rule) not in self._known:
            self._known[id(rule)] = (rule, self._translate(rule))
        return self._known[id(rule)][1]

    def _translate(self, rule: Rule) -> Expression:
        match rule:
            case ast.Shift(label):
                return Static(self._squares.shifts.get(label, self._none))
            case ast.On(names):
                pieces = frozenset(self._pieces[name] for name in names)
                if len(pieces) == len(self._pieces):
                    return Static(self._identity)
                return On(self._identity, pieces) if pieces else Static(self._none)
            case ast.Compare():
                return Holds(self._identity, rule)
            case ast.Pattern(positive, body):
                return self._pattern(positive, body, rule)
            case ast.Sum(members):
                return self._choice([self.translate(member) for member in members])
            case ast.Concat(members):
                return self._sequence(members)
            case ast.Star(body):
                return self._repeat(self.translate(body), 0)
            case _:
                return Static(self._identity)

    def _pattern(self, positive: bool, body: Rule, rule: Rule) -> Expression:
        if has_modifiers(body, in_pattern=True):
            return Test(self._identity, positive, None, rule)
        inner = self.translate(body)
        if isinstance(inner, Static):
            matching = inner.relation.domain
            if not positive:
                matching = self._squares.board & ~matching
            return Static(Relation.identity(matching, self._squares.size))
        return Test(self._identity, positive, inner, rule)

    def _choice(self, members: list[Expression]) -> Expression:
        static = [member for member in members if isinstance(member, Static)]
        others = [member for member in members if not isinstance(member, Static)]
        if len(static) > 1:
            relation = static[0].relation
            for member in static[1:]:
                relation |= member.relation
            static = [Static(relation, Choice(tuple(static)))]
        if not static and not others:
            return Static(self._none)
        members = [*static, *others]
        return members[0] if len(members) == 1 else Choice(tuple(members))

    def _sequence(self, rules: tuple[Rule, ...]) -> Expression:
        members: list[Expression] = []
        bodies = _repeated_bodies(rules)
        place = 0
        while place < len(rules):
            length = bodies.get(place, 0)
            if length:
                body = self._sequence(rules[place : place + length])
                members += self._repeat(body, 1).factors
                place += length + 1
            else:
                members += self.translate(rules[place]).factors
                place += 1
        joined: list[Expression] = []
        for member in members:
            if isinstance(member, Static) and member.relation == self._identity:
                continue
            last = joined[-1] if joined else None
            if isinstance(member, Static) and isinstance(last, Static):
                parts = Chain((last, member))
                joined[-1] = Static(last.relation.then(member.relation), parts)
            else:
                joined.append(member)
        if not joined:
            return Static(self._identity)
        return joined[0] if len(joined) == 1 else Chain(tuple(joined))

    def _repeat(self, body: Expression, least: int) -> Expression:
        repeat = Repeat(body, least, self._squares.board)
        return Static(repeat.skeleton, repeat) if isinstance(body, Static) else repeat


def _repeated_bodies(rules: tuple[Rule, ...]) -> dict[int, int]:
    """Where a star follows its own body: the place and length of the body."""
    bodies = {}
    for place, rule in enumerate(rules):
        if isinstance(rule, ast.Star):
            body = rule.body.members if isinstance(rule.body, ast.Concat) else (rule.body,)
            start = place - len(body)
            if start >= 0 and rules[start:place] == body:
                bodies[start] = len(body)
    return bodies


def has_modifiers(rule: Rule, *, in_pattern: bool) -> bool:
    """Whether the rule changes the board or a variable, or outside patterns ends or splits a move.

    Modifiers inside the rule's own patterns are undone and do not count.
    """
    match rule:
        case ast.Off() | ast.Assign():
            return True
        case ast.Switch() | ast.Dot():
            return not in_pattern
        case ast.Sum(members) | ast.Concat(members):
            return any(has_modifiers(member, in_pattern=in_pattern) for member in members)
        case ast.Star(body):
            return has_modifiers(body, in_pattern=in_pattern)
        case _:
            return False
