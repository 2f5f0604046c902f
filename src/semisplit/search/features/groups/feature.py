"""What kernels need to know to divide moves into groups, from Python's side."""

from __future__ import annotations

import numpy as np

from semisplit.core.steps import Steps
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.allocation.common import Common
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.toolkit.record import dtype_of, fill_record
from semisplit.search.features.feature import Feature
from semisplit.search.features.groups.divide import BLOCK
from semisplit.search.features.groups.native import compile_grouping
from semisplit.search.features.groups.partition import Partition
from semisplit.search.features.groups.records import (
    GROUP_LABEL,
    LABELS,
    PartRecord,
    SituationRecord,
)
from semisplit.search.features.groups.settings import Groups
from semisplit.search.features.groups.situation import describe_move


class GroupsFeature(Feature):
    """Group nodes."""

    def __init__(self, common: Common):
        super().__init__(common)
        self._rules = common.game.rules
        self._partition = None
        if groups := common.variant.groups:
            self._partition = Partition(self._rules, groups.layers)
            self._set_rules(self._partition)
            self._set_layers(self._partition, groups)

    def _set_rules(self, partition: Partition) -> None:
        common, arrays = self.common, self.common.arrays[0]
        rules, coding = common.rules.groups, common.coding
        traits, game = self._rules.traits, partition.game
        rules.traits = len(traits)
        codec = coding.game.codec
        moves = (codec.steps(coding.decode([code])) for code in range(coding.codes))
        values = [describe_move(self._rules, steps)[:-1] for steps in moves]
        arrays.put("groups.trait_values", np.array(values, "i4").T.ravel())
        last = [trait.last for trait in traits.values()]
        arrays.put("groups.trait_last", np.array(last, "i4"))
        if game.places and (partition.sees_pieces or partition.sees_captures):
            rules.pieces = len(traits["put"].values)
            bits = [
                codec.piece_bit(piece, place)
                for piece in range(rules.pieces)
                for place in range(game.places)
            ]
            arrays.put("groups.piece_bits", np.array(bits, "i4"))

    def _set_layers(self, partition: Partition, groups: Groups) -> None:
        record, arrays = self.common.settings.groups, self.common.arrays[1]
        fill_record(record, groups)
        record.layers, record.least = len(partition.layers), max(1, groups.least)
        sizes = [len(names) for names in partition.names]
        assert max(sizes) < LABELS
        arrays.put("groups.layer_sizes", np.array(sizes, "i4"))
        parts = [
            (compile_grouping(part.grouping), layer, part.first, len(part.grouping.groups))
            for layer, layer_parts in enumerate(partition.layers)
            for part in layer_parts
        ]
        record.part_count = len(parts)
        arrays.put("groups.parts", np.array(parts, dtype_of(PartRecord)))
        arrays.put("groups.seen", np.array(partition.seen_traits, "i4"))
        record.seen_count = len(partition.seen_traits)
        record.sees_pieces = partition.sees_pieces and partition.game.places > 0
        record.sees_captures = partition.sees_captures and partition.game.places > 0

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Make room for the traits of the move that led to the root."""
        traits = self.common.rules.groups.traits
        tree.arrays.put("groups.previous", np.full(traits + 1, -1, "i4"))

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Make room to divide candidates."""
        if self._partition is None:
            return
        arrays, record, game = worker.arrays, worker.record, self._partition.game
        arrays.allocate("groups.traits", (BLOCK + 1) * (game.traits + 1))
        arrays.allocate("groups.labels", len(self._partition.layers) * record.lists.size)
        for name in ("groups.order", "groups.sorted"):
            arrays.allocate(name, record.lists.size)
        arrays.allocate("groups.counts", 1 + max(map(len, self._partition.names)))
        arrays.allocate("groups.pieces", max(1, game.places))
        record.groups.places = game.places
        described = arrays.allocate("groups.situation", 1)
        situation = SituationRecord.from_buffer(described)  # type: ignore[attr-defined]
        known = Arrays(situation)
        worker.kept.append(known)
        for name in ("neighbours", "distances", "coordinates", "owners"):
            known.put(name, np.array(getattr(game, name), "i4"))
        known.put("pieces", arrays["groups.pieces"])
        for name in ("traits", "places", "most_neighbours", "empty"):
            setattr(situation, name, getattr(game, name))

    def set_root(self, tree: TreeMemory, previous: Steps) -> None:
        """Note down the traits of the move that led to the root."""
        if self._partition:
            tree.arrays["groups.previous"][:] = describe_move(self._rules, previous)

    def name(self, tree: TreeMemory, edge: int) -> str | None:
        """The name of the group to which an edge leads, if it is one."""
        if self._partition is None or tree.edges[edge]["kind"] != NodeKind.GROUP:
            return None
        place = -1 - int(tree.edges[edge]["steps"])
        layer, number = divmod(int(tree.arrays["steps"][place + GROUP_LABEL]), LABELS)
        return self._partition.names[layer][number]
