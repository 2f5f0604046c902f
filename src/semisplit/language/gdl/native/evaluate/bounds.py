"""Emitting `bounds`: which goals are possible if only a part of the state is known.

This is Kleene's logic of three values. Each gate has two words: where it may hold, and where it
surely does. What is unknown may hold, and does not surely. A lane is a sub-game: all of them are
evaluated at once, on the same state. Values are upper bounds: that p or not p always holds is not
seen. If goals depend on very many gates, all of them are possible.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from llvmlite import ir

from semisplit.compiler.emit.values import constant, i64, pointer, void
from semisplit.compiler.emit.vectors import splat
from semisplit.language.gdl.native.evaluate.ahead import scores_in
from semisplit.language.gdl.native.evaluate.tables import write_table
from semisplit.language.gdl.native.state.layout import WORD, Frame
from semisplit.language.gdl.native.state.states import Game
from semisplit.language.gdl.native.state.words import WordCode
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.network import needed_gates
from semisplit.language.gdl.network.schedule import LARGE, goal_blocks

FUNCTION = "possible_goals"
"""Computes which goals are possible: of (memory)."""
_Entry = tuple[int, int, int]


class BoundsWriter:
    """Writes the gates of goals, each twice, as tables that a loop interprets."""

    def __init__(self, circuit: Circuit, frame: Frame):
        network = circuit.network
        self._circuit = circuit
        self._frame = frame
        needed = needed_gates(replace(network, outputs=circuit.goals))
        self._are_all = np.count_nonzero(needed) > LARGE
        """Whether all goals are taken for possible."""
        self._blocks = () if self._are_all else goal_blocks(circuit)
        gates = [gate for block in self._blocks for gate in block.gates]
        sides = network.gates.literals.reshape(-1, 2)
        rows = np.array(gates, np.int64) - 1 - network.inputs
        self._sides: dict[int, tuple[int, int]] = dict(zip(gates, map(tuple, sides[rows].tolist())))
        variables = [one for block in self._blocks for one in block.variables]
        literals = [side for gate in gates for side in self._sides[gate]]
        literals += [one.definition for one in variables]
        literals += [] if self._are_all else circuit.goals.tolist()
        nodes = sorted({0, *gates, *(one.node for one in variables), *(x >> 1 for x in literals)})
        first = frame.reserve(2 * len(nodes)) // WORD
        self._words = {node: first + 2 * number for number, node in enumerate(nodes)}
        """The word that says where a node may hold; the next one says where it surely does."""

    @property
    def fluents(self) -> list[tuple[int, int]]:
        """The fluents on which goals depend, each with the place of its two words."""
        last = len(self._circuit.program.fluents)
        return [(node - 1, WORD * word) for node, word in self._words.items() if 0 < node <= last]

    def write(self) -> str:
        """The function, and its tables."""
        tables, zero = [], 2 * self._words[0]
        lines = [
            f"%zero = getelementptr i8, ptr %frame, i64 {WORD * self._words[0]}",
            f"call void @llvm.memset.p0.i64(ptr %zero, i8 0, i64 {2 * WORD}, i1 0)",
        ]

        def run(name: str, entries: list[_Entry], function: str = "interpret") -> str:
            array = np.array(entries, np.int64).reshape(len(entries), 3)
            table, call = write_table(f"bounds_{name}", array, function)
            tables.append(table)
            return call

        for number, block in enumerate(self._blocks):
            entries = [
                entry for gate in block.gates for entry in self._both(2 * gate, *self._sides[gate])
            ]
            gates = run(f"gates{number}", entries)
            if not block.variables:
                lines.append(gates)
                continue
            updates = [
                entry
                for node, definition in block.variables
                for entry in self._both(2 * node, definition, definition)
            ]
            clear = [(place, zero, zero) for place, _, _ in updates]
            lines.append(run(f"clear{number}", clear))
            lines += [f"br label %loop{number}", f"loop{number}:", gates]
            lines.append(f"%changed{number} = {run(f'update{number}', updates, 'update')}")
            lines.append(f"br i1 %changed{number}, label %loop{number}, label %end{number}")
            lines.append(f"end{number}:")
        literals = self._circuit.goals.tolist()
        goals = [zero ^ 1 if self._are_all else self._may(literal) for literal in literals]
        places = [2 * (place // WORD) for place in self._frame.output_places("goals")]
        lines.append(run("goals", [*zip(places, goals, goals)]))
        body = "\n".join(line if line[-1] == ":" else f"  {line}" for line in lines)
        function = f"define internal void @{FUNCTION}(ptr %frame) {{\n{body}\n  ret void\n}}\n"
        return "".join([*tables, function])

    def _both(self, to: int, left: int, right: int) -> tuple[_Entry, _Entry]:
        may, must = self._may, self._must
        return (may(to), may(left), may(right)), (must(to), must(left), must(right))

    def _may(self, literal: int) -> int:
        """Where a literal may hold, as a literal of a word: where its opposite does not surely."""
        word = self._words[literal >> 1]
        return 2 * (word + 1) + 1 if literal & 1 else 2 * word

    def _must(self, literal: int) -> int:
        """Where a literal surely holds."""
        return self._may(literal ^ 1) ^ 1


def emit_bounds(game: Game, writer: BoundsWriter) -> None:
    """Emit `bounds`: of (state, known, count, scores, context)."""
    types = [pointer, pointer, i64, pointer, pointer]
    function = game.module.function("bounds", void, types, public=True)
    code = WordCode.begin(game.module, function)
    frame, b = game.frame, code.b
    state, known, count, scores, context = function.args
    base = game.frame_of(code, context)
    for fluent, place in writer.fluents:
        bits = code.load(i64, state, game.state.bits + 8 * (fluent >> 6))
        bit = b.and_(b.lshr(bits, constant(fluent & 63)), constant(1))
        # Callers need not know about alignment.
        knows = b.load(code.place(known, WORD * fluent), typ=ir.VectorType(i64, 4), align=8)
        surely = b.and_(knows, splat(b, b.neg(bit), 4))
        code.put(b.or_(surely, code.invert(knows)), base, place)
        code.put(surely, base, place + WORD)
    possible = ir.Function(game.module.ir, ir.FunctionType(void, [pointer]), FUNCTION)
    b.call(possible, [base])
    with code.repeat(constant(0)) as loop:
        (lane,) = loop.variables
        place = code.place(scores, b.mul(lane, constant(4 * frame.roles)))
        for role, score in enumerate(scores_in(code, game, base, lane)):
            code.store(score, place, 4 * role)
        next_ = b.add(lane, constant(1))
        loop.again_if(code.less(next_, count), next_)
    b.ret_void()
