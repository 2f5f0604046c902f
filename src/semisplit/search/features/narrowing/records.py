"""The memory of a search that is narrowed to some actions."""

from __future__ import annotations

from semisplit.search.engine.toolkit.record import Array, Record, i4, i8, record

NARROWED_NODE, NARROWED_COUNT, NARROWED_SHOWN, NARROWED_HIDDEN, NARROWED_SIZE = range(5)
"""What is in `NarrowingOfTree.nodes` about a node: its number; its edges in all; how many of them,
the first ones, are shown to the search; how many of the others have been tried. Then how much that
is."""
MAX_NARROWED = 1 << 16
"""Nodes that can be narrowed at a time."""


@record
class NarrowingOfTree(Record):
    """Which actions there are for the search."""

    player: i8  # the player with narrowed first choices; 0 if there is none
    low: i8  # where the interval of actions begins, in parts of them; may be negative
    high: i8  # where it ends
    parts: i8  # the number of parts
    nodes: Array[i4]  # a note about each node that has been narrowed
    count: i8
