"""Split strategies as people name them; what they do to the rules is up to each language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from semisplit.core.errors import UnknownName

STRATEGIES = (
    "Mod",
    "Plus",
    "Shift",
    "ModPlus",
    "ModShift",
    "PlusShift",
    "ModPlusShift",
    "Dots",
)
"""The names of all strategies."""


@dataclass(frozen=True)
class SplitStrategy:
    """A subset of the components Mod, Plus and Shift; none of them leaves the dots of the text."""

    mod: bool = False
    plus: bool = False
    shift: bool = False

    @staticmethod
    def parse(name: str) -> SplitStrategy:
        """Read a name like `ModPlus`; `Dots` stands for the split points written in the rules."""
        match = re.fullmatch("(mod)?(plus)?(shift)?|(dots)", name, re.IGNORECASE)
        if not match or not name:
            raise UnknownName("split strategy", name, STRATEGIES)
        return SplitStrategy(*(part is not None for part in match.groups()[:3]))

    def __str__(self) -> str:
        parts = [("Mod", self.mod), ("Plus", self.plus), ("Shift", self.shift)]
        return "".join(name for name, used in parts if used) or "Dots"
