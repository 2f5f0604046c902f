"""What a language answers when commands ask about a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class Summary(NamedTuple):
    """What a description without errors consists of."""

    data: dict[str, Any]
    lines: list[str]
    """The summary as lines of text."""


class BoardDetails(NamedTuple):
    """What rules say about a game with a board besides what stands on it."""

    variables: Mapping[str, int]
    """The highest value of each."""
    edges: Sequence[Mapping[str, int]]
    """For each place, where its edges lead."""


class SemimoveTree(NamedTuple):
    """The semimoves of one move, over all positions at which it is made."""

    stages: tuple[int, ...]
    """How many semimoves there are as the first of a move, as the second, and so on."""
    dead_ends: int
    """How many of them lead to a dead state, from which the move cannot be completed."""


class Trial(Protocol):
    """What happened in random games."""

    games: int
    steps: int
    faults: list[str]
    """What must not happen."""


class SplitExplanation(NamedTuple):
    """What a split strategy does to a game."""

    dots: int
    """The number of split points."""
    statistics: Sequence[dict[str, Any]]
    """Averages of random play, with whole moves and with split ones."""
    layout: Callable[[int], str]
    """The rules with their split points, in lines of so many characters."""


class Explanation(Protocol):
    """What has been found out about a game; as text it is in words."""

    @property
    def data(self) -> dict[str, Any]:
        """The explanation as plain data, for `--json`."""

    def dot(self) -> str:
        """A picture in the language of Graphviz."""
