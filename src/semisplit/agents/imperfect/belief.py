"""What a player holds possible who does not see the position.

A belief is a set of positions, each with how likely it is if all others choose any of their moves.
After each move it goes on to the positions behind those, as far as they would have looked like what
the player has seen. As long as these are few, they are all there are. If they are many, some of
them are drawn. Then it may happen that none looks right any more; new ones are found by going
through the whole game again, and back wherever it does not go on.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Hashable, Iterator
from random import Random
from typing import NamedTuple

from semisplit.compiler.runtime.reasoner import CompiledReasoner
from semisplit.core.steps import NOBODY, Position, Steps
from semisplit.game import Game
from semisplit.language.rules import Reasoner

MOST = 200
"""Positions of a belief."""
_TRIES = 10
"""How many times more moves are made to find so many."""
_SECONDS = 0.5
"""In which new positions are looked for if there are none."""
_DRAWN = 2
"""Moves that are drawn on a way before all are listed."""


class Seen(NamedTuple):
    """What a player knows of a move."""

    own: Steps
    """Its own part, if it had a choice; else empty."""
    view: Hashable
    """What it has seen of the position behind it (see `Rules.view`)."""


class Belief:
    """The positions that are possible for a player."""

    def __init__(self, game: Game, player: int, random: Random, most: int = MOST):
        self._rules = game.rules
        self._reasoner = game.reasoner
        self._player = player
        self._random = random
        self._most = most
        self._start = game.initial_state().position
        self.begin(self._start)

    def begin(self, position: Position) -> None:
        """Know the position."""
        self._start = position
        self._history: list[Seen] = []
        self.positions: dict[Position, float] = {position: 1.0}
        """How likely each is."""
        self.is_consistent = True
        """Whether they could have led to all that was seen; if not, none was found that does."""

    def use(self, reasoner: Reasoner) -> None:
        """Go on with another reasoner for the same game."""
        self._reasoner = reasoner

    def go_on(self, seen: Seen) -> None:
        """A move was made."""
        self._history.append(seen)
        before = self.positions
        found = self._behind(before, seen) if self.is_consistent else {}
        if not found:
            found = self._from_the_start()
        self.is_consistent = bool(found)
        # Who has to answer anyway plays as if it had seen nothing.
        self.positions = found or self._behind(before, Seen(seen.own, None)) or before

    def own_moves(self, position: Position) -> list[Steps]:
        """What the player may do in a position; nothing if it has no part in the move."""
        reasoner, rules = self._reasoner, self._rules
        while position.player not in (NOBODY, self._player):
            position = reasoner.follow(position, self._list(position)[0])
            if rules.is_nodal(position):
                return []
        return self._list(position) if position.player else []

    def draw(self, number: int) -> list[Position]:
        """Some positions, each as often as it is likely; all of them once if they are few."""
        weights = [*self.positions.values()]
        if len(weights) <= number and len({*weights}) == 1:
            return [*self.positions]
        # At equal distances, so that what is likely is there for sure.
        total, place = sum(weights), self._random.random()
        drawn: list[Position] = []
        sum_ = 0.0
        for position, weight in self.positions.items():
            sum_ += number * weight / total
            while place + len(drawn) < sum_:
                drawn.append(position)
        return drawn

    def _behind(self, positions: dict[Position, float], seen: Seen) -> dict[Position, float]:
        """The positions after a move of which something was seen; at most so many."""
        found: defaultdict[Position, float] = defaultdict(float)
        work = 0
        for position, weight in positions.items():
            for after, likely in self._outcomes(position, seen.own):
                if seen.view is None or self._looks(after) == seen.view:
                    found[after] += weight * likely
                work += 1
                if work > _TRIES * self._most:
                    return self._running(self._some_behind(positions, seen))
        kept = self._running(found)
        if len(kept) <= self._most:
            return kept
        drawn = self._random.choices([*kept], [*kept.values()], k=self._most)
        return self._counted(drawn)

    def _some_behind(self, positions: dict[Position, float], seen: Seen) -> dict[Position, float]:
        """Some of those positions, drawn."""
        starts = self._random.choices([*positions], [*positions.values()], k=_TRIES * self._most)
        found: list[Position] = []
        for start in starts:
            after = self._draw_outcome(start, seen.own)
            if after is not None and (seen.view is None or self._looks(after) == seen.view):
                found.append(after)
                if len(found) == self._most:
                    break
        return self._counted(found)

    def _from_the_start(self) -> dict[Position, float]:
        """Positions at the end of ways through the game that look right."""
        found: list[Position] = []
        end = time.perf_counter() + _SECONDS
        patience = 2 * len(self._history)
        while len(found) < self._most and time.perf_counter() < end:
            after = self._find_way(patience, end)
            if after is not None:
                found.append(after)
            else:
                # What goes wrong late may have been wrong from the beginning.
                patience *= 2
        return self._running(self._counted(found))

    def _find_way(self, patience: int, end: float) -> Position | None:
        """Where a way ends that looks right, going back so often where it does not go on."""
        ways = [self._shuffled(self._start, 0)]
        while ways and patience and time.perf_counter() < end:
            after = next(ways[-1], None)
            patience -= 1
            if after is None:
                ways.pop()
            elif len(ways) == len(self._history):
                return after
            else:
                ways.append(self._shuffled(after, len(ways)))
        return None

    def _shuffled(self, position: Position, number: int) -> Iterator[Position]:
        """The positions after a move of the history that look right, in any order."""
        seen = self._history[number]
        # What is drawn comes first, as there may be very many.
        for _ in range(_DRAWN):
            after = self._draw_outcome(position, seen.own)
            if after is not None and self._looks(after) == seen.view:
                yield after
        outcomes = [after for after, _ in self._outcomes(position, seen.own)]
        self._random.shuffle(outcomes)
        yield from (after for after in outcomes if self._looks(after) == seen.view)

    def _outcomes(self, position: Position, own: Steps) -> Iterator[tuple[Position, float]]:
        """The positions after all moves of others, and how likely they are."""
        reasoner = self._reasoner
        waiting = [(position, 1.0, bool(own))]
        while waiting:
            here, likely, is_open = waiting.pop()
            choices = self._choices(here, own)
            for steps in choices:
                after = reasoner.follow(here, steps)
                still_open = is_open and steps != own
                assert after is not None  # it is listed
                if not self._rules.is_nodal(after):
                    waiting.append((after, likely / len(choices), still_open))
                elif not still_open:
                    yield reasoner.run_keeper(after), likely / len(choices)

    def _draw_outcome(self, position: Position, own: Steps) -> Position | None:
        """The position after any move of others; None if the player could not have made its own."""
        reasoner, is_open = self._reasoner, bool(own)
        while True:
            choices = self._choices(position, own)
            if not choices:
                return None
            steps = self._random.choice(choices)
            is_open = is_open and steps != own
            after = reasoner.follow(position, steps)
            assert after is not None  # it is listed
            if self._rules.is_nodal(after):
                return None if is_open else reasoner.run_keeper(after)
            position = after

    def _choices(self, position: Position, own: Steps) -> list[Steps]:
        """What whoever chooses next may choose; the player does only what it did."""
        if position.player == NOBODY:
            return []
        choices = self._list(position)
        if position.player == self._player and len(choices) > 1:
            return [own] if own in choices else []
        return choices

    def _list(self, position: Position) -> list[Steps]:
        """What whoever chooses next may choose."""
        reasoner = self._reasoner
        if isinstance(reasoner, CompiledReasoner) and not reasoner.compiled.facts.simultaneous:
            # Then it lists nothing but whole moves, which have one step.
            return reasoner.list_moves(position)
        return reasoner.list_semimoves(position)

    def _looks(self, position: Position) -> Hashable:
        return self._rules.view(position, self._player)

    def _running(self, found: dict[Position, float]) -> dict[Position, float]:
        """Without positions in which the game is over, unless it may be over."""
        running = {position: weight for position, weight in found.items() if position.player}
        return running or dict(found)

    def _counted(self, positions: list[Position]) -> dict[Position, float]:
        counts: defaultdict[Position, float] = defaultdict(float)
        for position in positions:
            counts[position] += 1.0
        return dict(counts)
