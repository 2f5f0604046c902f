"""What MAST and RAVE may keep statistics of."""

from __future__ import annotations

from enum import IntEnum
from typing import Self

from semisplit.core.settings.parameters import member, name_of


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

    @classmethod
    def after(cls, word: str) -> Self:
        """The variant that stands after the dash in a word of the notation, like `mast-split`."""
        return member(cls, "variant", word.partition("-")[2] or name_of(cls.STANDARD))

    @property
    def suffix(self) -> str:
        """What it adds to a word; the standard variant adds nothing."""
        return f"-{name_of(self)}" if self else ""


def file_names(name: str) -> dict[str, Variant]:
    """The names of a heuristic's variants in configuration files, like `mastsplit`."""
    return {name + variant.suffix.removeprefix("-"): variant for variant in Variant}
