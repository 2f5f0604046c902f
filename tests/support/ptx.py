"""Kernels for a processor: PTX translated back to LLVM's language.

For GPUs LLVM makes mistakes that it does not make for processors, and uses what it is told in other
ways. This shows it without a GPU. There is one thread only, and kernels with functions are not
translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

_WIDTHS = {"%p": 1, "%rs": 16, "%r": 32, "%rd": 64, "%SP": 64, "%SPL": 64}
"""The bits of registers, by their names."""
_SPECIAL = {"%tid.x": "0", "%lanemask_lt": "0"}
_MEMORY = (
    r"\.(global|local|shared) \.align (\d+) \.[bu](\d+)\s+([\w$]+)(?:\[(\d+)\])?(?: = \{(.*)\})?;"
)
_STATEMENT = r"\s*(?:[\w$]+:|\{[^;{}]*\.reg[^}]*\{[^}]*\}[^}]*\}|[^;]+;)"
_TWO = ("add", "sub", "and", "or", "xor")
_FUNCTIONS = {
    "ctpop": "{t}",
    "ctlz": "{t}, i1",
    "bitreverse": "{t}",
    **dict.fromkeys(("umin", "umax", "smin", "smax"), "{t}, {t}"),
    **dict.fromkeys(("fshl", "fshr"), "{t}, {t}, {t}"),
}
"""The functions of LLVM that are used, with the types of what they get."""


def translate(ptx: str) -> str:
    """A kernel as a module whose function `thread` gets the address of the job."""
    return _Translator().translate(ptx)


def _number_of_bits(kind: str) -> int:
    return 1 if kind == "pred" else int(kind[1:])


def _names(operand: str) -> list[str]:
    return [name.strip() for name in operand.strip("{}").split(",")]


class _Translator:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._numbers = count()
        self._targets: dict[str, list[str]] = {}
        """Where indexed jumps lead."""

    def translate(self, ptx: str) -> str:
        head, body = re.sub(r"//[^\n]*", "", ptx).split(".visible .entry kernel(", 1)
        body = body[body.index("{") + 1 : body.rindex("}")]
        parts = [
            *_declarations(),
            *_memory(head),
            *_memory(body),
            "define void @thread(i64 %job) {",
        ]
        self._emit("%carry = alloca i1")
        for prefix, number in re.findall(r"\.reg \.\w+\s+(%\w+?)(?:<(\d+)>)?;", body):
            for index in range(int(number)) if number else [""]:
                self._emit(f"{prefix}{index}.v = alloca i{_WIDTHS[prefix]}")
        for name, targets in re.findall(r"(\$L_brx_\d+): \.branchtargets([^;]*);", body):
            self._targets[name] = [target.strip("$ \n\t") for target in targets.split(",")]
        body = re.sub(r"\$L_brx_\d+: \.branchtargets[^;]*;", "", body)
        for statement in re.findall(_STATEMENT, body):
            self._statement(statement.strip())
        return "\n".join([*parts, *self._lines, "ret void", "}"])

    def _emit(self, line: str) -> None:
        self._lines.append(line)

    def _value(self, expression: str) -> str:
        name = f"%t{next(self._numbers)}"
        self._emit(f"{name} = {expression}")
        return name

    def _call(self, function: str, width: int, *values: str) -> str:
        types = _FUNCTIONS[function].format(t=f"i{width}").split(", ")
        arguments = ", ".join(map("{} {}".format, types, values))
        return self._value(f"call i{width} @llvm.{function}.i{width}({arguments})")

    # Operands

    def _read(self, operand: str, width: int) -> str:
        """An operand as an integer of so many bits."""
        if operand in _SPECIAL:
            return _SPECIAL[operand]
        if operand.startswith("%"):
            own = _width(operand)
            return self._resize(self._value(f"load i{own}, ptr {operand}.v"), own, width)
        if re.fullmatch(r"-?\d+|0x[0-9A-Fa-f]+", operand):
            number = int(operand, 0)
            return str(number & 1 if width == 1 else number)
        return self._value(f"ptrtoint ptr @{operand} to i64")

    def _resize(self, value: str, old: int, new: int, *, signed: bool = False) -> str:
        if old == new:
            return value
        way = "trunc" if new < old else "sext" if signed else "zext"
        return self._value(f"{way} i{old} {value} to i{new}")

    def _write(self, register: str, value: str, width: int, *, signed: bool = False) -> None:
        if register != "_":
            own = _width(register)
            value = self._resize(value, width, own, signed=signed)
            self._emit(f"store i{own} {value}, ptr {register}.v")

    def _address(self, operand: str) -> str:
        found = re.fullmatch(r"\[([%\w$]+)(?:\+(-?\d+))?\]", operand)
        assert found, operand
        place = self._value(f"add i64 {self._read(found[1], 64)}, {found[2] or 0}")
        return self._value(f"inttoptr i64 {place} to ptr")

    # Statements

    def _statement(self, text: str) -> None:
        if text.endswith(":"):
            label = text[:-1].lstrip("$")
            self._emit(f"br label %{label}\n{label}:")
            return
        if text.startswith("{"):
            # Half of a register: { .reg .b32 t; mov.b64 {t, %r1}, %rd1; }
            found = re.search(r"mov\.(\w+) (\{\S+, \S+\}), (\S+);", text)
            assert found, text
            self._take_apart(found[2], found[3], _number_of_bits(found[1]))
            return
        guard = re.match(r"@(!?)(%p\d+)\s+", text)
        operation, *rest = text[guard.end() if guard else 0 : -1].split(None, 1)
        operands = [part.strip() for part in re.split(r",(?![^{]*\})", rest[0])] if rest else []
        parts = operation.split(".")
        if parts[0] in ("bra", "ret", "exit"):
            self._jump(operands, guard)
        elif parts[0] == "brx":
            labels = self._targets[operands[1]]
            cases = " ".join(f"i32 {number}, label %{to}" for number, to in enumerate(labels))
            index = self._read(operands[0], 32)
            self._emit(f"switch i32 {index}, label %{labels[0]} [ {cases} ]")
            self._emit(f"dead{next(self._numbers)}:")
        elif parts[0] in ("ld", "st"):
            self._access(parts, operands)
        elif parts[0] == "atom":
            self._atomic(parts, operands)
        elif parts[0] not in ("", "barrier", "bar", "trap"):
            self._compute(parts, operands)

    def _jump(self, operands: list[str], guard: re.Match[str] | None) -> None:
        after = f"after{next(self._numbers)}"
        target = operands[0].lstrip("$") if operands else f"end{next(self._numbers)}"
        if guard:
            one, other = (after, target) if guard[1] else (target, after)
            condition = self._read(guard[2], 1)
            self._emit(f"br i1 {condition}, label %{one}, label %{other}")
        else:
            self._emit(f"br label %{target}")
        if not operands:
            self._emit(f"{target}:\nret void")
        self._emit(f"{after}:")

    def _access(self, parts: list[str], operands: list[str]) -> None:
        width, loads = _number_of_bits(parts[-1]), parts[0] == "ld"
        if "param" in parts:
            self._write(operands[0], "%job", 64)
            return
        place, registers = operands[::-1] if loads else operands
        address = self._address(place)
        for index, register in enumerate(_names(registers)):
            here = self._value(f"getelementptr i8, ptr {address}, i64 {index * width // 8}")
            if loads:
                value = self._value(f"load i{width}, ptr {here}, align 1")
                self._write(register, value, width, signed=parts[-1][0] == "s")
            else:
                self._emit(f"store i{width} {self._read(register, width)}, ptr {here}, align 1")

    def _atomic(self, parts: list[str], operands: list[str]) -> None:
        width, operation = _number_of_bits(parts[-1]), parts[-2]
        if operation in ("min", "max") and parts[-1][0] == "u":
            operation = "u" + operation
        address, value = self._address(operands[1]), self._read(operands[2], width)
        old = self._value(f"atomicrmw {operation} ptr {address}, i{width} {value} monotonic")
        self._write(operands[0], old, width)

    def _take_apart(self, registers: str, operand: str, width: int) -> None:
        whole, names = self._read(operand, width), _names(registers)
        size = width // len(names)
        for index, name in enumerate(names):
            if name.startswith("%"):
                part = self._value(f"lshr i{width} {whole}, {index * size}")
                self._write(name, self._resize(part, width, size), size)

    def _put_together(self, operand: str, width: int) -> str:
        whole, names = "0", _names(operand)
        size = width // len(names)
        for index, name in enumerate(names):
            part = self._resize(self._read(name, size), size, width)
            part = self._value(f"shl i{width} {part}, {index * size}")
            whole = self._value(f"or i{width} {whole}, {part}")
        return whole

    def _compute(self, parts: list[str], operands: list[str]) -> None:
        name, kind = parts[0], parts[-1]
        width, is_signed = _number_of_bits(kind), kind[0] == "s"
        to, *inputs = operands
        if name == "mov" and to.startswith("{"):
            self._take_apart(to, inputs[0], width)
        elif name == "cvt":
            new = parts[-2]
            value = self._read(inputs[0], width)
            value = self._resize(value, width, _number_of_bits(new), signed=is_signed)
            self._write(to, value, _number_of_bits(new), signed=new[0] == "s")
        elif name in ("mul", "mad"):
            self._write(to, *self._product(parts, inputs, width, is_signed))
        elif name in ("popc", "clz"):
            more = ["0"] if name == "clz" else []
            function = {"popc": "ctpop", "clz": "ctlz"}[name]
            found = self._call(function, width, self._read(inputs[0], width), *more)
            self._write(to, self._resize(found, width, 32), 32)
        elif name == "setp":
            sign = "" if parts[1] in ("eq", "ne") else "s" if is_signed else "u"
            a, b = (self._read(operand, width) for operand in inputs)
            self._write(to, self._value(f"icmp {sign}{parts[1]} i{width} {a}, {b}"), 1)
        else:
            self._write(to, self._result(parts, inputs, width, is_signed), width)

    def _result(self, parts: list[str], inputs: list[str], width: int, is_signed: bool) -> str:
        name, type_, sign = parts[0], f"i{width}", "s" if is_signed else "u"
        if name == "mov" and inputs[0].startswith("{"):
            return self._put_together(inputs[0], width)
        if name in ("match", "vote"):
            return "1"
        if name in ("shl", "shr"):
            return self._shifted(name, inputs, width, is_signed)
        if name == "selp":
            a, b = (self._read(operand, width) for operand in inputs[:2])
            condition = self._read(inputs[2], 1)
            return self._value(f"select i1 {condition}, {type_} {a}, {type_} {b}")
        values = [self._read(operand, width) for operand in inputs]
        if name in ("mov", "cvta", "redux"):
            return values[0]
        if name in ("addc", "subc") or "cc" in parts:
            return self._with_carry(parts, values, width)
        if name in _TWO:
            return self._value(f"{name} {type_} {values[0]}, {values[1]}")
        if name in ("div", "rem"):
            return self._value(f"{sign}{name} {type_} {values[0]}, {values[1]}")
        if name in ("min", "max"):
            return self._call(sign + name, width, *values)
        if name == "not":
            return self._value(f"xor {type_} {values[0]}, -1")
        if name == "neg":
            return self._value(f"sub {type_} 0, {values[0]}")
        if name == "brev":
            return self._call("bitreverse", width, values[0])
        if name == "shf":
            assert parts[2] == "wrap"
            low, high, by = values
            return self._call({"l": "fshl", "r": "fshr"}[parts[1]], width, high, low, by)
        assert name == "bfe", parts
        shifted = self._value(f"lshr {type_} {values[0]}, {inputs[1]}")
        return self._value(f"and {type_} {shifted}, {(1 << int(inputs[2])) - 1}")

    def _with_carry(self, parts: list[str], values: list[str], width: int) -> str:
        """In 128 bits, so that the carry can be seen; of subtractions it is what is borrowed."""
        operation = parts[0][:3]
        a, b = (self._value(f"zext i{width} {value} to i128") for value in values)
        result = self._value(f"{operation} i128 {a}, {b}")
        if parts[0].endswith("c"):
            carry = self._resize(self._value("load i1, ptr %carry"), 1, 128)
            result = self._value(f"{operation} i128 {result}, {carry}")
        if "cc" in parts:
            high = self._value(f"lshr i128 {result}, {width}")
            self._emit(f"store i1 {self._resize(high, 128, 1)}, ptr %carry")
        return self._resize(result, 128, width)

    def _product(
        self, parts: list[str], inputs: list[str], width: int, is_signed: bool
    ) -> tuple[str, int]:
        wide = 2 * width
        a, b = (
            self._resize(self._read(operand, width), width, wide, signed=is_signed)
            for operand in inputs[:2]
        )
        result = self._value(f"mul i{wide} {a}, {b}")
        if parts[1] == "wide":
            width = wide
        if parts[1] == "hi":
            result = self._value(f"lshr i{wide} {result}, {width}")
        result = self._resize(result, wide, width)
        if parts[0] == "mad":
            result = self._value(f"add i{width} {result}, {self._read(inputs[2], width)}")
        return result, width

    def _shifted(self, name: str, inputs: list[str], width: int, is_signed: bool) -> str:
        """Distances have 32 bits, and too large ones shift everything out."""
        value = self._resize(self._read(inputs[0], width), width, 128, signed=is_signed)
        by = self._call("umin", 32, self._read(inputs[1], 32), str(width))
        way = "shl" if name == "shl" else "ashr"
        result = self._value(f"{way} i128 {value}, {self._resize(by, 32, 128)}")
        return self._resize(result, 128, width)


def _width(register: str) -> int:
    return _WIDTHS[register.rstrip("0123456789")]


def _declarations() -> Iterator[str]:
    for name, types in _FUNCTIONS.items():
        for type_ in ("i16", "i32", "i64"):
            yield f"declare {type_} @llvm.{name}.{type_}({types.format(t=type_)})"


def _memory(text: str) -> Iterator[str]:
    for _, align, bits, name, size, values in re.findall(_MEMORY, text):
        width = int(bits) // 8
        length = int(size or 1) * width
        data = b"".join(int(n).to_bytes(width, "little") for n in re.findall(r"\d+", values))
        # Of what threads agree on at a meeting: nobody has offered a number.
        data += (b"\xff" if name == "slots" else b"\0") * (length - len(data))
        content = "".join(f"\\{byte:02x}" for byte in data)
        yield f'@{name} = internal global [{length} x i8] c"{content}", align {max(int(align), 8)}'
