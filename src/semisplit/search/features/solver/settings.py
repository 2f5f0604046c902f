"""Whether a search proves values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from semisplit.core.settings.parameters import refuse
from semisplit.search.features.settings import Heuristic
from semisplit.search.parallel.settings import Method

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


@dataclass(frozen=True)
class Solver(Heuristic):
    """MCTS-Solver: what is proven is not searched again, and the search ends with a proof."""

    words: ClassVar = ("solver",)
    file_names: ClassVar = ("solver",)
    follows_moves: ClassVar = False

    @classmethod
    def from_word(cls, word: str, *, splits_tree: bool) -> Self:
        """Read the word of the notation."""
        refuse(word != "solver", f"the solver has no variants, unlike '{word}'")
        return cls()

    @property
    def word(self) -> str:
        """Its word in the notation."""
        return "solver"

    @classmethod
    def from_file(
        cls, name: str, given: Mapping[str, Any], *, splits_tree: bool, same_domain: bool
    ) -> Self:
        """Read its name in a file; it has no parameters."""
        return cls(**given)

    @property
    def file_name(self) -> str:
        """Its name in files."""
        return "solver"

    def check(self, settings: Settings) -> None:
        """Refuse what would choose a move without looking at proofs."""
        refuse(
            settings.parallel.method == Method.ROOT,
            "the trees of a root parallel search do not share proofs; threads at one tree do",
        )
        refuse(
            settings.final.name == "ROLLUP",
            "the final roll-up compares averages only; final=greedy looks at proofs, too",
        )


def check_game(players: int, *, simultaneous: bool) -> None:
    """Refuse games in which bounds would not mean what they say."""
    refuse(
        players != 2 or simultaneous,
        "the solver is for games of two players who move one after the other: among more, a proof"
        " would take all others for allies",
    )
