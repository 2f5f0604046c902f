"""Components of graphs."""

from semisplit.core.components import components

GRAPH = {1: [2], 2: [1, 3], 3: [4], 4: [3], 5: [1], 6: []}


def test_components_come_before_those_they_lead_to() -> None:
    found = components(GRAPH, GRAPH.__getitem__)
    assert [sorted(each) for each in found] == [[6], [5], [1, 2], [3, 4]]


def test_only_what_can_be_reached() -> None:
    found = components([3], GRAPH.__getitem__)
    assert [sorted(each) for each in found] == [[3, 4]]
