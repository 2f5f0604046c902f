"""Roll-up as the thesis has it: algorithm 4."""

from __future__ import annotations

from semisplit.search.reference.node import Node
from semisplit.search.settings import Settings


def roll_up(node: Node, settings: Settings) -> None:
    """Put the children of those children that are expanded well enough in their place."""
    children: list[Node] = []
    for child in node.children or ():
        if not qualifies_for_rollup(child, settings):
            children.append(child)
            continue
        ends_in_dot = child.steps[-1].number < 0
        prefix = child.steps[:-1] if ends_in_dot else child.steps
        for grandchild in child.children or ():
            grandchild.steps = prefix + grandchild.steps
            children.append(grandchild)
    node.children = children


def qualifies_for_rollup(node: Node, settings: Settings) -> bool:
    """Whether a node other than the root is to be replaced by its children."""
    if node.nodal or not node.children or not node.fully_expanded:
        return False
    if node.visits < settings.min_simulations_factor * len(node.children):
        return False
    means = [child.mean for child in node.children]
    difference = max(means) - min(means)
    return len(means) == 1 or difference >= settings.min_score_difference
