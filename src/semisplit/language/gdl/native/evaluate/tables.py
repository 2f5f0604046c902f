"""Sections of a circuit as tables, and the loops that interpret them.

Nothing about the gates has to be compiled, so there is no limit to their number; it takes some
three times as long to compute them. An entry of a table is a gate: where its value goes, and its
two literals, all as literals of words of the memory that functions work in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from semisplit.language.gdl.ground.rows import Integers
from semisplit.language.gdl.native.evaluate.gates import SIGNATURE, outputs_of
from semisplit.language.gdl.native.state.layout import SWITCH, WORD, Frame
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.schedule import Block, Schedule

Entries: TypeAlias = Integers
"""A row for each entry."""
_CHARACTERS = np.array([[*f"\\{byte:02X}".encode()] for byte in range(256)], np.uint8)
"""How LLVM writes each byte."""


def _load(name: str, number: int) -> str:
    """Load a literal of an entry, and its value."""
    return f"""\
  %{name}p = getelementptr i32, ptr %entry, i64 {number}
  %{name}literal = load i32, ptr %{name}p
  %{name}bit = and i32 %{name}literal, 1
  %{name}mask = getelementptr <4 x i64>, ptr @masks, i32 %{name}bit
  %{name}negated = load <4 x i64>, ptr %{name}mask, align 32
  %{name}index = lshr i32 %{name}literal, 1
  %{name}word = zext i32 %{name}index to i64
  %{name}place = getelementptr <4 x i64>, ptr %frame, i64 %{name}word
  %{name}value = load <4 x i64>, ptr %{name}place, align 32
  %{name} = xor <4 x i64> %{name}value, %{name}negated
"""


def _interpreter(name: str, *, changes: bool) -> str:
    """A function that goes through a table, and may tell whether anything has changed."""
    remember = """\
  %difference = xor <4 x i64> %tovalue, %value
  %all = or <4 x i64> %changed, %difference
"""
    result = """\
  %bits = bitcast <4 x i64> %all to i256
  %any = icmp ne i256 %bits, 0
  ret i1 %any
"""
    return f"""\
