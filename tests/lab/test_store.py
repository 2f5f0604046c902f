"""The store under any order of operations, by programs that are killed in the midst of them."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from semisplit.lab.matches.play import Played, Turn
from semisplit.lab.store.database import MatchKey, Seat, Store

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")
MATCHES = st.integers(0, 2)
NUMBERS = st.integers(0, 4)
SCORES = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
WRITERS = st.integers(0, 1)
STATEMENTS = st.integers(0, 6)
SEATS = (Seat(1, "white", 0, 1), Seat(2, "black", 1, 2))


def key(match: int) -> MatchKey:
    return MatchKey("game", f"rules {match}", ("a", "b"), ("{}", "{}"), "1s", 0)


def played(scores: tuple[float, float]) -> Played:
    return Played((Turn(1, "1 2", "a1", 0.25, 3, 4, 0.5),), scores)


class Programs(RuleBasedStateMachine):
    """Two programs that use one file, and dictionaries that say what must be in it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "store.db"
        self.programs = [Store(self.path), Store(self.path)]
        self.matches: dict[int, int] = {}
        """Their numbers in the store."""
        self.games: dict[int, dict[int, tuple[float, ...]]] = {}
        self.figures: dict[str, int] = {}

    @rule(match=MATCHES, writer=WRITERS)
    def begin(self, match: int, writer: int) -> None:
        number, used = self.programs[writer].match(key(match), "1s")
        assert (self.matches.setdefault(match, number), used) == (number, "1s")
        self.games.setdefault(match, {})

    @precondition(lambda self: self.matches)
    @rule(data=st.data(), number=NUMBERS, scores=SCORES, writer=WRITERS)
    def add(
        self, data: st.DataObject, number: int, scores: tuple[float, float], writer: int
    ) -> None:
        match = data.draw(st.sampled_from([*self.matches]))
        self._add(self.programs[writer], match, number, scores)
        # The first result counts.
        self.games[match].setdefault(number, scores)

    @rule(name=st.sampled_from("xyz"), figure=st.integers(), writer=WRITERS)
    def measure(self, name: str, figure: int, writer: int) -> None:
        self.programs[writer].add_measurement(name, {"figure": figure})
        self.figures.setdefault(name, figure)

    @precondition(lambda self: self.matches)
    @rule(data=st.data(), number=NUMBERS, scores=SCORES, statements=STATEMENTS)
    def add_and_be_killed(
        self, data: st.DataObject, number: int, scores: tuple[float, float], statements: int
    ) -> None:
        """The game is there with both its seats, or not at all."""
        match = data.draw(st.sampled_from([*self.matches]))
        before = self.games[match]
        self._killed_after(statements, lambda store: self._add(store, match, number, scores))
        found = self._stored(self.programs[0], match)
        assert found in (before, {number: scores} | before)
        self.games[match] = found

    @rule(match=MATCHES, statements=STATEMENTS)
    def begin_and_be_killed(self, match: int, statements: int) -> None:
        """The match is there with both its agents, or not at all."""
        self._killed_after(statements, lambda store: store.match(key(match), "1s"))
        if found := self.programs[0].find_match(key(match)):
            assert self.matches.setdefault(match, found[0]) == found[0]
            self.games.setdefault(match, {})

    @rule(writer=WRITERS)
    def leave_and_come_back(self, writer: int) -> None:
        self.programs[writer].close()
        self.programs[writer] = Store(self.path)

    @invariant()
    def both_see_what_was_written(self) -> None:
        for program in self.programs:
            stored = {one.id: one for one in program.matches()}
            assert {*stored} == {*self.matches.values()}
            for match, number in self.matches.items():
                assert stored[number].agents == ("a", "b")
                assert self._stored(program, match) == self.games[match]
            measured = {name: program.measurement(name) for name in "xyz"}
            assert {name: one[0]["figure"] for name, one in measured.items() if one} == self.figures

    def teardown(self) -> None:
        for program in self.programs:
            program.close()
        self.folder.cleanup()

    def _add(self, store: Store, match: int, number: int, scores: tuple[float, float]) -> None:
        store.add_game(self.matches[match], number, SEATS, played(scores), None)

    def _stored(self, store: Store, match: int) -> dict[int, tuple[float, ...]]:
        return {game.number: game.scores for game in store.games(self.matches[match])}

    def _killed_after(self, statements: int, work: Callable[[Store], object]) -> None:
        """Another process works, and is gone before it comes to so many statements of SQL."""
        # SQLite must not be taken along into another process.
        for program in self.programs:
            program.close()
        if (child := os.fork()) == 0:
            left = count(statements, -1)
            with suppress(BaseException):
                store = Store(self.path)
                store._database.set_trace_callback(lambda _: next(left) or os._exit(1))
                work(store)
            os._exit(0)
        os.waitpid(child, 0)
        self.programs = [Store(self.path), Store(self.path)]


TestPrograms = Programs.TestCase
TestPrograms.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
