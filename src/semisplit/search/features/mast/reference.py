"""MAST as the papers have it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise
from statistics import fmean

from semisplit.search.features.mast.settings import Decay, Mast
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.reference.node import Average, Node, keys, parts

OPTIMISTIC = 1.0
"""MAST's value of what it has never seen: the best score there is."""


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
            for variant in parts(self.settings.variant):
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
