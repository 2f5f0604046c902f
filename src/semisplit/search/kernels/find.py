"""Finding a move in the tree."""

from __future__ import annotations

from typing import Any

from semisplit.search.kernels.candidates import edge_steps
from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.memory import ROOT, Kind, edges, integers, path

_INTERMEDIATE = Kind.INTERMEDIATE.value


@kernel
def find_node(s: Any, steps: int, length: int) -> int:
    """The node that the steps of a move lead to from the root; -1 if there is none.

    Nodes whose edges are still to be looked at wait where an iteration has its way, each with the
    number of steps that have been made before it.
    """
    waiting, count = path(s), 1
    waiting[0].node = ROOT
    waiting[0].trace = 0
    while count > 0:
        count -= 1
        node, made = waiting[count].node, waiting[count].trace
        first = edges(s)[node].first
        for edge in range(first, first + edges(s)[node].tried):
            reached = _follow(s, edge, steps, made, length)
            if reached < 0:
                continue
            if edges(s)[edge].kind == _INTERMEDIATE:
                waiting[count].node = edge
                waiting[count].trace = reached
                count += 1
            elif reached == length:
                return edge
    return -1


@kernel
def _follow(s: Any, edge: int, steps: int, made: int, length: int) -> int:
    """How many steps have been made after an edge; -1 if it does not go on with them."""
    own, count = edge_steps(s, edge)
    for i in range(count):
        step = integers(own)[i]
        if step < s.first_modifier:
            continue  # a dot
        if made == length or step != integers(steps)[made]:
            return -1
        made += 1
    return made
