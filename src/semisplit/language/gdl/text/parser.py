"""Expressions to rules. What can be seen in a form by itself is checked here."""

from __future__ import annotations

from contextlib import suppress
from typing import NoReturn

from semisplit.core.report import Report
from semisplit.core.source import Span
from semisplit.language.gdl.text.ast import (
    And,
    Atom,
    Distinct,
    Literal,
    Not,
    Or,
    Rule,
    Term,
    TermOrVariable,
    Variable,
)
from semisplit.language.gdl.text.expressions import Expression, Group
from semisplit.language.gdl.text.keywords import ARITIES, IMPLIED, LOGICAL
from semisplit.language.gdl.text.lexer import Token
from semisplit.language.gdl.text.limits import MAX_ARITY, MAX_LITERALS, MAX_RULES


class _Fault(Exception):
    """Raised after reporting an error, caught where the next form begins."""


class Parser:
    """Reads forms, and remembers which names there are."""

    def __init__(self, report: Report[Span]):
        self._report = report
        self.spelling: dict[str, str] = {}
        """How each constant was first written."""
        self.predicates: dict[str, Span] = {}
        """Where each was first seen."""
        self.functions: dict[str, Span] = {}
        """The same for functions, without constants."""
        self._arities: dict[tuple[str, str], int] = {}
        """The number of arguments of predicates and functions where they were first seen."""
        self._warned: set[tuple[str, str]] = set()
        self._variables: dict[str, str] = {}
        """How the variables of the current rule were first written."""

    def read(self, forms: list[Expression]) -> tuple[Rule, ...]:
        """The rules and facts, without those that are wrong."""
        if len(forms) > MAX_RULES:
            at = forms[MAX_RULES].span
            self._report.fatal(at, f"there are {len(forms)} rules, more than {MAX_RULES} allowed")
        rules: list[Rule] = []
        for form in forms:
            with suppress(_Fault):
                rules.append(self._rule(form))
        return tuple(rules)

    def read_terms(self, expressions: list[Expression]) -> list[TermOrVariable]:
        """Terms instead of rules, without those that are wrong."""
        terms: list[TermOrVariable] = []
        for expression in expressions:
            with suppress(_Fault):
                terms.append(self._term(expression))
        return terms

    def _rule(self, form: Expression) -> Rule:
        self._variables = {}
        if isinstance(form, Token) and form.text == IMPLIED:
            self._fail(form.span, "'<=' stands outside of parentheses", "write (<= HEAD BODY ...)")
        if isinstance(form, Token) or _name(form) != IMPLIED:
            return Rule(self._head(form), (), form.span)
        if len(form.items) == 1:
            self._fail(form.span, "a rule needs a head", "write (<= HEAD BODY ...)")
        head, *body = form.items[1:]
        if not body:
            hint = "without conditions it is a fact, which needs no '<='"
            self._report.warning(form.span, "this rule has no body", hint)
        return Rule(self._head(head), self._literals(body), form.span)

    def _head(self, expression: Expression) -> Atom:
        name = _name(expression)
        if name in LOGICAL - {IMPLIED}:
            hint = "a rule says one thing, and a negation or an alternative is none"
            self._fail(expression.span, f"'{name}' cannot be the head of a rule", hint)
        return self._atom(expression)

    def _literals(self, expressions: list[Expression]) -> tuple[Literal, ...]:
        self._check_number(expressions)
        return tuple(map(self._literal, expressions))

    def _check_number(self, conditions: list[Expression]) -> None:
        if len(conditions) > MAX_LITERALS:
            hint = f"at most {MAX_LITERALS} can stand side by side"
            self._fail(conditions[MAX_LITERALS].span, "there are too many conditions", hint)

    def _literal(self, expression: Expression) -> Literal:
        name = _name(expression)
        if name not in LOGICAL or name == IMPLIED:
            return self._atom(expression)
        if isinstance(expression, Token):
            self._fail(expression.span, f"'{name}' needs parentheses around it and what it is of")
        operands = list(expression.items[1:])
        match name:
            case "not":
                self._need(expression, len(operands) == 1, "takes one condition")
                return Not(self._nested(operands[0], name))
            case "distinct":
                self._need(expression, len(operands) == 2, "takes two terms")
                left, right = map(self._term, operands)
                return Distinct(left, right, expression.span)
            case "or":
                if not operands:
                    self._report.warning(expression.span, "an 'or' of nothing never holds")
                self._check_number(operands)
                return Or(tuple(self._nested(operand, name) for operand in operands))
            case _:
                hint = "a body is a conjunction anyway; other programs do not know 'and'"
                self._report.warning(expression.span, "'and' is not part of the language", hint)
                return And(self._literals(operands))

    def _nested(self, operand: Expression, outer: str) -> Literal:
        """What is inside of `not` or `or`, for which other programs accept less."""
        inner = _name(operand)
        if inner in ("or", outer) or (inner == "distinct" and outer == "not"):
            hint = "it is understood here, but other programs may not accept it"
            self._report.warning(operand.span, f"'{inner}' directly inside of '{outer}'", hint)
        return self._literal(operand)

    def _atom(self, expression: Expression) -> Atom:
        name, arguments = self._compound(expression, "a relation")
        span = expression.span
        if isinstance(expression, Token) and expression.kind == "variable":
            self._fail(span, f"variable {expression} stands where a relation is expected")
        if name == IMPLIED:
            self._fail(span, "a rule inside of another", "check the parentheses before it")
        wanted = ARITIES.get(name, self._arities.setdefault(("predicate", name), len(arguments)))
        if len(arguments) != wanted and name in ARITIES:
            self._fail(span, f"'{name}' takes {_count(wanted)}, not {len(arguments)}")
        terms = tuple(map(self._term, arguments))
        if len(terms) != wanted:
            self._warn_arity("predicate", name, span, wanted, len(terms))
            # No name that is read has a space, so this one is new.
            name = f"{name} {len(terms)}"
        self.predicates.setdefault(name, span)
        return Atom(name, terms, span)

    def _term(self, expression: Expression) -> TermOrVariable:
        if isinstance(expression, Token) and expression.kind == "variable":
            spelling = self._variables.setdefault(expression.name, expression.text)
            self._warn_case("variable", expression, spelling)
            return Variable(expression.name[1:])
        name, arguments = self._compound(expression, "a term")
        span = expression.span
        if name in LOGICAL:
            self._fail(span, f"keyword '{name}' inside of a term", "it belongs into a rule's body")
        if name in ARITIES and arguments:
            hint = "terms are made of other names; check the parentheses before it"
            self._fail(span, f"keyword '{name}' is used as a function", hint)
        if name in ARITIES and ("keyword", name) not in self._warned:
            self._warned.add(("keyword", name))
            self._report.warning(span, f"keyword '{name}' is used as a constant")
        wanted = self._arities.setdefault(("function", name), len(arguments))
        if len(arguments) != wanted:
            self._warn_arity("function", name, span, wanted, len(arguments))
        if arguments:
            self.functions.setdefault(name, span)
        return Term(name, tuple(map(self._term, arguments)))

    def _compound(self, expression: Expression, what: str) -> tuple[str, list[Expression]]:
        """The name and the arguments of a relation or a term."""
        if isinstance(expression, Token):
            self._spell(expression)
            return expression.name, []
        if not expression.items:
            self._fail(expression.span, f"empty parentheses where {what} is expected")
        first, *arguments = expression.items
        if isinstance(first, Group):
            hint = "one '(' may be too many"
            self._fail(first.span, f"a name is expected, as {what} begins with one", hint)
        if first.kind == "variable":
            self._fail(first.span, f"{what} cannot begin with a variable", "begin with a name")
        if not arguments:
            self._report.warning(expression.span, f"needless parentheses around {first}")
        if len(arguments) > MAX_ARITY:
            hint = f"at most {MAX_ARITY} are allowed"
            self._fail(first.span, f"{first} has {len(arguments)} arguments", hint)
        self._spell(first)
        return first.name, arguments

    def _spell(self, token: Token) -> None:
        if token.kind == "variable" or token.name in LOGICAL or token.name in ARITIES:
            return
        self._warn_case("name", token, self.spelling.setdefault(token.name, token.text))

    def _warn_case(self, what: str, token: Token, spelling: str) -> None:
        if token.text != spelling and (what, token.text) not in self._warned:
            self._warned.add((what, token.text))
            hint = "a comment '; case: sensitive' makes different names of them"
            self._report.warning(token.span, f"{what} {token} was '{spelling}' before", hint)

    def _warn_arity(self, what: str, name: str, span: Span, before: int, now: int) -> None:
        if (what, f"{name} {now}") not in self._warned:
            self._warned.add((what, f"{name} {now}"))
            written = self.spelling.get(name, name)
            message = f"{what} '{written}' has {_count(now)} here, and {before} before"
            self._report.warning(span, message, "these are two different ones of the same name")

    def _need(self, group: Group, condition: bool, message: str) -> None:
        if not condition:
            given = len(group.items) - 1
            self._fail(group.span, f"'{_name(group)}' {message}, not {given}")

    def _fail(self, at: Span, message: str, hint: str | None = None) -> NoReturn:
        """Report an error and leave the form."""
        self._report.error(at, message, hint)
        raise _Fault


def _name(expression: Expression) -> str:
    """The name with which an expression begins, if it does."""
    first = (
        expression.items[0] if isinstance(expression, Group) and expression.items else expression
    )
    return first.name if isinstance(first, Token) else ""


def _count(number: int) -> str:
    return "1 argument" if number == 1 else f"{number or 'no'} arguments"
