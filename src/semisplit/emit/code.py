"""Emitting code for one function: sets of squares, constant tables, and the state's memory.

Sets are integers with one bit per square. A set or a condition that is known while compiling is a
Python integer or bool, and operations on it are carried out right away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from llvmlite import ir

from semisplit.rbg.native.board.layout import Layout
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.board.squares import Squares

Value: TypeAlias = ir.Value
Squareset: TypeAlias = Value | int
Condition: TypeAlias = Value | bool

i1, i8, i16, i32, i64 = (ir.IntType(width) for width in (1, 8, 16, 32, 64))
pointer = ir.PointerType()
_MAX_TABLE = 64 * 1024
"""Bytes of a table with one set per square, above which shifts are taken instead."""
_MAX_BYTES = 4
"""Bytes of a set up to which there may be tables for each of them."""


def constant(number: int) -> ir.Constant:
    """A 64-bit constant."""
    return ir.Constant(i64, number)


class Module:
    """What the functions of a compiled game share: the board, the layout and constant tables."""

    def __init__(self, squares: Squares, layout: Layout, *, pdep: bool, checked: bool):
        self.ir = ir.Module()
        self.squares = squares
        self.layout = layout
        self.pdep = pdep
        self.checked = checked
        self.set_type = ir.IntType(64 * squares.words)
        self._tables: dict[tuple[int, tuple[int, ...]], ir.GlobalVariable] = {}
        self._relations = {relation: relation for relation in squares.shifts.values()}
        root = self.ir.add_metadata(["memory"])
        self.tags = {kind: self._tag(kind, root) for kind in ("state", "other")}
        """That an access is to the state, or not; so LLVM knows what cannot overlap."""

    def _tag(self, name: str, root: ir.MDValue) -> ir.MDValue:
        kind = self.ir.add_metadata([name, root, constant(0)])
        return self.ir.add_metadata([kind, kind, constant(0)])

    def same(self, relation: Relation) -> Relation:
        """A relation, or one that is the same and has been there before."""
        return self._relations.setdefault(relation, relation)

    def table(self, width: int, numbers: Sequence[int]) -> ir.GlobalVariable:
        """A constant array of integers with so many bits."""
        key = width, tuple(numbers)
        if key not in self._tables:
            kind = ir.ArrayType(ir.IntType(width), len(key[1]))
            table = ir.GlobalVariable(self.ir, kind, f"table{len(self._tables)}")
            # As one string of literals: an object for each number would take most of the time.
            literals = ", ".join(f"i{width} {number}" for number in key[1])
            table.initializer = ir.FormattedConstant(kind, f"[{literals}]")
            table.global_constant = True
            table.linkage = "private"
            self._tables[key] = table
        return self._tables[key]

    def function(
        self, name: str, result: ir.Type, arguments: Sequence[ir.Type], *, public: bool = False
    ) -> ir.Function:
        """A new function without a body. Pointers that it gets never overlap."""
        function = ir.Function(self.ir, ir.FunctionType(result, arguments), name)
        function.attributes.add("nounwind")
        if not public:
            function.linkage = "internal"
        for argument in function.args:
            if argument.type is pointer:
                argument.add_attribute("noalias")
        return function


class Code:
    """A place in a function where code is added, and the state it works on."""

    def __init__(self, module: Module, builder: ir.IRBuilder, state: Value):
        self.module = module
        self.b = builder
        self.state = state
        self.squares = module.squares
        self.layout = module.layout
        self.set_type = module.set_type
        self.words = module.squares.words

    def local(self, kind: ir.Type) -> Value:
        """A variable of the function; LLVM will keep it in a register if it can."""
        with self.b.goto_entry_block():
            return self.b.alloca(kind)

    # Memory

    def place(self, base: Value, offset: Value | int) -> Value:
        """The address so many bytes behind another."""
        if isinstance(offset, int):
            if offset == 0:
                return base
            offset = constant(offset)
        return self.b.gep(base, [offset], inbounds=True, source_etype=i8)

    def element(self, base: Value, kind: ir.Type, index: Value, count: int) -> Value:
        """The address of an element of an array of so many."""
        if self.module.checked:
            outside = self.b.icmp_unsigned(">=", index, ir.Constant(index.type, count))
            with self.b.if_then(outside, likely=False):
                trap = self.module.ir.declare_intrinsic("llvm.trap", (), _PROCEDURE)
                self.b.call(trap, ())
        return self.b.gep(base, [index], inbounds=True, source_etype=kind)

    def load(self, kind: ir.Type, base: Value, offset: Value | int = 0) -> Value:
        """Read from memory."""
        value = self.b.load(self.place(base, offset), typ=kind, align=_alignment(kind))
        return self.tagged(value, base)

    def tagged(self, access: Value, base: Value) -> Value:
        """A load or store that is known to be to the state or to be not."""
        access.set_metadata("tbaa", self.module.tags["state" if base is self.state else "other"])
        return access

    def store(self, value: Value, base: Value, offset: Value | int = 0) -> None:
        """Write to memory."""
        access = self.b.store(value, self.place(base, offset), align=_alignment(value.type))
        self.tagged(access, base)

    def copy(self, to: Value, source: Value, size: int) -> None:
        """Copy so many bytes."""
        kind = ir.FunctionType(ir.VoidType(), (pointer, pointer, i64, i1))
        memcpy = self.module.ir.declare_intrinsic("llvm.memcpy.p0.p0.i64", (), kind)
        self.b.call(memcpy, (to, source, constant(size), ir.Constant(i1, 0)))

    def each(self, size: Value, stride: int, emit: Callable[[Value], None]) -> None:
        """Emit a loop over the offsets 0, stride, 2 stride ... below a multiple of the stride."""
        b = self.b
        before = b.block
        head, body, end = (b.append_basic_block(name) for name in ("each", "do", "done"))
        b.branch(head)
        b.position_at_end(head)
        offset = b.phi(i64)
        offset.add_incoming(constant(0), before)
        b.cbranch(b.icmp_unsigned("==", offset, size), end, body)
        b.position_at_end(body)
        emit(offset)
        offset.add_incoming(b.add(offset, constant(stride)), b.block)
        b.branch(head)
        b.position_at_end(end)

    def fill_zero(self, place: Value, size: int) -> None:
        """Set so many bytes to zero."""
        kind = ir.FunctionType(ir.VoidType(), (pointer, i8, i64, i1))
        memset = self.module.ir.declare_intrinsic("llvm.memset.p0.i64", (), kind)
        self.b.call(memset, (place, ir.Constant(i8, 0), constant(size), ir.Constant(i1, 0)))

    def look_up(self, width: int, numbers: Sequence[int], index: Value) -> Value:
        """An element of a constant table."""
        if len(set(numbers)) == 1:
            return ir.Constant(ir.IntType(width), numbers[0])
        table = self.module.table(width, numbers)
        kind = ir.IntType(width)
        address = self.element(table, kind, index, len(numbers))
        return self.b.load(address, typ=kind, align=_alignment(kind))

    # Conditions

    def condition(self, condition: Condition) -> Value:
        """A condition as a value."""
        return ir.Constant(i1, condition) if isinstance(condition, bool) else condition

    def all_of(self, a: Condition, b: Condition) -> Condition:
        """Whether both hold."""
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return a if a is b else self.b.and_(a, b)

    def any_of(self, a: Condition, b: Condition) -> Condition:
        """Whether one holds."""
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        return a if a is b else self.b.or_(a, b)

    def negate(self, condition: Condition) -> Condition:
        """Whether it does not hold."""
        return not condition if isinstance(condition, bool) else self.b.not_(condition)

    # Sets

    def as_set(self, squares: Squareset) -> Value:
        """A set as a value."""
        return ir.Constant(self.set_type, squares) if isinstance(squares, int) else squares

    def both(self, a: Squareset, b: Squareset) -> Squareset:
        """The intersection."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int):
            if isinstance(a, int):
                return a & b
            if b == 0 or b == self.squares.board:
                return a if b else 0
        return self.b.and_(a, self.as_set(b))

    def either(self, a: Squareset, b: Squareset) -> Squareset:
        """The union."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int):
            if isinstance(a, int):
                return a | b
            if b == 0 or b == self.squares.board:
                return b if b else a
        return self.b.or_(a, self.as_set(b))

    def without(self, a: Squareset, b: Squareset) -> Squareset:
        """The squares of the first set that are not in the second."""
        if isinstance(b, int):
            return self.both(a, self.squares.board & ~b)
        if isinstance(a, int) and a == 0:
            return 0
        return self.b.and_(self.as_set(a), self.b.not_(b))

    def only_if(self, condition: Condition, squares: Squareset) -> Squareset:
        """The set if the condition holds, otherwise the empty set."""
        if isinstance(condition, bool):
            return squares if condition else 0
        if isinstance(squares, int) and squares == 0:
            return 0
        return self.b.select(condition, self.as_set(squares), self.as_set(0))

    def is_any(self, squares: Squareset) -> Condition:
        """Whether the set has a member."""
        if isinstance(squares, int):
            return squares != 0
        return self.b.icmp_unsigned("!=", squares, self.as_set(0))

    def shift(self, squares: Squareset, distance: int) -> Squareset:
        """Move all bits by a distance."""
        if isinstance(squares, int):
            return (squares << distance if distance > 0 else squares >> -distance) & (
                (1 << 64 * self.words) - 1
            )
        if distance == 0:
            return squares
        by = ir.Constant(self.set_type, abs(distance))
        return self.b.shl(squares, by) if distance > 0 else self.b.lshr(squares, by)

    def word(self, squares: Value, number: int) -> Value:
        """One of the words of a set."""
        if self.words == 1:
            return squares
        by = ir.Constant(self.set_type, 64 * number)
        return self.b.trunc(self.b.lshr(squares, by) if number else squares, i64)

    def count(self, squares: Squareset) -> Value:
        """The number of members."""
        if isinstance(squares, int):
            return constant(squares.bit_count())
        return self.b.trunc(self.b.ctpop(squares), i64)

    def single(self, square: Value) -> Value:
        """The set of one square."""
        if self.words > 2:
            singles = [*(1 << number for number in range(self.squares.size)), 0]
            return self.look_up(64 * self.words, singles, square)
        wide = self._bit(square) if self.words == 1 else self.b.zext(square, self.set_type)
        return self.b.shl(ir.Constant(self.set_type, 1), wide)

    def _bit(self, square: Value) -> Value:
        """The place of a square in its word. The place behind the last square has one, too."""
        return self.b.and_(square, constant(63))

    def lowest(self, squares: Value) -> Value:
        """The lowest square of a set that is not empty."""
        return self.b.trunc(self.b.cttz(squares, ir.Constant(i1, 1)), i64)

    def nth(self, squares: Value, n: Value) -> Value:
        """The square with so many squares of the set below it."""
        if self.words == 1:
            return self.nth_in_word(squares, n)
        words = [self.word(squares, number) for number in range(self.words)]
        word, base = words[0], constant(0)
        below = self.b.ctpop(words[0])
        for number, next_word in enumerate(words[1:], 1):
            beyond = self.b.icmp_unsigned(">=", n, below)
            word = self.b.select(beyond, next_word, word)
            base = self.b.select(beyond, constant(64 * number), base)
            # What is left of n after the words passed: never more than the last word holds.
            n = self.b.select(beyond, self.b.sub(n, below), n)
            below = self.b.select(beyond, self.b.ctpop(next_word), constant(64))
        return self.b.add(base, self.nth_in_word(word, n))

    def nth_in_word(self, word: Value, n: Value) -> Value:
        """The bit with so many set bits of the word below it."""
        one = constant(1)
        if self.module.pdep:
            pdep = self.module.ir.declare_intrinsic("llvm.x86.bmi.pdep.64", (), _PDEP)
            found = self.b.call(pdep, (self.b.shl(one, n), word))
            return self.b.cttz(found, ir.Constant(i1, 1))
        position = constant(0)
        for width in (32, 16, 8, 4, 2, 1):
            low = self.b.and_(word, constant((1 << width) - 1))
            below = self.b.ctpop(low)
            beyond = self.b.icmp_unsigned(">=", n, below)
            n = self.b.select(beyond, self.b.sub(n, below), n)
            word = self.b.select(beyond, self.b.lshr(word, constant(width)), word)
            position = self.b.select(beyond, self.b.add(position, constant(width)), position)
        return position

    # Relations known when compiling. Their tables have an entry for the place behind the last
    # square, where a walk off the board leads; nothing is there and nothing leads away from it.

    def is_in(self, squares: int, square: Value) -> Condition:
        """Whether a square of the board is in a constant set."""
        if squares in (0, self.squares.board):
            return squares != 0
        if isinstance(square, ir.Constant):
            return bool(squares >> square.constant & 1)
        if self.words == 1:
            return self.b.trunc(self.b.lshr(constant(squares), self._bit(square)), i1)
        words = self.squares.size // 64 + 1
        numbers = [squares >> 64 * number & (1 << 64) - 1 for number in range(words)]
        word = self.look_up(64, numbers, self.b.lshr(square, constant(6)))
        return self.b.trunc(self.b.lshr(word, self.b.and_(square, constant(63))), i1)

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

    # The state

    def piece_set(self, piece: int) -> Value:
        """The squares that hold a piece."""
        return self.load(self.set_type, self.state, self.layout.set_of(piece))

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

    def mailbox_piece(self, square: Value) -> Value:
        """The piece on a square, or behind the last square the number of pieces."""
        kind = ir.IntType(8 * self.layout.mailbox_bytes)
        base = self.place(self.state, self.layout.mailbox)
        address = self.element(base, kind, square, self.layout.size + 1)
        piece = self.b.load(address, typ=kind, align=self.layout.mailbox_bytes)
        return self.tagged(piece, self.state)

    def is_on(self, pieces: frozenset[int], square: Value) -> Condition:
        """Whether a square holds one of several pieces."""
        if self.layout.mailbox_bytes:
            return self.is_one_of(pieces, self.mailbox_piece(square))
        return self.b.trunc(self.b.lshr(self.pieces_set(pieces), self._bit(square)), i1)

    def is_one_of(self, pieces: frozenset[int], piece: Value) -> Condition:
        """Whether a piece from the mailbox is one of several."""
        if len(pieces) == 1:
            (only,) = pieces
            return self.b.icmp_unsigned("==", piece, ir.Constant(piece.type, only))
        wide = ir.IntType(-(-(self.layout.pieces + 1) // 64) * 64)
        members = ir.Constant(wide, sum(1 << number for number in pieces))
        return self.b.trunc(self.b.lshr(members, self.b.zext(piece, wide)), i1)


_PDEP = ir.FunctionType(i64, (i64, i64))
_PROCEDURE = ir.FunctionType(ir.VoidType(), ())


def _alignment(kind: ir.Type) -> int:
    return min(kind.width // 8, 8) if isinstance(kind, ir.IntType) else 8
