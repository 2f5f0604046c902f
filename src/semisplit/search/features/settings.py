"""What users may set about features of the search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from semisplit.core.settings.parameters import Component

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


class FeatureSettings(Component):
    """The settings of a feature, as a part of those of a search."""

    def check(self, settings: Settings) -> None:
        """Refuse what does not fit the other settings of a search."""


class Heuristic(FeatureSettings):
    """A statistic with a word in the notation of agents, and a name in configuration files."""

    words: ClassVar[tuple[str, ...]]
    """What its word in the notation begins with, in lower case."""
    file_names: ClassVar[tuple[str, ...]]
    """Its names in files, in lower case."""
    follows_moves: ClassVar[bool] = True
    """Whether it learns from the moves of each simulation."""

    @classmethod
    def from_word(cls, word: str, *, splits_tree: bool) -> Self:
        """Read a word that begins with one of its words: `mast-split`."""
        raise NotImplementedError

    @property
    def word(self) -> str:
        """Its word in the notation."""
        raise NotImplementedError

    @classmethod
    def from_file(
        cls, name: str, given: Mapping[str, Any], *, splits_tree: bool, same_domain: bool
    ) -> Self:
        """Read one of its names in files, with the parameters given there.

        Args:
            name: The name, in lower case.
            given: The parameters.
            splits_tree: Whether the edges of the tree are semimoves.
            same_domain: Whether simulations play the same kind of moves as the tree.
        """
        raise NotImplementedError

    @property
    def file_name(self) -> str:
        """Its name in files."""
        raise NotImplementedError
