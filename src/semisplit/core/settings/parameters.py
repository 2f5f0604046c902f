"""Parameters: all there is to say about what users may set, said once.

A component is a frozen dataclass whose fields are parameters:

    @dataclass(frozen=True)
    class Mast(Component):
        epsilon: float = parameter(0.4, "how often a move is drawn at random", "epsilon", high=1)

From such a declaration come the check of the range, the parameter's place in the notation of agents
(`,epsilon=0.2`) and in configuration files (`"epsilon": 0.2`), each both ways, its field in the
record that kernels get, and its row in the tables of the docs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_type_hints

from semisplit.core.errors import SemisplitError, UnknownName

E = TypeVar("E", bound=IntEnum)
MILLISECONDS = 1000
"""The scale of times, which are whole numbers in configuration files."""
_PARAMETER = "parameter"


class BadSettings(SemisplitError):
    """Settings that make no sense, alone or together; the message says why."""


def refuse(condition: bool, reason: str) -> None:
    """Raise `BadSettings` with a reason if there is one to refuse something."""
    if condition:
        raise BadSettings(reason)


@dataclass(frozen=True)
class Parameter:
    """A number, a flag or a choice that users may set."""

    meaning: str
    """What it is, as the end of a sentence that begins with "it is"."""
    letter: str = ""
    """Its name in the notation of agents."""
    key: str = ""
    """Its name in configuration files; empty if it has a form of its own there."""
    low: float = 0
    high: float = math.inf
    scale: float = 1
    """Configuration files hold the value times this."""
    absent: str = ""
    """The word for None in notation and files, if None is a value that can be asked for."""
    brief: bool = False
    """Whether configuration files leave out the usual value."""
    name: str = ""
    """That of the field."""
    kind: type = float
    """The type of values other than None."""
    default: Any = None

    @property
    def range(self) -> str:
        """The numbers that it may be, in words."""
        if self.high == math.inf:
            return f"at least {self.low:g}"
        return f"from {self.low:g} to {self.high:g}"

    @property
    def values(self) -> str:
        """What it may be, in words."""
        if self.kind is bool:
            return "true, false"
        if issubclass(self.kind, IntEnum):
            return ", ".join(map(name_of, self.kind))
        return f"{self.absent}, or {self.range}" if self.absent else self.range

    def check(self, value: Any) -> None:
        """Refuse what is too small or too large, or not a number."""
        if self.kind not in (int, float) or value is None:
            return
        if not (self.low <= value <= self.high and value < math.inf):
            named = self.letter or self.key or self.name
            raise BadSettings(
                f"{named} must be a number {self.range}, not {value:g}; it is {self.meaning}"
            )

    def read(self, text: str) -> Any:
        """The value that a text in the notation stands for."""
        if self.absent and text.lower() == self.absent:
            return None
        if issubclass(self.kind, IntEnum):
            return member(self.kind, f"value of {self.letter}", text)
        if self.kind is bool:
            if text.lower() not in ("true", "false", "1", "0"):
                raise BadSettings(f"{self.letter} is true or false, not '{text}'")
            return text.lower() in ("true", "1")
        if self.kind is int:
            if not re.fullmatch(r"\d{1,9}", text):
                raise BadSettings(
                    f"{self.letter} is a whole number of up to nine digits, not '{text}'"
                )
            return int(text)
        try:
            return float(text)
        except ValueError:
            raise BadSettings(f"{self.letter} is a number, not '{text}'") from None

    def write(self, value: Any) -> str:
        """A value as a text in the notation."""
        if value is None:
            return self.absent
        if isinstance(value, IntEnum):
            return name_of(value)
        return str(value).lower().removesuffix(".0")


def parameter(
    default: Any,
    meaning: str,
    letter: str = "",
    key: str = "",
    *,
    low: float = 0,
    high: float = math.inf,
    scale: float = 1,
    absent: str = "",
    brief: bool = False,
) -> Any:
    """Declare a field of a component; `Parameter` says what the arguments are."""
    said = Parameter(meaning, letter, key, low, high, scale, absent, brief, default=default)
    return field(default=default, metadata={_PARAMETER: said})


@dataclass(frozen=True)
class Component:
    """Settings that belong together, some of which are parameters."""

    def __post_init__(self) -> None:
        for one in parameters(type(self)).values():
            one.check(getattr(self, one.name))

    def differences(self, usual: Component) -> list[str]:
        """The parameters that are not as usual, in the notation: `epsilon=0.2`."""
        return [
            f"{one.letter}={one.write(value)}"
            for one in letters(type(self)).values()
            if (value := getattr(self, one.name)) != getattr(usual, one.name)
        ]


def _parameters(kind: Any) -> Mapping[str, Parameter]:
    kinds, found = get_type_hints(kind), {}
    for one in fields(kind):
        if said := one.metadata.get(_PARAMETER):
            known = [each for each in get_args(kinds[one.name]) if each is not type(None)]
            value = known[0] if known else kinds[one.name]
            found[one.name] = replace(said, name=one.name, kind=value)
    return found


def _letters(kind: Any) -> Mapping[str, Parameter]:
    return {one.letter.lower(): one for one in parameters(kind).values() if one.letter}


parameters: Callable[[Any], Mapping[str, Parameter]] = cache(_parameters)
"""The parameters of a component, a class, by the names of their fields, in their order."""
letters: Callable[[Any], Mapping[str, Parameter]] = cache(_letters)
"""The parameters of a component that the notation has, by their letters in lower case."""


def read_options(
    kinds: Sequence[type[Component]],
    options: Iterable[str],
    unused: Mapping[type[Component], str] = MappingProxyType({}),
) -> dict[type[Component], dict[str, Any]]:
    """What options like `C=0.7` say about components: for each the values of its fields.

    Args:
        kinds: The components; an option belongs to the first that knows its letter.
        options: The options.
        unused: Components that could be there and are not, and what they are called.
    """
    found: dict[type[Component], dict[str, Any]] = {kind: {} for kind in kinds}
    for option in options:
        letter, _, text = option.partition("=")
        key = letter.lower()
        kind = next((kind for kind in kinds if key in letters(kind)), None)
        if kind is None:
            for other, what in unused.items():
                if key in letters(other):
                    raise BadSettings(f"'{letter}' belongs to {what}, which is not used")
            known = [one.letter for kind in (*kinds, *unused) for one in letters(kind).values()]
            raise UnknownName("parameter", letter, known)
        one = letters(kind)[key]
        if one.name in found[kind]:
            raise BadSettings(f"the parameter {letter} is given twice")
        found[kind][one.name] = one.read(text)
    return found


def name_of(value: IntEnum) -> str:
    """The name of a choice in the notation and in files."""
    return value.name.lower().replace("_", "-")


def member(kind: type[E], what: str, name: str, *, more: Iterable[str] = ()) -> E:
    """The choice with a name, however that is capitalised.

    Args:
        kind: The choices.
        what: What they are called in a message.
        name: The name.
        more: What could be written as well.
    """
    members = {name_of(value): value for value in kind}
    if name.lower().replace("_", "-") not in members:
        raise UnknownName(what, name, [*members, *more])
    return members[name.lower().replace("_", "-")]
