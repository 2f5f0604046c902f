"""What any search does, whatever it searches in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from semisplit.game import Game, Move, State
from semisplit.search.budget import Budget
from semisplit.search.result import Branch, Result
from semisplit.search.stopping import Pause


class TreeReader(Protocol):
    """Reads what a search knows, between two runs or in their pauses."""

    def branches(self, path: Sequence[str] = ()) -> list[Branch]:
        """The edges of a node, which is known by the names on the way to it.

        Raises:
            InputError: If there is no such node, or no longer.
        """

    def expectation(self, move: Move) -> tuple[Move, ...]:
        """A move at the root, and how the game is expected to go on with it."""


class Searcher(Protocol):
    """Searches one game, from move to move."""

    @property
    def game(self) -> Game:
        """The game, split as it is searched."""

    @property
    def state(self) -> State:
        """Where the game is."""

    @property
    def result(self) -> Result | None:
        """What the latest run came to; None before the first. An error leaves it as it was."""

    @property
    def tree(self) -> TreeReader:
        """What is known about the game, to be read between runs and in their pauses."""

    def run(self, budget: Budget, *, details: bool = True, pause: Pause | None = None) -> Result:
        """Search within a budget and select a move.

        Args:
            budget: How long to search.
            details: Whether to look up the statistics of all moves.
            pause: Is called every few milliseconds. What it does belongs to the time of the search,
                and what it raises ends it.

        Raises:
            InputError: If the game is over.
            PlayLimit: If the rules lead into moves or games without an end.
        """

    def stop(self) -> None:
        """End the run that is under way, in about ten milliseconds; returns at once.

        Any thread may call it, also in a pause of the search. The run returns what it has found so
        far. If none is under way nothing happens: a run that begins knows of no earlier stops. Who
        has just started one in another thread asks again until the thread has ended.
        """

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move, and keep what is known about what follows."""

    def set_state(self, state: State) -> None:
        """Search from a nodal state, of which nothing is known."""

    def snapshot(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with some of the best moves if there are any.

        It is quick, and may be taken in a pause.
        """
