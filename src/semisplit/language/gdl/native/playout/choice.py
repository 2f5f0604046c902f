"""Emitting the random choice of a move, in all lanes at once: each legal one is equally likely.

Slots are counted in chunks, and the counts are added up. A number below their sum is drawn in every
lane; it lies in one chunk, and there it is the number of a legal slot. The chunk is copied to one
place, so the slot is looked for only once.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i32, pointer, void
from semisplit.language.gdl.native.state.layout import Choice, ChoiceMemory, Frame
from semisplit.language.gdl.native.state.states import Game
from semisplit.language.gdl.native.state.words import Number, WordCode

_WEYL = 0x9E3779B97F4A7C15
_MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_SHIFTS = {64: (11, 24), 32: (9, 21)}
"""What distinguishes the generators for integers of so many bits."""


class Chooser:
    """The two functions of a choice: `count` the slots, then `draw` one."""

    def __init__(self, game: Game, number: int):
        self._game = game
        self._choice: Choice = game.frame.choices[number]
        self._memory: ChoiceMemory = game.frame.choosing[number]
        self._word = game.frame.word
        self._name = str(number)
        self.count = self._emit_count()
        self.draw = self._emit_draw()

    def _emit_count(self) -> ir.Function:
        """Count the legal slots; returns the lanes with one: of (memory, fluents)."""
        module = self._game.module
        function = module.function(f"count{self._name}", module.word, [pointer, pointer])
        code = WordCode.begin(module, function)
        base, words = function.args
        choice, memory, b = self._choice, self._memory, code.b
        controls = self._emit_controls(code, base, words)
        with self._chunks(code, *[code.zero] * choice.bits) as chunks:
            before = chunks.variables
            slots = [self._slot(code, base, chunks, slot, controls) for slot in range(choice.chunk)]
            # There are never more than have room in so many bits.
            sum_ = code.add_numbers(before, code.count_bits(slots))[: choice.bits]
            place = chunks.place(base, memory.prefixes, choice.bits)
            for bit, value in enumerate(sum_):
                code.put(value, place, self._word * bit)
            chunks.again(*sum_, results=sum_)
        some: Value = code.zero
        for bit in chunks.results:
            some = b.or_(some, bit)
        b.ret(some)
        return function

    def _emit_controls(self, code: WordCode, base: Value, words: Value) -> list[Value]:
        """Write down whose turn it is, if several roles choose."""
        game = self._game
        if not game.turns.slots:
            return []
        controls = []
        for role, place in zip(self._choice.roles, self._memory.controls):
            literal = game.turns.controls[role]
            number = (literal >> 1) - 1
            if number < game.frame.fluents:
                value = code.word(words, self._word * number)
            else:
                value = code.word(base, game.legal_place(number - game.frame.fluents))
            controls.append(code.invert(value) if literal & 1 else value)
            code.put(controls[-1], base, place)
        return controls

    def _slot(
        self, code: WordCode, base: Value, chunks: _Chunks, slot: int, controls: list[Value]
    ) -> Value:
        """Whether a slot is legal."""
        roles, word = zip(self._choice.roles, self._choice.firsts), self._word
        firsts = [self._game.frame.legal[role] + word * first for role, first in roles]
        legal = [code.word(chunks.place(base, first), word * slot) for first in firsts]
        if not controls:
            return legal[0]
        value: Value = code.zero
        for control, may in zip(controls, legal):
            value = code.b.or_(value, code.b.and_(may, control))
        code.put(value, chunks.place(base, self._memory.slots), self._word * slot)
        return value

    def _emit_draw(self) -> ir.Function:
        """Draw a slot in lanes that make a move, after they have been counted: of (memory)."""
        module, choice = self._game.module, self._choice
        function = module.function(f"draw{self._name}", void, [pointer])
        code = WordCode.begin(module, function)
        (base,) = function.args
        last = self._memory.prefixes + self._word * choice.bits * (choice.chunks - 1)
        total = [code.word(base, last + self._word * bit) for bit in range(choice.bits)]
        number = _draw_below(code, self._game.frame, base, total, (choice.slots - 1).bit_length())
        window, inside = self._find_chunk(code, base, number)
        self._emit_moves(code, base, _chosen(code, window, inside))
        self._emit_waits(code, base)
        code.b.ret_void()
        return function

    @property
    def _listed(self) -> int:
        """Where legal slots are."""
        if self._game.turns.slots:
            return self._memory.slots
        return self._game.frame.legal[self._choice.roles[0]]

    def _find_chunk(
        self, code: WordCode, base: Value, number: Number
    ) -> tuple[list[Value], Number]:
        """The slots of the chunk in which a number lies, and the number among them."""
        choice, memory, b = self._choice, self._memory, code.b
        if choice.chunks == 1:
            places = [self._listed + self._word * slot for slot in range(choice.chunk)]
            return [code.word(base, place) for place in places], number
        low = min(len(number), (choice.chunk - 1).bit_length())
        starts = [code.all, *[code.zero] * (2 * low + choice.chunk)]
        with self._chunks(code, *starts) as chunks:
            beyond, *rest = chunks.variables
            before, passed, window = rest[:low], rest[low : 2 * low], rest[2 * low :]
            place = chunks.place(base, memory.prefixes, choice.bits)
            sum_ = [code.word(place, self._word * bit) for bit in range(choice.bits)]
            is_before = code.is_less([*number, *[code.zero] * (len(sum_) - len(number))], sum_)
            here = b.and_(beyond, is_before)
            code.put(here, chunks.place(base, memory.found, 1))
            listed = chunks.place(base, self._listed)
            window = [
                b.or_(seen, b.and_(here, code.word(listed, self._word * slot)))
                for slot, seen in enumerate(window)
            ]
            passed = [b.or_(old, b.and_(here, bit)) for old, bit in zip(passed, before)]
            beyond = code.without(beyond, is_before)
            chunks.again(beyond, *sum_[:low], *passed, *window, results=[*passed, *window])
        inside, _ = code.subtract(number[:low], chunks.results[:low])
        return chunks.results[low:], inside

    def _emit_moves(self, code: WordCode, base: Value, chosen: list[Value]) -> None:
        """Let roles make the move of the slot that has been found."""
        choice, memory, b = self._choice, self._memory, code.b
        controls = self._controls(code, base)
        with self._chunks(code) as chunks:
            here = code.word(chunks.place(base, memory.found, 1)) if choice.chunks > 1 else code.all
            for role, first, control in zip(choice.roles, choice.firsts, controls):
                moves = b.and_(here, control)
                does = chunks.place(base, self._game.frame.does[role] + self._word * first)
                for slot, bit in enumerate(chosen):
                    code.put(b.and_(moves, bit), does, self._word * slot)
            chunks.again()

    def _emit_waits(self, code: WordCode, base: Value) -> None:
        """Where it is not a role's turn it makes its only move."""
        game, choice, b = self._game, self._choice, code.b
        controls = self._controls(code, base)
        waits = game.turns.waits or [()] * game.frame.roles
        for role, first, control in zip(choice.roles, choice.firsts, controls):
            covered = range(first, first + choice.chunks * choice.chunk)
            for move in waits[role]:
                number = int(move) - game.frame.first_codes[role]
                legal, does = (
                    place[role] + self._word * number
                    for place in (game.frame.legal, game.frame.does)
                )
                value = code.without(code.word(base, legal), control)
                if number in covered:
                    value = b.or_(value, code.word(base, does))
                code.put(value, base, does)

    def _controls(self, code: WordCode, base: Value) -> list[Value]:
        if not self._game.turns.slots:
            return [code.all]
        return [code.word(base, place) for place in self._memory.controls]

    def _chunks(self, code: WordCode, *starts: Value) -> _Chunks:
        return _Chunks(code, self._choice, starts)


