"""What RAVE does, and where it makes sense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semisplit.core.settings.parameters import Component, parameter, refuse
from semisplit.search.features.submoves.settings import Variant

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


@dataclass(frozen=True)
class Rave(Component):
    """Rapid Action Value Estimation: a child also counts iterations that play its move later."""

    variant: Variant
    equivalence: float = parameter(
        250.0, "the visits at which RAVE's estimate weighs a half", "k", "equivalence_parameter"
    )
    reference: int = parameter(
        0,
        "the visits up to which GRAVE asks an ancestor of a node; 0 switches it off",
        "ref",
        "ref",
    )
    threshold: int = parameter(
        7,
        "the samples from which on RAVE-mix trusts the context",
        "ravethreshold",
        "ravemix_threshold",
    )

    def check(self, settings: Settings) -> None:
        """Refuse variants that do not fit the tree or the simulations of a search."""
        if self.variant == Variant.STANDARD:
            refuse(
                not settings.same_domain,
                "standard RAVE needs the same kind of moves in the tree and in simulations;"
                " RAVE-context works with any",
            )
        if self.variant in (Variant.SPLIT, Variant.MIX):
            refuse(
                not settings.splits_tree or settings.rolls_up,
                f"RAVE-{self.variant.name.lower()} needs a semisplit tree, whose edges are"
                " semimoves",
            )
        if self.variant == Variant.JOIN:
            refuse(
                settings.splits_tree,
                "RAVE-join needs an orthodox tree, whose edges are whole moves;"
                " RAVE-context works with any",
            )
        refuse(
            self.reference > 0 and self.variant == Variant.MIX,
            "GRAVE cannot be combined with RAVE-mix, which has two estimates for each move",
        )
