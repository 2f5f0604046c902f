"""Items of a file, and macro expansion.

A file is a list of items, `#name = tokens`: the five sections and the macros. An item sees the
macros defined before it, so expansion always ends; `limits` keeps it from taking long.
Expansion works on tokens and adds no brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from semisplit.core.errors import did_you_mean
from semisplit.language.rbg.text.lexer import check_name, check_number
from semisplit.language.rbg.text.limits import MAX_EXPANSION, MAX_MACRO_DEPTH
from semisplit.language.rbg.text.report import Report
from semisplit.language.rbg.text.tokens import GENERATORS, RESERVED, SECTIONS, Call, Token

_SYMBOL_PASTES = frozenset({"->", "->>", "+>", "{?", "{!", "{$", "[$", "<=", ">=", "==", "!="})

_ALMOST_EQUAL = 0.8
"""How similar a macro's name is to that of a section if it is a slip."""


@dataclass(frozen=True, eq=False)
class Macro:
    """A macro definition."""

    name: Token
    parameters: tuple[Token, ...]
    body: list[Token]
    number: int
    """Its place among the items; only items with larger numbers see it."""


@dataclass(frozen=True)
class Section:
    """One of the five sections, its tokens not yet expanded."""

    name: Token
    body: list[Token]
    number: int


@dataclass
class Items:
    """The items of a file."""

    sections: dict[str, Section] = field(default_factory=dict)
    macros: dict[str, dict[int, Macro]] = field(default_factory=dict)
    """By name, then by number of parameters."""

    def macro_names(self) -> list[str]:
        """The names of all macros and of their parameters."""
        overloads = [macro for macros in self.macros.values() for macro in macros.values()]
        parameters = [parameter.text for macro in overloads for parameter in macro.parameters]
        return [*self.macros, *parameters]


def read_items(tokens: list[Token], report: Report) -> Items:
    """Cut the tokens of a file (the last one is its end) into sections and macro definitions."""
    items = Items()
    end = tokens[-1]
    if tokens[0].text != "#":
        what = "the file is empty" if tokens[0] is end else f"expected '#', found {tokens[0]}"
        report.error(tokens[0], what, "a description starts with a section, like '#players = ...'")
    starts = [i for i, token in enumerate(tokens) if token.text == "#"]
    for number, (start, stop) in enumerate(zip(starts, [*starts[1:], len(tokens) - 1])):
        _read_item(tokens[start:stop], tokens[stop], number, items, report)
    for name in SECTIONS:
        if name not in items.sections:
            meant = did_you_mean(name, _without_parameters(items), _ALMOST_EQUAL)
            at, hint = (report.macros[meant], f"did you mean '{name}'?") if meant else (end, None)
            report.error(at, f"section '#{name}' is missing", hint)
    return items


def _without_parameters(items: Items) -> list[str]:
    return [name for name, overloads in items.macros.items() if 0 in overloads]


def _read_item(item: list[Token], after: Token, number: int, items: Items, report: Report) -> None:
    """Read one item; its first token is '#', `after` is the token that follows it."""
    if len(item) == 1 and after.kind == "end":
        return
    name = item[1] if len(item) > 1 else after
    if name.kind != "name" or name.text in GENERATORS:
        report.error(name, f"expected a section or a macro name after '#', found {name}")
        return
    parameters: tuple[Token, ...] = ()
    rest = item[2:]
    if name.text not in RESERVED and rest and rest[0].text == "(":
        read = _read_parameters(rest, after, report)
        if read is None:
            return
        parameters, rest = read
    if not rest or rest[0].text != "=":
        report.error(rest[0] if rest else after, f"expected '=' after '#{name.text}'")
        return
    body = rest[1:]
    if name.text in SECTIONS:
        if name.text in items.sections:
            report.warning(name, f"section '#{name.text}' is given again; the last one counts")
        items.sections[name.text] = Section(name, body, number)
    else:
        _define(Macro(name, parameters, body, number), items, report)


