"""Kernels run on the processor, as one thread alone: PTX translated back to LLVM's language.

LLVM makes mistakes for GPUs that it does not make for processors. This shows them without a GPU.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

import llvmlite.binding as llvm

from semisplit.runtime.target import Target, link

_WIDTHS = {"%p": 1, "%rs": 16, "%r": 32, "%rd": 64, "%SP": 64, "%SPL": 64}
_PLAIN = {"add": "add", "sub": "sub", "mul.lo": "mul", "and": "and", "or": "or", "xor": "xor"}
_COMPARED = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
_SPECIAL = {"%tid.x": 0, "%lanemask_lt": 0}
_HEADER = """
declare {i64, i1} @llvm.uadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.usub.with.overflow.i64(i64, i64)
"""
_FUNCTIONS = ("ctpop", "ctlz", "bitreverse", "umin", "umax", "smin", "smax", "fshl", "fshr", "abs")


def _function(name: str, width: int) -> str:
    type_ = f"i{width}"
    more = {"ctlz": ", i1", "abs": ", i1", "ctpop": "", "bitreverse": ""}
    more |= {"fshl": f", {type_}, {type_}", "fshr": f", {type_}, {type_}"}
    return f"declare {type_} @llvm.{name}.{type_}({type_}{more.get(name, f', {type_}')})\n"


class _Translator:
    def __init__(self, text: str):
        self._text = text
        self._lines: list[str] = []
        self._numbers = count()
        self._flag = "%carry"
        self._targets: dict[str, list[str]] = {}

    def translate(self) -> str:
        """The function `thread` of the kernel."""
        head, body = self._text.split(".visible .entry kernel(", 1)
        body = body[body.index("{") + 1 : body.rindex("}")]
        globals_ = "".join(self._memory(head)) + "".join(self._memory(body))
        declared = "".join(_function(f, w) for f in _FUNCTIONS for w in (16, 32, 64))
        self._emit("%carry = alloca i1")
        for prefix, number in re.findall(r"\.reg \.\w+\s+(%\w+?)(?:<(\d+)>)?;", body):
            for index in range(int(number)) if number else [""]:
                name = f"{prefix}{index}"
                self._emit(f"{name}.v = alloca i{_WIDTHS[prefix]}")
        for name, targets in re.findall(r"(\$L_brx_\d+): \.branchtargets([^;]*);", body):
            self._targets[name] = [target.strip() for target in targets.split(",")]
        body = re.sub(r"\$L_brx_\d+: \.branchtargets[^;]*;", "", body)
        body = re.sub(r"//[^\n]*", "", body)
        for statement in re.findall(r"\s*(?:[\w$]+:|\{[^;{}]*\.reg[^}]*\{[^}]*\}[^}]*\}|[^;]+;)", body):
            self._statement(statement.strip())
        lines = "\n".join(self._lines)
        return f"{_HEADER}{declared}{globals_}define void @thread(i64 %job) {{\n{lines}\nret void\n}}"

    def _memory(self, text: str) -> Iterator[str]:
        pattern = r"\.(global|local|shared) \.align (\d+) \.([bu]\d+)\s+(\w+)(?:\[(\d+)\])?(?: = (.*))?;"
        for space, align, type_, name, size, values in re.findall(pattern, text):
            length = int(size or 1) * int(type_[1:]) // 8
            numbers = [int(n) for n in re.findall(r"\d+", values)] if values else []
            width = int(type_[1:]) // 8
            data = b"".join(n.to_bytes(width, "little") for n in numbers)
            # What threads agree on: nobody has offered anything.
            fill = b"\xff" if name == "slots" else b"\0"
            data += fill * (length - len(data)) if space == "shared" else bytes(length - len(data))
            if space == "local":
                yield f"@{name} = internal global [{length} x i8] zeroinitializer, align 16\n"
            else:
                content = "".join(f"\\{byte:02x}" for byte in data)
                yield f'@{name} = internal global [{length} x i8] c"{content}", align {align}\n'

    def _emit(self, line: str) -> None:
        self._lines.append(line)

    def _value(self, expression: str) -> str:
        name = f"%t{next(self._numbers)}"
        self._emit(f"{name} = {expression}")
        return name

    # Operands

    @staticmethod
    def _width(register: str) -> int:
        return _WIDTHS[register.rstrip("0123456789")]

    def _read(self, operand: str, width: int) -> str:
        """An operand as an integer of so many bits."""
        if operand in _SPECIAL:
            return str(_SPECIAL[operand])
        if operand.startswith("%"):
            own = self._width(operand)
            value = self._value(f"load i{own}, ptr {operand}.v")
            return self._resize(value, own, width, signed=False)
        if re.fullmatch(r"-?\d+", operand):
            return str(int(operand)) if width > 1 else str(int(operand) & 1)
        if re.fullmatch(r"0x[0-9A-Fa-f]+", operand):
            return str(int(operand, 16))
        return self._value(f"ptrtoint ptr @{operand} to i64")

    def _resize(self, value: str, old: int, new: int, *, signed: bool) -> str:
        if old == new:
            return value
        way = "trunc" if new < old else "sext" if signed else "zext"
        return self._value(f"{way} i{old} {value} to i{new}")

    def _write(self, register: str, value: str, width: int, *, signed: bool = False) -> None:
        if register == "_":
            return
        own = self._width(register)
        self._emit(f"store i{own} {self._resize(value, width, own, signed=signed)}, ptr {register}.v")

    def _address(self, operand: str) -> str:
        found = re.fullmatch(r"\[([%\w]+)(?:\+(-?\d+))?\]", operand)
        assert found, operand
        if found[1] == "kernel_param_0":
            raise AssertionError(operand)
        base = self._read(found[1], 64)
        place = self._value(f"add i64 {base}, {found[2] or 0}")
        return self._value(f"inttoptr i64 {place} to ptr")

    # Statements

    def _statement(self, text: str) -> None:
        if text.endswith(":"):
            label = text[:-1].lstrip("$")
            self._emit(f"br label %{label}")
            self._emit(f"{label}:")
            return
        if text.startswith("{"):
            self._parts(text)
            return
        text = text.rstrip(";")
        if text.startswith("."):
            return
        guard = re.match(r"@(!?)(%p\d+)\s+", text)
        text = text[guard.end() :] if guard else text
        operation, _, rest = text.partition(" ") if " " in text else text.partition("\t")
        operands = [o.strip() for o in re.split(r",(?![^{]*\})", rest)] if rest.strip() else []
        operation = operation.strip()
        if operation in ("bra", "bra.uni", "ret", "exit"):
            self._jump(operation, operands, guard)
            return
        assert not guard, text
        if operation == "brx.idx":
            targets = self._targets[operands[1]]
            index = self._read(operands[0], 32)
            labels = [t.lstrip("$") for t in targets]
            cases = " ".join(f"i32 {n}, label %{t}" for n, t in enumerate(labels))
            self._emit(f"switch i32 {index}, label %{labels[0]} [ {cases} ]")
            self._emit(f"dead{next(self._numbers)}:")
            return
        self._compute(operation.split("."), operands, text)

    def _jump(self, operation: str, operands: list[str], guard: re.Match[str] | None) -> None:
        after = f"after{next(self._numbers)}"
        if operation in ("ret", "exit"):
            target = f"ret{next(self._numbers)}"
        else:
            target = operands[0].lstrip("$")
        if guard:
            condition = self._read(guard[2], 1)
            ways = (after, target) if guard[1] else (target, after)
            self._emit(f"br i1 {condition}, label %{ways[0]}, label %{ways[1]}")
        else:
            self._emit(f"br label %{target}")
        if operation in ("ret", "exit"):
            self._emit(f"{target}:\nret void")
        self._emit(f"{after}:")

    def _parts(self, text: str) -> None:
        """Half of a register: `{ .reg .b32 t; mov.b64 {t, %r1}, %rd1; }`."""
        found = re.search(r"mov\.b(\d+) \{(\S+), (\S+)\}, (\S+);", text)
        assert found, text
        width = int(found[1])
        whole = self._read(found[4], width)
        for name, shift in ((found[2], 0), (found[3], width // 2)):
            if name.startswith("%"):
                part = self._value(f"lshr i{width} {whole}, {shift}")
                self._write(name, self._resize(part, width, width // 2, signed=False), width // 2)

    def _compute(self, parts: list[str], operands: list[str], text: str) -> None:
        name, kind = parts[0], parts[-1]
        if name in ("barrier", "bar", "trap"):
            return
        if name in ("ld", "st", "atom"):
            self._access(parts, operands)
            return
        if name == "cvta":
            self._write(operands[0], self._read(operands[1], 64), 64)
            return
        width = 1 if kind == "pred" else int(kind[1:])
        to = operands[0]
        if name == "mov" and "{" in text:
            self._move_parts(operands, width)
            return
        if name == "cvt":
            self._convert(parts, operands)
            return
        if name == "setp":
            a, b = (self._read(o, width) for o in operands[1:3])
            sign = "" if parts[1] in ("eq", "ne") else ("s" if kind[0] == "s" else "u")
            assert len(parts) == 3, text
            self._write(to, self._value(f"icmp {sign}{_COMPARED[parts[1]]} i{width} {a}, {b}"), 1)
            return
        if name == "selp":
            a, b = (self._read(o, width) for o in operands[1:3])
            condition = self._read(operands[3], 1)
            chosen = self._value(f"select i1 {condition}, i{width} {a}, i{width} {b}")
            self._write(to, chosen, width)
            return
        values = [self._read(o, width) for o in operands[1:]] if name not in _OWN_READ else []
        result = self._result(parts, operands, values, width, kind, text)
        self._write(to, *result)

    def _result(
        self, parts: list[str], operands: list[str], v: list[str], width: int, kind: str, text: str
    ) -> tuple[str, int]:
        name, type_ = parts[0], f"i{width}"
        signed = kind[0] == "s"

        def value(expression: str) -> tuple[str, int]:
            return self._value(expression), width

        if name in ("add", "addc", "sub", "subc") and ("cc" in parts or name.endswith("c")):
            return self._with_carry(name, "cc" in parts, v, width), width
        if name in ("mov", "redux"):
            return v[0], width
        if name in ("match", "vote", "activemask"):
            return "1", 32
        if name in ("add", "sub", "and", "or", "xor"):
            return value(f"{name} {type_} {v[0]}, {v[1]}")
        if name in ("mul", "mad"):
            return self._multiply(parts, operands, width, signed)
        if name in ("div", "rem"):
            return value(f"{'s' if signed else 'u'}{name} {type_} {v[0]}, {v[1]}")
        if name == "not":
            return value(f"xor {type_} {v[0]}, -1")
        if name == "neg":
            return value(f"sub {type_} 0, {v[0]}")
        if name in ("min", "max"):
            return value(f"call {type_} @llvm.{'s' if signed else 'u'}{name}.{type_}({type_} {v[0]}, {type_} {v[1]})")
        if name == "popc":
            found = self._value(f"call {type_} @llvm.ctpop.{type_}({type_} {v[0]})")
            return self._resize(found, width, 32, signed=False), 32
        if name == "clz":
            found = self._value(f"call {type_} @llvm.ctlz.{type_}({type_} {v[0]}, i1 0)")
            return self._resize(found, width, 32, signed=False), 32
        if name == "brev":
            return value(f"call {type_} @llvm.bitreverse.{type_}({type_} {v[0]})")
        if name in ("shl", "shr"):
            return self._shift(name, operands, width, signed), width
        if name == "shf":
            function = {"l": "fshl", "r": "fshr"}[parts[1]]
            assert parts[2] == "wrap", text
            low, high, by = v
            return value(f"call {type_} @llvm.{function}.{type_}({type_} {high}, {type_} {low}, {type_} {by})")
        if name == "bfe":
            return self._extract(operands, width), width
        raise AssertionError(text)

    def _with_carry(self, name: str, keeps: bool, v: list[str], width: int) -> str:
        # In 128 bits, so that the carry can be seen. Of subtractions it is a borrow.
        a, b = (self._value(f"zext i{width} {x} to i128") for x in v)
        operation = name[:3]
        result = self._value(f"{operation} i128 {a}, {b}")
        if name.endswith("c"):
            carry = self._value(f"load i1, ptr {self._flag}")
            wide = self._value(f"zext i1 {carry} to i128")
            result = self._value(f"{operation} i128 {result}, {wide}")
        if keeps:
            high = self._value(f"lshr i128 {result}, {width}")
            self._emit(f"store i1 {self._value(f'trunc i128 {high} to i1')}, ptr {self._flag}")
        return self._value(f"trunc i128 {result} to i{width}")

    def _multiply(
        self, parts: list[str], operands: list[str], width: int, signed: bool
    ) -> tuple[str, int]:
        way = "sext" if signed else "zext"
        wide = 2 * width
        a, b = (
            self._value(f"{way} i{width} {self._read(o, width)} to i{wide}") for o in operands[1:3]
        )
        product = self._value(f"mul i{wide} {a}, {b}")
        if parts[1] == "wide":
            result, size = product, wide
        else:
            if parts[1] == "hi":
                product = self._value(f"lshr i{wide} {product}, {width}")
            result, size = self._value(f"trunc i{wide} {product} to i{width}"), width
        if parts[0] == "mad":
            result = self._value(f"add i{size} {result}, {self._read(operands[3], size)}")
        return result, size

    def _shift(self, name: str, operands: list[str], width: int, signed: bool) -> str:
        """Distances are 32 bits, and too large ones shift everything out."""
        value, by = self._read(operands[1], width), self._read(operands[2], 32)
        most = width - 1 if signed and name == "shr" else width
        limited = self._value(f"call i32 @llvm.umin.i32(i32 {by}, i32 {most})")
        wide = "sext" if signed else "zext"
        a = self._value(f"{wide} i{width} {value} to i128")
        distance = self._value(f"zext i32 {limited} to i128")
        way = "shl" if name == "shl" else "ashr"
        result = self._value(f"{way} i128 {a}, {distance}")
        return self._value(f"trunc i128 {result} to i{width}")

    def _extract(self, operands: list[str], width: int) -> str:
        value = self._read(operands[1], width)
        place, length = int(operands[2]), int(operands[3])
        shifted = self._value(f"lshr i{width} {value}, {place}")
        return self._value(f"and i{width} {shifted}, {(1 << length) - 1}")

    def _convert(self, parts: list[str], operands: list[str]) -> None:
        to, source = parts[-2], parts[-1]
        old, new = int(source[1:]), int(to[1:])
        value = self._resize(self._read(operands[1], old), old, new, signed=source[0] == "s")
        self._write(operands[0], value, new, signed=to[0] == "s")

    def _move_parts(self, operands: list[str], width: int) -> None:
        """Between a register and a list of its parts."""
        if operands[1].startswith("{"):
            names = [n.strip() for n in operands[1].strip("{}").split(",")]
            size = width // len(names)
            whole = "0"
            for index, name in enumerate(names):
                part = self._resize(self._read(name, size), size, width, signed=False)
                part = self._value(f"shl i{width} {part}, {index * size}")
                whole = self._value(f"or i{width} {whole}, {part}")
            self._write(operands[0], whole, width)
            return
        names = [n.strip() for n in operands[0].strip("{}").split(",")]
        size = width // len(names)
        whole = self._read(operands[1], width)
        for index, name in enumerate(names):
            part = self._value(f"lshr i{width} {whole}, {index * size}")
            self._write(name, self._resize(part, width, size, signed=False), size)

    def _access(self, parts: list[str], operands: list[str]) -> None:
        kind = parts[-1]
        width = int(kind[1:])
        if parts[0] == "ld" and "param" in parts:
            self._write(operands[0], "%job", 64)
            return
        if parts[0] == "atom":
            operation = next(p for p in parts if p in ("add", "min", "max", "exch", "or", "and"))
            if operation in ("min", "max") and kind[0] == "u":
                operation = "u" + operation
            address = self._address(operands[1])
            value = self._read(operands[2], width)
            old = self._value(f"atomicrmw {operation} ptr {address}, i{width} {value} monotonic")
            self._write(operands[0], old, width)
            return
        vector = next((int(p[1:]) for p in parts if re.fullmatch(r"v\d", p)), 1)
        memory, others = (1, 0) if parts[0] == "ld" else (0, 1)
        names = [n.strip() for n in operands[others].strip("{}").split(",")]
        assert len(names) == vector
        place = operands[memory]
        address = self._address(place)
        for index, name in enumerate(names):
            here = self._value(f"getelementptr i8, ptr {address}, i64 {index * width // 8}")
            if parts[0] == "ld":
                value = self._value(f"load i{width}, ptr {here}, align 1")
                self._write(name, value, width, signed=kind[0] == "s")
            else:
                self._emit(f"store i{width} {self._read(name, width)}, ptr {here}, align 1")


_OWN_READ = ("mul", "mad", "shl", "shr", "bfe")


def compile_kernel(ptx: str) -> tuple[object, int]:
    """The function of a thread: what must live as long as it is called, and its address."""
    text = _Translator(ptx).translate()
    library = link(Target.host().object_code(text), f"ptx{id(text)}", ["thread"])
    return library, library["thread"]
