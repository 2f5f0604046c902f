"""Decomposing a game: from its description to its parts."""

from __future__ import annotations

from semisplit.gdl.decompose.decomposition import Decomposition
from semisplit.gdl.description import Description


def decompose(
    description: Description, seed: int = 0, *, overlapping: bool = False
) -> Decomposition:
    """Find the sub-games of a game.

    Args:
        description: The game.
        seed: Of the random play in which it is observed; the same seed gives the same result.
        overlapping: Whether a fluent may be in several sub-games.

    Raises:
        NotCompiled: If the rules are too large to be grounded.
    """
    raise NotImplementedError
