"""Strongly connected components: nodes of a graph that lead to each other."""

from __future__ import annotations

from collections.abc import Callable


def components(start: int, onward: Callable[[int], list[int]]) -> list[list[int]]:
    """The nodes reachable from one, those together that lead to each other, sources first.

    Tarjan's algorithm, with an explicit stack.
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    components: list[list[int]] = []
    work = [(start, iter(onward(start)))]
    index[start] = low[start] = 0
    open_nodes.append(start)
    is_open.add(start)
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
                component: list[int] = []
                while not component or component[-1] != node:
                    component.append(open_nodes.pop())
                    is_open.discard(component[-1])
                components.append(component)
    return components[::-1]
