"""Group nodes of the reference search: putting what can be done into groups."""

from __future__ import annotations

from collections.abc import Sequence

from semisplit.core.steps import Position, Steps
from semisplit.language.rules import Rules
from semisplit.search.features.groups.partition import Partition
from semisplit.search.features.groups.settings import Groups
from semisplit.search.reference.node import Group, Node

_Labelled = list[tuple[tuple[int, ...], Node]]
"""Nodes, each with its group in every layer."""


class GroupLayers:
    """The layers of groups of a search."""

    def __init__(self, rules: Rules, groups: Groups):
        self._settings = groups
        self._partition = Partition(rules, groups.layers)
        self._interpreter = rules.interpreter

    def divide(self, node: Node, previous: Steps, semimoves: list[Node]) -> list[Node]:
        """Children of a node, in groups that may be in groups.

        Args:
            node: A nodal node.
            previous: The move that led there.
            semimoves: The children.
        """
        labels = self._partition.divide(
            node.position,
            previous,
            [child.steps for child in semimoves],
            lambda steps: self._after(node.position, steps),
        )
        return self._group(node, list(zip(labels, semimoves)), 0)

    def name(self, group: Group) -> str:
        """The name of a group."""
        return self._partition.names[group.layer][group.number]

    def _after(self, position: Position, steps: Steps) -> Position:
        following = self._interpreter.follow(position, steps)
        assert following is not None
        return self._interpreter.run_keeper(following)

    def _group(self, node: Node, labelled: _Labelled, layer: int) -> list[Node]:
        """Groups from a layer on; one group alone would say nothing."""
        members = [child for _, child in labelled]
        if layer == len(self._partition.layers) or len(members) <= self._settings.least:
            return members
        numbers = sorted({labels[layer] for labels, _ in labelled})
        if len(numbers) == 1:
            return self._group(node, labelled, layer + 1)
        given = self._settings.threshold
        groups = []
        for number in numbers:
            inside = [(labels, child) for labels, child in labelled if labels[layer] == number]
            group = Group(layer, number, len(members) if given is None else given)
            made = Node((), node.position, False, node.context, group=group)
            made.children = self._group(node, inside, layer + 1)
            groups.append(made)
        return groups


def threshold(groups: Sequence[Node]) -> int:
    """x: the visits below which a node draws its groups with equal probability."""
    assert groups[0].group
    return groups[0].group.threshold


def members(nodes: Sequence[Node]) -> list[Node]:
    """Nodes without their groups: these are replaced by what is in them."""
    return [
        member
        for node in nodes
        for member in (members(node.children or ()) if node.group else [node])
    ]


def drop_dead_groups(path: list[Node]) -> None:
    """Leave groups at the end of a path that have no members any more, and remove them."""
    while path[-1].group and not path[-1].children:
        dead = path.pop()
        (path[-1].children or []).remove(dead)
