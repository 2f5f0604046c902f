"""Where the parts of a state lie in memory.

A state is a block of bytes whose size is known when the game is compiled:

    int32  at       the last step taken: a modifier (positive), a dot (negative), 0 at the start
    int32  player   who is in control: a player from 1, or the keeper, 0
    int32  vertex   the current square, as a bit number
    int32  values   the players' scores in declared order, then the variables by name
    uint64 sets     for each piece its set of squares
    uint8  mailbox  for each square its piece, and one place more that holds no piece (if there
                    is a mailbox; 16 bits wide in games of more than 254 pieces)
"""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.language.rbg.native.board.squares import words_for

AT, PLAYER, VERTEX, VALUES = 0, 4, 8, 12


@dataclass(frozen=True)
class Layout:
    """The places in a game's states."""

    size: int
    """Bits of a set."""
    pieces: int
    values: int
    mailbox_bytes: int
    """The width of a place in the mailbox; 0 if there is none."""

    @property
    def words(self) -> int:
        """The words of a set."""
        return words_for(self.size)

    @property
    def sets(self) -> int:
        """Where the sets of the pieces begin."""
        return -(-(VALUES + 4 * self.values) // 8) * 8

    @property
    def mailbox(self) -> int:
        """Where the mailbox begins."""
        return self.sets + 8 * self.words * self.pieces

    @property
    def bytes(self) -> int:
        """The size of a state."""
        return -(-(self.mailbox + self.mailbox_bytes * (self.size + 1)) // 8) * 8

    def set_of(self, piece: int) -> int:
        """Where the set of a piece begins."""
        return self.sets + 8 * self.words * piece

    def value(self, number: int) -> int:
        """Where a score or variable lies."""
        return VALUES + 4 * number
