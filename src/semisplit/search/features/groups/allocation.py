"""What kernels need to know to divide moves into groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semisplit.core.steps import Steps
from semisplit.game import Game
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.engine.layout import LABELS, PartRecord, SituationRecord, WorkerRecord
from semisplit.search.engine.toolkit.record import dtype_of, fill_record
from semisplit.search.features.groups.kernels import BLOCK
from semisplit.search.features.groups.native import compile_grouping
from semisplit.search.features.groups.partition import Partition
from semisplit.search.features.groups.situation import describe_move
from semisplit.search.settings import Groups

if TYPE_CHECKING:
    from semisplit.search.allocation.common import Common


class GroupMemory:
    """The part of the records that belongs to groups."""

    def __init__(self, common: Common, game: Game, groups: Groups):
        """Complete the records of the game and of the settings."""
        self._rules = game.rules
        self._partition = Partition(game.rules, groups.layers)
        self._set_rules(common)
        self._set_layers(common, groups)

    def _set_rules(self, common: Common) -> None:
        rules, arrays, coding = common.rules, common.arrays[0], common.coding
        traits, game = self._rules.traits, self._partition.game
        rules.traits = len(traits)
        codec = coding.game.codec
        moves = (codec.steps(coding.decode([code])) for code in range(coding.codes))
        values = [describe_move(self._rules, steps)[:-1] for steps in moves]
        arrays.put("trait_values", np.array(values, "i4").T.ravel())
        last = [trait.last for trait in traits.values()]
        arrays.put("trait_last", np.array(last, "i4"))
        if game.places and (self._partition.sees_pieces or self._partition.sees_captures):
            rules.pieces = len(traits["put"].values)
            bits = [
                codec.piece_bit(piece, place)
                for piece in range(rules.pieces)
                for place in range(game.places)
            ]
            arrays.put("piece_bits", np.array(bits, "i4"))

    def _set_layers(self, common: Common, groups: Groups) -> None:
        record, partition = common.settings.groups, self._partition
        fill_record(record, groups)
        self._layers = arrays = Arrays(record)
        record.layers, record.least = len(partition.layers), max(1, groups.least)
        sizes = [len(names) for names in partition.names]
        assert max(sizes) < LABELS
        arrays.put("layer_sizes", np.array(sizes, "i4"))
        parts = [
            (compile_grouping(part.grouping), layer, part.first, len(part.grouping.groups))
            for layer, layer_parts in enumerate(partition.layers)
            for part in layer_parts
        ]
        record.part_count = len(parts)
        arrays.put("parts", np.array(parts, dtype_of(PartRecord)))
        arrays.put("seen", np.array(partition.seen_traits, "i4"))
        record.seen_count = len(partition.seen_traits)
        record.sees_pieces = partition.sees_pieces and partition.game.places > 0
        record.sees_captures = partition.sees_captures and partition.game.places > 0

    def allocate(self, worker: WorkerRecord, arrays: Arrays) -> Arrays:
        """Complete the record of a worker, which has to keep the arrays that come back."""
        game, partition = self._partition.game, self._partition
        arrays.allocate("traits", (BLOCK + 1) * (game.traits + 1))
        arrays.allocate("labels", len(partition.layers) * worker.candidate_size)
        for name in ("order", "sorted"):
            arrays.allocate(name, worker.candidate_size)
        arrays.allocate("counts", 1 + max(map(len, partition.names)))
        arrays.allocate("pieces", max(1, game.places))
        worker.places = game.places
        arrays.allocate("situation", 1)
        situation = SituationRecord.from_buffer(arrays["situation"])  # type: ignore[attr-defined]
        known = Arrays(situation)
        for name in ("neighbours", "distances", "coordinates", "owners"):
            known.put(name, np.array(getattr(game, name), "i4"))
        known.put("pieces", arrays["pieces"])
        for name in ("traits", "places", "most_neighbours", "empty"):
            setattr(situation, name, getattr(game, name))
        return known

    def describe(self, steps: Steps) -> list[int]:
        """The traits of a move, as kernels know them."""
        return describe_move(self._rules, steps)

    def name(self, label: int) -> str:
        """The name of a group, given as in a tree."""
        layer, number = divmod(label, LABELS)
        return self._partition.names[layer][number]
