"""Workers and hubs: what runs on the machines of a cluster.

Both know the same messages. They play any number of games at a time, each known by the name of its
session; of those that were not heard of for longest only some are kept.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from semisplit.search.cluster.messages import Place, Plan, Report, Start
from semisplit.search.cluster.relay import Link, Relay
from semisplit.search.cluster.session import Session

_MOST_GAMES = 8
_log = logging.getLogger(__name__)
G = TypeVar("G", Session, Relay)


class _Games(Generic[G]):
    """The games of a node."""

    def __init__(self, make: Callable[[str, Start], G]):
        self._make: Callable[[str, Start], G] = make
        self._games: OrderedDict[str, G] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, session: str, start: Start) -> G:
        """A game, which may be known already."""
        with self._lock:
            if session not in self._games:
                self._games[session] = self._make(session, start)
            while len(self._games) > _MOST_GAMES:
                self._games.popitem(last=False)[1].end()
            return self._games[session]

    def get(self, session: str) -> G | None:
        """A game that is known."""
        with self._lock:
            if session in self._games:
                self._games.move_to_end(session)
            return self._games.get(session)

    def end(self, session: str) -> None:
        """Forget a game."""
        with self._lock:
            if game := self._games.pop(session, None):
                game.end()

    @property
    def names(self) -> list[str]:
        """The sessions there are."""
        with self._lock:
            return list(self._games)


class Worker:
    """Searches, and tells its parent what it knows about the root's children."""

    def __init__(self, number: int):
        """Get ready.

        Args:
            number: Among all workers, from 0.
        """
        from semisplit.search.engine.load import load_kernels

        load_kernels()
        self._games = _Games(lambda session, start: Session(start, number))

    def begin(self, session: str, start: Start) -> None:
        """A game begins; returns when it can be searched."""
        self._games.begin(session, start).ready.result()

    def ponder(self, session: str, place: Place, seconds: float) -> bool | None:
        """Search a position for some time; None if the game is not known, like all below."""
        if (game := self._get(session)) is None:
            return None
        game.search(place, seconds)
        return True

    def first(self, session: str, place: Place, plan: Plan) -> Report | None:
        """Search a position, and tell what is known when it is time for the first time."""
        return game.first(place, plan) if (game := self._get(session)) else None

    def second(self, session: str, place: Place, others: Report, seconds: float) -> Report | None:
        """Hear what all know; tell again after some time, and rest."""
        return game.second(place, others, seconds) if (game := self._get(session)) else None

    def end(self, session: str) -> None:
        """The game is over, or was broken off."""
        self._games.end(session)

    def sessions(self) -> list[str]:
        """The games there are."""
        return self._games.names

    def _get(self, session: str) -> Session | None:
        game = self._games.get(session)
        if game is not None and game.is_over:
            self._games.end(session)
            return None
        return game


class Hub:
    """Passes messages between its parent and its children, and sums up what these tell."""

    def __init__(self, make_links: Callable[[], Sequence[Link]], height: int):
        """Get ready.

        Args:
            make_links: Gives the ways to its children, for each game anew.
            height: Layers below it: 1 if its children are workers.
        """

        def make(session: str, start: Start) -> Relay:
            relay = Relay(make_links(), session, start, height, _log.info)
            relay.begin()
            return relay

        self._games = _Games(make)

    def begin(self, session: str, start: Start) -> None:
        """A game begins; returns at once."""
        self._games.begin(session, start)

    def ponder(self, session: str, place: Place, seconds: float) -> bool | None:
        """Let all search a position; None if the game is not known, like all below."""
        if (game := self._games.get(session)) is None:
            return None
        game.ponder(place, seconds)
        return True

    def first(self, session: str, place: Place, plan: Plan) -> Report | None:
        """Pass it on, and what children tell in time."""
        return game.first(place, plan) if (game := self._games.get(session)) else None

    def second(self, session: str, place: Place, others: Report, seconds: float) -> Report | None:
        """Pass it on, and what children tell in time."""
        if (game := self._games.get(session)) is None:
            return None
        return game.second(place, others, seconds)

    def end(self, session: str) -> None:
        """Pass it on."""
        self._games.end(session)

    def sessions(self) -> list[str]:
        """The games there are."""
        return self._games.names
