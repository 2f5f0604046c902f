"""Emitting access to the state: which pieces are where, who is in control."""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import Condition, Value, constant, i1, i32, i64
from semisplit.language.rbg.native.board.images import ImageCode
from semisplit.language.rbg.native.board.layout import AT, PLAYER, VERTEX
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.board.sets import Squareset


class StateCode(ImageCode):
    """A place in a function of a game."""

    def __init__(self, module: BoardModule, builder: ir.IRBuilder, state: Value):
        super().__init__(module, builder, state)
        self.layout = module.layout

    # Where the rules are

    def at(self) -> Value:
        """The last step taken."""
        return self.load(i32, self.state, AT)

    def player(self) -> Value:
        """Who is in control."""
        return self.load(i32, self.state, PLAYER)

    def square(self) -> Value:
        """The current square, 64 bits wide."""
        return self.b.zext(self.load(i32, self.state, VERTEX), i64)

    def set_at(self, number: Value, square: Value) -> None:
        """Note the last step and its square."""
        self.store(number, self.state, AT)
        self.store(self.b.trunc(square, i32), self.state, VERTEX)

    def set_player(self, player: int) -> None:
        """Note who is in control."""
        self.store(ir.Constant(i32, player), self.state, PLAYER)

    def hand_over(self, number: int, player: int, square: Value) -> None:
        """Hand control to a player by a switch."""
        self.store(ir.Constant(i32, number), self.state, AT)
        self.set_player(player)
        self.store(self.b.trunc(square, i32), self.state, VERTEX)

    # Pieces

    def piece_set(self, piece: int) -> Value:
        """The squares that hold a piece."""
        return self.load(self.set_type, self.state, self.layout.set_of(piece))

    def set_piece_set(self, piece: int, squares: Value) -> None:
        """Say which squares hold a piece."""
        self.store(squares, self.state, self.layout.set_of(piece))

    def pieces_set(self, pieces: frozenset[int]) -> Value:
        """The squares that hold one of several pieces."""
        everything = range(self.layout.pieces)
        others = frozenset(everything) - pieces
        result: Squareset = 0
        for piece in sorted(pieces if len(pieces) <= len(others) else others):
            result = self.either(result, self.piece_set(piece))
        if len(others) < len(pieces):
            result = self.without(self.squares.board, result)
        return self.as_set(result)

    def toggle(self, piece: Value, square: Value) -> None:
        """Add a square to a piece's set or remove it, whichever is the case."""
        b = self.b
        word = b.lshr(square, constant(6)) if self.words > 1 else constant(0)
        index = b.add(b.mul(piece, constant(self.words)), word)
        base = self.place(self.state, self.layout.sets)
        address = self.element(base, i64, index, self.words * self.layout.pieces)
        bit = self.bit_of(square)
        before = self.tagged(b.load(address, typ=i64, align=8), self.state)
        self.tagged(b.store(b.xor(before, bit), address, align=8), self.state)

    def is_on(self, pieces: frozenset[int], square: Value) -> Condition:
        """Whether a square holds one of several pieces."""
        if self.layout.mailbox_bytes:
            return self.is_one_of(pieces, self.mailbox_piece(square))
        word = self.word_with(self.pieces_set(pieces), square)
        return self.b.trunc(self.b.lshr(word, self.bit_in_word(square)), i1)

    # The mailbox

    def mailbox_piece(self, square: Value) -> Value:
        """The piece on a square, or behind the last square the number of pieces."""
        address = self._mailbox_place(square, self.layout.size + 1)
        piece = self.b.load(address, typ=self._mailbox_type, align=self.layout.mailbox_bytes)
        return self.tagged(piece, self.state)

    def set_mailbox_piece(self, piece: Value, square: Value) -> None:
        """Say which piece is on a square."""
        address = self._mailbox_place(square, self.layout.size)
        narrow = self.b.trunc(piece, self._mailbox_type)
        written = self.b.store(narrow, address, align=self.layout.mailbox_bytes)
        self.tagged(written, self.state)

    @property
    def _mailbox_type(self) -> ir.Type:
        return ir.IntType(8 * self.layout.mailbox_bytes)

    def _mailbox_place(self, square: Value, count: int) -> Value:
        base = self.place(self.state, self.layout.mailbox)
        return self.element(base, self._mailbox_type, square, count)

    def is_one_of(self, pieces: frozenset[int], piece: Value) -> Condition:
        """Whether a piece from the mailbox is one of several."""
        if len(pieces) == 1:
            (only,) = pieces
            return self.equal(piece, only)
        wide = ir.IntType(-(-(self.layout.pieces + 1) // 64) * 64)
        members = ir.Constant(wide, sum(1 << number for number in pieces))
        return self.b.trunc(self.b.lshr(members, self.b.zext(piece, wide)), i1)
