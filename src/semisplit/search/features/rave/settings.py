"""What RAVE does, and where it makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from semisplit.core.settings.parameters import parameter, refuse
from semisplit.search.features.settings import Heuristic
from semisplit.search.features.submoves.settings import Variant, file_names

if TYPE_CHECKING:
    from semisplit.search.settings import Settings

_TGRAVE = "tgrave"
"""A name in files of the thesis' program."""


@dataclass(frozen=True)
class Rave(Heuristic):
    """Rapid Action Value Estimation: a child also counts iterations that play its move later."""

    words: ClassVar = ("rave", "grave")
    file_names: ClassVar = (*file_names("rave"), _TGRAVE)

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

    @classmethod
    def from_word(cls, word: str, *, splits_tree: bool) -> Self:
        """Read a word of the notation."""
        return cls(Variant.after(word), reference=50 if word.startswith("grave") else 0)

    @property
    def word(self) -> str:
        """Its word in the notation."""
        return f"rave{self.variant.suffix}"

    @classmethod
    def from_file(
        cls, name: str, given: Mapping[str, Any], *, splits_tree: bool, same_domain: bool
    ) -> Self:
        """Read a name in a file, with its parameters."""
        if name != _TGRAVE:
            return cls(file_names("rave")[name], **given)
        if same_domain:
            return cls(Variant.STANDARD, **given)
        # The thesis' program means by it what fits the tree.
        return cls(Variant.SPLIT if splits_tree else Variant.JOIN, **given)

    @property
    def file_name(self) -> str:
        """Its name in files."""
        return "RAVE" + self.variant.suffix.removeprefix("-").upper()

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