class _Chunks:
    """What is done for each chunk: a loop, if there are several."""

    def __init__(self, code: WordCode, choice: Choice, starts: tuple[Value, ...]):
        self._code = code
        self._choice = choice
        self._loop = code.repeat(constant(0), *starts) if choice.chunks > 1 else None
        self.variables: list[Value] = [*starts]
        self.results: list[Value] = []
        self._number: Value = constant(0)

    def __enter__(self) -> _Chunks:
        if self._loop:
            self._inside = self._loop.__enter__()
            self._number, *self.variables = self._inside.variables
        return self

    def __exit__(self, *error: object) -> None:
        if self._loop:
            self._loop.__exit__(None, None, None)
            self.results = self._inside.results

    def place(self, base: Value, offset: int, words: int | None = None) -> Value:
        """The words of this chunk in an array that has so many for each; else one per slot."""
        size = self._code.module.words.bytes * (self._choice.chunk if words is None else words)
        begin = self._code.place(base, offset)
        if not self._loop:
            return begin
        return self._code.place(begin, self._code.b.mul(self._number, constant(size)))

    def again(self, *values: Value, results: Sequence[Value] = ()) -> None:
        """Go on with the next chunk if there is one."""
        if not self._loop:
            self.results = [*results]
            return
        next_ = self._code.b.add(self._number, constant(1))
        more = self._code.less(next_, self._choice.chunks)
        self._inside.again_if(more, next_, *values, results=results)


