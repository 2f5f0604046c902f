"""Groupings of users: those that a program registers, and those of installed packages.

What a program registers goes to other processes with the settings that name it, to those on this
machine as well as to those of a cluster. The function itself goes there, as the program that
defines it does not run there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from semisplit.core.errors import InputError
from semisplit.language.rules import Rules
from semisplit.search.features.groups.functions import Decide, Grouping, bundled

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "semisplit.groupings"
"""The group of entry points under which packages offer groupings."""
registered: dict[str, Grouping] = {}
"""Those of this program, by name."""


def register(
    name: str,
    decide: Decide,
    groups: Sequence[str],
    *,
    sees_pieces: bool = False,
    sees_captures: bool = False,
) -> None:
    """Give a grouping of one's own a name.

    Args:
        name: The name, for notation.
        decide: From a state, the previous move and a move to the number of its group.
        groups: What the groups are called.
        sees_pieces: Whether it looks at `state.pieces`, which else are not there.
        sees_captures: Whether it looks at `move[state.traits]`, which is 1 if a move captures.
    """
    if not name.isidentifier():
        raise InputError(f"'{name}' cannot be the name of a grouping; letters and digits can")
    registered[name] = Grouping(decide, tuple(groups), None, sees_pieces, sees_captures)


def groupings(rules: Rules) -> dict[str, Grouping]:
    """The groupings for a game that need not be loaded first, by name."""
    return bundled(rules) | registered


@cache
def installed() -> dict[str, EntryPoint]:
    """Where the groupings of installed packages are, by name."""
    # Looking through packages takes a while.
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def load_installed(name: str) -> Grouping:
    """The grouping of an installed package."""
    try:
        found = installed()[name].load()
    except Exception as error:
        raise InputError(f"the grouping '{name}' cannot be loaded: {error}") from error
    if not isinstance(found, Grouping):
        raise InputError(f"the entry point '{name}' of {ENTRY_POINTS} has to be a Grouping")
    return found


def pack(names: Iterable[str]) -> dict[str, bytes]:
    """The registered ones of some groupings, for another process."""
    return {name: _pack(name, registered[name]) for name in names if name in registered}


def unpack(packed: dict[str, bytes]) -> None:
    """Register what comes from another process."""
    registered.update({name: _unpack(known) for name, known in packed.items()})


@cache
def _pack(name: str, grouping: Grouping) -> bytes:
    # Numba takes a while to load, and few agents have groupings of users.
    from numba import cloudpickle

    # Whoever receives it need not have the module; nor has a hub that passes it on.
    module = sys.modules.get(grouping.decide.__module__)
    if module is not None:
        cloudpickle.register_pickle_by_value(module)
    try:
        packed: bytes = cloudpickle.dumps(grouping)
    except Exception as error:
        raise InputError(f"the grouping '{name}' cannot go to another process: {error}") from error
    finally:
        if module is not None:
            cloudpickle.unregister_pickle_by_value(module)
    return packed


@cache
def _unpack(packed: bytes) -> Grouping:
    from numba import cloudpickle

    grouping: Grouping = cloudpickle.loads(packed)
    return grouping
