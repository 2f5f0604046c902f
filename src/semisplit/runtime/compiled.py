"""Compiled games in memory: what was compiled, ready to be called from Python."""

from __future__ import annotations

import ctypes
import mmap
import struct
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from semisplit.core.errors import ManyMoves, PlayLimit, WorkLimit
from semisplit.rbg.interpret import Position, Step, Steps
from semisplit.rbg.limits import MAX_KEEPER_MOVES, MAX_LISTED_MOVES, MAX_MOVE_LENGTH
from semisplit.rbg.native.board.layout import AT, PLAYER, VALUES, Layout
from semisplit.rbg.native.playout.orthodox import memory_size
from semisplit.runtime.abi import (
    FUNCTIONS,
    GUIDED_FUNCTIONS,
    MOD_FUNCTIONS,
    NUMBERED_FUNCTIONS,
    SPLIT_FUNCTIONS,
    Context,
    Part,
    Status,
)
from semisplit.runtime.target import link

MAX_WORK = 200_000_000
"""Failures after which a search for moves is given up."""
MAX_MOVES = 100_000
"""Moves after which a playout is given up."""
MESSAGES = {
    Status.LONG_MOVE: f"a move or pattern applies more than {MAX_MOVE_LENGTH} modifiers;"
    " the rules repeat one without an end",
    Status.MUCH_WORK: "looking for moves takes too long; the rules leave too much open",
    Status.LONG_KEEPER: f"the keeper made {MAX_KEEPER_MOVES} moves in a row;"
    " the rules never let a player move",
    Status.LONG_GAME: f"the game did not end after {MAX_MOVES} moves",
}


Kind: TypeAlias = tuple[tuple[int, ...], tuple[int, ...] | None]
"""A kind of move: the numbers of its steps; where the others are, seen from the first's square."""


