"""The function of a thread: it takes playouts from a job until there are no more.

Games follow each other in one loop, so that threads which run in lockstep, like those of a GPU,
need not wait for each other's games to end. All that a thread works with are variables of the
function; those that are always at a known place end in registers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from llvmlite import ir

from semisplit.compiler.emit.code import Code
from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.large import copy_small_functions
from semisplit.compiler.emit.module import Module
from semisplit.compiler.emit.values import Value, constant, i8, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import SCORES, Context, Job, Status

C = TypeVar("C", bound=Code[Any])
STATUS, MOVES, STATES, SUMS = range(4)
"""Where these are in the results of a state."""


@dataclass(frozen=True)
class Memory:
    """The bytes that a thread works in."""

    frames: int
    groups: int


class Thread:
    """A function that plays the games of a job."""

    def __init__(self, code: Code[Any], function: ir.Function, players: int, state_bytes: int):
        """Begin at the entry of the function, which gets the job and the memory of a thread."""
        self._code, self._b = code, code.b
        self._job, _, context, self.frames, frames_end, groups = function.args
        self.context = ContextCode(code, context)
        self._state_bytes = state_bytes
        self._players = players
        self.sums = self._b.alloca(i64, players)
        """The scores of a piece."""
        self._index, self._playout, self._end = (code.local(i64) for _ in range(3))
        self._take, self._game = code.blocks("take", "game")
        for field in Context.FIELDS:
            self.context.store(field, 0)
        for field, place in (
            ("frames", self.frames),
            ("frames_end", frames_end),
            ("groups", groups),
        ):
            code.store(place, context, 8 * Context.FIELDS.index(field))
        for field in ("max_moves", "max_work"):
            self.context.store(field, self._field(field))
        self.context.store("enough", 2**62)

    def _field(self, name: str, type_: ir.Type = i64) -> Value:
        return self._code.load(type_, self._job, 8 * Job.FIELDS.index(name))

    def begin(self, stride: int) -> Value:
        """Emit taking the next game, of a state among those that lie so far from each other.

        Returns its seed. What follows plays it, or all games that are left of its piece.
        """
        code, b = self._code, self._b
        b.branch(self._take)
        self._emit_take()
        code.emit_in(self._game)
        index, playout = b.load(self._index, typ=i64), b.load(self._playout, typ=i64)
        source = code.place(self._field("states", pointer), b.mul(index, constant(stride)))
        for offset in range(0, self._state_bytes, 8):
            code.store(code.load(i64, source, offset), code.state, offset)
        seeds = self._field("seeds", pointer)
        return b.add(code.load(i64, seeds, b.shl(index, constant(3))), playout)

    def left(self) -> Value:
        """How many games of the piece are left, with the one that has been taken."""
        b = self._code.b
        return b.sub(b.load(self._end, typ=i64), b.load(self._playout, typ=i64))

    def _emit_take(self) -> None:
        """Take the next piece of the job, or end."""
        code, b = self._code, self._b
        code.emit_in(self._take)
        piece = b.atomic_rmw("add", self._job, constant(1), "monotonic")
        with code.if_(b.icmp_signed(">=", piece, self._field("pieces"))):
            b.ret_void()
        count, length = self._field("count"), self._field("length")
        each = b.udiv(b.sub(b.add(count, length), constant(1)), length)
        first = b.mul(b.urem(piece, each), length)
        end = b.add(first, length)
        b.store(b.udiv(piece, each), self._index)
        b.store(first, self._playout)
        b.store(b.select(code.less(end, count), end, count), self._end)
        for player in range(self._players):
            code.store(constant(0), self.sums, 8 * player)
        self.context.store("moves", 0)
        self.context.store("states", 0)
        b.branch(self._game)

    def end(self, over: ir.Block, limited: ir.Block) -> None:
        """Emit what happens when a game is over, or a limit is hit: the next game."""
        code, b = self._code, self._b
        code.emit_in(over)
        for player in range(self._players):
            score = b.zext(code.load(i32, code.state, SCORES + 4 * player), i64)
            sum_ = b.add(code.load(i64, self.sums, 8 * player), score)
            code.store(sum_, self.sums, 8 * player)
        following = b.add(b.load(self._playout, typ=i64), constant(1))
        b.store(following, self._playout)
        code.jump_if(code.less(following, b.load(self._end, typ=i64)), self._game)
        self._add_results()
        code.emit_in(limited)
        self.end_piece()

    def end_piece(self) -> None:
        """Emit what happens when all games of a piece have ended, or a limit is hit: the next."""
        self._add("max", STATUS, self.context.load("status"))
        self.context.store("status", Status.OK)
        self._add_results()

    def _add_results(self) -> None:
        self._add("add", MOVES, self.context.load("moves"))
        self._add("add", STATES, self.context.load("states"))
        for player in range(self._players):
            self._add("add", SUMS + player, self._code.load(i64, self.sums, 8 * player))
        self._b.branch(self._take)

    def _add(self, operation: str, place: int, value: Value) -> None:
        b = self._b
        row = b.mul(b.load(self._index, typ=i64), constant(8 * (SUMS + self._players)))
        address = self._code.place(self._field("results", pointer), row)
        b.atomic_rmw(operation, self._code.place(address, 8 * place), value, "monotonic")


def emit_thread(
    module: Module,
    begin: Callable[[ir.Function], C],
    players: int,
    state_bytes: int,
    emit: Callable[[Thread, C], Memory],
) -> None:
    """The function `thread` of the interface.

    Args:
        module: Where it will be.
        begin: The beginning of a function that gets the state second.
        players: The number of players.
        state_bytes: How much of a state games are played on; callers' states may have more.
        emit: Emits playing games, and says how much memory that takes.
    """
    games = module.function("games", void, [pointer] * 6)
    games.attributes.add("alwaysinline")
    code = begin(games)
    needed = emit(Thread(code, games, players, state_bytes), code)
    function = module.function("thread", void, [pointer], public=True)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    sizes = (state_bytes, 8 * len(Context.FIELDS), needed.frames, needed.groups)
    state, context, frames, groups = (b.alloca(i64, -(-size // 8)) for size in sizes)
    frames_end = b.gep(frames, [constant(needed.frames)], inbounds=True, source_etype=i8)
    b.call(games, [function.args[0], state, context, frames, frames_end, groups])
    b.ret_void()
    copy_small_functions(module.ir, function)
