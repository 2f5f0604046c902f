"""RAVE and GRAVE as the papers have them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise

from semisplit.search.features.rave.settings import Rave
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.reference.node import Average, Node, find_arm, keys, parts, with_nodal


class RaveRecords:
    """RAVE's statistics, which lie in the nodes of the tree."""

    def __init__(self, settings: Rave):
        self.settings = settings

    def update(
        self, path: Sequence[Node], simulated: Sequence[Node], scores: Sequence[float]
    ) -> None:
        """Give the scores to all children along a path whose edges are taken there or below.

        Args:
            path: The nodes in the tree, from the root.
            simulated: What follows outside the tree.
            scores: Of each player.
        """
        for variant in parts(self.settings.variant):
            applied: dict[int, set[Hashable]] = defaultdict(set)
            for parent, child in pairwise([path[-1], *simulated]):
                applied[parent.player].update(keys(variant, parent, child))
            for nodal, parent, child in reversed(list(with_nodal(path))):
                applied[parent.player].update(keys(variant, parent, child))
                if child.group:
                    continue
                for sibling in _siblings(nodal, parent, child):
                    # In the context variant the last key is enough; it implies the others.
                    if applied[parent.player].issuperset(keys(variant, parent, sibling)):
                        sibling.amaf[variant].add(scores[parent.player - 1])

    def blend(self, path: Sequence[Node], child: Node) -> float:
        """The value of a child of the last node of a path: its mean and its estimate.

        There are no estimates of groups.
        """
        if child.group:
            return child.mean
        equivalence = self.settings.equivalence
        beta = math.sqrt(equivalence / (3 * path[-1].visits + equivalence))
        return (1 - beta) * child.mean + beta * self._record(path, child).mean

    def _record(self, path: Sequence[Node], child: Node) -> Average:
        variant = self.settings.variant
        if variant == Variant.MIX:
            trusted = child.amaf[Variant.CONTEXT].weight >= self.settings.threshold
            return child.amaf[Variant.CONTEXT if trusted else Variant.SPLIT]
        return self._grave(path, child) or child.amaf[variant]

    def _grave(self, path: Sequence[Node], child: Node) -> Average | None:
        """The samples of the same edge at the nearest ancestor that has enough visits."""
        variant, reference = self.settings.variant, self.settings.reference
        *ancestors, node = path
        if node.visits > reference:
            return None
        for ancestor in reversed(ancestors):
            if ancestor.visits <= reference or ancestor.player != node.player:
                continue
            for edge in () if ancestor.has_groups else ancestor.children or ():
                same = _element(variant, ancestor, edge) == _element(variant, node, child)
                if same and edge.amaf[variant].weight:
                    return edge.amaf[variant]
        return None


def _element(variant: Variant, parent: Node, child: Node) -> Hashable:
    """What makes edges of different nodes the same to GRAVE."""
    return child.steps if variant == Variant.SPLIT else keys(variant, parent, child)[-1]


def _siblings(nodal: Node, parent: Node, child: Node) -> Sequence[Node]:
    """The edges beside one, itself among them: where a player chooses it."""
    if parent.player not in nodal.arms:
        return parent.children or ()
    groups = find_arm(nodal.arms[parent.player], child)[:-1]
    return groups[-1].children or () if groups else nodal.arms[parent.player]