@dataclass(frozen=True)
class Facts:
    """What has to be known about a compiled game besides its code."""

    layout: Layout
    bits: tuple[int, ...]
    """The bit of each vertex in a set of squares."""
    players: int
    frame_bytes: int
    """Memory to work in."""
    dots: int
    modifiers: int
    switches: tuple[int, ...]
    """Which of the modifiers hand over control."""
    split: bool
    """Whether it was compiled with a split strategy."""
    mod: bool
    """Whether the strategy has Mod."""
    part: Part = Part.GAME
    """Which functions there are."""
    kinds: tuple[Kind, ...] = ()
    """The kinds of moves, if they have numbers."""

    @property
    def words(self) -> int:
        """The number of words that stand for steps."""
        return (self.dots + self.modifiers + 1) * self.layout.size

    @property
    def move_numbers(self) -> int:
        """The number of numbers that stand for moves."""
        return len(self.kinds) * self.layout.size

    def move_words(self, number: int) -> list[int]:
        """The words of the move with a number."""
        kind, square = divmod(number, self.layout.size)
        modifiers, targets = self.kinds[kind]
        squares = [square, *[targets[square] if targets else square] * (len(modifiers) - 1)]
        return [(m + self.dots) * self.layout.size + at for m, at in zip(modifiers, squares)]

    def move_number(self, words: list[int]) -> int:
        """The number of the move that consists of some words."""
        square = words[0] % self.layout.size
        numbers = range(square, self.move_numbers, self.layout.size)
        return next(number for number in numbers if self.move_words(number) == words)

    def word(self, step: Step) -> int:
        """A step as a word."""
        return (step.number + self.dots) * self.layout.size + self.bits[step.vertex]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Facts:
        """Back from plain data."""
        layout = Layout(**data["layout"])
        bits, switches = tuple(data["bits"]), tuple(data["switches"])
        kinds = tuple((tuple(kind), targets and tuple(targets)) for kind, targets in data["kinds"])
        made = {"layout": layout, "bits": bits, "switches": switches, "kinds": kinds}
        return Facts(**{**data, **made, "part": Part(data["part"])})


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
    """The functions of a game, on states that are bytes.

    Nothing here changes a state that it is given. Calls release Python's lock and may be made from
    several threads.
    """

    def __init__(self, object_code: bytes, facts: Facts):
        self.facts = facts
        self.layout = facts.layout
        functions = FUNCTIONS | (SPLIT_FUNCTIONS if facts.split else {})
        functions |= MOD_FUNCTIONS if facts.mod else {}
        if facts.part == Part.GUIDED:
            functions = GUIDED_FUNCTIONS
        elif facts.part == Part.NUMBERED:
            functions = NUMBERED_FUNCTIONS if facts.kinds else {}
        self._library = link(object_code, f"game{id(self)}", functions)
        self.addresses: dict[str, int] = {name: self._library[name] for name in functions}
        """Where each function of the interface is, for callers that are compiled themselves."""
        self._functions: dict[str, Callable[..., Any]] = {
            name: ctypes.CFUNCTYPE(result, *arguments)(self.addresses[name])
            for name, (result, arguments) in functions.items()
        }
        self._local = threading.local()
        self._vertices = [0] * self.layout.size
        for vertex, bit in enumerate(facts.bits):
            self._vertices[bit] = vertex
        self._head = struct.Struct(f"=iii{self.layout.values}i")

    def _scratch(self) -> Scratch:
        if not hasattr(self._local, "scratch"):
            self._local.scratch = Scratch(self.facts)
        scratch: Scratch = self._local.scratch
        scratch.reset()
        return scratch

    # States

    def pack(self, position: Position) -> bytes:
        """A position as a state."""
        layout, bits = self.layout, self.facts.bits
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
        layout, bits = self.layout, self.facts.bits
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

    def player(self, state: bytes) -> int:
        """Who is in control: a player from 1, or the keeper, 0."""
        return int(struct.unpack_from("=i", state, PLAYER)[0])

    def at(self, state: bytes) -> int:
        """The number of the last step taken."""
        return int(struct.unpack_from("=i", state, AT)[0])

    def is_nodal(self, state: bytes) -> bool:
        """Whether no move has been begun."""
        at = self.at(state)
        return at == 0 or at in self.facts.switches

    def scores(self, state: bytes) -> tuple[int, ...]:
        """The players' scores."""
        return struct.unpack_from(f"={self.facts.players}i", state, VALUES)

    # Calls

    def run_keeper(self, state: bytes) -> bytes:
        """The state after the keeper's moves."""
        scratch = self._scratch()
        memory = scratch.state(state)
        self._functions["run_keeper"](memory, scratch.address)
        scratch.check()
        return memory.raw

    def moves(self, state: bytes, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; `ManyMoves` if there are too many."""
        return self._list("list_moves", state, most)

    def semimoves(self, state: bytes, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""
        return self._list("list_semimoves", state, most)

    def count_moves(self, state: bytes, enough: int = 2**62) -> int:
        """The number of moves; counting stops at about `enough`."""
        scratch = self._scratch()
        scratch.context.enough = enough
        self._functions["list_moves"](scratch.state(state), scratch.address)
        scratch.check()
        return int(scratch.context.found)

    def _list(self, function: str, state: bytes, most: int) -> list[Steps]:
        while True:
            scratch = self._scratch()
            scratch.use_buffer()
            scratch.context.enough = most + 1
            self._functions[function](scratch.state(state), scratch.address)
            scratch.check()
            if scratch.context.found > most:
                raise ManyMoves(most)
            if scratch.context.written <= len(scratch.buffer):
                break
            scratch.grow_buffer(scratch.context.written)
        numbers = memoryview(scratch.buffer).cast("B")[: scratch.context.written].cast("i")
        listed: list[Steps] = []
        place = 0
        while place < len(numbers):
            end = place + 1 + numbers[place]
            listed.append(self.steps(numbers[place + 1 : end]))
            place = end
        return listed

    def steps(self, words: Iterable[int]) -> Steps:
        """The steps that words stand for."""
        pairs = (divmod(word, self.layout.size) for word in words)
        return tuple(Step(self._vertices[bit], place - self.facts.dots) for place, bit in pairs)

    def play(self, state: bytes, steps: Steps) -> bytes | None:
        """The state after the steps of a (semi)move, None if the rules do not allow them."""
        scratch = self._scratch()
        memory = scratch.state(state)
        facts = self.facts
        vertices, numbers = range(len(facts.bits)), range(-facts.dots, facts.modifiers + 1)
        if not all(step.vertex in vertices and step.number in numbers for step in steps):
            return None
        array = (ctypes.c_int32 * len(steps))(*map(facts.word, steps))
        legal = self._functions["play"](memory, array, len(steps), scratch.address)
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

    def _play_out(
        self, scratch: Scratch, state: bytes, seed: int, count: int, semisplit: bool
    ) -> Playouts:
        if count < 1:
            raise ValueError("at least one playout has to be made")
        memory = scratch.state(state)
        sums = (ctypes.c_int64 * self.facts.players)()
        name = "semisplit_playouts" if semisplit else "orthodox_playouts"
        self._functions[name](memory, seed & (2**64 - 1), count, sums, scratch.address)
        context = scratch.context
        return Playouts(count, context.moves, context.states, tuple(sums), memory.raw)


class Scratch:
    """The memory that calls of one thread work in."""

    def __init__(self, facts: Facts):
        self._state_bytes = facts.layout.bytes
        self.context = Context()
        self.address = ctypes.addressof(self.context)
        self._frames = _memory(facts.frame_bytes)
        self._groups = _memory(memory_size(8 * facts.layout.words))
        self.buffer = _memory(1 << 16)

    def reset(self) -> None:
        """Prepare for a call."""
        context = self.context
        ctypes.memset(ctypes.addressof(context), 0, ctypes.sizeof(context))
        context.work = context.max_work = MAX_WORK
        context.max_moves = MAX_MOVES
        context.enough = 2**62
        context.frames, context.frames_end = _extent(self._frames)
        context.groups, _ = _extent(self._groups)

    def use_buffer(self) -> None:
        """Let moves be written."""
        self.context.buffer, self.context.buffer_end = _extent(self.buffer)

    def grow_buffer(self, size: int) -> None:
        """Make room for more moves."""
        self.buffer = _memory(2 * size)

    def state(self, state: bytes) -> ctypes.Array[ctypes.c_char]:
        """A copy of a state that may be changed."""
        return (ctypes.c_char * self._state_bytes).from_buffer_copy(state)

    def check(self) -> None:
        """Raise what made the last call stop."""
        status = Status(self.context.status)
        if status != Status.OK:
            error = WorkLimit if status == Status.MUCH_WORK else PlayLimit
            raise error(MESSAGES[status])


def _memory(size: int) -> mmap.mmap:
    """Memory whose pages cost nothing as long as they are not touched."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    # Otherwise processes that are forked would work in the same memory.
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def _extent(memory: mmap.mmap) -> tuple[int, int]:
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return begin, begin + len(memory)
