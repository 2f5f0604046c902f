"""Carrying out modifiers on a state, and undoing them."""

from __future__ import annotations

from semisplit.compiler.emit.values import Value, constant, i32, i64
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.analysis.pieces import Pieces
from semisplit.language.rbg.native.analysis.symbols import Symbols
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.arithmetic import assigned
from semisplit.language.rbg.text import ast

NOTHING = constant(0)


def apply(code: StateCode, symbols: Symbols, arc: Arc, square: Value, possible: Pieces) -> Value:
    """Carry out a modifier that can succeed; returns what `undo` needs to know.

    Args:
        code: Where to emit.
        symbols: The names of the description.
        arc: The modifier or dot.
        square: Where it is carried out.
        possible: The pieces that may be on the square.
    """
    match arc.action:
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
    code: StateCode, symbols: Symbols, arc: Arc, square: Value, possible: Pieces, old: Value
) -> None:
    """Undo a modifier."""
    match arc.action:
        case ast.Off(piece):
            _put_back(code, symbols.pieces[piece], square, possible, old)
        case ast.Assign(variable):
            place = code.layout.value(symbols.values[variable])
            code.store(code.b.trunc(old, i32), code.state, place)


def put(code: StateCode, piece: Value, square: Value) -> Value:
    """Put a piece on a square, in a state with a mailbox; returns what was there."""
    old = code.b.zext(code.mailbox_piece(square), i64)
    code.toggle(old, square)
    code.toggle(piece, square)
    code.set_mailbox_piece(piece, square)
    return old


def _put(code: StateCode, piece: int, square: Value, possible: Pieces) -> Value:
    b = code.b
    if not code.layout.mailbox_bytes:
        bit = code.single(square)
        old: Value = NOTHING
        for other in sorted(possible - {piece}):
            squares = code.piece_set(other)
            if len(possible) > 1:
                here = b.icmp_unsigned("!=", b.and_(squares, bit), code.as_set(0))
                old = b.select(here, constant(other), old)
            code.set_piece_set(other, b.and_(squares, b.not_(bit)))
        if piece in possible and piece != 0 and len(possible) > 1:
            here = b.icmp_unsigned("!=", b.and_(code.piece_set(piece), bit), code.as_set(0))
            old = b.select(here, constant(piece), old)
        code.set_piece_set(piece, b.or_(code.piece_set(piece), bit))
        return old
    if len(possible) == 1:
        (known,) = possible
        if known != piece:
            code.toggle(constant(known), square)
            code.toggle(constant(piece), square)
            code.set_mailbox_piece(constant(piece), square)
        return NOTHING
    return put(code, constant(piece), square)


def _put_back(code: StateCode, piece: int, square: Value, possible: Pieces, old: Value) -> None:
    b = code.b
    if len(possible) == 1:
        (known,) = possible
        old = constant(known)
        if known == piece:
            return
    if code.layout.mailbox_bytes:
        code.toggle(constant(piece), square)
        code.toggle(old, square)
        code.set_mailbox_piece(old, square)
        return
    bit = code.single(square)
    code.set_piece_set(piece, b.and_(code.piece_set(piece), b.not_(bit)))
    for other in sorted(possible):
        was = b.icmp_unsigned("==", old, constant(other))
        added = b.select(was, bit, code.as_set(0))
        code.set_piece_set(other, b.or_(code.piece_set(other), added))