def _read_parameters(
    rest: list[Token], after: Token, report: Report
) -> tuple[tuple[Token, ...], list[Token]] | None:
    """Read `(a;b;...)` and return the parameters and what follows; None after an error."""
    parameters: list[Token] = []
    position = 1
    while True:
        token = rest[position] if position < len(rest) else after
        if token.kind != "name" or token.text in RESERVED:
            report.error(token, f"expected a parameter name, found {token}")
            return None
        if any(token.text == other.text for other in parameters):
            report.error(token, f"parameter '{token.text}' is given twice")
        parameters.append(token)
        token = rest[position + 1] if position + 1 < len(rest) else after
        if token.text == ")":
            return tuple(parameters), rest[position + 2 :]
        if token.text != ";":
            report.error(token, f"expected ';' or ')' in the parameter list, found {token}")
            return None
        position += 2


def _define(macro: Macro, items: Items, report: Report) -> None:
    name, arity = macro.name, len(macro.parameters)
    report.macros.setdefault(name.text, name)
    known = items.macros.setdefault(name.text, {})
    if arity in known:
        line, _ = report.source.position(known[arity].name.start)
        report.error(name, f"macro '{name.text}' is defined already, in line {line}")
    elif known and 0 in (arity, *known):
        report.error(name, f"macro '{name.text}' is defined both with and without parameters")
    else:
        known[arity] = macro
        if not macro.body:
            report.warning(name, f"macro '{name.text}' is empty")


@dataclass
class _Argument:
    """An argument of a call; it is expanded where it was written, when first needed."""

    tokens: list[Token]
    scope: _Scope
    expanded: list[Token] | None = None


@dataclass(frozen=True)
class _Scope:
    """What the tokens of an item or argument may refer to."""

    number: int
    """Macros with a smaller number are visible."""
    arguments: dict[str, _Argument] = field(default_factory=dict)
    via: Call | None = None

    @property
    def in_macro(self) -> bool:
        return self.via is not None


