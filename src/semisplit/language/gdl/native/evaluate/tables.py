"""Sections of a circuit as tables, and the loops that interpret them.

Nothing about the gates has to be compiled, so there is no limit to their number; it takes some
three times as long to compute them. An entry of a table is a gate: where its value goes, and its
two literals, all as literals of words of the memory that functions work in.
"""

from __future__ import annotations

from typing import TypeAlias

from semisplit.language.gdl.native.evaluate.gates import SIGNATURE, GateWriter
from semisplit.language.gdl.native.state.layout import SWITCH, WORD, Frame
from semisplit.language.gdl.network.schedule import Block

Entry: TypeAlias = tuple[int, int, int]


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


def write_table(name: str, entries: list[Entry], function: str) -> tuple[str, str]:
    """A table, and the call of a function that goes through it."""
    numbers = ", ".join(f"i32 {number}" for entry in entries for number in entry)
    table = f"@{name} = private constant [{3 * len(entries)} x i32] [{numbers}]\n"
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

    def __init__(self, writer: GateWriter, frame: Frame):
        self._writer = writer
        self._frame = frame
        self._base = frame.values // WORD
        """The word of node 0; nodes without another place follow in order."""

    def write(self, section: str) -> str:
        """The function of a section, and its tables."""
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

        def run(name: str, entries: list[Entry], function: str = "interpret") -> str:
            table, call = write_table(f"{section}_{name}", entries, function)
            tables.append(table)
            return call

        for number, block in enumerate(self._writer.blocks(section)):
            gates = run(f"gates{number}", self._gates(block))
            if not block.variables:
                lines.append(gates)
                continue
            zero = 2 * self._base
            places = [self._place(variable.node) for variable in block.variables]
            lines.append(run(f"clear{number}", [(place, zero, zero) for place in places]))
            lines += [f"br label %loop{number}", f"loop{number}:", gates]
            definitions = [self._literal(variable.definition) for variable in block.variables]
            entries = [*zip(places, definitions, definitions)]
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
        function = f"define internal void @{section}_table{SIGNATURE} {{\n{body}\n  ret void\n}}\n"
        return "".join([*tables, function, _exchangeable(section)])

    def _copy(self, name: str, source: str, node: int, words: int) -> list[str]:
        place = self._frame.values + WORD * node
        return [
            f"%{name} = getelementptr i8, ptr %frame, i64 {place}",
            f"call void @llvm.memcpy.p0.p0.i64"
            f"(ptr %{name}, ptr {source}, i64 {WORD * words}, i1 0)",
        ]

    def _gates(self, block: Block) -> list[Entry]:
        # By their depth: a value that was stored just before would have to be waited for.
        gates = sorted(block.gates)
        return [(self._place(gate), *self._literals(self._writer.sides(gate))) for gate in gates]

    def _literals(self, sides: tuple[int, int]) -> tuple[int, int]:
        return self._literal(sides[0]), self._literal(sides[1])

    def _place(self, node: int) -> int:
        """The word of a node, as a literal that is negated if its value is kept negated."""
        place = self._writer.kept(node, self._frame)
        return 2 * (self._base + node) if place is None else place

    def _literal(self, literal: int) -> int:
        return self._place(literal >> 1) ^ (literal & 1)

    @property
    def _next(self) -> int:
        """Where the next fluents are before lanes are held: behind all nodes."""
        return self._frame.values + WORD * self._writer.nodes

    def _outputs(self, section: str) -> list[Entry]:
        literals = [self._literal(literal) for literal in self._writer.outputs(section)]
        places = self._frame.output_places(section)
        # The next fluents do not go into the state at once: some lanes are held.
        base = self._next if section == "next" else 0
        return [(2 * ((base + place) // WORD), x, x) for place, x in zip(places, literals)]
