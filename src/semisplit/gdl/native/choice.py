"""Emitting the random choice of a move, in all lanes at once: each legal one is equally likely.

Moves are counted in chunks, and the counts are added up. A number below their sum is drawn in every
lane; it lies in one chunk, and there it is the number of a legal move. The chunk is copied to one
place, so the move is looked for only once.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.emit.module import Module
from semisplit.emit.values import Value, constant, i64, pointer, void
from semisplit.gdl.native.layout import CHUNK, WORD, Frame
from semisplit.gdl.native.words import ONES, ZERO, Number, WordCode, word

_INSIDE = CHUNK.bit_length() - 1
"""Bits of the number of a move in a chunk."""
_WEYL = 0x9E3779B97F4A7C15
_MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def emit_choice(module: Module, frame: Frame) -> ir.Function:
    """A function that gets the memory, legal moves, where to write the one made, and chunks."""
    function = module.function("choose", void, [pointer, pointer, pointer, i64])
    code = WordCode.begin(module, function)
    base, legal, does, chunks = function.args
    prefixes, found = code.place(base, frame.prefixes), code.place(base, frame.found)
    total = _count(code, frame, legal, prefixes, chunks)
    number = _draw_below(code, frame, base, total)
    _scatter(code, frame, (legal, does, chunks), (prefixes, found), number)
    code.b.ret_void()
    return function


def _count(code: WordCode, frame: Frame, legal: Value, prefixes: Value, chunks: Value) -> Number:
    """Write down how many moves there are up to the end of each chunk; returns their number."""
    b, bits = code.b, frame.bits
    with code.repeat(constant(0), *[ZERO] * bits) as loop:
        chunk, *before = loop.variables
        moves = code.place(legal, b.mul(chunk, constant(CHUNK * WORD)))
        here = code.count_bits([code.word(moves, WORD * move) for move in range(CHUNK)])
        # There are never more than have room in so many bits.
        sum_ = code.add_numbers(before, here)[:bits]
        place = code.place(prefixes, b.mul(chunk, constant(bits * WORD)))
        for bit, value in enumerate(sum_):
            code.put(value, place, WORD * bit)
        next_ = b.add(chunk, constant(1))
        loop.again_if(code.less(next_, chunks), next_, *sum_, results=sum_)
    return loop.results


def _draw_below(code: WordCode, frame: Frame, base: Value, total: Number) -> Number:
    """A number below another in each lane that plays on.

    Random bits below the highest one that matters are such a number more often than not. The lanes
    where they are not draw again.
    """
    b = code.b
    mattering: Number = []
    borrow: Value = ONES
    for bit in total:
        mattering.append(b.xor(bit, borrow))
        borrow = code.without(borrow, bit)
    for place in reversed(range(len(mattering) - 1)):
        mattering[place] = b.or_(mattering[place], mattering[place + 1])
    generator = [code.word(base, frame.random + WORD * part) for part in range(4)]
    live = code.word(base, frame.live)
    with code.repeat(live, *generator, *[ZERO] * len(total)) as loop:
        waiting, *rest = loop.variables
        generator, number = rest[:4], rest[4:]
        drawn = []
        for bit in mattering:
            value, generator = _random_bits(b, generator)
            drawn.append(b.and_(value, bit))
        accepted = b.and_(waiting, code.is_less(drawn, total))
        number = [code.choose(accepted, new, old) for new, old in zip(drawn, number)]
        waiting = code.without(waiting, accepted)
        again = code.in_any(waiting)
        loop.again_if(again, waiting, *generator, *number, results=[*generator, *number])
    for part, value in enumerate(loop.results[:4]):
        code.put(value, base, frame.random + WORD * part)
    return loop.results[4:]


def _random_bits(b: ir.IRBuilder, generator: Sequence[Value]) -> tuple[Value, list[Value]]:
    """A random bit for each lane, by four 64-bit generators side by side (sfc64)."""
    x, y, z, counter = generator

    def shift(value: Value, left: int) -> Value:
        return b.shl(value, _all(left))

    result = b.add(b.add(x, y), counter)
    return result, [
        b.xor(y, b.lshr(y, _all(11))),
        b.add(z, shift(z, 3)),
        b.add(b.or_(shift(z, 24), b.lshr(z, _all(40))), result),
        b.add(counter, _all(1)),
    ]


def _all(number: int) -> ir.Constant:
    return ir.Constant(word, [number] * 4)


def emit_seeding(code: WordCode, frame: Frame, base: Value, seed: Value) -> None:
    """Start the generator from a seed: close ones give unrelated numbers (splitmix64)."""
    b = code.b
    for part in range(3):
        state: Value = ZERO
        for element in range(4):
            index = 4 * part + element + 1
            value = b.add(
                b.mul(seed, constant(12 * _WEYL % 2**64)), constant(index * _WEYL % 2**64)
            )
            for shift, factor in zip((30, 27), _MIX):
                value = b.mul(b.xor(value, b.lshr(value, constant(shift))), constant(factor))
            value = b.xor(value, b.lshr(value, constant(31)))
            state = b.insert_element(state, value, ir.Constant(ir.IntType(32), element))
        code.put(state, base, frame.random + WORD * part)
    code.put(_all(1), base, frame.random + 3 * WORD)


def _scatter(
    code: WordCode,
    frame: Frame,
    moves: tuple[Value, Value, Value],
    memory: tuple[Value, Value],
    number: Number,
) -> None:
    """Make the move with a number in each lane."""
    b, bits = code.b, frame.bits
    legal, does, chunks = moves
    prefixes, found = memory
    low = min(bits, _INSIDE)
    with code.repeat(constant(0), ONES, *[ZERO] * (2 * low + CHUNK)) as loop:
        chunk, beyond, *rest = loop.variables
        before, base, window = rest[:low], rest[low : 2 * low], rest[2 * low :]
        place = code.place(prefixes, b.mul(chunk, constant(bits * WORD)))
        sum_ = [code.word(place, WORD * bit) for bit in range(bits)]
        is_before = code.is_less(number, sum_)
        here = b.and_(beyond, is_before)
        code.put(here, found, b.mul(chunk, constant(WORD)))
        listed = code.place(legal, b.mul(chunk, constant(CHUNK * WORD)))
        window = [
            b.or_(seen, b.and_(here, code.word(listed, WORD * move)))
            for move, seen in enumerate(window)
        ]
        base = [b.or_(old, b.and_(here, bit)) for old, bit in zip(base, before)]
        next_ = b.add(chunk, constant(1))
        after = code.without(beyond, is_before)
        loop.again_if(
            code.less(next_, chunks),
            *(next_, after, *sum_[:low], *base, *window),
            results=[*base, *window],
        )
    base, window = loop.results[:low], loop.results[low:]
    inside, _ = code.subtract(number[:low], base)
    chosen = _decode(code, _find(code, window, inside))
    with code.repeat(constant(0)) as loop:
        (chunk,) = loop.variables
        here = code.word(found, b.mul(chunk, constant(WORD)))
        made = code.place(does, b.mul(chunk, constant(CHUNK * WORD)))
        for move, bit in enumerate(chosen):
            code.put(b.and_(here, bit), made, WORD * move)
        next_ = b.add(chunk, constant(1))
        loop.again_if(code.less(next_, chunks), next_)


def _find(code: WordCode, window: list[Value], number: Number) -> Number:
    """The place, highest bit first, of the word before which so many others hold, too."""
    place: Number = []
    while len(window) > 1:
        middle = len(window) // 2
        left = code.count_bits(window[:middle])
        bits = max(len(left), len(number))
        number = number + [ZERO] * (bits - len(number))
        difference, is_left = code.subtract(number, left)
        number = [code.choose(is_left, old, new) for old, new in zip(number, difference)]
        # Behind so many words there are not more of them.
        number = number[: max(1, (middle - 1).bit_length())]
        window = [code.choose(is_left, a, b) for a, b in zip(window[:middle], window[middle:])]
        place.append(code.invert(is_left))
    return place


def _decode(code: WordCode, place: Number) -> list[Value]:
    """For each place, where it is the one given by its bits, the highest first."""
    chosen: list[Value] = [ONES]
    for bit in place:
        chosen = [
            part for old in chosen for part in (code.without(old, bit), code.b.and_(old, bit))
        ]
    return chosen
