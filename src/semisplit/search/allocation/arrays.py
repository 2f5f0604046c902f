"""Arrays that records point to."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from semisplit.compiler.runtime.scratch import apart
from semisplit.core.errors import InputError
from semisplit.search.engine.toolkit.record import Record, dtype_in


class Arrays:
    """The arrays of a record and of the records inside it: `rave.samples` is a field of `rave`."""

    def __init__(self, record: Record):
        self._record = record
        self._arrays: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array of a field."""
        return self._arrays[name]

    def __contains__(self, name: str) -> bool:
        """Whether a field points to an array."""
        return name in self._arrays

    def _field(self, name: str) -> tuple[Record, str]:
        """The record that has a field, and the field's name there."""
        record, (*inside, field) = self._record, name.split(".")
        for part in inside:
            record = getattr(record, part)
        return record, field

    def kind(self, name: str) -> Any:
        """The type of the elements of a field's array."""
        record, field = self._field(name)
        return dtype_in(type(record), field)

    def put(self, name: str, array: NDArray[Any]) -> None:
        """Let a field point to an array."""
        self._arrays[name] = array
        record, field = self._field(name)
        setattr(record, field, array.ctypes.data)

    def allocate(self, name: str, count: int) -> NDArray[Any]:
        """Let a field point to an array of zeros; what is never used of it takes no memory."""
        try:
            kind = self.kind(name)
            self.put(name, apart(count * kind.itemsize).view(kind))
        except MemoryError:
            raise InputError(f"there is no room to search: {name} would take too much") from None
        return self._arrays[name]

    def enlarge(self, name: str, count: int) -> None:
        """Let a field point to a larger array, with the same elements and zeros after them."""
        old = self._arrays[name]
        self.allocate(name, count)[: len(old)] = old
