"""What a decomposition is: control fluents, sub-games, useless moves, meta-actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from semisplit.language.gdl.play.interpret import Step
from semisplit.language.gdl.text.ast import Term

MetaActions = tuple[frozenset[Step], ...]
"""Steps in classes: those of a class always do the same in a sub-game."""

COMPOUND = "games in parallel with compound moves"
SYNCHRONOUS = "games in parallel, synchronous"

PROVEN, TRIED, SEEN = "by the rules", "by the rules, but for what made no difference", "as seen"
"""Why it is thought that what becomes of a sub-game depends on itself, control and moves alone."""


class Evidence(NamedTuple):
    """What a decomposition rests on."""

    transitions: str
    """Why transitions are apart: `PROVEN`, `TRIED` or `SEEN`."""

    games: int
    """Games played at random."""
    states: int
    """Different states in which fluents were changed, to see what depends on them; if it is only
    what was seen, moments."""
    tests: int
    """Changes of a fluent that were tried, without those that led to impossible states."""

    @property
    def proven(self) -> bool:
        """Whether it is certain that transitions are apart."""
        return self.transitions == PROVEN


@dataclass(frozen=True)
class Decomposition:
    """The parts of a game.

    Each fluent is in one sub-game or is a control fluent; with overlapping sub-games, in several.
    What becomes of the fluents of a sub-game follows from themselves, the control fluents and the
    moves alone, by the rules or as far as was seen.
    """

    control: frozenset[Term]
    """Fluents that no move has an influence on: whose turn it is, time."""
    subgames: tuple[frozenset[Term], ...]
    """The fluents of each sub-game; by their first fluents, in the order of terms."""
    useless: frozenset[Step]
    """Steps that change no sub-game, whatever the state."""
    meta_actions: tuple[MetaActions, ...]
    """For each sub-game all steps that act in it, in classes; others do nothing there."""
    kind: str
    """How the sub-games are put together, in words."""
    evidence: Evidence
    seconds: float
    """How long it took, without grounding the rules."""
    grounding_seconds: float
    """How long grounding the rules and reducing them to a network took."""
    overlapping: bool = False
    """Whether a fluent may be in several sub-games."""

    @property
    def acts_together(self) -> bool:
        """Whether there are moves that act in several sub-games."""
        return self.overlapping or self.kind in (COMPOUND, SYNCHRONOUS)
