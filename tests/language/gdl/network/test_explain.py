"""What is told about a network."""

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.network.explain import explain

TEXT = """(role a) (init (at 1)) (succ 1 2) (succ 2 3)
(<= (legal a go) (true (at ?x)))
(<= (legal a stay) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does a stay) (true (at ?x)))
(<= (next (at ?y)) (does a go) (true (at ?x)) (succ ?x ?y))
(<= terminal (true (at 3))) (<= (goal a 100) (true (at 3))) (<= (goal a 0) (not (true (at 3))))
"""


def test_sizes_add_up_and_the_largest_rules_are_named() -> None:
    told = explain(parse(TEXT, "walk"))
    sizes = told.data
    assert (sizes["fluents"], sizes["moves"], sizes["recursive parts"]) == (3, 2, 0)
    parts = [sizes[f"gates for {name}"] for name in ("moves", "next", "goals")]
    assert sum(parts) == sizes["gates"] > 0
    assert told.largest_rules[0] == ("legal in line 2", 3)
    assert str(sizes["gates"]) in str(told)


def test_every_gate_is_drawn_with_its_two_inputs() -> None:
    told = explain(parse(TEXT, "walk"))
    dot = told.dot()
    assert dot.count('label="and"') == told.data["gates"]
    outputs = dot.count("shape=plaintext")
    assert dot.count(" -> ") == 2 * told.data["gates"] + outputs
    assert 'label="a: stay"' in dot
    assert 'label="next (at 2)"' in dot
