"""Finding a move in the tree."""

from __future__ import annotations

from semisplit.search.engine.candidates import edge_steps
from semisplit.search.engine.layout import ROOT, Workplace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import Array, i4

_INTERMEDIATE, _GROUP = NodeKind.INTERMEDIATE.value, NodeKind.GROUP.value


@kernel
def find_node(s: Workplace, steps: Array[i4], length: int) -> int:
    """The node that the steps of a move lead to from the root; -1 if there is none.

    Nodes whose edges are still to be looked at wait where an iteration has its way, each with the
    number of steps that have been made before it.
    """
    edges, waiting, count = s.tree.edges, s.worker.path, 1
    waiting[0].node = ROOT
    waiting[0].trace = 0
    while count > 0:
        count -= 1
        node, made = waiting[count].node, waiting[count].trace
        first = edges[node].first
        for edge in range(first, first + edges[node].tried):
            reached = _follow(s, edge, steps, made, length)
            if reached < 0 or edges[edge].visits == 0:
                continue
            if edges[edge].kind == _INTERMEDIATE or edges[edge].kind == _GROUP:
                waiting[count].node = edge
                waiting[count].trace = reached
                count += 1
            elif reached == length:
                return edge
    return -1


@kernel
def _follow(s: Workplace, edge: int, steps: Array[i4], made: int, length: int) -> int:
    """How many steps have been made after an edge; -1 if it does not go on with them."""
    own, count = edge_steps(s, edge)
    for i in range(count):
        step = own[i]
        if step < s.rules.silent:
            continue
        if made == length or step != steps[made]:
            return -1
        made += 1
    return made
