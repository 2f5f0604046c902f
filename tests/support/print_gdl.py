"""Rules in GDL as text again, one per line."""

from collections.abc import Iterable

from semisplit.language.gdl.text.ast import And, Atom, Distinct, Literal, Not, Or, Rule
from semisplit.language.gdl.text.notation import write_term


def print_rules(rules: Iterable[Rule]) -> str:
    return "\n".join(map(_print_rule, rules))


def _print_rule(rule: Rule) -> str:
    head = _print_literal(rule.head)
    return f"(<= {' '.join([head, *map(_print_literal, rule.body)])})" if rule.body else head


def _print_literal(literal: Literal) -> str:
    match literal:
        case Atom(name, ()):
            return name
        case Atom(name, arguments):
            return f"({' '.join([name, *map(write_term, arguments)])})"
        case Distinct(left, right):
            return f"(distinct {write_term(left)} {write_term(right)})"
        case Not(inner):
            return f"(not {_print_literal(inner)})"
        case Or(parts):
            return f"(or {' '.join(map(_print_literal, parts))})"
        case And(parts):
            return f"(and {' '.join(map(_print_literal, parts))})"
