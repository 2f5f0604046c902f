"""What MAST does, and where it makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self

from semisplit.core.settings.parameters import parameter, refuse
from semisplit.search.features.settings import Heuristic
from semisplit.search.features.submoves.settings import Variant, file_names

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


class Policy(IntEnum):
    """How MAST chooses."""

    EPSILON_GREEDY = 0
    GIBBS = 1
    ROULETTE = 2


class Decay(IntEnum):
    """When MAST forgets a part of what it has seen."""

    MOVE = 0
    """After every move that is really played, by whomever."""
    BATCH = 1
    """After a number of simulations."""
    SIMULATION = 2
    """After every simulation."""


@dataclass(frozen=True)
class Mast(Heuristic):
    """The Move-Average Sampling Technique: simulations prefer what has scored well anywhere."""

    words: ClassVar = ("mast",)
    file_names: ClassVar = tuple(file_names("mast"))

    variant: Variant
    policy: Policy = parameter(Policy.EPSILON_GREEDY, "how MAST chooses", "policy", "policy")
    epsilon: float = parameter(
        0.4, "how often the epsilon-greedy policy draws at random", "epsilon", "epsilon", high=1
    )
    temperature: float = parameter(
        1.0, "how even Gibbs' distribution is", "temperature", "temperature", low=0.001
    )
    decay: Decay = parameter(Decay.MOVE, "when MAST forgets", "decay", "decay")
    decay_factor: float = parameter(
        0.2, "what remains of the weight of earlier samples", "factor", "decay_factor", high=1
    )
    batch: int = parameter(
        100, "the simulations between two decays, if it is by batches", "batch", "batch", low=1
    )
    tree_only: bool = parameter(
        False, "whether MAST learns only from what is done in the tree", "treeonly", "tree_only"
    )
    in_expansion: bool = parameter(
        True, "whether the expansion uses MAST, too", "expansion", "in_expansion"
    )
    threshold: float = parameter(
        7.0,
        "the weight from which on MAST-mix trusts the context",
        "threshold",
        "mastmix_threshold",
    )

    @classmethod
    def from_word(cls, word: str, *, splits_tree: bool) -> Self:
        """Read a word of the notation; whole moves are no help in choosing semimoves."""
        variant = Variant.after(word)
        return cls(variant, in_expansion=variant != Variant.JOIN or not splits_tree)

    @property
    def word(self) -> str:
        """Its word in the notation."""
        return f"mast{self.variant.suffix}"

    @classmethod
    def from_file(
        cls, name: str, given: Mapping[str, Any], *, splits_tree: bool, same_domain: bool
    ) -> Self:
        """Read a name in a file, with its parameters."""
        variant = file_names("mast")[name]
        return cls(variant, **{"in_expansion": variant != Variant.JOIN or not splits_tree, **given})

    @property
    def file_name(self) -> str:
        """Its name in files."""
        return "MAST" + self.variant.suffix.removeprefix("-").upper()

    def check(self, settings: Settings) -> None:
        """Refuse variants that do not fit the tree or the simulations of a search."""
        if self.variant == Variant.STANDARD:
            refuse(
                not settings.same_domain,
                "standard MAST needs the same kind of moves in the tree and in simulations;"
                " MAST-split and MAST-context work with any",
            )
        if self.variant == Variant.JOIN:
            refuse(
                settings.splits_simulation,
                "MAST-join knows whole moves only and cannot choose semimoves in a semisplit"
                " simulation; MAST-split and MAST-context can",
            )
            refuse(
                settings.splits_tree and self.in_expansion,
                "MAST-join knows whole moves only and cannot choose semimoves in the expansion;"
                " switch MAST off there",
            )
