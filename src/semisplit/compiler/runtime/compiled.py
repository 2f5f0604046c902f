"""Compiled games in memory, called from Python: on states that are bytes, and codes of steps."""

from __future__ import annotations

import ctypes
import math
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from semisplit.compiler.runtime.abi import (
    AT,
    DECOMPOSED_FUNCTIONS,
    FUNCTIONS,
    GUIDED_FUNCTIONS,
    LANE_FUNCTIONS,
    MOD_FUNCTIONS,
    NUMBERED_FUNCTIONS,
    PLAYER,
    SCORES,
    SPLIT_FUNCTIONS,
    Bundle,
    Function,
    Status,
)
from semisplit.compiler.runtime.codec import Codec
from semisplit.compiler.runtime.scratch import Scratch
from semisplit.compiler.runtime.target import link
from semisplit.core.errors import ManyMoves
from semisplit.core.limits import MAX_LISTED_MOVES

Codes: TypeAlias = tuple[int, ...]
"""A move or semimove: the codes of its steps."""


@dataclass(frozen=True)
class Facts:
    """What has to be known about a compiled game besides its code."""

    bundle: Bundle
    """Which functions there are."""
    split: bool
    """Whether it was compiled with a split strategy."""
    mod: bool
    """Whether the strategy has Mod."""
    players: int
    state_bytes: int
    codes: int
    """The number of codes of steps."""
    silent: int
    """So many codes, the first ones, change nothing."""
    numbers: int
    """The number of numbers that stand for whole moves; 0 if moves have none."""
    nodal: tuple[int, ...]
    """Where in the rules states are nodal, besides at their start."""
    frame_bytes: int
    """Memory to work in."""
    group_bytes: int
    """Memory that orthodox playouts work in."""
    simultaneous: bool = False
    """Whether several players may have to decide at once, each unseen by the others."""
    lanes: int = 1
    """How many states are played at once; calls with fewer take as long."""
    bits: int = 0
    """Where in a state its bits begin, which are all there is in a nodal one; 0 if it has none. If
    it has, the game can be decomposed."""
    steps: tuple[int, ...] = ()
    """How many codes belong to each player, if they belong to players; in this order."""
    switches: tuple[str, ...] = ()
    """Functions inside that may be exchanged for faster ones: variables point to them."""
    key_bytes: int = 0
    """So many bytes at the beginning of a state say all that the rest of it says, too; 0 if it
    takes the whole state."""
    forgetful: tuple[int, ...] = ()
    """States that are there in the rules (see `compiler.runtime.abi`) have the same future if they
    differ only in the third integer of their head."""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Facts:
        """Back from plain data."""
        lists = {name: tuple(data[name]) for name in ("nodal", "steps", "switches", "forgetful")}
        return Facts(**{**data, **lists, "bundle": Bundle(data["bundle"])})


class Playouts(NamedTuple):
    """What happened in some playouts."""

    games: int
    moves: int
    """Moves made, which is the number of nodal states reached."""
    states: int
    """All states reached, those left again because they were dead included."""
    scores: tuple[int, ...]
    """The sum of the final scores of each player."""
    final: bytes
    """The final state of the last playout."""