class Expander:
    """Expands the macros in the sections of a file."""

    def __init__(self, items: Items, report: Report):
        self._macros = items.macros
        self._report = report
        self._work = 0
        self._depth = 0
        self._used: set[Macro] = set()
        self.wrong_calls: dict[int, str] = {}
        """The names of macros that are called with a wrong number of arguments, by their places."""

    def section(self, section: Section) -> list[Token]:
        """The tokens of a section without macros."""
        return self._expand(section.body, _Scope(section.number))

    def warn_unused(self) -> None:
        """Warn of macros that no section needed."""
        for overloads in self._macros.values():
            for macro in overloads.values():
                if macro not in self._used:
                    self._report.warning(macro.name, f"macro '{macro.name.text}' is never used")

    def _expand(self, tokens: list[Token], scope: _Scope) -> list[Token]:
        if self._depth > MAX_MACRO_DEPTH and tokens:
            at = tokens[0].brought_by(None)
            self._report.fatal(at, f"more than {MAX_MACRO_DEPTH} macro calls inside each other")
        self._depth += 1
        result: list[Token] = []
        position = 0
        while position < len(tokens):
            if tokens[position].text == "~":
                self._misplaced_paste(tokens[position], scope)
                position += 1
                continue
            operand, position = self._operand(tokens, position, scope)
            while position < len(tokens) and tokens[position].text == "~":
                paste = tokens[position]
                if not scope.in_macro or position + 1 == len(tokens):
                    self._misplaced_paste(paste, scope)
                    position += 1
                    break
                if tokens[position + 1].text == "~":
                    break
                right, position = self._operand(tokens, position + 1, scope)
                operand = self._paste(operand, right, paste.brought_by(scope.via))
            result += operand
        self._depth -= 1
        return result

    def _misplaced_paste(self, token: Token, scope: _Scope) -> None:
        message = "'~' needs an operand on each side"
        if not scope.in_macro:
            message = "'~' joins names only inside a macro definition"
        self._report.error(token.brought_by(scope.via), message)

    def _operand(
        self, tokens: list[Token], position: int, scope: _Scope
    ) -> tuple[list[Token], int]:
        """Expand what begins at a position; return it and the position behind it."""
        token = tokens[position].brought_by(scope.via)
        self._spend(token)
        if token.kind != "name":
            return [token], position + 1
        if argument := scope.arguments.get(token.text):
            if argument.expanded is None:
                argument.expanded = self._expand(argument.tokens, argument.scope)
            self._spend(token, len(argument.expanded))
            return list(argument.expanded), position + 1
        overloads = self._macros.get(token.text, {})
        overloads = {n: macro for n, macro in overloads.items() if macro.number < scope.number}
        if not overloads:
            return [token], position + 1
        return self._call(overloads, token, tokens, position, scope)

    def _call(
        self,
        overloads: dict[int, Macro],
        name: Token,
        tokens: list[Token],
        position: int,
        scope: _Scope,
    ) -> tuple[list[Token], int]:
        arguments: list[list[Token]] = []
        position += 1
        if 0 not in overloads:
            if position == len(tokens) or tokens[position].text != "(":
                self._wrong_call(name, overloads, "without arguments")
                return [name], position
            arguments, position = self._arguments(name, tokens, position, scope)
        macro = overloads.get(len(arguments))
        if macro is None:
            self._wrong_call(name, overloads, f"with {_count(len(arguments), 'argument')}")
            return [name], position
        self._used.add(macro)
        inner = _Scope(
            macro.number,
            {
                parameter.text: _Argument(argument, scope)
                for parameter, argument in zip(macro.parameters, arguments)
            },
            Call(name.text, name.start, name.end, scope.via),
        )
        return self._expand(macro.body, inner), position

    def _arguments(
        self, name: Token, tokens: list[Token], position: int, scope: _Scope
    ) -> tuple[list[list[Token]], int]:
        """Read `(tokens;tokens;...)` from its '('; return the arguments and the position behind."""
        arguments: list[list[Token]] = [[]]
        depth = 0
        while position < len(tokens):
            token = tokens[position]
            position += 1
            depth += (token.text == "(") - (token.text == ")")
            if token.text == "~" and not scope.in_macro:
                self._misplaced_paste(token, scope)
            if depth == 0:
                return arguments, position
            if token.text == ";" and depth == 1:
                arguments.append([])
            elif depth > 1 or token.text != "(":
                arguments[-1].append(token)
        self._report.error(name, f"the call of macro '{name.text}' has no closing ')'")
        return arguments, position

    def _wrong_call(self, name: Token, overloads: dict[int, Macro], how: str) -> None:
        if name.start in self.wrong_calls:
            return
        self.wrong_calls[name.start] = name.text
        needs = " or ".join(_count(arity, "argument") for arity in sorted(overloads))
        self._report.error(name, f"macro '{name.text}' is called {how} but takes {needs}")

    def _paste(self, left: list[Token], right: list[Token], at: Token) -> list[Token]:
        """Join the last token of `left` and the first token of `right`."""
        if not left or not right:
            return left + right
        first, second = left[-1], right[0]
        joined = first._replace(text=first.text + second.text)
        self._spend(at, len(joined.text))
        if first.kind == "name" and second.kind in ("name", "number"):
            check_name(joined, self._report)
        elif first.kind == second.kind == "number":
            check_number(joined, self._report)
        elif not (first.kind == second.kind == "symbol" and joined.text in _SYMBOL_PASTES):
            self._report.error(at, f"cannot join {first} and {second}")
        left[-1] = joined
        left += right[1:]
        return left

    def _spend(self, at: Token, work: int = 1) -> None:
        self._work += work
        if self._work > MAX_EXPANSION:
            self._report.fatal(at, f"macros expand to more than {MAX_EXPANSION} tokens")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
