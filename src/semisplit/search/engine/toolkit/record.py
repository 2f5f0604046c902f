"""Records: memory with named fields that Python, kernels and mypy see in the same way.

A record is a class with annotated fields. From these come its layout in memory, its Numba type and
what mypy knows about it, so they cannot differ:

    @record
    class Point(Record):
        x: i4
        squares: Array[i8]

In Python, an object of the class is such memory. A kernel gets its address, and reads and writes
its fields. A field that is an `Array` holds the address of one; kernels see the array. A field that
is a record lies inside the other one. `record_of` makes fields of the parameters of a component.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeAlias, TypeVar, get_args, get_origin
from typing import get_type_hints as annotations_of

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from numpy.typing import NDArray

from semisplit.compiler.runtime.scratch import apart
from semisplit.core.settings.parameters import Component, parameters

i4: TypeAlias = Annotated[int, ctypes.c_int32]
i8: TypeAlias = Annotated[int, ctypes.c_int64]
u8: TypeAlias = Annotated[np.uint64, ctypes.c_uint64]
f4: TypeAlias = Annotated[float, ctypes.c_float]
f8: TypeAlias = Annotated[float, ctypes.c_double]
_NUMBERS = {
    ctypes.c_int32: types.int32,
    ctypes.c_int64: types.int64,
    ctypes.c_uint64: types.uint64,
    ctypes.c_float: types.float32,
    ctypes.c_double: types.float64,
}
_address = ir.IntType(64)
_byte = ir.IntType(8)

if TYPE_CHECKING:

    class Record:
        """Memory with named fields; for mypy no others, while ctypes would promise any."""

    class ParameterRecord(Record):
        """A record of the parameters of a component; mypy takes any other name for one of them."""

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

else:

    class Record(ctypes.Structure):
        """Memory with named fields."""

    ParameterRecord = Record


R = TypeVar("R", bound=Record)
T = TypeVar("T")


def record(made: type[R]) -> type[R]:
    """Give a record the fields that it is annotated with."""
    kinds = annotations_of(made, include_extras=True)
    made._fields_ = [(name, _memory_of(kind)) for name, kind in kinds.items()]  # type: ignore[attr-defined]
    return made


def record_of(component: type[Component]) -> Callable[[type[R]], type[R]]:
    """Give a record a field for each parameter of a component, before those of its own."""

    def make(made: type[R]) -> type[R]:
        known = parameters(component).values()
        own = {one.name: f8 if one.kind is float else i8 for one in known}
        made.__annotations__ = {**own, **made.__annotations__}
        return record(made)

    return make


def fill_record(filled: Record, component: Component) -> None:
    """Set the fields of a record of parameters; what is None is -1 in kernels."""
    for name in parameters(type(component)):
        value = getattr(component, name)
        setattr(filled, name, -1 if value is None else value)


def _memory_of(kind: Any) -> Any:
    if isinstance(kind, type):
        return kind
    return ctypes.c_int64 if get_origin(kind) is Array else get_args(kind)[1]


def size_of(kind: Any) -> int:
    """The bytes of a record, or of a number."""
    return ctypes.sizeof(_memory_of(kind))


def offset_of(made: type[Record], name: str) -> int:
    """Where in a record a field is, in bytes."""
    offset: int = getattr(made, name).offset
    return offset


def dtype_of(kind: Any) -> np.dtype[Any]:
    """The NumPy type of a record, or of a number."""
    return np.dtype(_memory_of(kind))


def dtype_in(made: type[Record], name: str) -> np.dtype[Any]:
    """The NumPy type of the elements of an array that a record points to."""
    return dtype_of(get_args(_kinds(made)[name])[0])  # type: ignore[arg-type]


@cache
def _kinds(made: Any) -> dict[str, Any]:
    return annotations_of(made, include_extras=True)


def copy_of(original: R) -> R:
    """A copy of a record, which points to the same arrays."""
    return type(original).from_buffer_copy(original)  # type: ignore[attr-defined]


def record_apart(made: type[R]) -> R:
    """A record in memory that several threads do not get in each other's way with."""
    return made.from_buffer(apart(size_of(made)).data)  # type: ignore[attr-defined]


class Array(Generic[T]):
    """An array of unknown length: numbers, or records.

    Python hands NumPy's arrays to kernels as, for instance, `Array[i4](memory)`.
    """

    def __init__(self, memory: NDArray[Any]):
        self.memory = memory
        self.address = memory.ctypes.data

    if TYPE_CHECKING:

        def __getitem__(self, index: int) -> T:
            """For kernels."""

        def __setitem__(self, index: int, value: T) -> None:
            """For kernels."""


# Records in kernels


class RecordType(types.Type):
    """A record, known by its address."""

    def __init__(self, made: type[Record]):
        self.made = made
        super().__init__(name=made.__name__)

    @property
    def key(self) -> type[Record]:
        """What two equal types have in common."""
        return self.made

    @property
    def fields(self) -> dict[str, tuple[types.Type, int]]:
        """The type of each field, and where it is."""
        return _fields(self.made)  # type: ignore[arg-type]


class Memory(types.Type):
    """An array of unknown length, known by its address.

    Unlike Numba's arrays it takes indices as they are, and does not ask whether they are negative.
    """

    def __init__(self, kind: types.Type):
        self.kind = kind
        super().__init__(name=f"Memory({kind})")

    @property
    def key(self) -> types.Type:
        """What two equal types have in common."""
        return self.kind


def numba_type(kind: Any) -> types.Type:
    """What kernels see: the type of a number, a record, a named tuple of records, or an array."""
    if get_origin(kind) is Array:
        return Memory(numba_type(get_args(kind)[0]))
    if isinstance(kind, type) and issubclass(kind, tuple):
        return types.NamedTuple([*map(numba_type, annotations_of(kind).values())], kind)
    return RecordType(kind) if isinstance(kind, type) else _NUMBERS[_memory_of(kind)]


