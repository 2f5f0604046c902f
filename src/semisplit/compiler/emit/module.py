"""A module: functions and constant tables that are compiled together."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from semisplit.compiler.emit.values import constant, pointer
from semisplit.core.errors import CompileLimit

_INLINE = 80
"""Instructions up to which a function is copied to wherever it is called."""


class Module:
    """What the functions of a compiled game share."""

    def __init__(self, name: str, max_size: int, *, pdep: bool, checked: bool, gpu: bool = False):
        """Set up an empty module.

        Args:
            name: The game, for messages.
            max_size: Instructions above which it is given up.
            pdep: Whether there is an instruction of that name.
            checked: Whether code checks every index into a table.
            gpu: Whether it shall run on a GPU, too.
        """
        self.ir = ir.Module()
        self.pdep = pdep
        self.checked = checked
        self.gpu = gpu
        self._name = name
        self._max_size = max_size
        self._size = 0
        self._names = 0
        self._bodies: dict[tuple[ir.FunctionType, str], ir.Function] = {}
        self._tables: dict[tuple[int, tuple[int, ...]], ir.GlobalVariable] = {}
        root = self.ir.add_metadata(["memory"])
        self.tags = {memory: self._tag(memory, root) for memory in ("state", "other")}
        """That an access is to the state, or not; so LLVM knows what cannot overlap."""

    def _tag(self, name: str, root: ir.MDValue) -> ir.MDValue:
        type_ = self.ir.add_metadata([name, root, constant(0)])
        return self.ir.add_metadata([type_, type_, constant(0)])

    # Functions

    def function(
        self, name: str, result: ir.Type, arguments: Sequence[ir.Type], *, public: bool = False
    ) -> ir.Function:
        """A new function without a body. Pointers that it gets never overlap."""
        function = ir.Function(self.ir, ir.FunctionType(result, arguments), name)
        function.attributes.add("nounwind")
        if not public:
            function.linkage = "internal"
        for argument in function.args:
            if argument.type is pointer:
                argument.add_attribute("noalias")
        return function

    def unique(self, name: str) -> str:
        """A name that nothing else in the module has."""
        self._names += 1
        return f"{name}{self._names}"

    def only(self, function: ir.Function) -> ir.Function:
        """A finished function, or one that does the same; then the new one is dropped."""
        body = "".join(map(str, function.blocks))
        first = self._bodies.setdefault((function.ftype, body), function)
        if first is not function:
            del self.ir.globals[function.name]
        return first

    def set_inlining(self, function: ir.Function, most: int = _INLINE) -> None:
        """Have a finished function copied to wherever it is called if it is small."""
        size = sum(len(block.instructions) for block in function.blocks)
        self.check_size(size)
        function.attributes.add("alwaysinline" if size <= most else "noinline")

    def check_size(self, added: int) -> None:
        """Give up if the code becomes too large; call it now and then with what was added."""
        self._size += added
        if self._size > self._max_size:
            raise CompileLimit(f"the rules of {self._name} are too large to be compiled")

    # Tables

    def table(self, width: int, numbers: Sequence[int]) -> ir.GlobalVariable:
        """A constant array of integers with so many bits; equal ones are there only once."""
        key = width, tuple(numbers)
        if key not in self._tables:
            # As one string of literals: an object for each number would take most of the time.
            literals = [f"i{width} {number}" for number in key[1]]
            name = f"table{len(self._tables)}"
            self._tables[key] = self._constants(name, ir.IntType(width), literals)
        return self._tables[key]

    def function_table(self, name: str, functions: Sequence[ir.Function]) -> ir.GlobalVariable:
        """A constant array of addresses of functions."""
        literals = [f"ptr {function.get_reference()}" for function in functions]
        return self._constants(self.unique(name), pointer, literals)

    def _constants(self, name: str, type_: ir.Type, literals: list[str]) -> ir.GlobalVariable:
        array = ir.ArrayType(type_, len(literals))
        table = ir.GlobalVariable(self.ir, array, name)
        table.initializer = ir.FormattedConstant(array, f"[{', '.join(literals)}]")
        table.global_constant = True
        table.linkage = "private"
        return table
