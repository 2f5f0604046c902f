"""The section `#rules`: from tokens to a tree.

A syntax error inside brackets is reported, the rest up to the closing bracket is skipped, and
parsing goes on behind it, so that independent errors show up together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NoReturn

from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Comparator,
    Compare,
    Count,
    Dot,
    Number,
    Off,
    On,
    Operation,
    Pattern,
    Rule,
    Shift,
    Star,
    Sum,
    Switch,
    Variable,
    concat,
    sum_of,
)
from semisplit.language.rbg.text.declarations import Names
from semisplit.language.rbg.text.limits import MAX_ACTIONS, MAX_NESTING, MAX_OPERATORS
from semisplit.language.rbg.text.reader import Reader, SyntaxFault
from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import Token, end_of_section

_SUFFIXABLE_CLOSERS = "brackets, directions, switches and dots"
_WRONG = Sum(())
"""Stands for what could not be read."""
_FACTOR_STARTS = frozenset({"(", "->", "->>", ".", "{", "[", "[$", "{$", "{?", "{!"})
_LEVELS: tuple[Literal["+", "-", "*", "/"], ...] = ("+", "-", "*", "/")
"""Operators of arithmetic, each binding stronger than the one before."""
_COMPARATORS: dict[str, Comparator] = {c: c for c in ("==", "!=", "<", "<=", ">", ">=")}
_HINTS = {
    ",": "alternatives are separated by '+', a sequence needs no separator",
    ";": "';' separates the arguments of macros only",
    "$": "'{$' and '[$' are written without a space",
    "?": "'{?' is written without a space",
    "!": "'{!' is written without a space",
    ")": "there is a ')' too many, or an action is missing before it",
    "}": "there is a '}' too many, or an action is missing before it",
    "]": "there is a ']' too many, or an action is missing before it",
}
_ACTION_HINTS = {
    "piece": "'{p}' tests for a piece, '[p]' puts one",
    "player": "'->p' gives control to a player",
    "variable": "'{$ v==1}' tests a variable, '[$ v=1]' assigns to it",
}


def read_rules(tokens: list[Token], section: Token, names: Names, report: Report) -> Rule:
    """Read the rules; the result is of use only if no error was reported."""
    if not tokens:
        report.error(section, "the rules are empty")
        return _WRONG
    parser = _Parser(Reader(tokens, end_of_section(tokens), report), names, report)
    return parser.rules()


class _Parser:
    def __init__(self, reader: Reader, names: Names, report: Report):
        self._reader = reader
        self._names = names
        self._report = report
        self._depth = 0
        self._actions = 0
        self._operators = 0

    def rules(self) -> Rule:
        parts: list[Rule] = []
        while not self._reader.at_end:
            try:
                parts.append(self._sum())
                if not self._reader.at_end:
                    self._unexpected()
            except SyntaxFault:
                if not self._reader.at_end:
                    self._reader.take()
        return concat(parts)

    def _sum(self) -> Rule:
        """Sum := concat { '+' concat }."""
        alternatives = [self._concat()]
        while self._reader.accept("+"):
            alternatives.append(self._concat())
        return sum_of(alternatives)

    def _concat(self) -> Rule:
        """Concat := factor { factor }."""
        sequence = [self._factor()]
        while self._starts_factor(self._reader.next):
            sequence.append(self._factor())
        return concat(sequence)

    def _starts_factor(self, token: Token) -> bool:
        return token.kind in ("name", "number") or token.text in _FACTOR_STARTS

    def _factor(self) -> Rule:
        token = self._reader.next
        before = self._actions
        self._spend(token, 1)
        if token.kind == "name":
            return self._suffix(self._shift(), before)
        match token.text:
            case "(":
                return self._suffix(self._bracket(self._sum, ")"), before)
            case "->":
                return self._suffix(self._player_switch(), before)
            case "->>":
                return self._suffix(Switch(None, self._reader.take()), before)
            case ".":
                self._reader.take()
                return self._suffix(Dot(), before)
            case "{":
                rule: Rule = self._bracket(self._on, "}")
            case "[":
                rule = self._bracket(self._offs, "]")
            case "[$":
                rule = self._bracket(self._assignments, "]")
            case "{$":
                rule = self._bracket(self._comparison, "}")
            case "{?" | "{!":
                body = self._bracket(self._sum, "}")
                rule = Pattern(token.text == "{?", body)
            case _:
                self._unexpected()
        if self._reader.sees("*", "^"):
            suffix = self._reader.next
            self._report.error(
                suffix,
                f"'{suffix.text}' may follow only {_SUFFIXABLE_CLOSERS}",
                f"put brackets around what it repeats: '(...){suffix.text}'",
            )
            self._reader.take()
            if suffix.text == "^" and self._reader.next.kind == "number":
                self._reader.take()
        return rule

    def _suffix(self, rule: Rule, before: int) -> Rule:
        """Suffix := '*' | '^' NUMBER."""
        if self._reader.sees("*"):
            rule = Star(rule, self._reader.take())
        elif self._reader.accept("^"):
            exponent = self._reader.next
            if exponent.kind != "number":
                self._reader.fail(f"expected a number after '^', found {exponent}")
            self._reader.take()
            if exponent.value == 0:
                self._report.error(
                    exponent, "'^0' would repeat nothing", "for the empty word write '.'"
                )
            copies = max(1, exponent.value)
            self._spend(exponent, (self._actions - before) * (copies - 1))
            rule = concat([rule] * copies)
        if self._reader.sees("*", "^"):
            self._reader.fail("only one suffix is possible here", "use brackets, as in '(up^2)*'")
        return rule

    def _bracket(self, content: Callable[[], Rule], close: str) -> Rule:
        """Read an opening bracket, its content and the closing one; skip to it after a fault."""
        opening = self._reader.take()
        outer = self._depth
        self._go_deeper(opening)
        try:
            rule = content()
            if not self._reader.sees(close):
                self._missing(opening, close)
            self._reader.take()
        except SyntaxFault:
            self._reader.skip_to_close()
            rule = _WRONG
        self._depth = outer
        return rule

    def _missing(self, opening: Token, close: str) -> NoReturn:
        if self._reader.at_end:
            self._report.error(opening, f"'{opening.text}' has no closing '{close}'")
            raise SyntaxFault
        if opening.text in ("{", "["):
            self._reader.fail(f"expected ',' or '{close}', found {self._reader.next}")
        self._unexpected(f"or '{close}'")

    def _unexpected(self, alternative: str = "") -> NoReturn:
        """Fail at a token that cannot stand where an action is expected."""
        token = self._reader.next
        hint = _HINTS.get(token.text)
        wanted = f"expected an action {alternative}".rstrip()
        self._reader.fail(f"{wanted}, found {token}", hint)

    def _shift(self) -> Rule:
        name = self._reader.take()
        kind = self._names.kind(name.text)
        if kind == "label":
            if name.text in self._names.useless_labels:
                self._report.warning(name, f"this never succeeds: no edge is called '{name.text}'")
                return On(frozenset())
            return Shift(name.text)
        if kind is None:
            self._unknown(name, self._names.labels)
        else:
            self._report.error(
                name, f"{kind} '{name.text}' cannot stand alone as an action", _ACTION_HINTS[kind]
            )
        return _WRONG

    def _player_switch(self) -> Rule:
        self._reader.take()
        name = self._reader.next
        if name.text not in self._names.players:
            if name.kind == "name" and self._names.kind(name.text) is None:
                self._unknown(self._reader.take(), list(self._names.players))
                return _WRONG
            self._reader.fail(f"expected a player after '->', found {name}")
        return Switch(name.text, self._reader.take())

    def _on(self) -> Rule:
        return On(frozenset(piece for piece in self._pieces("}")))

    def _offs(self) -> Rule:
        pieces = self._pieces("]")
        self._spend(self._reader.next, len(pieces))
        return sum_of(Off(piece) for piece in pieces)

    def _pieces(self, close: str) -> list[str]:
        pieces: list[str] = []
        while not (self._reader.sees(close) and not pieces):
            name = self._reader.expect_name("a piece")
            kind = self._names.kind(name.text)
            if kind is None:
                self._unknown(name, self._names.pieces)
            elif kind != "piece":
                self._report.error(name, f"expected a piece, but '{name.text}' is a {kind}")
            pieces.append(name.text)
            if not self._reader.accept(","):
                break
        return pieces

    def _assignments(self) -> Rule:
        assignments = [self._assignment()]
        while self._reader.accept(","):
            assignments.append(self._assignment())
        return concat(assignments)

    def _assignment(self) -> Rule:
        self._spend(self._reader.next, 1)
        name = self._reader.expect_name("a variable")
        kind = self._names.kind(name.text)
        if kind is None:
            self._unknown(name, [*self._names.variables, *self._names.players])
        elif kind not in ("variable", "player"):
            self._report.error(name, f"cannot assign to '{name.text}', which is a {kind}")
        if not self._reader.sees("="):
            hint = "one '=' assigns" if self._reader.sees("==") else None
            self._reader.fail(f"expected '=' after '{name.text}', found {self._reader.next}", hint)
        self._reader.take()
        value = self._arithmetic()
        bounds = {**self._names.players, **self._names.variables}
        if isinstance(value, Number) and value.value > bounds.get(name.text, value.value):
            bound = bounds[name.text]
            self._report.warning(name, f"this never succeeds: '{name.text}' is at most {bound}")
        return Assign(name.text, value)

    def _comparison(self) -> Rule:
        left = self._arithmetic()
        token = self._reader.next
        comparator = _COMPARATORS.get(token.text)
        if comparator is None:
            hint = "to compare for equality write '=='" if token.text == "=" else None
            self._reader.fail(f"expected a comparison, found {token}", hint)
        self._reader.take()
        right = self._arithmetic()
        if self._reader.sees(*_COMPARATORS, ","):
            self._reader.fail("exactly one comparison is possible", "write '{$ a<b} {$ b<c}'")
        return Compare(left, comparator, right)

    def _arithmetic(self) -> Arithmetic:
        self._operators = 0
        return self._operation(0)

    def _operation(self, level: int) -> Arithmetic:
        """Four levels, lowest first: + - * /, each from the left."""
        if level == len(_LEVELS):
            return self._primary()
        operator = _LEVELS[level]
        value = self._operation(level + 1)
        while self._reader.sees(operator):
            self._operators += 1
            if self._operators > MAX_OPERATORS:
                at = self._reader.next
                self._report.fatal(at, f"more than {MAX_OPERATORS} operators in an expression")
            self._spend(self._reader.take(), 1)
            value = Operation(operator, value, self._operation(level + 1))
        return value

    def _primary(self) -> Arithmetic:
        token = self._reader.next
        if token.text == "+":
            self._reader.take()
            token = self._reader.next
            if token.kind != "number":
                self._reader.fail(f"expected a number after '+', found {token}")
        if token.text == "(":
            return self._arithmetic_bracket()
        if token.kind == "number":
            return Number(self._reader.take().value)
        if token.kind != "name":
            hint = "there are no negative numbers; write '0-1'" if token.text == "-" else None
            self._reader.fail(f"expected a number, variable or piece, found {token}", hint)
        self._reader.take()
        match self._names.kind(token.text):
            case "variable" | "player":
                return Variable(token.text)
            case "piece":
                return Count(token.text)
            case "label":
                self._report.error(token, f"direction '{token.text}' has no value")
            case _:
                values = [*self._names.variables, *self._names.players, *self._names.pieces]
                self._unknown(token, values)
        return Number(0)

    def _arithmetic_bracket(self) -> Arithmetic:
        self._go_deeper(self._reader.take())
        value = self._operation(0)
        self._reader.expect(")", "to close a bracket")
        self._depth -= 1
        return value

    def _unknown(self, name: Token, candidates: list[str]) -> None:
        if self._names.complete:
            self._report.unknown(name, "undeclared name", [*candidates, *self._names.macros])
        self._reader.skip_arguments(name)

    def _go_deeper(self, opening: Token) -> None:
        self._depth += 1
        if self._depth > MAX_NESTING:
            self._report.fatal(opening, f"more than {MAX_NESTING} brackets inside each other")

    def _spend(self, at: Token, actions: int) -> None:
        self._actions += actions
        if self._actions > MAX_ACTIONS:
            self._report.fatal(at, f"the rules have more than {MAX_ACTIONS} actions")
