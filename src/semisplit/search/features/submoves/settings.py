"""What MAST and RAVE may keep statistics of."""

from __future__ import annotations

from enum import IntEnum


class Variant(IntEnum):
    """What MAST and RAVE keep statistics of."""

    STANDARD = 0
    """The edges of the tree, which the simulation plays as well."""
    SPLIT = 1
    """Single actions."""
    JOIN = 2
    """Whole moves."""
    CONTEXT = 3
    """Actions together with all that was done before in the same move."""
    MIX = 4
    """Context where it has seen enough, otherwise split."""
