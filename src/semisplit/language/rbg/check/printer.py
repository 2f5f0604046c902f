"""Rules and descriptions back to text: the low-level form without macros and generators."""

from __future__ import annotations

import re
import textwrap

from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
    Compare,
    Concat,
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
)

_LEVEL = {"+": 0, "-": 1, "*": 2, "/": 3}


def print_rule(rule: Rule, pieces: tuple[str, ...] = ()) -> str:
    """The text of a rule. An empty word, which has no text of its own, tests for all `pieces`."""
    match rule:
        case Sum(()):
            return "[]"
        case Sum(members):
            return " + ".join(print_rule(member, pieces) for member in members)
        case Concat(()):
            return f"{{{','.join(pieces)}}}"
        case Concat(members):
            return " ".join(_bracketed(member, pieces, (Sum,)) for member in members)
        case Star(body):
            bare = (Shift, Switch, Dot)
            return f"{print_rule(body)}*" if isinstance(body, bare) else _star(body, pieces)
        case Pattern(positive, body):
            return f"{{{'?' if positive else '!'} {print_rule(body, pieces)}}}"
        case Shift(label):
            return label
        case On(on):
            return f"{{{','.join(sorted(on))}}}"
        case Compare(left, comparator, right):
            return f"{{$ {print_arithmetic(left)}{comparator}{print_arithmetic(right)}}}"
        case Dot():
            return "."
        case Off(piece):
            return f"[{piece}]"
        case Assign(variable, value):
            return f"[$ {variable}={print_arithmetic(value)}]"
        case Switch(player):
            return f"->{player}" if player else "->>"


def _star(body: Rule, pieces: tuple[str, ...]) -> str:
    return f"({print_rule(body, pieces)})*"


def _bracketed(rule: Rule, pieces: tuple[str, ...], weaker: tuple[type, ...]) -> str:
    text = print_rule(rule, pieces)
    empty = isinstance(rule, Sum) and not rule.members
    return f"({text})" if isinstance(rule, weaker) and not empty else text


def print_arithmetic(value: Arithmetic) -> str:
    """The text of an arithmetic expression, with no more brackets than needed."""
    match value:
        case Number(number):
            return str(number)
        case Variable(name) | Count(name):
            return name
        case Operation(operator, left, right):
            level = _LEVEL[operator]
            before, after = print_arithmetic(left), print_arithmetic(right)
            if isinstance(left, Operation) and _LEVEL[left.operator] < level:
                before = f"({before})"
            if isinstance(right, Operation) and _LEVEL[right.operator] <= level:
                after = f"({after})"
            return f"{before}{operator}{after}"


def print_low_level(description: Description) -> str:
    """An equivalent description with an explicit board and with the rules in normal form."""
    board = description.board
    bounds = [
        ", ".join(f"{name}({bound})" for name, bound in bounded.items())
        for bounded in (description.players, description.variables)
    ]
    vertices = []
    for name, piece, edges in zip(board.names, board.pieces, board.edges):
        targets = ", ".join(f"{label}:{board.names[edges[label]]}" for label in sorted(edges))
        vertices.append(f"{name}[{piece}]{{{targets}}}")
    return "\n".join(
        [
            f"#players = {bounds[0]}",
            f"#pieces = {', '.join(description.pieces)}",
            f"#variables = {bounds[1]}",
            "#board =",
            *vertices,
            f"#rules = {print_rule(description.rules, description.pieces)}",
            "",
        ]
    )


def layout_rule(rule: Rule, pieces: tuple[str, ...], width: int) -> str:
    """The text of a rule on several lines: each switch starts one, and long ones are wrapped."""
    wrapper = textwrap.TextWrapper(
        width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    lines = re.split(r" (?=->)", print_rule(rule, pieces))
    return "\n".join(part for line in lines for part in wrapper.wrap(line))
