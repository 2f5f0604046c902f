"""Lowering with constant folding and hash-consing: from rules without modifiers to expressions.

Whatever the board alone decides becomes a relation, and equal expressions are one object (common
subexpressions), so that they are evaluated once.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from semisplit.language.rbg.native.analysis.expression import (
    Choice,
    Expression,
    Holds,
    On,
    PatternTest,
    Repeat,
    Series,
    Static,
)
from semisplit.language.rbg.native.analysis.unseen import is_unseen
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.squares import Squares
from semisplit.language.rbg.text import ast
from semisplit.language.rbg.text.ast import Rule

_MAX_REST = 50
"""Parts of a pattern behind a modifier, above which it is not left out."""


class Translator:
    """Makes expressions of rules."""

    def __init__(self, squares: Squares, pieces: Sequence[str]):
        self._squares = squares
        self._pieces = {piece: number for number, piece in enumerate(pieces)}
        self._identity = Relation.identity(squares.board, squares.size)
        self._none = Relation((0,) * squares.size)
        self._known: dict[int, tuple[Rule, Expression]] = {}
        self._expressions: dict[Hashable, Expression] = {}
        self._changing: dict[Rule, Rule] = {}

    def translate(self, rule: Rule) -> Expression:
        """The expression of a rule without modifiers; switches and dots do nothing."""
        # Keyed by identity, for hashing a deep tree again and again takes too long.
        if id(rule) not in self._known:
            self._known[id(rule)] = (rule, self._translate(rule))
        return self._known[id(rule)][1]

    def _only(self, expression: Expression) -> Expression:
        """An expression, or one that is the same and has been made before.

        So equal parts of the rules are one object, and evaluated once where they occur twice.
        """
        return self._expressions.setdefault(_key(expression), expression)

    def same(self, expression: Expression) -> Expression:
        """Return an expression as it was made before, if its parts were."""
        match expression:
            case Series(members) | Choice(members):
                expression = type(expression)(tuple(map(self.same, members)))
            case PatternTest(positive=positive, body=body, rule=rule) if body is not None:
                expression = PatternTest(self._identity, positive, self.same(body), rule)
        return self._only(expression)

    def _translate(self, rule: Rule) -> Expression:
        match rule:
            case ast.Shift(label):
                return self._static(self._squares.shifts.get(label, self._none))
            case ast.On(names):
                pieces = frozenset(self._pieces[name] for name in names)
                if len(pieces) == len(self._pieces):
                    return self._static(self._identity)
                if not pieces:
                    return self._static(self._none)
                return self._only(On(self._identity, pieces))
            case ast.Compare():
                return self._only(Holds(self._identity, rule))
            case ast.Pattern():
                return self._pattern(rule)
            case ast.Sum(members):
                return self._choice([self.translate(member) for member in members])
            case ast.Concat(members):
                return self._sequence(members)
            case ast.Star(body):
                return self._repeat(self.translate(body), 0)
            case _:
                return self._static(self._identity)

    def _static(self, relation: Relation, parts: Expression | None = None) -> Expression:
        return self._only(Static(relation, parts))

    def _pattern(self, rule: ast.Pattern) -> Expression:
        positive, body = rule.positive, self._simplified(rule.body)
        if has_modifiers(body, in_pattern=True):
            body = self._changing.setdefault(body, body)
            return self._only(
                PatternTest(self._identity, positive, None, ast.Pattern(positive, body))
            )
        inner = self.translate(body)
        if isinstance(inner, Static):
            matching = inner.relation.domain
            if not positive:
                matching = self._squares.board & ~matching
            return self._static(Relation.identity(matching, self._squares.size))
        return self._only(PatternTest(self._identity, positive, inner, rule))

    def _simplified(self, body: Rule) -> Rule:
        """The content of a pattern without what does not matter for whether it has a path."""
        return _without_end(self._without_unseen(_without_end(body), ()))

    def _without_unseen(self, rule: Rule, after: tuple[Rule, ...]) -> Rule:
        """A part of a pattern without the pieces put on squares that are not looked at again.

        Args:
            rule: The part.
            after: What follows it until the end of the pattern.
        """
        match rule:
            case ast.Off():
                rest = ast.concat(after)
                if len(after) > _MAX_REST or has_modifiers(rest, in_pattern=True):
                    return rule
                if is_unseen(self.translate(rest), self._identity):
                    return ast.concat(())
            case ast.Sum(members):
                return ast.sum_of(self._without_unseen(member, after) for member in members)
            case ast.Concat(members):
                for member in reversed(members):
                    after = (self._without_unseen(member, after), *after)
                return ast.concat(after[: len(members)])
        return rule

    def _choice(self, members: list[Expression]) -> Expression:
        static = [member for member in members if isinstance(member, Static)]
        others = [member for member in members if not isinstance(member, Static)]
        if len(static) > 1:
            relation = static[0].relation
            for member in static[1:]:
                relation |= member.relation
            members = [self._static(relation, self._only(Choice(tuple(static)))), *others]
        else:
            members = [*static, *others]
        if not members:
            return self._static(self._none)
        return members[0] if len(members) == 1 else self._only(Choice(tuple(members)))

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
                parts = self._only(Series((last, member)))
                joined[-1] = self._static(last.relation.then(member.relation), parts)
            else:
                joined.append(member)
        if not joined:
            return self._static(self._identity)
        return joined[0] if len(joined) == 1 else self._only(Series(tuple(joined)))

    def _repeat(self, body: Expression, least: int) -> Expression:
        repeat = self._only(Repeat(body, least, self._squares.board))
        return self._static(repeat.skeleton, repeat) if isinstance(body, Static) else repeat


def _key(expression: Expression) -> Hashable:
    """What tells an expression from others; its parts are told apart already."""
    match expression:
        case Static(relation=relation, parts=parts):
            return Static, relation, parts is None
        case On(pieces=pieces):
            return On, pieces
        case Holds(comparison=comparison):
            return Holds, comparison
        case PatternTest(positive=positive, body=body, rule=rule):
            return PatternTest, positive, body or rule
        case Series(members) | Choice(members):
            return type(expression), members
        case Repeat(body, least):
            return Repeat, body, least
    raise TypeError(expression)


def _without_end(rule: Rule) -> Rule:
    """The content of a pattern without stars at its end: they need not be repeated at all."""
    match rule:
        case ast.Star():
            return ast.concat(())
        case ast.Sum(members):
            return ast.sum_of(_without_end(member) for member in members)
        case ast.Concat((*others, ast.Star())):
            return _without_end(ast.concat(others))
        case ast.Concat((*others, last)):
            return ast.concat((*others, _without_end(last)))
    return rule


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
