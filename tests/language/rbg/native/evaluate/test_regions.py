"""Regions: what can come behind a modifier, and where it is written."""

import pytest

from semisplit.language.rbg.native.analysis.text import Printer
from semisplit.language.rbg.native.evaluate.regions import Until
from tests.support.analysed import text
from tests.support.emitted import program, region, region_text


def exits(rules: str, *numbers: int, until: Until = Until.MODIFIER) -> str:
    """The exits of the regions behind some modifiers."""
    of = program(rules)
    for number in numbers:
        region(of, number, until)
    of.regions.verify()
    return of.regions.text(Printer(of.game))


def test_exits_have_slots() -> None:
    assert exits("->w ({e} [x] + left [o]) ->b", 1) == text("""
        region1: from 2 until modifier: 18 instructions
           24 square: #3 [o] -> 3
           32 square: #2 [x] -> 3
        """)


def test_one_of_two_that_exclude_each_other_is_certain() -> None:
    assert exits("->w ({e} [x] + {! {e}} [o]) ->b", 1) == text("""
        region1: from 2 until modifier: 13 instructions, certain, exclusive
           24 square: #3 [o] -> 3
           32 square: #2 [x] -> 3
        """)


def test_a_circle_of_nodes_is_repeated_until_nothing_is_added() -> None:
    rules = "->w ({e} (left ([x] + right)))* [o] ->b"
    assert region_text(rules, 1) == text("""
        entry:
          a = square & 63
          b = 1 << a
          go to repeat
        repeat:
          c = either 0 from entry, i from repeat
          d = either 0 from entry, n from repeat
          e = either b from entry, f from repeat
          f = e | c
          g = d & 24
          h = g << 1
          i = c | h
          j = state.e
          k = e & j
          l = k & 48
          m = l >> 1
          n = d | m
          o = i != c
          p = n != d
          q = o | p
          r = f != e
          s = q | r
          if s go to repeat else end
        end:
          t = square & 63
          u = 1 << t
          v = u | c
          frame[24] := d
          frame[32] := v
          ret
        """)


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        (Until.MODIFIER, "24 square: #2 [x] -> 5"),
        (Until.DOT, "24 square, certain: #-1 . -> 3"),
    ],
)
def test_a_region_ends_at_a_dot_if_that_is_asked_for(until: Until, expected: str) -> None:
    assert exits("->w . {e} [x] ->b", 1, until=until).splitlines()[1].strip() == expected


def test_regions_that_do_the_same_have_one_function() -> None:
    rules = "->w ({e} [x] {x} left {o} [e] + {o} [e] {e} left {o} [x]) ->b"
    found = exits(rules, 2, 4)
    assert found == text("""
        region1: from 5 until modifier: 8 instructions
           24 set of about 1: #3 [e] -> 3
        region1: from 8 until modifier: 8 instructions
           24 set of about 1: #5 [x] -> 3
        """)
