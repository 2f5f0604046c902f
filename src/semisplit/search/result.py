"""What a search has found out, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from semisplit.game import Move


@dataclass(frozen=True)
class Statistics:
    """What is known about a move or semimove at the root."""

    move: Move
    visits: int
    score: float
    """The average score of the player to move, the first if there are several, from 0 to 1."""
    mast: float | None
    """What MAST thinks of it, if it is used."""
    rave: float | None
    """What RAVE thinks of it, if it is used."""

    def to_json(self) -> dict[str, Any]:
        """With the move as text."""
        return {**vars(self), "move": str(self.move)}


@dataclass(frozen=True)
class Branch:
    """An edge of a tree that is opened node by node."""

    name: str
    """By which it is known at its node: a (semi)move, or a group or a tree in brackets."""
    visits: int
    score: float
    """The average score of the player who moves, from 0 to 1."""
    player: int
    """Who moves."""
    is_open: bool
    """Whether something is known of what comes after it."""


@dataclass(frozen=True)
class Choice:
    """What one of several players who decide at once should do."""

    player: int
    """From 1."""
    move: Move
    """Its own step of the move."""
    score: float
    """The average score of this player, from 0 to 1."""
    steps: tuple[Statistics, ...]
    """What is known about its steps, whatever others choose; the most visited first."""

    def to_json(self) -> dict[str, Any]:
        """With moves as text."""
        steps = [one.to_json() for one in self.steps]
        return {**vars(self), "move": str(self.move), "steps": steps}


@dataclass(frozen=True)
class PolicyStatistics:
    """What has come of a policy that a player followed in simulations, since the search began."""

    player: int
    """From 1."""
    policy: str
    simulations: int
    score: float
    """The average score of the player in these simulations, from 0 to 1; 0 if there are none."""


@dataclass(frozen=True)
class Result:
    """The outcome of a search."""

    move: Move
    """The move to be played."""
    score: float
    """The average score that can be expected of it, from 0 to 1."""
    moves: tuple[Statistics, ...]
    """Moves that have been visited, the most visited first: all, or as many as were asked for."""
    semimoves: tuple[Statistics, ...]
    """What is known about the edges of the root; in an orthodox tree these are moves as well."""
    variation: tuple[Move, ...]
    """The principal variation: the move to be played, and how the game goes on if both sides then
    do what was visited most. `moves[0]` is the move visited most, which may be another one."""
    depth: int
    """How many moves the tree is deep."""
    simulations: int
    states: int
    """Nodal states that were visited."""
    abandoned: int
    """Iterations that were given up because looking for moves went beyond a limit."""
    seconds: float
    nodes: int
    bytes: int
    """The memory the tree takes."""
    tree_share: float
    """The part of the time that was not spent in simulations."""
    line: tuple[Move, ...] = ()
    """In a game of one player: the best line found, to the end of the game. Its first move is the
    one to be played, its score the one to be expected."""
    line_simulation: int = 0
    """Which simulation has found it, counted from the beginning of the search."""
    note: str = ""
    """What the search has done otherwise than it was asked to, and why."""
    choices: tuple[Choice, ...] = ()
    """What each player should do, if several decide at once; the move is all of it together."""
    policies: tuple[PolicyStatistics, ...] = ()
    """What has come of the policies of simulations, if they follow any."""
    proven: float | None = None
    """The score of the mover, from 0 to 1, if it is proven; see `docs/search.md`."""

    def to_json(self) -> dict[str, Any]:
        """With moves as text; choices, lines, notes and policies only if there are any."""
        known = {
            **vars(self),
            "move": str(self.move),
            "moves": [one.to_json() for one in self.moves],
            "semimoves": [one.to_json() for one in self.semimoves],
            "variation": [str(move) for move in self.variation],
            "line": [str(move) for move in self.line],
            "choices": [one.to_json() for one in self.choices],
            "policies": [vars(one) for one in self.policies],
        }
        missing = {name for name in ("choices", "note", "policies") if not known[name]}
        if self.proven is None:
            missing.add("proven")
        if not self.line:
            missing |= {"line", "line_simulation"}
        return {name: value for name, value in known.items() if name not in missing}


def note_of(note: str, abandoned: int, reason: str = "") -> str:
    """A note, and how many iterations were given up, if there are any and for a known reason."""
    if not abandoned:
        return note
    given_up = f"{abandoned:,} iteration{'s were' if abandoned > 1 else ' was'} given up"
    return "; ".join(filter(None, (note, given_up + (reason and f": {reason}"))))