def _draw_below(code: WordCode, frame: Frame, base: Value, total: Number, bits: int) -> Number:
    """A number of so many bits below another, in each lane that makes a move.

    Random bits below the highest one that matters are such a number more often than not. The lanes
    where they are not draw again.
    """
    b = code.b
    mattering: Number = []
    borrow: Value = code.all
    for bit in total[:bits]:
        mattering.append(b.xor(bit, borrow))
        borrow = code.without(borrow, bit)
    for place in reversed(range(bits - 1)):
        mattering[place] = b.or_(mattering[place], mattering[place + 1])
    generator = [code.word(base, frame.random + frame.word * part) for part in range(4)]
    live = code.word(base, frame.live)
    with code.repeat(live, *generator, *[code.zero] * bits) as loop:
        waiting, *rest = loop.variables
        generator, number = rest[:4], rest[4:]
        drawn = []
        for bit in mattering:
            value, generator = _random_bits(code, generator)
            drawn.append(b.and_(value, bit))
        less = code.is_less([*drawn, *[code.zero] * (len(total) - bits)], total)
        accepted = b.and_(waiting, less)
        number = [code.choose(accepted, new, old) for new, old in zip(drawn, number)]
        waiting = code.without(waiting, accepted)
        again = code.in_any(waiting)
        loop.again_if(again, waiting, *generator, *number, results=[*generator, *number])
    for part, value in enumerate(loop.results[:4]):
        code.put(value, base, frame.random + frame.word * part)
    return loop.results[4:]


def _random_bits(code: WordCode, generator: Sequence[Value]) -> tuple[Value, list[Value]]:
    """A random bit for each lane, by a generator for each integer of a word (sfc64 or sfc32)."""
    b, every, bits = code.b, code.module.every, code.module.words.bits
    x, y, z, counter = generator
    right, turn = _SHIFTS[bits]
    result = b.add(b.add(x, y), counter)
    turned = b.or_(b.shl(z, every(turn)), b.lshr(z, every(bits - turn)))
    return result, [
        b.xor(y, b.lshr(y, every(right))),
        b.add(z, b.shl(z, every(3))),
        b.add(turned, result),
        b.add(counter, every(1)),
    ]


def emit_seeding(code: WordCode, frame: Frame, base: Value, seed: Value) -> None:
    """Start the generator from a seed: close ones give unrelated numbers (splitmix64)."""
    b, integers = code.b, code.module.words.integers
    for part in range(3):
        state = code.zero
        for element in range(integers):
            index = integers * part + element + 1
            value = b.add(
                b.mul(seed, constant(3 * integers * _WEYL % 2**64)), constant(index * _WEYL % 2**64)
            )
            for shift, factor in zip((30, 27), _MIX):
                value = b.mul(b.xor(value, b.lshr(value, constant(shift))), constant(factor))
            value = b.xor(value, b.lshr(value, constant(31)))
            value = code.resized(value, code.module.words.bits)
            state = b.insert_element(state, value, i32(element))
        code.put(state, base, frame.random + frame.word * part)
    code.put(code.module.every(1), base, frame.random + 3 * frame.word)


def _chosen(code: WordCode, window: list[Value], number: Number) -> list[Value]:
    """For each word, the lanes where it holds and so many of those before it do."""
    if len(window) == 1:
        return [code.all]
    # It is in the first half or in the second: look for it in the one where it is.
    middle = (len(window) + 1) // 2
    first, second = window[:middle], window[middle:]
    count = code.count_bits(first)
    number = number + [code.zero] * (len(count) - len(number))
    difference, is_first = code.subtract(number, count)
    number = [code.choose(is_first, old, new) for old, new in zip(number, difference)]
    half = [code.choose(is_first, one, other) for one, other in zip(first, second)]
    half += [code.b.and_(is_first, one) for one in first[len(second) :]]
    bits = max(1, (middle - 1).bit_length())
    chosen = _chosen(code, half, number[:bits])
    return [
        *(code.b.and_(one, is_first) for one in chosen),
        *(code.without(one, is_first) for one in chosen[: len(second)]),
    ]
