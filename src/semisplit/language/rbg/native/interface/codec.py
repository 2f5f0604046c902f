"""Positions and steps of Regular Boardgames as the bytes and codes of a compiled game.

The code of a step is (number + dots) * squares + square, where number is that of the modifier, or
minus that of the dot: dots come first.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from semisplit.language.rbg.native.board.layout import Layout
from semisplit.language.rbg.play.interpret import Position, Step, Steps

MoveKind: TypeAlias = tuple[tuple[int, ...], tuple[int, ...] | None]
"""A kind of move: the numbers of its steps; where the others are, seen from the first's square."""


@dataclass(frozen=True)
class RbgCodec:
    """Knows where in a state what is, and which numbers modifiers and squares have."""

    layout: Layout
    bits: tuple[int, ...]
    """The bit of each vertex in a set of squares."""
    dots: int
    modifiers: int
    kinds: tuple[MoveKind, ...] = ()
    """The kinds of moves, if they have numbers."""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> RbgCodec:
        """Back from plain data."""
        kinds = tuple((tuple(kind), targets and tuple(targets)) for kind, targets in data["kinds"])
        made = {"layout": Layout(**data["layout"]), "bits": tuple(data["bits"]), "kinds": kinds}
        return RbgCodec(**{**data, **made})

    @cached_property
    def _vertices(self) -> list[int]:
        """The vertex of each bit; there may be bits without one."""
        vertices = [0] * self.layout.size
        for vertex, bit in enumerate(self.bits):
            vertices[bit] = vertex
        return vertices

    @cached_property
    def _head(self) -> struct.Struct:
        return struct.Struct(f"=iii{self.layout.values}i")

    # Positions

    def pack(self, position: Position) -> bytes:
        """A position as a state."""
        return self._packed(position)

    @cached_property
    def _packed(self) -> Callable[[Position], bytes]:
        # Whoever plays asks about the same position several times.
        return lru_cache(maxsize=8)(self._pack)

    def _pack(self, position: Position) -> bytes:
        layout, bits = self.layout, self.bits
        sets = [0] * layout.pieces
        for piece, bit in zip(position.pieces, bits):
            sets[piece] |= 1 << bit
        state = bytearray(layout.bytes)
        self._head.pack_into(
            state, 0, position.at, position.player, bits[position.vertex], *position.values
        )
        width = 8 * layout.words
        state[layout.sets : layout.mailbox] = b"".join(s.to_bytes(width, "little") for s in sets)
        if layout.mailbox_bytes:
            mailbox = [layout.pieces] * (layout.size + 1)
            for piece, bit in zip(position.pieces, bits):
                mailbox[bit] = piece
            code = "B" if layout.mailbox_bytes == 1 else "H"
            struct.pack_into(f"={len(mailbox)}{code}", state, layout.mailbox, *mailbox)
        return bytes(state)

    def unpack(self, state: bytes) -> Position:
        """A state as a position."""
        layout, bits = self.layout, self.bits
        at, player, bit, *values = self._head.unpack_from(state)
        if layout.mailbox_bytes:
            code = "B" if layout.mailbox_bytes == 1 else "H"
            mailbox = struct.unpack_from(f"={layout.size + 1}{code}", state, layout.mailbox)
            pieces = tuple(mailbox[bit] for bit in bits)
        else:
            on = [0] * layout.size
            width = 8 * layout.words
            for piece in range(layout.pieces):
                place = layout.set_of(piece)
                squares = int.from_bytes(state[place : place + width], "little")
                while squares:
                    lowest = squares & -squares
                    on[lowest.bit_length() - 1] = piece
                    squares ^= lowest
            pieces = tuple(on[bit] for bit in bits)
        return Position(pieces, tuple(values), player, self._vertices[bit], at)

    def piece_bit(self, piece: int, place: int) -> int:
        """Which bit of a state, counted in 32-bit words, tells that a piece is on a vertex."""
        return 8 * self.layout.set_of(piece) + self.bits[place]

    # Steps

    def codes(self, steps: Steps) -> list[int] | None:
        """Steps as codes; None if the game has no such steps."""
        vertices, numbers = range(len(self.bits)), range(-self.dots, self.modifiers + 1)
        if not all(step.vertex in vertices and step.number in numbers for step in steps):
            return None
        size, dots, bits = self.layout.size, self.dots, self.bits
        return [(step.number + dots) * size + bits[step.vertex] for step in steps]

    def steps(self, codes: Sequence[int]) -> Steps:
        """The steps that codes stand for."""
        pairs = (divmod(code, self.layout.size) for code in codes)
        return tuple(Step(self._vertices[bit], place - self.dots) for place, bit in pairs)

    # Whole moves as numbers

    def number_codes(self, number: int) -> list[int]:
        """The codes of the move with a number."""
        kind, square = divmod(number, self.layout.size)
        modifiers, targets = self.kinds[kind]
        squares = [square, *[targets[square] if targets else square] * (len(modifiers) - 1)]
        return [(m + self.dots) * self.layout.size + at for m, at in zip(modifiers, squares)]

    def number(self, codes: Sequence[int]) -> int:
        """The number of the move that consists of some codes."""
        size, wanted = self.layout.size, list(codes)
        numbers = range(wanted[0] % size, len(self.kinds) * size, size)
        return next(number for number in numbers if self.number_codes(number) == wanted)
