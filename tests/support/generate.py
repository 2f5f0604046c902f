"""Random rules for property tests."""

from hypothesis import strategies as st

from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.language.rbg.text.ast import (
    Arithmetic,
    Assign,
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
    Switch,
    Variable,
    concat,
    sum_of,
)

PIECES = ("e", "x", "o")
LABELS = ("up", "down", "left", "right")
VARIABLES = ("t", "u", "w", "b")

arithmetic: st.SearchStrategy[Arithmetic] = st.recursive(
    st.one_of(
        st.integers(0, 9).map(Number),
        st.sampled_from(VARIABLES).map(Variable),
        st.sampled_from(PIECES).map(Count),
    ),
    lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner),
    max_leaves=4,
)
shifts = st.sampled_from(LABELS).map(Shift)
tests = st.one_of(
    shifts,
    st.frozensets(st.sampled_from(PIECES)).map(On),
    st.builds(Compare, arithmetic, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), arithmetic),
    st.just(Dot()),
)
modifiers = st.one_of(
    st.sampled_from(PIECES).map(Off),
    st.builds(Assign, st.sampled_from(VARIABLES), arithmetic),
)


def _combined(inner: st.SearchStrategy[Rule]) -> st.SearchStrategy[Rule]:
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(concat),
        st.lists(inner, min_size=2, max_size=3).map(sum_of),
    )


squares = st.recursive(
    shifts, lambda inner: st.one_of(_combined(inner), inner.map(Star)), max_leaves=6
)
"""Rules that select a square."""
searches = st.recursive(
    st.one_of(tests, squares),
    lambda inner: st.one_of(_combined(inner), inner.map(Star)),
    max_leaves=5,
)
"""Rules without modifiers, which may be repeated without an end."""
bodies = st.recursive(
    st.one_of(searches, modifiers),
    lambda inner: st.one_of(_combined(inner), st.builds(Pattern, st.booleans(), inner)),
    max_leaves=8,
)
"""Rules with modifiers, none of which is repeated without an end."""
dotted = st.recursive(
    st.one_of(shifts, st.just(Dot()), st.just(Off("x")), st.just(Switch("w"))),
    lambda inner: st.one_of(_combined(inner), inner.map(Star)),
    max_leaves=15,
)
"""Rules that are not to be played, full of split points."""


def _turn(player: str, move: Rule, keeper: Rule) -> Rule:
    return concat([Switch(player), move, Switch(None), keeper])


rules = st.builds(
    lambda *parts: concat([_turn("w", *parts[:2]), _turn("b", *parts[2:]), Switch("w")]),
    bodies,
    searches,
    bodies,
    bodies,
)
"""The rules of small games of two turns, keeper turns included."""

strategies = st.sampled_from(STRATEGIES).map(SplitStrategy.parse)
