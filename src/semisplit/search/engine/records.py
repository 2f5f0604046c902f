"""What the arrays of a search consist of: edges, levels, and the parts of a path and a trace."""

from __future__ import annotations

from enum import IntEnum

from semisplit.search.engine.toolkit.record import Record, f4, f8, i4, record


class NodeKind(IntEnum):
    """What is known about the state of a node."""

    INTERMEDIATE = 0
    NODAL = 1
    TERMINAL = 2
    CHOOSER = 3
    """No state, but what a player chooses by when several players decide at once."""
    GROUP = 4
    """Its edges are a group of those that the node before it would have; the state is the same."""
    MOVED = 5
    """It has got another number, as edges were rolled up; nothing leads here any more."""


LINE = 64
"""Bytes that a processor fetches at once."""


@record
class EdgeRecord(Record):
    """An edge of the tree, and the node it leads to."""

    total: f8  # the sum of the mover's final scores, each from 0 to 1
    visits: i4  # iterations that went along it
    steps: i4  # the code of the only step, or minus the place in `TreeRecord.steps`, minus 1
    first: i4  # the first edge of the node; -1 if they have not been made
    count: i4  # edges of the node
    tried: i4  # so many of them, the first ones, have been visited
    kind: i4  # `NodeKind`


@record
class UctTermsRecord(Record):
    """What selection needs of an edge that has been visited.

    It looks at all edges of a node and changes one, so this is computed beforehand and lies apart.
    Equal totals and visits give equal averages, to the last bit, so that ties are ties.
    """

    mean: f4  # total / visits, from 0 to 1
    inverse_root: f4  # 1 / sqrt(visits)


@record
class LevelRecord(Record):
    """A state on the way to the next nodal one, and what can be done in it."""

    first: i4  # candidate; those that turn out dead are removed
    count: i4  # candidates
    chosen: i4  # the candidate by which the way goes on, counted from the first
    buffer: i4  # where in the worker's buffer their steps begin, in integers
    flat: i4  # 1 if candidates are codes of single steps, 0 if places in that part of the buffer
    submove: i4  # the context of its state
    length: i4  # steps on the way to it


@record
class PathRecord(Record):
    """An edge of the current iteration."""

    node: i4  # that it leaves
    edge: i4  # itself
    player: i4  # the mover there, from 1
    trace: i4  # where in the trace its steps begin
    submove: i4  # the context of the node


@record
class TraceRecord(Record):
    """A step of the current iteration, in the tree or in the simulation."""

    step: i4  # its code
    player: i4  # the player who made it, from 1
    end: i4  # `abi.End`: what it completes
