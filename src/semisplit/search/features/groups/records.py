"""The memory of groups."""

from __future__ import annotations

from semisplit.search.engine.toolkit.record import (
    Array,
    ParameterRecord,
    Record,
    i4,
    i8,
    record,
    record_of,
)
from semisplit.search.features.groups.settings import Groups

GROUP_STEPS, GROUP_LABEL, GROUP_THRESHOLD, GROUP_SIZE = range(4)
"""What is in `TreeRecord.steps` of a group: no steps; its layer and number, as `LABELS` * layer +
number; the visits of its node below which groups are drawn. Then how much that is."""
LABELS = 1 << 24
"""More than there are groups in a layer."""


@record
class PartRecord(Record):
    """A grouping as a part of a layer of groups."""

    function: i8  # the address of what calls it for many moves
    layer: i8
    first: i8  # the number of its first group in the layer
    size: i8  # the number of its groups


@record
class SituationRecord(Record):
    """What groupings get to know about a state; `situation.Situation` says what fields mean."""

    traits: i8
    places: i8
    neighbours: Array[i4]
    most_neighbours: i8
    distances: Array[i4]
    coordinates: Array[i4]
    empty: i8
    owners: Array[i4]
    player: i8
    pieces: Array[i4]


@record
class GroupsOfRules(Record):
    """What groups have to know about a game."""

    traits: i8  # numbers that are known about a move
    trait_values: Array[i4]  # of each code, those of a trait together; -1 if it has none
    trait_last: Array[i4]  # of each: 1 if the last step that has one counts, 0 if the first
    pieces: i8  # kinds of pieces; 0 if there is no board
    piece_bits: Array[i4]  # the bit of a state that is set if a piece is on a place, by piece


@record_of(Groups)
class GroupsRecord(ParameterRecord):
    """The parameters of groups, and what follows from them."""

    layers: i8  # of groups; 0 if there are none
    layer_sizes: Array[i4]  # the groups of each layer, that of all others included
    part_count: i8
    parts: Array[PartRecord]  # the groupings, in the order in which they decide
    seen_count: i8
    seen: Array[i4]  # the traits at which groupings look
    sees_pieces: i8  # 1 if a grouping looks at the pieces on the board
    sees_captures: i8  # 1 if a grouping asks whether moves capture


@record
class GroupsOfTree(Record):
    """What groups have to know about the root."""

    previous: Array[i4]  # the traits of the move that led there


@record
class GroupsOfWorker(Record):
    """Room to divide candidates into groups."""

    situation: Array[SituationRecord]  # what groupings get to know: one
    places: i8  # of the board
    pieces: Array[i4]  # what is on each place
    traits: Array[i4]  # of some moves, and whether each captures
    labels: Array[i4]  # the group of each candidate; those of a layer lie together
    order: Array[i4]  # the candidates, sorted by their groups; each by its place in the list
    sorted: Array[i4]  # the order while it is made
    counts: Array[i4]  # how many are in each group
