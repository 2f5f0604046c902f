"""Which groups the tree has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from semisplit.core.settings.parameters import parameter, refuse
from semisplit.search.features.groups.users import pack, unpack
from semisplit.search.features.settings import FeatureSettings

if TYPE_CHECKING:
    from semisplit.search.settings import Settings

MAX_LAYERS = 4
"""Layers of groups between a nodal state and its (semi)moves."""


@dataclass(frozen=True)
class Groups(FeatureSettings):
    """Alternating-Layer UCT: after a nodal state the tree first chooses a group of (semi)moves."""

    layers: tuple[tuple[str, ...], ...]
    """The groupings of each layer, from the root of the tree; the first that puts a move into a
    group decides, and what is left are the others."""
    threshold: int | None = parameter(
        None,
        "the visits below which a node draws its groups at random; usually its (semi)moves",
        "x",
        "group_threshold",
    )
    least: int = parameter(
        1, "the number of (semi)moves up to which they are not grouped", "above", "group_least"
    )

    def __getstate__(self) -> dict[str, Any]:
        """For another process, in which users' groupings have to be known, too."""
        names = (name for layer in self.layers for name in layer)
        return {**vars(self), "own": pack(names)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From another process."""
        unpack(state["own"])
        vars(self).update((name, value) for name, value in state.items() if name != "own")

    def check(self, settings: Settings) -> None:
        """Refuse layers that make no sense, and trees that cannot have groups."""
        refuse(
            settings.rolls_up,
            "a tree that is rolled up cannot have group nodes: rolling up would dissolve them",
        )
        refuse(
            not self.layers or not all(self.layers),
            "each layer of groups needs a grouping, as in groups[proximity,border]",
        )
        refuse(
            len(self.layers) > MAX_LAYERS,
            f"groups can be nested in at most {MAX_LAYERS} layers",
        )
