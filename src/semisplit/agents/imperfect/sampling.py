"""Perfect-information Monte Carlo: an agent for games in which players do not see the position.

It searches some of the positions that are possible by what it has seen, each as if everybody saw
it, and plays what was visited most in all of them. So it neither hides what it knows nor plays to
find out more.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Hashable
from functools import partial
from random import Random
from typing import NamedTuple

from semisplit.agents.agent import Agent, SearchAgent, Thought, Watch
from semisplit.agents.config import AgentConfig
from semisplit.agents.imperfect.belief import Belief, Seen
from semisplit.core.steps import Position, Steps
from semisplit.game import Game, Move, State
from semisplit.search import Budget
from semisplit.search.stopping import Pause

_SAMPLES = 16
"""Positions that are searched for a move."""


class _Votes(NamedTuple):
    """What is known of a step of the player."""

    visits: float = 0.0
    """Shares of all visits, one for each position."""
    total: float = 0.0
    """The sum of scores, each times such a share."""


class SamplingAgent:
    """Plays by what its player sees."""

    def __init__(self, config: AgentConfig, inner: Agent, game: Game, seed: int, player: int):
        """Begin a game.

        Args:
            config: What it does.
            inner: Searches a position that everybody sees.
            game: The game.
            seed: For its random numbers.
            player: Which player it is.
        """
        self.config = config
        self._inner = inner
        self._player = player
        self._game = game
        self._is_stopped = False
        self._is_told = True
        """Whether it is told all moves."""
        self.state = game.initial_state()
        """Where the game is, as far as it was told; it does not look at it."""
        self.belief = Belief(game, player, Random(seed))
        """What it holds possible."""

    @property
    def own_moves(self) -> list[Steps]:
        """What it may do, which is the same in all positions that are possible.

        Where it has no choice it may have no part in the move, depending on what others can do.
        """
        return max(map(self.belief.own_moves, self.belief.positions), key=len)

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Choose a step for its player. It is not made yet."""
        begin = time.perf_counter()
        self._is_stopped = False
        votes: defaultdict[Steps, _Votes] = defaultdict(_Votes)
        moves, simulations, states = self.own_moves, 0, 0
        if len(moves) < 2:
            own = self.state.moves()[0] if self._is_told else Move((), self._game.write_move)
            return Thought(own, None, 0, 0, 0.0)

        def look(_: int = 0) -> Thought:
            steps = max(moves, key=lambda one: votes[one].visits)
            visits, total = votes[steps]
            move, score = Move(steps, self._game.write_move), total / visits if visits else None
            return Thought(move, score, simulations, states, time.perf_counter() - begin)

        positions = self.belief.draw(_SAMPLES)
        for number, position in enumerate(positions):
            if self._is_stopped:
                break
            part = budget.part(1 / len(positions))
            if budget.seconds is not None:
                left = max(0.0, budget.clock - (time.perf_counter() - begin))
                part = Budget(seconds=left / (len(positions) - number))
            thought = self._search(position, part, None if watch is None else partial(watch, look))
            found = self._votes_of(thought)
            total = sum(visits for visits, _ in found.values())
            for steps, (visits, score) in found.items():
                share, before = visits / total, votes[steps]
                votes[steps] = _Votes(before.visits + share, before.total + share * score)
            simulations += thought.simulations
            states += thought.states
        return look()

    def _search(self, position: Position, budget: Budget, pause: Pause | None) -> Thought:
        """Search a position as if everybody saw it."""
        inner = self._inner
        inner.begin(State(self._game, position))
        if isinstance(inner, SearchAgent):
            result = inner.search.run(budget, pause=pause)
            return Thought(
                result.move, None, result.simulations, result.states, result.seconds, result
            )
        return inner.think(budget, watch=None if pause is None else lambda _: pause())

    def _votes_of(self, thought: Thought) -> dict[Steps, tuple[int, float]]:
        """How often each own step was visited in a search, and its average score."""
        result, rules = thought.result, self._game.rules
        if result is None:
            return {rules.part(thought.move.steps, self._player): (1, thought.score or 0.0)}
        known = next(
            (one.steps for one in result.choices if one.player == self._player), result.moves
        )
        found = {rules.part(one.move.steps, self._player): (one.visits, one.score) for one in known}
        return found if any(visits for visits, _ in found.values()) else {}

    def stop(self) -> None:
        """End the thinking that is under way."""
        self._is_stopped = True
        self._inner.stop()

    def begin(self, state: State) -> None:
        """Go to a nodal state, which everybody knows."""
        self.state = State(self._game, state.position)
        self.belief.begin(state.position)

    def play(self, move: Move) -> None:
        """Go on to the state after a move, of which it takes notice as its player does."""
        own = self._game.rules.part(move.steps, self._player)
        self.state = self.state.apply(move)
        self._go_on(own, self._game.rules.view(self.state.position, self._player))

    def see(self, own: Steps, view: Hashable) -> None:
        """Go on after a move, given its own part and what its player sees behind it."""
        self._is_told = False
        self._go_on(own, view)

    def _go_on(self, own: Steps, view: Hashable) -> None:
        self.belief.go_on(Seen(own if len(self.own_moves) > 1 else (), view))

    def wait(self, budget: Budget) -> None:
        """It is somebody else's turn; returns at once."""

    def close(self) -> None:
        """End what still goes on."""
        self._inner.close()
