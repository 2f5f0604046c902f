"""Split strategies: where the rules cut a move into semimoves, derived from the rules alone.

*Mod* cuts behind every modifier, *Plus* before every alternative of a choice, *Shift* between the
decisions that select a square. Plus and Shift are written into the rules as dots; dots that would
give one move several times are moved, and dots that bring no decision, or that only the keeper
would come to, are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from semisplit.core.strategy import SplitStrategy
from semisplit.core.work import doing
from semisplit.language.rbg.play.automaton import build_automaton
from semisplit.language.rbg.split.dots import Legality, keeper_dots, redundant_dots
from semisplit.language.rbg.split.static import StaticGraph
from semisplit.language.rbg.text.ast import (
    Assign,
    Concat,
    Dot,
    Off,
    Rule,
    Shift,
    Star,
    Sum,
    Switch,
    concat,
    sum_of,
)
from semisplit.language.rbg.text.boards import Board


def split_rules(rules: Rule, board: Board, strategy: SplitStrategy) -> Rule:
    """The rules with the dots of a strategy, which are legal and bring a decision each."""
    with doing(f"splitting moves by {strategy}"):
        return _split(rules, board, strategy)


def _split(rules: Rule, board: Board, strategy: SplitStrategy) -> Rule:
    if strategy.plus:
        rules = add_plus(rules)
    if strategy.shift:
        rules = add_shift(rules)
    rules = remove_dots(rules, keeper_dots(build_automaton(rules)))
    legality = Legality(board)
    while (automaton := build_automaton(rules)).dots:
        graph = StaticGraph(automaton, board)
        illegal = legality.illegal_dots(graph)
        if not illegal:
            return remove_dots(rules, redundant_dots(automaton, graph))
        rules = move_dots(rules, illegal)
    return rules


def shift_only(rule: Rule) -> bool:
    """Whether a rule only selects a square: shifts and dots in sums, concatenations and stars."""
    match rule:
        case Shift() | Dot():
            return True
        case Sum(members) | Concat(members):
            return all(shift_only(member) for member in members)
        case Star(body):
            return shift_only(body)
        case _:
            return False


def add_plus(rule: Rule) -> Rule:
    """Put a dot before each alternative of every sum that does more than selecting a square.

    An alternative that is a single modifier is a semimove of its own already and gets none.
    """
    match rule:
        case Sum(members):
            members = tuple(add_plus(member) for member in members)
            return rule if shift_only(rule) else sum_of(_with_dot(member) for member in members)
        case Concat(members):
            return concat(add_plus(member) for member in members)
        case Star(body):
            return Star(add_plus(body), rule.at)
        case _:
            return rule


def _with_dot(alternative: Rule) -> Rule:
    if isinstance(alternative, Off | Assign | Switch):
        return alternative
    starts_with_dot = isinstance(alternative, Dot) or (
        isinstance(alternative, Concat)
        and alternative.members
        and isinstance(alternative.members[0], Dot)
    )
    return alternative if starts_with_dot else concat([Dot(), alternative])


def add_shift(rule: Rule) -> Rule:
    """Put a dot behind each choice of a direction that another selection of squares follows.

    That is behind every shift-only sum before a shift-only member of its concatenation, and at the
    end of a star's body that is such a sum.
    """
    match rule:
        case Sum(members):
            return sum_of(add_shift(member) for member in members)
        case Concat(members):
            sequence: list[Rule] = []
            for member, follower in zip(members, [*members[1:], None]):
                sequence.append(add_shift(member))
                chooses = isinstance(member, Sum) and shift_only(member)
                goes_on = follower is not None and shift_only(follower)
                if chooses and goes_on and not isinstance(follower, Dot):
                    sequence.append(Dot())
            return concat(sequence)
        case Star(Sum() as body) if shift_only(body):
            return Star(concat([add_shift(body), Dot()]), rule.at)
        case Star(body):
            return Star(add_shift(body), rule.at)
        case _:
            return rule


def move_dots(rules: Rule, illegal: set[int]) -> Rule:
    """Move the dots with the given numbers one place on.

    A dot goes behind the next member of its concatenation; from the end of one, behind the sum or
    star around it.
    """
    moved, _ = _move(rules, _numbered(illegal))
    return moved


def _move(rule: Rule, is_illegal: Callable[[], bool]) -> tuple[Rule, bool]:
    """The rule without its illegal dots, and whether one of them is to be put behind it."""
    match rule:
        case Dot():
            illegal = is_illegal()
            return (Concat(()) if illegal else rule), illegal
        case Star(body):
            body, handed_up = _move(body, is_illegal)
            return Star(body, rule.at), handed_up
        case Sum(members):
            moved = [_move(member, is_illegal) for member in members]
            return sum_of(member for member, _ in moved), any(up for _, up in moved)
        case Concat(members):
            sequence: list[Rule] = []
            carried = False
            for member in members:
                new, handed_up = _move(member, is_illegal)
                if isinstance(member, Dot):
                    carried |= handed_up
                    if not handed_up:
                        sequence.append(new)
                    continue
                sequence.append(new)
                if carried or handed_up:
                    sequence.append(Dot())
                carried = False
            return concat(_merge_dots(sequence)), carried
        case _:
            return rule, False


def _merge_dots(sequence: list[Rule]) -> list[Rule]:
    """Leave one of several dots in a row."""
    return [
        rule
        for rule, before in zip(sequence, [None, *sequence])
        if not (isinstance(rule, Dot) and isinstance(before, Dot))
    ]


def remove_dots(rules: Rule, redundant: set[int]) -> Rule:
    """Drop the dots with the given numbers."""
    return _remove(rules, _numbered(redundant))


def _remove(rule: Rule, is_redundant: Callable[[], bool]) -> Rule:
    match rule:
        case Dot():
            return Concat(()) if is_redundant() else rule
        case Star(body):
            return Star(_remove(body, is_redundant), rule.at)
        case Sum(members):
            return sum_of([_remove(member, is_redundant) for member in members])
        case Concat(members):
            return concat([_remove(member, is_redundant) for member in members])
        case _:
            return rule


def _numbered(chosen: set[int]) -> Callable[[], bool]:
    """Yields for each dot, in the order of the text, whether it is chosen."""
    numbers = count(1)
    return lambda: next(numbers) in chosen
