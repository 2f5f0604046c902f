"""Carrying out modifiers on a state, and undoing them."""

from __future__ import annotations

from llvmlite import ir

from semisplit.emit.code import Code, Value, constant, i32, i64
from semisplit.rbg import ast
from semisplit.rbg.native.analysis.graph import Step
from semisplit.rbg.native.analysis.pieces import Pieces
from semisplit.rbg.native.board.layout import AT, PLAYER, VERTEX
from semisplit.rbg.native.evaluate.arithmetic import Symbols, assigned

NOTHING = constant(0)


def apply(code: Code, symbols: Symbols, step: Step, square: Value, possible: Pieces) -> Value:
    """Carry out a modifier that can succeed; returns what `undo` needs to know.

    Args:
        code: Where to emit.
        symbols: The names of the description.
        step: The modifier or dot.
        square: Where it is carried out.
        possible: The pieces that may be on the square.
    """
    match step.action:
        case ast.Off(piece):
            return _put(code, symbols.pieces[piece], square, possible)
        case ast.Assign(variable, value):
            place = code.layout.value(symbols.values[variable])
            old = code.load(i32, code.state, place)
            new, _ = assigned(code, symbols, value, variable)
            code.store(code.b.trunc(new, i32), code.state, place)
            return code.b.zext(old, i64)
    return NOTHING


def undo(
    code: Code, symbols: Symbols, step: Step, square: Value, possible: Pieces, old: Value
) -> None:
    """Undo a modifier."""
    match step.action:
        case ast.Off(piece):
            _put_back(code, symbols.pieces[piece], square, possible, old)
        case ast.Assign(variable):
            place = code.layout.value(symbols.values[variable])
            code.store(code.b.trunc(old, i32), code.state, place)


def switch(code: Code, number: int, player: int, square: Value) -> None:
    """Hand control to a player."""
    code.store(ir.Constant(i32, number), code.state, AT)
    code.store(ir.Constant(i32, player), code.state, PLAYER)
    code.store(code.b.trunc(square, i32), code.state, VERTEX)


def _put(code: Code, piece: int, square: Value, possible: Pieces) -> Value:
    b = code.b
    if not code.layout.mailbox_bytes:
        bit = code.single(square)
        old: Value = NOTHING
        for other in sorted(possible - {piece}):
            squares = code.piece_set(other)
            if len(possible) > 1:
                here = b.icmp_unsigned("!=", b.and_(squares, bit), code.as_set(0))
                old = b.select(here, constant(other), old)
            _set(code, other, b.and_(squares, b.not_(bit)))
        if piece in possible and piece != 0 and len(possible) > 1:
            here = b.icmp_unsigned("!=", b.and_(code.piece_set(piece), bit), code.as_set(0))
            old = b.select(here, constant(piece), old)
        _set(code, piece, b.or_(code.piece_set(piece), bit))
        return old
    if len(possible) == 1:
        (known,) = possible
        if known != piece:
            _toggle(code, constant(known), square)
            _toggle(code, constant(piece), square)
            _write_mailbox(code, constant(piece), square)
        return NOTHING
    old = b.zext(code.mailbox_piece(square), i64)
    _toggle(code, old, square)
    _toggle(code, constant(piece), square)
    _write_mailbox(code, constant(piece), square)
    return old


def _put_back(code: Code, piece: int, square: Value, possible: Pieces, old: Value) -> None:
    b = code.b
    if len(possible) == 1:
        (known,) = possible
        old = constant(known)
        if known == piece:
            return
    if code.layout.mailbox_bytes:
        _toggle(code, constant(piece), square)
        _toggle(code, old, square)
        _write_mailbox(code, old, square)
        return
    bit = code.single(square)
    _set(code, piece, b.and_(code.piece_set(piece), b.not_(bit)))
    for other in sorted(possible):
        was = b.icmp_unsigned("==", old, constant(other))
        added = b.select(was, bit, code.as_set(0))
        _set(code, other, b.or_(code.piece_set(other), added))


def _set(code: Code, piece: int, squares: Value) -> None:
    code.store(squares, code.state, code.layout.set_of(piece))


def _toggle(code: Code, piece: Value, square: Value) -> None:
    """Add a square to a piece's set or remove it, whichever is the case."""
    b = code.b
    word = b.lshr(square, constant(6)) if code.words > 1 else constant(0)
    index = b.add(b.mul(piece, constant(code.words)), word)
    base = code.place(code.state, code.layout.sets)
    address = code.element(base, i64, index, code.words * code.layout.pieces)
    bit = b.shl(constant(1), b.and_(square, constant(63)))
    before = code.tagged(b.load(address, typ=i64, align=8), code.state)
    code.tagged(b.store(b.xor(before, bit), address, align=8), code.state)


def _write_mailbox(code: Code, piece: Value, square: Value) -> None:
    kind = ir.IntType(8 * code.layout.mailbox_bytes)
    base = code.place(code.state, code.layout.mailbox)
    address = code.element(base, kind, square, code.layout.size)
    written = code.b.store(code.b.trunc(piece, kind), address, align=code.layout.mailbox_bytes)
    code.tagged(written, code.state)
