"""The symbol table: numbers and bounds of the names in a description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from semisplit.language.rbg.check.description import Description


@dataclass(frozen=True)
class Symbols:
    """The numbers and bounds of the names in a description."""

    pieces: Mapping[str, int]
    values: Mapping[str, int]
    """Scores and variables."""
    bounds: Mapping[str, int]

    @staticmethod
    def of(description: Description) -> Symbols:
        """Number the names in the order in which they are declared."""
        bounds = {**description.players, **description.variables}
        return Symbols(
            {piece: number for number, piece in enumerate(description.pieces)},
            {name: number for number, name in enumerate(bounds)},
            bounds,
        )
