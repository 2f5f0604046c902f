"""The nodes of the reference search, and what variants of MAST and RAVE keep statistics of.

An edge of the tree, and likewise a (semi)move of a simulation, is a pair of nodes: the parent,
where it is known who plays it and in which context, and the child, which holds the steps. `keys`
says what the variants of MAST and RAVE keep statistics of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from semisplit.core.steps import Position, Steps
from semisplit.search.features.submoves.settings import Variant


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
    """The group of (semi)moves that it is, if it is one: it does not change the state."""
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
    """The arm that counts a step of a player, after the groups in which it is."""
    for arm in arms:
        if arm.group and (found := find_arm(arm.children or (), step)):
            return [arm, *found]
        if arm.steps == step.steps and not arm.group:
            return [arm]
    return []


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


def parts(variant: Variant) -> tuple[Variant, ...]:
    """The variants of which a variant keeps the statistics."""
    return (Variant.SPLIT, Variant.CONTEXT) if variant == Variant.MIX else (variant,)
