"""A rules language as one object: what commands, pages and loaders ask of it.

A package offers a language by an entry point of the group `semisplit.languages`, which names an
instance of a subclass of `Language`. What a language need not have raises an error that says so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from semisplit.core.errors import InputError
from semisplit.language.rules import Reasoner, Rules

if TYPE_CHECKING:
    from semisplit.core.diagnostics import Diagnostic
    from semisplit.core.work import Stage
    from semisplit.language.answers import (
        BoardDetails,
        Explanation,
        SemimoveTree,
        SplitExplanation,
        Summary,
        Trial,
    )
    from semisplit.language.passes import Pass

R = TypeVar("R", bound=Rules)


class Language(ABC, Generic[R]):
    """A language in which the rules of games are written."""

    name: str
    """For programs: lower case, unique."""
    title: str
    """What people call it, in short."""
    group: str
    """Above a list of games in it."""
    suffixes: tuple[str, ...]
    """How names of files end, in lower case; new ones end as the first."""
    encoding_errors = "strict"
    """What happens to bytes that are not UTF-8, as `bytes.decode` names it."""

    @abstractmethod
    def begins(self, text: str) -> bool:
        """Whether a text without a telling name is in this language, by how it begins."""

    def as_asked(self, text: str) -> str:
        """A description as options want it to be read."""
        return text

    @abstractmethod
    def parse(self, text: str, name: str) -> R:
        """Read a description; `RuleError` has all errors found."""

    def warnings(self, rules: R) -> Sequence[Diagnostic]:
        """What is suspicious in a description that is not wrong."""
        return ()

    def format(self, text: str, name: str) -> str:
        """A description laid out evenly; what it says does not change."""
        self._cannot(name, "be laid out")

    def summary(self, rules: R) -> Summary:
        """What a description without errors consists of."""
        from semisplit.language.answers import Summary

        names = list(rules.players)
        return Summary({"players": names}, [f"{len(names)} players"])

    def try_out(self, rules: R, seconds: float) -> Trial:
        """Play at random to find what cannot be seen in the rules."""
        self._cannot(rules.source.name, "be tried out by random play")

    def details(self, rules: R) -> BoardDetails | None:
        """What else is shown of a game with a board; None if there is nothing."""
        return None

    def perft(
        self, rules: R, reasoner: Reasoner | None, depth: int, stage: Stage
    ) -> dict[str, Any]:
        """Count what there is after `depth` moves, by the interpreter if there is no reasoner.

        The stage tells how far it is.
        """
        from semisplit.language.count import perft
        from semisplit.language.interpreted import InterpretedReasoner

        return perft(reasoner or InterpretedReasoner(rules), rules, depth, stage)._asdict()

    def semimove_tree(self, rules: R, move: int) -> SemimoveTree:
        """Count the semimoves of the given move, over all sequences of moves before it."""
        self._cannot(rules.source.name, "be split")

    def explain_split(self, rules: R, seconds: float) -> SplitExplanation:
        """Show what the split strategy does, playing at random for so long in each mode."""
        self._cannot(rules.source.name, "be explained by its split points")

    def explain_network(self, rules: R) -> Explanation:
        """Show the network of gates that has become of the rules."""
        self._cannot(rules.source.name, "be explained as a network")

    def decompose(
        self, rules: R, seed: int, *, overlapping: bool, statistical: bool
    ) -> Explanation:
        """Find the games that a game is made of, by the rules or by what is seen of random play."""
        self._cannot(rules.source.name, "be decomposed")

    def passes(self, rules: R) -> Sequence[Pass]:
        """The steps from text to machine code."""
        self._cannot(rules.source.name, "be compiled")

    def _cannot(self, game: str, what: str) -> NoReturn:
        raise InputError(f"{game} cannot {what}: it is in {self.title}")
