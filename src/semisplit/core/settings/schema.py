"""Components in configuration files: what may stand there follows from their parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Literal, Optional, Union

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError

from semisplit.core.settings.parameters import MILLISECONDS, Component, Parameter, parameters

CHOICE = "choice"
"""The type of the error if a name is none of some."""


class Section(BaseModel):
    """Keys with values: no others, and none that would have to be converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


def section(*kinds: Any, name: str = "", **others: Any) -> Any:
    """The model of a section of a file, all of whose keys may be missing.

    Args:
        kinds: The components whose parameters it holds.
        name: That of the section, for components whose parameters are in several: the key of such a
            parameter is `section.key`.
        others: Further keys, each with a type and a usual value.
    """
    known = {key: one for kind in kinds for key, one in _keys(kind, name).items()}
    usual = {key: (_annotation(one), _written(one, one.default)) for key, one in known.items()}
    titles = [kind.__name__ for kind in kinds]
    keys: dict[str, Any] = {**usual, **others}
    return create_model("".join([*titles, "Section"]), __base__=Section, **keys)


def choice(kind: type[IntEnum], *more: str) -> Any:
    """The type of a choice, which files hold as a name, or of one of some other names."""
    members: dict[str, Any] = {each.name.lower(): each for each in kind}
    members |= {name: name for name in more}

    def member(name: object) -> Any:
        key = name.lower().replace("-", "_") if isinstance(name, str) else ""
        if key not in members:
            known = ", ".join(members)
            said = {"name": str(name), "known": known}
            raise PydanticCustomError(CHOICE, "there is no '{name}', only {known}", said)
        return members[key]

    return Annotated[Any, BeforeValidator(member)]


def read_section(kind: type[Component], given: BaseModel, name: str = "") -> dict[str, Any]:
    """The fields of a component to which a section of a file gives values."""
    keys = _keys(kind, name)
    return {
        one.name: _value(one, getattr(given, key))
        for key, one in keys.items()
        if key in given.model_fields_set
    }


def write_section(component: Component, name: str = "") -> dict[str, Any]:
    """The parameters of a component as a section of a file holds them."""
    known = _keys(type(component), name).items()
    values = {key: (one, getattr(component, one.name)) for key, one in known}
    return {
        key: _written(one, value)
        for key, (one, value) in values.items()
        if not one.brief or value != one.default
    }


def _keys(kind: Any, name: str) -> Mapping[str, Parameter]:
    """The parameters in a section by their keys there."""
    split = [(one.key.rpartition("."), one) for one in parameters(kind).values() if one.key]
    return {key: one for (inside, _, key), one in split if inside == name}


def _annotation(one: Parameter) -> Any:
    """The type of a parameter in a file."""
    if issubclass(one.kind, IntEnum):
        return choice(one.kind)
    if one.kind is bool:
        return bool
    low, high = one.low * one.scale, one.high * one.scale
    bounds = Field(ge=low) if high == math.inf else Field(ge=low, le=high)
    is_whole = one.kind is int or one.scale == MILLISECONDS
    number: Any = Annotated[(int if is_whole else float), bounds]
    if one.absent:
        return Union[Literal[one.absent], number]  # noqa: UP007
    return Optional[number] if one.default is None else number  # noqa: UP045


def _value(one: Parameter, given: Any) -> Any:
    if given is None or (one.absent and given == one.absent):
        return None
    return given if one.scale == 1 else given / one.scale


def _written(one: Parameter, value: Any) -> Any:
    if value is None:
        return one.absent or None
    if isinstance(value, IntEnum):
        return value.name.lower()
    if one.scale == MILLISECONDS:
        return round(one.scale * value)
    return value if one.scale == 1 else one.scale * value
