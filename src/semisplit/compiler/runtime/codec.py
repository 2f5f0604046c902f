"""What the states and codes of a compiled game mean in the language of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from semisplit.core.steps import Position, Steps


class Codec(Protocol):
    """Positions and steps in the form that a compiled game takes."""

    def pack(self, position: Position) -> bytes:
        """A position as a state."""

    def unpack(self, state: bytes) -> Position:
        """A state as a position."""

    def codes(self, steps: Steps) -> list[int] | None:
        """Steps as codes; None if the game has no such steps."""

    def steps(self, codes: Sequence[int]) -> Steps:
        """The steps that codes stand for."""

    def number(self, codes: Sequence[int]) -> int:
        """The number of a whole move, in games whose moves have numbers."""

    def number_codes(self, number: int) -> list[int]:
        """The codes of the move with a number."""

    def piece_bit(self, piece: int, place: int) -> int:
        """Which bit of a state, counted in 32-bit words, tells that a piece is on a place."""

    def to_json(self) -> dict[str, Any]:
        """As plain data, from which the language makes it again."""