class CompiledGame:
    """The functions of a game.

    Nothing here changes a state that it is given. Calls release Python's lock and may be made from
    several threads.
    """

    def __init__(self, object_code: bytes, facts: Facts, codec: Codec):
        self.facts = facts
        self.codec = codec
        """What its states and codes mean in the language of the rules."""
        functions = _functions(facts)
        self._library = link(object_code, f"game{id(self)}", [*functions, *facts.switches])
        self._faster: object = None
        """What has been exchanged, which lives as long as the game."""
        self.addresses: dict[str, int] = {name: self._library[name] for name in functions}
        """Where each function of the interface is, for callers that are compiled themselves."""
        self._functions: dict[str, Callable[..., Any]] = {
            name: ctypes.CFUNCTYPE(result, *arguments)(self.addresses[name])
            for name, (result, arguments) in functions.items()
        }
        self._local = threading.local()

    def exchange(self, object_code: bytes, functions: Mapping[str, str]) -> None:
        """Use faster functions that do the same, from now on, also in calls that are under way.

        Args:
            object_code: Where they are.
            functions: The function for each of the switches.
        """
        faster = link(object_code, f"faster{id(self)}", functions.values())
        for switch, function in functions.items():
            # A single store, so others see the old or the new one.
            ctypes.c_void_p.from_address(self._library[switch]).value = faster[function]
        self._faster = faster

    def _scratch(self) -> Scratch:
        if not hasattr(self._local, "scratch"):
            self._local.scratch = Scratch(self.facts.frame_bytes, self.facts.group_bytes)
        scratch: Scratch = self._local.scratch
        scratch.reset()
        return scratch

    def _copy(self, state: bytes) -> ctypes.Array[ctypes.c_char]:
        """A copy of a state that may be changed."""
        return (ctypes.c_char * self.facts.state_bytes).from_buffer_copy(state)

    # States

    def player(self, state: bytes) -> int:
        """Who is to move: a player from 1, or nobody, 0."""
        return int(struct.unpack_from("=i", state, PLAYER)[0])

    def owner(self, code: int) -> int:
        """The player to whom a step belongs, from 1, in games in which it belongs to one."""
        ends = accumulate(self.facts.steps)
        return next(player for player, end in enumerate(ends, 1) if code < end)

    def is_nodal(self, state: bytes) -> bool:
        """Whether no move has been begun."""
        at = int(struct.unpack_from("=i", state, AT)[0])
        return at == 0 or at in self.facts.nodal

    def scores(self, state: bytes) -> tuple[int, ...]:
        """The players' scores."""
        return struct.unpack_from(f"={self.facts.players}i", state, SCORES)

    # Calls

    def run_keeper(self, state: bytes) -> bytes:
        """The state after the keeper's moves."""
        scratch = self._scratch()
        memory = self._copy(state)
        self._functions["run_keeper"](memory, scratch.address)
        scratch.check()
        return memory.raw

    def moves(self, state: bytes, most: int = MAX_LISTED_MOVES) -> list[Codes]:
        """All moves; `ManyMoves` if there are too many."""
        return self._list("list_moves", state, most)

    def semimoves(self, state: bytes, most: int = MAX_LISTED_MOVES) -> list[Codes]:
        """All semimoves of the split strategy, in the same way."""
        return self._list("list_semimoves", state, most)

    def count_moves(self, state: bytes, enough: int = 2**62) -> int:
        """The number of moves; counting stops at about `enough`."""
        scratch = self._scratch()
        scratch.context.enough = enough
        self._functions["list_moves"](self._copy(state), scratch.address)
        scratch.check()
        return int(scratch.context.found)

    def random_move(self, state: bytes, random: Random) -> Codes:
        """One of the moves, each equally likely; one of the first if there are too many to list."""
        numbers, found = self._write("list_moves", state, MAX_LISTED_MOVES)
        place = 0
        for _ in range(random.randrange(found)):
            place += 1 + numbers[place]
        return tuple(numbers[place + 1 : place + 1 + numbers[place]])

    def _list(self, function: str, state: bytes, most: int) -> list[Codes]:
        numbers, _ = self._write(function, state, most + 1, most)
        listed: list[Codes] = []
        place = 0
        while place < len(numbers):
            end = place + 1 + numbers[place]
            listed.append(tuple(numbers[place + 1 : end]))
            place = end
        return listed

    def _write(
        self, function: str, state: bytes, enough: int, most: float = math.inf
    ) -> tuple[memoryview, int]:
        """The codes of what there is, behind the number of each, and how much that is.

        It ends at about `enough`; more than `most` are not written down.
        """
        while True:
            scratch = self._scratch()
            scratch.use_buffer()
            scratch.context.enough = enough
            self._functions[function](self._copy(state), scratch.address)
            scratch.check()
            if scratch.context.found > most:
                raise ManyMoves(int(most))
            if scratch.context.written <= len(scratch.buffer):
                break
            scratch.grow_buffer(scratch.context.written)
        numbers = memoryview(scratch.buffer).cast("B")[: scratch.context.written].cast("i")
        return numbers, int(scratch.context.found)

    def play(self, state: bytes, codes: Sequence[int]) -> bytes | None:
        """The state after the steps of a (semi)move, None if the rules do not allow them."""
        scratch = self._scratch()
        memory = self._copy(state)
        array = (ctypes.c_int32 * len(codes))(*codes)
        legal = self._functions["play"](memory, array, len(codes), scratch.address)
        scratch.check()
        return memory.raw if legal else None

    def playouts(
        self, state: bytes, seed: int, count: int = 1, *, semisplit: bool = False
    ) -> Playouts:
        """Play at random from a nodal state, orthodox or with the split strategy.

        Playout number i takes its random numbers from seed + i.
        """
        scratch = self._scratch()
        played = self._play_out(scratch, state, seed, count, semisplit)
        scratch.check()
        return played

    def playout(
        self, state: bytes, seed: int, *, max_moves: int, semisplit: bool = False
    ) -> Playouts:
        """One playout that ends after so many moves, before the keeper would move."""
        scratch = self._scratch()
        scratch.context.max_moves = max_moves
        played = self._play_out(scratch, state, seed, 1, semisplit)
        if scratch.context.status != Status.LONG_GAME:
            scratch.check()
        return played

    def batch_playouts(
        self, states: Sequence[bytes], seeds: Sequence[int], count: int = 1
    ) -> list[tuple[int, ...]]:
        """Play at random from many nodal states, `count` times from each.

        Returns the sums of the final scores of each player, for each state. The seeds, one for each
        state, decide all playouts together.
        """
        if count < 1 or not states or len(states) != len(seeds):
            raise ValueError("at least one playout from a state, and a seed for each are needed")
        scratch = self._scratch()
        players = self.facts.players
        memory = ctypes.create_string_buffer(b"".join(states), self.facts.state_bytes * len(states))
        numbers = (ctypes.c_uint64 * len(states))(*(seed & (2**64 - 1) for seed in seeds))
        sums = (ctypes.c_int64 * (players * len(states)))()
        if self.facts.lanes > 1:
            batch = self._functions["batch_playouts"]
            batch(memory, len(states), numbers, count, sums, scratch.address)
        else:
            play = self._functions["orthodox_playouts"]
            for index, seed in enumerate(numbers):
                state = ctypes.byref(memory, self.facts.state_bytes * index)
                play(state, seed, count, ctypes.byref(sums, 8 * players * index), scratch.address)
        scratch.check()
        return [tuple(sums[place : place + players]) for place in range(0, len(sums), players)]

    def _play_out(
        self, scratch: Scratch, state: bytes, seed: int, count: int, semisplit: bool
    ) -> Playouts:
        if count < 1:
            raise ValueError("at least one playout has to be made")
        memory = self._copy(state)
        sums = (ctypes.c_int64 * self.facts.players)()
        name = "semisplit_playouts" if semisplit else "orthodox_playouts"
        self._functions[name](memory, seed & (2**64 - 1), count, sums, scratch.address)
        context = scratch.context
        return Playouts(count, context.moves, context.states, tuple(sums), memory.raw)

    def apply_each(self, state: bytes, moves: Sequence[Codes]) -> list[bytes]:
        """The states after some moves of a nodal state, in games with a lane for each."""
        listed = [number for codes in moves for number in (len(codes), *codes)]
        size = self.facts.state_bytes
        memory = ctypes.create_string_buffer(size * len(moves))
        scratch = self._scratch()
        array = (ctypes.c_int32 * len(listed))(*listed)
        apply = self._functions["apply_each"]
        apply(self._copy(state), array, len(moves), memory, scratch.address)
        scratch.check()
        states = memory.raw
        return [states[place : place + size] for place in range(0, len(states), size)]

    # Games that can be decomposed

    def look_ahead(self, state: bytes) -> list[tuple[Codes, tuple[int, ...] | None]]:
        """All moves, each with the final scores if it ends the game."""
        moves, players = self.moves(state), self.facts.players
        outcomes = (ctypes.c_int32 * (players * len(moves)))()
        scratch = self._scratch()
        scratch.use_buffer()
        self._functions["look_ahead"](self._copy(state), outcomes, scratch.address)
        scratch.check()
        scores = [tuple(outcomes[i : i + players]) for i in range(0, len(outcomes), players)]
        return [(move, None if -1 in one else one) for move, one in zip(moves, scores)]

    def bounds(self, state: bytes, masks: Sequence[int]) -> list[tuple[int, ...]]:
        """The highest scores that are possible for all who know just some bits of a final state.

        Args:
            state: A state in which the game is over.
            masks: What each of up to 256 onlookers knows, as bits of the state, which is read as a
                little-endian integer.
        """
        players = self.facts.players
        known = transpose_masks(masks, self.facts)
        scores = (ctypes.c_int32 * (players * len(masks)))()
        scratch = self._scratch()
        self._functions["bounds"](
            self._copy(state), known.ctypes.data, len(masks), scores, scratch.address
        )
        scratch.check()
        return [tuple(scores[i : i + players]) for i in range(0, len(scores), players)]


def transpose_masks(masks: Sequence[int], facts: Facts) -> NDArray[np.uint8]:
    """For each bit of a state, in which of some masks it is: a row of 256 bits."""
    size = facts.state_bytes
    rows = np.zeros((256, 8 * size), np.uint8)
    for row, mask in zip(rows, masks):
        bits = np.frombuffer(mask.to_bytes(size, "little"), np.uint8)
        row[:] = np.unpackbits(bits, bitorder="little")
    return np.packbits(rows[:, 8 * facts.bits :].T, axis=1, bitorder="little")


def _functions(facts: Facts) -> dict[str, Function]:
    """The functions of the interface that a compiled game has."""
    if facts.bundle == Bundle.GUIDED:
        return GUIDED_FUNCTIONS
    if facts.bundle == Bundle.NUMBERED:
        return NUMBERED_FUNCTIONS if facts.numbers else {}
    functions = FUNCTIONS | (LANE_FUNCTIONS if facts.lanes > 1 else {})
    functions |= SPLIT_FUNCTIONS if facts.split or facts.simultaneous else {}
    functions |= DECOMPOSED_FUNCTIONS if facts.bits else {}
    return functions | (MOD_FUNCTIONS if facts.mod or facts.simultaneous else {})
