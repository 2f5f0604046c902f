"""What is known about the value of a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from semisplit.game import Move, State


@dataclass
class Proof:
    """What is known about a position. Scores are those of one player, the other plays against it.

    In games that may go on for ever it may be that no side can force more than a part of what is
    between the bounds; then `endless` is true, and no more can be known.
    """

    state: State
    player: int
    """Whose scores, by number."""
    lowest: int = 0
    """The score that this player can force, as far as it is proven."""
    highest: int = 0
    """The score to which the other one can keep this player, as far as it is proven."""
    limit: int = 0
    """This player cannot force more, as far as it is proven; the play need not come to an end."""
    floor: int = 0
    """The other one cannot keep this player lower, as far as it is proven, in the same sense."""
    total: int | None = None
    """The sum of both scores, if it was the same wherever the game was over."""
    line: list[Move] = field(default_factory=list)
    """The moves of best play to the end of the game."""
    nodes: int = 0
    """Positions that were made."""
    seconds: float = 0.0
    table_bytes: int = 0
    table_used: float = 0.0
    """The part of the table that is in use."""
    replaced: int = 0
    """Entries of the table that had to make room for others."""
    note: str = ""
    """Why no more is known."""

    @property
    def value(self) -> int | None:
        """The score under best play of both; None if it is not known, or if play has no end."""
        return self.lowest if self.lowest == self.highest else None

    @property
    def endless(self) -> bool:
        """Whether best play is known to have no end."""
        return self.value is None and self.lowest == self.limit and self.highest == self.floor

    @property
    def is_solved(self) -> bool:
        """Whether all is known that can be."""
        return self.value is not None or self.endless

    @property
    def verdict(self) -> str:
        """What is known, in words."""
        game = self.state.game
        own, other = game.player_name(self.player), game.player_name(3 - self.player)
        if self.endless:
            return (
                f"play has no end: {own} can force no more than {self.lowest}, and {other} cannot"
                f" keep {own} below {self.highest}"
            )
        if self.value is None:
            if self.total is not None and self.total == 2 * self.lowest < 2 * self.highest:
                return f"at least a draw for {own}, {self.lowest} to {self.highest}"
            if self.total is not None and 2 * self.lowest < 2 * self.highest == self.total:
                return f"at least a draw for {other}, {self.lowest} to {self.highest} for {own}"
            return f"from {self.lowest} to {self.highest} for {own}"
        if self.total is None:
            return f"{self.value} for {own}, if {other} does nothing but play against {own}"
        rest = self.total - self.value
        if rest == self.value:
            return f"a draw, {self.value} to {rest}"
        winner = own if self.value > rest else other
        return f"{winner} wins, {max(self.value, rest)} to {min(self.value, rest)}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "player": self.state.game.player_name(self.player),
            "value": self.value,
            "at_least": self.lowest,
            "at_most": self.highest,
            "endless": self.endless,
            "total": self.total,
            "verdict": self.verdict,
            "line": [str(move) for move in self.line],
            "nodes": self.nodes,
            "seconds": self.seconds,
            "table_bytes": self.table_bytes,
            "table_used": self.table_used,
            "replaced": self.replaced,
            "note": self.note,
        }
