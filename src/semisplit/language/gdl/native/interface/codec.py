"""Positions and steps of GDL as the bytes and codes of a compiled game."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from semisplit.compiler.runtime.abi import PLAYER
from semisplit.core.errors import InputError
from semisplit.language.gdl.native.state.layout import INSIDE, StateLayout
from semisplit.language.gdl.play.interpret import Position, Step, Steps
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term


class GdlCodec:
    """What bytes and codes mean."""

    def __init__(self, roles: int, fluents: Sequence[Term], moves: Sequence[tuple[int, Term]]):
        """Know a game.

        Args:
            roles: How many there are.
            fluents: In the order of their bits.
            moves: The role, from 0, and the move of each code.
        """
        self.layout = StateLayout(roles, len(fluents))
        self.fluents = tuple(fluents)
        """In the order of their bits."""
        self._steps = tuple(Step(role + 1, move) for role, move in moves)

    @property
    def first_bit(self) -> int:
        """Where in a state, as a little-endian integer, the bits of fluents begin."""
        return 8 * self.layout.bits

    @cached_property
    def _bits(self) -> dict[Term, int]:
        return {fluent: bit for bit, fluent in enumerate(self.fluents)}

    @cached_property
    def _codes(self) -> dict[Step, int]:
        return {step: code for code, step in enumerate(self._steps)}

    def pack(self, position: Position) -> bytes:
        """A position as a state, without its scores."""
        layout = self.layout
        state = bytearray(layout.bytes)
        at = INSIDE if position.chosen else 0
        struct.pack_into("=ii", state, 0, at, position.player)
        for step in position.chosen:
            place = layout.chosen + 4 * (step.role - 1)
            struct.pack_into("=i", state, place, self._codes[step] + 1)
        bits = np.zeros(64 * layout.words, bool)
        for fluent in position.fluents:
            if fluent not in self._bits:
                raise InputError(f"the rules can never make {write_term(fluent)} true")
            bits[self._bits[fluent]] = True
        words = np.packbits(bits, bitorder="little").view("<u8").astype("=u8")
        state[layout.bits :] = words.tobytes()
        return bytes(state)

    def unpack(self, state: bytes) -> Position:
        """A state as a position."""
        layout = self.layout
        words = np.frombuffer(state, "=u8", offset=layout.bits).astype("<u8")
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")[: len(self.fluents)]
        codes = struct.unpack_from(f"={layout.roles}i", state, layout.chosen)
        return Position(
            frozenset(self.fluents[bit] for bit in np.flatnonzero(bits)),
            tuple(self._steps[code - 1] for code in codes if code),
            int(struct.unpack_from("=i", state, PLAYER)[0]),
        )

    def codes(self, steps: Steps) -> list[int] | None:
        """Steps as codes; None if the game has no such steps."""
        codes = [self._codes.get(step) for step in steps]
        known = [code for code in codes if code is not None]
        return known if len(known) == len(codes) else None

    def steps(self, codes: Sequence[int]) -> Steps:
        """The steps that codes stand for."""
        return tuple(self._steps[code] for code in codes)

    def number(self, codes: Sequence[int]) -> int:
        """Moves have no numbers."""
        raise NotImplementedError

    def number_codes(self, number: int) -> list[int]:
        """Moves have no numbers."""
        raise NotImplementedError

    def piece_bit(self, piece: int, place: int) -> int:
        """There are no pieces."""
        raise NotImplementedError

    # For the cache

    def to_json(self) -> dict[str, Any]:
        """As plain data; terms are tuples, which become lists."""
        moves = [[step.role - 1, step.move] for step in self._steps]
        return {"roles": self.layout.roles, "fluents": self.fluents, "moves": moves}

    @staticmethod
    def from_json(data: dict[str, Any]) -> GdlCodec:
        """Back from plain data."""
        fluents = [_term(fluent) for fluent in data["fluents"]]
        moves = [(role, _term(move)) for role, move in data["moves"]]
        return GdlCodec(data["roles"], fluents, moves)


def _term(data: list[Any]) -> Term:
    name, arguments = data
    return Term(name, tuple(map(_term, arguments)))
