"""The gates of a circuit as straight-line code.

Straight-line code is written as text: an object for each of tens of thousands of instructions
would take longer than LLVM does. Each gate is one instruction, because its value is kept negated if
that saves negating: ~a & ~b is ~(a | b).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from semisplit.language.gdl.native.state.layout import NARROW, WIDE, Frame, Words
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.schedule import Block, Schedule, Variable, children

FUNCTION_GATES = 3_000
"""Gates in one function: LLVM takes more than twice the time for one twice as long."""
SIGNATURE = "(ptr %frame, ptr %state, ptr %new, ptr %reset, ptr %does)"
"""Of a section: the memory to work in, the fluents, the next ones, what they are in lanes that make
no move, and a table of moves made."""
_BEFORE = 0
"""In place of a gate: what needs none, or one of an earlier section."""


class GateWriter:
    """Writes the sections of a circuit."""

    def __init__(self, circuit: Circuit, schedule: Schedule, words: Words = WIDE):
        self.words = words
        self._circuit = circuit
        self._schedule = schedule
        network = circuit.network
        self._first = 1 + network.inputs
        self._children = children(network)
        self._negated = self._find_negated()
        self._parts = {
            name: [part for block in getattr(schedule, name) for part in _parts(block)]
            for name in ("moves", "next", "goals")
        }
        self._slots = self._find_slots()

    @property
    def slots(self) -> int:
        """The number of gates whose values are kept from one function to another."""
        return len(self._slots)

    def _find_negated(self) -> list[bool]:
        """Whether the value of a gate is kept negated."""
        negated = [False] * (self._first + len(self._children))
        for number, (left, right) in enumerate(self._children):
            both = (bool(side & 1) != negated[side >> 1] for side in (left, right))
            negated[self._first + number] = all(both)
        return negated

    def _find_slots(self) -> dict[int, int]:
        """Gates that are used by other functions than the one that computes them."""
        home: dict[int, tuple[str, int]] = {}
        for name, parts in self._parts.items():
            for number, part in enumerate(parts):
                home |= dict.fromkeys(part.gates, (name, number))
        shared: dict[int, int] = {}
        for name, parts in self._parts.items():
            for number, part in enumerate(parts):
                used = [side >> 1 for gate in part.gates for side in self.sides(gate)]
                used += [variable.definition >> 1 for variable in part.variables]
                for node in used:
                    if node >= self._first and home[node] != (name, number):
                        shared.setdefault(node, len(shared))
            # Outputs that an earlier section has computed.
            for literal in outputs_of(self._circuit, name):
                node = literal >> 1
                if node >= self._first and home[node][0] != name:
                    shared.setdefault(node, len(shared))
        return shared

    def kept(self, frame: Frame) -> dict[int, int]:
        """For nodes that are kept from one function to another, the literal of their word."""
        slot = 2 * (frame.slots // frame.word)
        return {n: slot + 2 * number + self._negated[n] for n, number in self._slots.items()}

    def sides(self, gate: int) -> tuple[int, int]:
        """The two literals of a gate."""
        return self._children[gate - self._first]

    def write(self, section: str, frame: Frame) -> str:
        """The functions of a section; the one with its name calls the others."""
        # The last part has no gates: what is known before is stored there.
        parts = [*self._parts[section], Block(())]
        here = {gate for part in parts for gate in part.gates}
        outputs: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for literal, place in zip(outputs_of(self._circuit, section), frame.output_places(section)):
            node = literal >> 1
            outputs[node if node in here else _BEFORE].append((literal, place))
        functions = [
            _Function(self, frame, section, number, part, outputs).text()
            for number, part in enumerate(parts)
        ]
        calls = "".join(
            f"  call void @{section}{number}{SIGNATURE}\n" for number in range(len(parts))
        )
        attributes = "alwaysinline " if self.words is NARROW else ""
        head = f"define internal void @{section}{SIGNATURE} {attributes}"
        functions.append(f"{head}{{\n{calls}  ret void\n}}\n")
        return "\n".join(functions)


def outputs_of(circuit: Circuit, section: str) -> list[int]:
    """The literals that a section is asked for."""
    if section == "moves":
        return [*circuit.legal.tolist(), circuit.terminal]
    literals = circuit.next if section == "next" else circuit.goals
    return [int(literal) for literal in literals]


def _parts(block: Block) -> Iterable[Block]:
    """A block in parts that are not too long; loops stay as they are."""
    if block.variables:
        return [block]
    gates = block.gates
    steps = range(0, len(gates), FUNCTION_GATES)
    return [Block(gates[begin : begin + FUNCTION_GATES]) for begin in steps]


class _Function:
    """A function while it is written."""

    def __init__(
        self,
        writer: GateWriter,
        frame: Frame,
        section: str,
        number: int,
        part: Block,
        outputs: dict[int, list[tuple[int, int]]],
    ):
        self._writer = writer
        self._frame = frame
        self._word = frame.word
        self._type = str(writer.words)
        self._ones = f"splat (i{writer.words.bits} -1)"
        self._section = section
        self._name = f"{section}{number}"
        self._part = part
        self._outputs = outputs
        """The outputs that are known when a gate is: their literals and places."""
        self._lines: list[str] = []
        self._names = 0
        self._known: dict[int, str] = {}
        """The names of values that have been computed or loaded."""
        self._updates: dict[int, list[Variable]] = defaultdict(list)
        """The variables of a loop that are known when a gate is."""
        self._changed = "zeroinitializer"
        """Where a variable has changed."""

    def text(self) -> str:
        """All of it."""
        write, part = self._lines.append, self._part
        for role in range(self._frame.roles):
            write(f"%p{role} = getelementptr ptr, ptr %does, i64 {role}")
            write(f"%does{role} = load ptr, ptr %p{role}")
        if self._section == "next":
            write(f"%livep = getelementptr i8, ptr %frame, i64 {self._frame.live}")
            write(f"%live = load {self._type}, ptr %livep, align {self._word}")
            write(f"%held = xor {self._type} %live, {self._ones}")
        if part.variables:
            self._loop()
        else:
            self._gates()
        if not part.gates:
            self._store_outputs(_BEFORE)
        write("ret void")
        body = "\n".join(f"  {line}" if line[-1] != ":" else line for line in self._lines)
        # What a GPU does is one function, so that memory at known places may be registers.
        attributes = f"nounwind {'alwaysinline' if self._writer.words is NARROW else 'noinline'}"
        return f"define internal void @{self._name}{SIGNATURE} {attributes} {{\n{body}\n}}\n"

    def _gates(self) -> None:
        writer = self._writer
        negated, slots = writer._negated, writer._slots
        write, first, pairs = self._lines.append, writer._first, writer._children
        for gate in self._part.gates:
            left, right = pairs[gate - first]
            a, b = self._value(left >> 1), self._value(right >> 1)
            not_a = bool(left & 1) != negated[left >> 1]
            not_b = bool(right & 1) != negated[right >> 1]
            if not_a and not_b:
                write(f"%g{gate} = or {self._type} {a}, {b}")
            elif not_a or not_b:
                if not_a:
                    a, b = b, a
                write(f"%n{gate} = xor {self._type} {b}, {self._ones}")
                write(f"%g{gate} = and {self._type} {a}, %n{gate}")
            else:
                write(f"%g{gate} = and {self._type} {a}, {b}")
            self._known[gate] = f"%g{gate}"
            if gate in slots:
                self._store(f"%g{gate}", "frame", self._frame.slots + self._word * slots[gate])
            self._store_outputs(gate)
            self._update(gate)

    def _loop(self) -> None:
        """Variables become what they are defined to be, from nothing on, until nothing changes.

        Each takes its new value as soon as that is known, so that what follows already uses it.
        """
        write = self._lines.append
        gates = {*self._part.gates}
        for variable in self._part.variables:
            self._store("zeroinitializer", *self._place(variable.node))
            known = variable.definition >> 1
            self._updates[known if known in gates else _BEFORE].append(variable)
        write("br label %loop")
        write("loop:")
        # What is loaded before the loop would be as good, but for the variables.
        self._known = {}
        self._update(_BEFORE)
        self._gates()
        write(f"%bits = bitcast {self._type} {self._changed} to i{self._writer.words.lanes}")
        write(f"%again = icmp ne i{self._writer.words.lanes} %bits, 0")
        write("br i1 %again, label %loop, label %end")
        write("end:")

    def _update(self, gate: int) -> None:
        """Set the variables of a loop that are defined by a gate."""
        write = self._lines.append
        for variable in self._updates.get(gate, ()):
            place = self._place(variable.node)
            new, old = self._literal(variable.definition), self._load(*place)
            difference, either = self._new(), self._new()
            write(f"{difference} = xor {self._type} {new}, {old}")
            write(f"{either} = or {self._type} {self._changed}, {difference}")
            self._changed = either
            self._store(new, *place)
            self._known[variable.node] = new

    def _store_outputs(self, gate: int) -> None:
        """Store what is known with a gate, at once, so that it does not take up a register."""
        for literal, place in self._outputs.get(gate, ()):
            value = self._literal(literal)
            if self._section != "next":
                self._store(value, "frame", place)
                continue
            old = self._load("reset", place)
            played, kept, both = self._new(), self._new(), self._new()
            self._lines.append(f"{played} = and {self._type} {value}, %live")
            self._lines.append(f"{kept} = and {self._type} {old}, %held")
            self._lines.append(f"{both} = or {self._type} {played}, {kept}")
            self._store(both, "new", place)

    def _literal(self, literal: int) -> str:
        """The value of a literal."""
        node = literal >> 1
        if node == 0:
            return self._ones if literal & 1 else "zeroinitializer"
        value = self._value(node)
        if bool(literal & 1) == self._writer._negated[node]:
            return value
        name = self._new()
        self._lines.append(f"{name} = xor {self._type} {value}, {self._ones}")
        return name

    def _value(self, node: int) -> str:
        """The value of a node, as it is kept."""
        if node not in self._known:
            self._known[node] = self._load(*self._place(node))
        return self._known[node]

    def _place(self, node: int) -> tuple[str, int]:
        """Where a node's value is in memory."""
        frame, program = self._frame, self._writer._circuit.program
        if node >= self._writer._first:
            return "frame", frame.slots + self._word * self._writer._slots[node]
        number = node - 1
        if number < frame.fluents:
            return "state", self._word * number
        number -= frame.fluents
        if number < len(program.moves):
            role = program.moves[number][0]
            return f"does{role}", self._word * (number - frame.first_codes[role])
        return "frame", frame.variables + self._word * (number - len(program.moves))

    def _load(self, base: str, offset: int) -> str:
        name = self._new()
        self._lines.append(f"{name}p = getelementptr i8, ptr %{base}, i64 {offset}")
        self._lines.append(f"{name} = load {self._type}, ptr {name}p, align {self._word}")
        return name

    def _store(self, value: str, base: str, offset: int) -> None:
        name = self._new()
        self._lines.append(f"{name}p = getelementptr i8, ptr %{base}, i64 {offset}")
        self._lines.append(f"store {self._type} {value}, ptr {name}p, align {self._word}")

    def _new(self) -> str:
        self._names += 1
        return f"%t{self._names}"