define internal i1 @{name}(ptr %frame, ptr %table, i64 %count) noinline {{
begin:
  %empty = icmp eq i64 %count, 0
  br i1 %empty, label %nothing, label %loop
loop:
  %number = phi i64 [0, %begin], [%next, %loop]
  {"%changed = phi <4 x i64> [zeroinitializer, %begin], [%all, %loop]" if changes else ""}
  %offset = mul i64 %number, 12
  %entry = getelementptr i8, ptr %table, i64 %offset
{_load("a", 1)}{_load("b", 2)}{_load("to", 0)}
  %both = and <4 x i64> %a, %b
  %value = xor <4 x i64> %both, %tonegated
{remember if changes else ""}
  store <4 x i64> %value, ptr %toplace, align 32
  %next = add i64 %number, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
{result if changes else "  ret i1 false"}
nothing:
  ret i1 false
}}
"""


KERNELS = f"""\
@masks = private constant [2 x <4 x i64>] [<4 x i64> zeroinitializer, <4 x i64> splat (i64 -1)]
{_interpreter("interpret", changes=False)}
{_interpreter("update", changes=True)}
define internal void @hold(ptr %new, ptr %next, ptr %reset, ptr %live, i64 %count) noinline {{
begin:
  %playing = load <4 x i64>, ptr %live, align 32
  %held = xor <4 x i64> %playing, splat (i64 -1)
  br label %loop
loop:
  %number = phi i64 [0, %begin], [%following, %loop]
  %to = getelementptr <4 x i64>, ptr %new, i64 %number
  %a = getelementptr <4 x i64>, ptr %next, i64 %number
  %b = getelementptr <4 x i64>, ptr %reset, i64 %number
  %after = load <4 x i64>, ptr %a, align 32
  %before = load <4 x i64>, ptr %b, align 32
  %x = and <4 x i64> %after, %playing
  %y = and <4 x i64> %before, %held
  %value = or <4 x i64> %x, %y
  store <4 x i64> %value, ptr %to, align 32
  %following = add i64 %number, 1
  %more = icmp ult i64 %following, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def write_table(name: str, entries: Entries, function: str) -> tuple[str, str]:
    """A table, and the call of a function that goes through it."""
    # As characters, which LLVM reads much faster than numbers.
    raw = np.ascontiguousarray(entries, "<i4").tobytes()
    text = _CHARACTERS[np.frombuffer(raw, np.uint8)].tobytes().decode()
    table = f'@{name} = private constant [{len(raw)} x i8] c"{text}", align 4\n'
    return table, f"call i1 @{function}(ptr %frame, ptr @{name}, i64 {len(entries)})"


def _exchangeable(section: str) -> str:
    """The function of a section: it calls what a variable points to, at first the table."""
    return f"""\
@{SWITCH}{section} = global ptr @{section}_table, align 8
define internal void @{section}{SIGNATURE} {{
  %function = load atomic ptr, ptr @{SWITCH}{section} monotonic, align 8
  tail call void %function{SIGNATURE}
  ret void
}}
"""


class TableWriter:
    """Writes sections as tables."""

    def __init__(self, circuit: Circuit, schedule: Schedule, frame: Frame, kept: Mapping[int, int]):
        """Prepare writing.

        Args:
            circuit: The circuit.
            schedule: Its order.
            frame: The memory that functions work in.
            kept: For nodes that straight-line code keeps somewhere, the literal of their word.
        """
        self._circuit = circuit
        self._schedule = schedule
        self._frame = frame
        network = circuit.network
        self._gate = 1 + network.inputs
        self._sides = network.gates.literals.reshape(-1, 2)
        base = frame.values // WORD
        self._nodes = self._gate + len(network.gates)
        self._places = 2 * (base + np.arange(self._nodes))
        """The word of each node, as a literal that is negated if its value is kept negated."""
        variables = np.concatenate([np.zeros(0, np.int64), *network.loops])
        inputs = 1 + frame.fluents + len(circuit.program.moves)
        self._places[variables] = 2 * (frame.variables // WORD + variables - inputs)
        self._places[[*kept]] = [*kept.values()]
        self._zero = 2 * base

    def write(self, section: str, *, exchangeable: bool) -> str:
        """The function of a section, which may be exchanged for a compiled one, and its tables."""
        frame, tables = self._frame, []
        lines = [
            f"%zero = getelementptr i8, ptr %frame, i64 {frame.values}",
            f"store <4 x i64> zeroinitializer, ptr %zero, align {WORD}",
            *self._copy("fluents", "%state", 1, frame.fluents),
        ]
        if section == "next":
            for role, first in enumerate(frame.first_codes):
                lines.append(f"%p{role} = getelementptr ptr, ptr %does, i64 {role}")
                lines.append(f"%does{role} = load ptr, ptr %p{role}")
                node = 1 + frame.fluents + first
                lines += self._copy(f"moves{role}", f"%does{role}", node, frame.moves[role])

        def run(name: str, entries: Entries, function: str = "interpret") -> str:
            table, call = write_table(f"{section}_{name}", entries, function)
            tables.append(table)
            return call

        blocks: tuple[Block, ...] = getattr(self._schedule, section)
        for number, block in enumerate(blocks):
            gates = run(f"gates{number}", self._gates(block))
            if not block.variables:
                lines.append(gates)
                continue
            variables = np.array(block.variables)
            places, definitions = self._places[variables[:, 0]], self._literals(variables[:, 1])
            zeros = np.full(len(places), self._zero)
            lines.append(run(f"clear{number}", np.stack([places, zeros, zeros], 1)))
            lines += [f"br label %loop{number}", f"loop{number}:", gates]
            entries = np.stack([places, definitions, definitions], 1)
            update = run(f"update{number}", entries, "update")
            lines.append(f"%changed{number} = {update}")
            lines.append(f"br i1 %changed{number}, label %loop{number}, label %end{number}")
            lines.append(f"end{number}:")
        lines.append(run("outputs", self._outputs(section)))
        if section == "next" and frame.fluents:
            lines.append(f"%next = getelementptr i8, ptr %frame, i64 {self._next}")
            lines.append(f"%live = getelementptr i8, ptr %frame, i64 {frame.live}")
            lines.append(
                f"call void @hold(ptr %new, ptr %next, ptr %reset, ptr %live, i64 {frame.fluents})"
            )
        body = "\n".join(line if line[-1] == ":" else f"  {line}" for line in lines)
        name = f"{section}_table" if exchangeable else section
        function = f"define internal void @{name}{SIGNATURE} {{\n{body}\n  ret void\n}}\n"
        return "".join([*tables, function, _exchangeable(section) if exchangeable else ""])

    def _copy(self, name: str, source: str, node: int, words: int) -> list[str]:
        place = self._frame.values + WORD * node
        return [
            f"%{name} = getelementptr i8, ptr %frame, i64 {place}",
            f"call void @llvm.memcpy.p0.p0.i64"
            f"(ptr %{name}, ptr {source}, i64 {WORD * words}, i1 0)",
        ]

    def _gates(self, block: Block) -> Entries:
        # By their depth: a value that was stored just before would have to be waited for.
        gates = np.sort(np.array(block.gates, np.int64))
        sides = self._literals(self._sides[gates - self._gate])
        return np.concatenate([self._places[gates][:, None], sides], 1)

    def _literals(self, literals: Integers) -> Integers:
        """The literals of the words of nodes."""
        return self._places[literals >> 1] ^ (literals & 1)

    @property
    def _next(self) -> int:
        """Where the next fluents are before lanes are held: behind all nodes."""
        return self._frame.values + WORD * self._nodes

    def _outputs(self, section: str) -> Entries:
        literals = self._literals(np.array(outputs_of(self._circuit, section), np.int64))
        # The next fluents do not go into the state at once: some lanes are held.
        base = self._next if section == "next" else 0
        places = (base + np.array(self._frame.output_places(section), np.int64)) // WORD
        return np.stack([2 * places, literals, literals], 1)
