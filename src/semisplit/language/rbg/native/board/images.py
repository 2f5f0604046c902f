"""Emitting where relations lead that are known when compiling: by tables or by shifts.

Tables have an entry for the place behind the last square, where a walk off the board leads; nothing
is there and nothing leads away from it.
"""

from __future__ import annotations

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i64
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.sets import SetCode, Squareset

_MAX_TABLE = 64 * 1024
"""Bytes of a table with one set per square, above which shifts are taken instead."""
_MAX_BYTES = 4
"""Bytes of a set up to which there may be tables for each of them."""


class ImageCode(SetCode):
    """Emits where relations lead, from one square or from all squares of a set."""

    def next_square(self, relation: Relation, square: Value) -> Value:
        """Where a function leads; from squares outside its domain, to the place behind the last."""
        size = self.squares.size
        targets = [row.bit_length() - 1 if row else size for row in (*relation.rows, 0)]
        if isinstance(square, ir.Constant):
            return constant(targets[square.constant])
        width = 8 if size < 256 else 16
        return self.b.zext(self.look_up(width, targets, square), i64)

    def row(self, relation: Relation, square: Value) -> Squareset:
        """Where a relation leads from one square."""
        if isinstance(square, ir.Constant):
            return (*relation.rows, 0)[square.constant]
        if relation.constant is not None:
            return self.only_if(self.is_in(relation.domain, square), relation.constant)
        if relation.is_identity:
            return self.only_if(self.is_in(relation.domain, square), self.single(square))
        if 8 * self.words * self.squares.size > _MAX_TABLE:
            return self.image(relation, self.single(square))
        return self.look_up(64 * self.words, (*relation.rows, 0), square)

    def image(self, relation: Relation, squares: Squareset) -> Squareset:
        """Where a relation leads from any square of a set."""
        if relation.constant is not None:
            return self.only_if(self.is_any(self.both(squares, relation.domain)), relation.constant)
        if self.has_byte_tables(relation) and not isinstance(squares, int):
            return self._image_by_bytes(relation, squares)
        reached: Squareset = 0
        for distance, sources in relation.shifts.items():
            # Bits that would be shifted out need no mask.
            lost = self._lost(distance)
            mask = sources if self.squares.board & ~lost & ~sources else self.squares.board
            reached = self.either(reached, self.shift(self.both(squares, mask), distance))
        return reached

    def has_byte_tables(self, relation: Relation) -> bool:
        """Whether to look up where a relation leads from each eight squares of a set.

        On small boards where many shifts would be needed this is less work.
        """
        size = self.squares.size
        return size <= _MAX_BYTES * 8 and relation.has_more_shifts(size // 4)

    def _image_by_bytes(self, relation: Relation, squares: Value) -> Value:
        reached = self.as_set(0)
        for first in range(0, self.squares.size, 8):
            images = [0]
            for row in (*relation.rows[first : first + 8], *[0] * 8)[:8]:
                images += [image | row for image in images]
            byte = self.b.and_(self.b.lshr(squares, constant(first)), constant(255))
            reached = self.b.or_(reached, self.look_up(64, images, byte))
        return reached

    def _lost(self, distance: int) -> int:
        """The squares that a shift moves out of the integer."""
        width = 64 * self.words
        if distance >= 0:
            return (1 << width) - (1 << max(width - distance, 0))
        return (1 << -distance) - 1