@cache
def _fields(made: Any) -> dict[str, tuple[types.Type, int]]:
    kinds = _kinds(made).items()
    return {name: (numba_type(kind), offset_of(made, name)) for name, kind in kinds}


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _byte.as_pointer())


@register_model(Memory)
class _MemoryModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _address)


@typeof_impl.register(Record)
def _typeof_record(value: Any, context: Any) -> types.Type:
    return RecordType(type(value))


@typeof_impl.register(Array)
def _typeof_array(value: Any, context: Any) -> types.Type:
    kind = value.__orig_class__
    assert value.memory.dtype.itemsize == size_of(get_args(kind)[0])
    return numba_type(kind)


@unbox(RecordType)
def _unbox_record(kind: Any, value: Any, c: Any) -> Any:
    buffer = c.pyapi.alloca_buffer()
    failed = c.pyapi.get_buffer(value, buffer)
    begin = c.builder.load(c.builder.bitcast(buffer, _byte.as_pointer().as_pointer()))
    c.pyapi.release_buffer(buffer)
    return NativeValue(begin, is_error=cgutils.is_not_null(c.builder, failed))


@unbox(Memory)
def _unbox_array(kind: Any, value: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(value, "address")
    native = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(native, is_error=c.pyapi.c_api_error())


@infer_getattr
class _Fields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> types.Type | None:
        return record.fields[name][0] if name in record.fields else None


def _place(context: Any, builder: Any, record: RecordType, value: Any, name: str) -> Any:
    kind, offset = record.fields[name]
    place = builder.gep(value, [_address(offset)], inbounds=True)
    return builder.bitcast(place, context.get_data_type(kind).as_pointer())


@lower_getattr_generic(RecordType)
def _get_field(context: Any, builder: Any, record: Any, value: Any, name: str) -> Any:
    kind, offset = record.fields[name]
    if isinstance(kind, RecordType):
        return builder.gep(value, [_address(offset)], inbounds=True)
    return builder.load(_place(context, builder, record, value, name))


@lower_setattr_generic(RecordType)
def _set_field(context: Any, builder: Any, signature: Any, args: Any, name: str) -> None:
    record, kind = signature.args
    value = context.cast(builder, args[1], kind, record.fields[name][0])
    builder.store(value, _place(context, builder, record, args[0], name))


# Arrays in kernels


def _element(context: Any, builder: Any, memory: Any, value: Any, place: Any) -> Any:
    """The address of an element, as a pointer."""
    if isinstance(memory.kind, RecordType):
        size = size_of(memory.kind.made)
        first = builder.inttoptr(value, ir.ArrayType(_byte, size).as_pointer())
        element = builder.gep(first, [place], inbounds=True)
        return builder.bitcast(element, _byte.as_pointer())
    first = builder.inttoptr(value, context.get_data_type(memory.kind).as_pointer())
    return builder.gep(first, [place], inbounds=True)


@type_callable(operator.getitem)
def _type_get(context: Any) -> Any:
    def result(memory: Any, index: Any) -> Any:
        fits = isinstance(memory, Memory) and isinstance(index, types.Integer)
        return memory.kind if fits else None

    return result


@lower_builtin(operator.getitem, Memory, types.Integer)
def _get(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    memory, index = signature.args
    place = context.cast(builder, args[1], index, types.int64)
    element = _element(context, builder, memory, args[0], place)
    return element if isinstance(memory.kind, RecordType) else builder.load(element)


@type_callable(operator.setitem)
def _type_set(context: Any) -> Any:
    def result(memory: Any, index: Any, value: Any) -> Any:
        fits = isinstance(memory, Memory) and isinstance(index, types.Integer)
        return types.none if fits else None

    return result


@lower_builtin(operator.setitem, Memory, types.Integer, types.Any)
def _set(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    memory, index, kind = signature.args
    place = context.cast(builder, args[1], index, types.int64)
    value = context.cast(builder, args[2], kind, memory.kind)
    builder.store(value, _element(context, builder, memory, args[0], place))
    return context.get_dummy_value()


def _pointing(result: Any) -> Any:
    """A function for kernels that finds an element, and gives what is there as something else."""

    @intrinsic
    def point(typing: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # No pointer: those that leave the array on the way have no meaning for LLVM.
            data = context.get_data_type(array.kind)
            is_record = isinstance(array.kind, RecordType)
            size = size_of(array.kind.made) if is_record else context.get_abi_sizeof(data)
            return builder.add(args[0], builder.mul(args[1], _address(size)))

        return result(array)(array, types.int64), generate

    return point


@intrinsic
def _integers_at(typing: Any, address: Any) -> Any:
    return Memory(types.int32)(types.int64), lambda context, builder, signature, args: args[0]


@intrinsic
def _address_of_record(typing: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], _address)

    return types.int64(record), generate


def record_at(made: type[R]) -> Callable[[int], R]:
    """A function for kernels that gives the record at an address."""

    @intrinsic
    def at(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], _byte.as_pointer())

        return RecordType(made)(types.int64), generate

    found: Callable[[int], R] = at
    return found


address_of_record: Callable[[Record], int] = _address_of_record
"""The address of a record."""
address_of: Callable[[Array[Any], int], int] = _pointing(lambda array: types.int64)
"""The address of an element."""
part_of: Callable[[Array[T], int], Array[T]] = _pointing(lambda array: array)
"""The array that begins with an element of another."""
integers_at: Callable[[int], Array[i4]] = _integers_at
"""The array of integers at an address."""
