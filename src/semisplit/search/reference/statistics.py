"""What the reference search keeps: the nodes of its tree, MAST's tables and RAVE's records.

An edge of the tree, and likewise a (semi)move of a simulation, is a pair of nodes: the parent,
where it is known who plays it and in which context, and the child, which holds the steps. `keys`
says what the variants of MAST and RAVE keep statistics of.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from semisplit.core.steps import Position, Steps
from semisplit.search.settings import Decay, Mast, Rave, Variant

OPTIMISTIC = 1.0
"""MAST's value of what it has never seen: the best score there is."""


@dataclass
class Average:
    """The average of scores; weights are real numbers because MAST forgets."""

    total: float = 0.0
    weight: float = 0.0

    def add(self, score: float) -> None:
        """Take one more score into account."""
        self.total += score
        self.weight += 1

    @property
    def mean(self) -> float:
        """The average, if there is any weight."""
        return self.total / self.weight


class Group(NamedTuple):
    """What makes a node a group."""

    layer: int
    number: int
    """Which group of the layer it is."""
    threshold: int
    """The visits of its parent below which it is drawn with the same probability as others."""


@dataclass(eq=False)
class Node:
    """A state in the tree or in a simulation, together with the edge that leads to it."""

    steps: Steps
    """The (sub)move that leads here from the parent."""
    position: Position
    """Once the node is visited, the keeper's moves have been made."""
    nodal: bool
    context: Steps
    """The submove since the last nodal state, dots left out."""
    visits: int = 0
    """How often the edge to this node was taken; the root's own counter."""
    score_sum: float = 0.0
    """The scores of the player in control at the last nodal node before it."""
    children: list[Node] | None = None
    """None: not listed yet. Empty: terminal. Semimoves known to be dead are not among them."""
    arms: dict[int, list[Node]] = field(default_factory=dict)
    """At a nodal node where several players decide at once: the steps of each player but the first,
    in the order of children, as nodes that lead nowhere and count what others chose alike."""
    group: Group | None = None
    """The group of (semi)moves that it is, if it is one: behind it the state is the same."""
    amaf: dict[Variant, Average] = field(default_factory=lambda: defaultdict(Average))
    """RAVE's samples of the edge, by what they are samples of; the mix variant has two kinds."""

    @property
    def player(self) -> int:
        """Who is in control."""
        return self.position.player

    @property
    def mean(self) -> float:
        """The average score of the player in control at the last nodal node before it."""
        return self.score_sum / self.visits

    @property
    def is_terminal(self) -> bool:
        """Whether it is known that there is no move."""
        return self.children == []

    @property
    def has_groups(self) -> bool:
        """Whether its children are groups."""
        return any(child.group for child in (self.children or ())[:1])

    @property
    def fully_expanded(self) -> bool:
        """Whether every child has been visited."""
        return self.children is not None and all(child.visits for child in self.children)


def with_nodal(path: Sequence[Node]) -> Iterator[tuple[Node, Node, Node]]:
    """The edges of a path from the root, each with the nodal node where its move begins."""
    nodal = path[0]
    for parent, child in pairwise(path):
        nodal = parent if parent.nodal else nodal
        yield nodal, parent, child


def find_arm(arms: Sequence[Node], step: Node) -> list[Node]:
    """The arm that counts a step of a player, behind the groups in which it is."""
    for arm in arms:
        if arm.group and (found := find_arm(arm.children or (), step)):
            return [arm, *found]
        if arm.steps == step.steps and not arm.group:
            return [arm]
    return []


def _siblings(nodal: Node, parent: Node, child: Node) -> Sequence[Node]:
    """The edges beside one, itself among them: where a player chooses it."""
    if parent.player not in nodal.arms:
        return parent.children or ()
    groups = find_arm(nodal.arms[parent.player], child)[:-1]
    return groups[-1].children or () if groups else nodal.arms[parent.player]


def without_dots(steps: Steps) -> Steps:
    """The steps that are modifiers."""
    return tuple(step for step in steps if step.changes)


def keys(variant: Variant, parent: Node, child: Node) -> list[Hashable]:
    """What a variant, except mix, keeps statistics of when an edge is taken."""
    if child.group:
        return []
    match variant:
        case Variant.SPLIT:
            return list(child.steps)
        case Variant.JOIN:
            # The edge that completes a move stands for all of it.
            return [parent.context + without_dots(child.steps)] if child.nodal else []
        case Variant.CONTEXT:
            return _contextual(parent.context, child.steps)
    return [child.steps]


def _contextual(context: Steps, steps: Steps) -> list[Hashable]:
    """Each action with all that was done before in the same move, where dots do not count."""
    found: list[Hashable] = []
    for step in steps:
        found.append((context, step))
        context += without_dots((step,))
    return found


def _parts(variant: Variant) -> tuple[Variant, ...]:
    """The variants of which a variant keeps the statistics."""
    return (Variant.SPLIT, Variant.CONTEXT) if variant == Variant.MIX else (variant,)


class MastTables:
    """MAST's statistics."""

    def __init__(self, settings: Mast):
        self.settings = settings
        self.tables: dict[tuple[Variant, int], dict[Hashable, Average]] = defaultdict(
            lambda: defaultdict(Average)
        )
        """For each kind of statistics and each player."""

    def update(self, path: Sequence[Node], scores: Sequence[float]) -> None:
        """Count the edges of a path, each as often as it occurs."""
        for parent, child in pairwise(path):
            for variant in _parts(self.settings.variant):
                for key in keys(variant, parent, child):
                    self.tables[variant, parent.player][key].add(scores[parent.player - 1])

    def score(self, parent: Node, child: Node) -> float:
        """The value of an edge."""
        variant = self.settings.variant
        if variant == Variant.MIX:
            known = self._entries(Variant.CONTEXT, parent, child)[-1].weight
            variant = Variant.CONTEXT if known >= self.settings.threshold else Variant.SPLIT
        entries = self._entries(variant, parent, child)
        if variant == Variant.CONTEXT:
            entries = entries[-1:]
        if any(entry.weight == 0 for entry in entries):
            return OPTIMISTIC
        return fmean(entry.mean for entry in entries)

    def _entries(self, variant: Variant, parent: Node, child: Node) -> list[Average]:
        table = self.tables[variant, parent.player]
        return [table.get(key, Average()) for key in keys(variant, parent, child)]

    def decay(self, occasion: Decay) -> None:
        """Forget a part of what was seen if this is the occasion for it."""
        if occasion != self.settings.decay:
            return
        for table in self.tables.values():
            for entry in table.values():
                entry.total *= self.settings.decay_factor
                entry.weight *= self.settings.decay_factor


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
        for variant in _parts(self.settings.variant):
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
