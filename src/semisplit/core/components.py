"""Strongly connected components: nodes of a graph that lead to each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(
    starts: Iterable[Node], onward: Callable[[Node], Iterable[Node]]
) -> list[list[Node]]:
    """The nodes reachable from some, those together that lead to each other.

    Each component comes before those it leads to, last found first. Tarjan's algorithm, with an
    explicit stack.
    """
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    found: list[list[Node]] = []
    for start in starts:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        open_nodes.append(start)
        is_open.add(start)
        work = [(start, iter(onward(start)))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_nodes.append(target)
                    is_open.add(target)
                    work.append((target, iter(onward(target))))
                    break
                if target in is_open:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component: list[Node] = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.pop())
                        is_open.discard(component[-1])
                    found.append(component)
    return found[::-1]
