"""The life of an agent: it is told the moves of a game, and makes its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Protocol

from semisplit.agent.config import AgentConfig
from semisplit.core.errors import InputError, NotCompiled, PlayLimit
from semisplit.core.steps import RandomPlay, Steps
from semisplit.game import Game, Move, State
from semisplit.search import Budget, Result
from semisplit.search.budget import DEFAULT_MEMORY
from semisplit.search.reference import ReferenceSearch

if TYPE_CHECKING:
    from semisplit.search.multitree.search import MultiTreeSearch
    from semisplit.search.search import Search

_SLICE = 0.01
"""About so often, in seconds, somebody who watches is called."""
_FOR_EVER = 1e9
_USUAL = Budget(seconds=1)


@dataclass(frozen=True)
class Thought:
    """What an agent has come to."""

    move: Move
    score: float | None
    """The score it expects, from 0 to 1; None if it does not know."""
    simulations: int
    states: int
    seconds: float
    result: Result | None = None
    """All that a search has found out."""


Look = Callable[[int], Thought]
"""Tells what an agent thinks so far, in detail about some of the best moves: how many is given."""
Watch = Callable[[Look], None]
"""Is called every few milliseconds while an agent thinks, and may look what it thinks.

That takes some of the agent's time. What it raises ends the thinking.
"""


class Agent(Protocol):
    """Plays one game."""

    config: AgentConfig

    @property
    def state(self) -> State:
        """Where the game is."""

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Choose a move for the player in control. It is not made yet.

        Args:
            budget: How long to think.
            best: Of how many of the best moves to tell all that is known.
            watch: Who looks on.
        """

    def begin(self, state: State) -> None:
        """Go to a nodal state from which nothing is known."""

    def play(self, move: Move) -> None:
        """Go on to the state after a move, whoever has made it."""

    def wait(self, budget: Budget) -> None:
        """It is somebody else's turn; returns at once."""

    def close(self) -> None:
        """End what still goes on, as the game has been broken off."""


def make_agent(
    config: AgentConfig,
    game: Game,
    seed: int,
    player: int | None = None,
    memory: int = DEFAULT_MEMORY,
    budget: Budget = _USUAL,
) -> Agent:
    """An agent at the beginning of a game.

    Args:
        config: What it does.
        game: The game.
        seed: For its random numbers.
        player: Which player it is, by number; None if it is whoever is to move.
        memory: How many bytes its tree may take.
        budget: What each move will have, as far as it is known, for agents that choose by it.
    """
    config = _chosen(config, game, budget)
    if config.kind == "random":
        return RandomAgent(config, game, seed)
    if config.kind == "flat-mc":
        return FlatMonteCarlo(config, game, seed, player)
    try:
        return SearchAgent(config, game, seed, player, memory)
    except NotCompiled as error:
        draws = " and with random simulations" if config.settings.policies else ""
        error.warn(f"the agent searches with the interpreter, slowly{draws}")
        return ReferenceAgent(config, game, seed)


def _chosen(config: AgentConfig, game: Game, budget: Budget) -> AgentConfig:
    """The agent that one which chooses how to search becomes; others stay as they are."""
    if config.kind != "auto":
        return config
    # Few agents choose, and NumPy takes a while to load.
    from semisplit.agent.auto.choice import resolve

    return resolve(config, game, budget)


class RandomAgent:
    """Plays any legal move."""

    def __init__(self, config: AgentConfig, game: Game, seed: int):
        self.config = config
        self.state = game.initial_state()
        self.random = Random(seed)

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Choose a move for the player in control. It is not made yet."""
        return Thought(self.state.random_move(self.random), None, 0, 0, 0.0)

    def begin(self, state: State) -> None:
        """Go to a nodal state from which nothing is known."""
        self.state = State(self.state.game, state.position)

    def play(self, move: Move) -> None:
        """Go on to the state after a move, whoever has made it."""
        self.state = self.state.apply(move)

    def wait(self, budget: Budget) -> None:
        """It is somebody else's turn; returns at once."""

    def close(self) -> None:
        """Nothing goes on that would have to be ended."""


class FlatMonteCarlo(RandomAgent):
    """Plays the move after which random play scores best; of others who move, too, at random."""

    def __init__(self, config: AgentConfig, game: Game, seed: int, player: int | None):
        super().__init__(config, game, seed)
        self._player = player

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Try all moves in turn, each equally often, until the budget is spent."""
        begin = watched = time.perf_counter()
        game, player = self.state.game, self._player or self.state.player
        parts: dict[Steps, list[Move]] = {}
        for move in _moves(self.state):
            parts.setdefault(game.rules.part(move.steps, player), []).append(move)
        moves = list(parts.values())
        tries: dict[Move, RandomPlay] = {}
        bound = game.rules.players[game.player_name(player)]
        sums, simulations, states = [0.0] * len(moves), 0, 0

        def look(_: int, choose: Callable[[list[int]], int] = min) -> Thought:
            # The last round need not be complete.
            counts = [(simulations - i + len(moves) - 1) // len(moves) for i in range(len(moves))]
            means = [total / count if count else -1.0 for total, count in zip(sums, counts)]
            highest = max(means)
            chosen = choose([i for i, mean in enumerate(means) if mean == highest])
            seconds = time.perf_counter() - begin
            return Thought(moves[chosen][0], means[chosen], simulations, states, seconds)

        while not _is_spent(budget, begin, simulations, states):
            tried = simulations % len(moves)
            move = moves[tried][0] if len(moves[tried]) == 1 else self.random.choice(moves[tried])
            if move not in tries:
                following = self.state.apply(move)
                tries[move] = game.reasoner.random_play(following.position, player)
            score, made = tries[move](self.random.getrandbits(64))
            sums[tried] += score / bound
            simulations += 1
            states += 1 + made
            if watch is not None and time.perf_counter() > watched + _SLICE:
                watch(look)
                watched = time.perf_counter()
        return look(0, self.random.choice)


class ReferenceAgent(RandomAgent):
    """Plays by the reference of the search, on the interpreter: for games without machine code."""

    def __init__(self, config: AgentConfig, game: Game, seed: int):
        settings = config.settings
        game = game.split_by(settings.split)
        super().__init__(config, game, seed)
        self._search = ReferenceSearch(game, settings, seed)
        self._previous: Steps = ()

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Choose a move for the player in control. It is not made yet."""
        _moves(self.state)
        budget = budget.part(self.config.settings.share)
        search, begin = self._search, time.perf_counter()
        search.set_root(self.state.position, self._previous)
        simulations, states = search.simulations, search.states
        made = reached = 0

        def look(_: int) -> Thought:
            steps = search.select_final()
            _, score = search.move_statistics().get(steps, (0, None))
            seconds = time.perf_counter() - begin
            return Thought(self.state.move(steps), score, made, reached, seconds)

        while not _is_spent(budget, begin, made, reached):
            search.run(1)
            made, reached = search.simulations - simulations, search.states - states
            if watch is not None:
                watch(look)
        return look(0)

    def begin(self, state: State) -> None:
        """Go to a nodal state from which nothing is known."""
        super().begin(state)
        self._previous = ()
        self._search.played()

    def play(self, move: Move) -> None:
        """Go on to the state after a move, whoever has made it."""
        super().play(move)
        self._previous = move.steps
        self._search.played()


class _Stopped(Exception):
    """There is no need to ponder any more."""


def make_search(
    config: AgentConfig,
    game: Game,
    seed: int,
    player: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Search | MultiTreeSearch:
    """The search of an agent that searches, for a player if it is always the same."""
    config = _chosen(config, game, _USUAL)
    if config.kind != "mcts":
        raise InputError(f"the agent {config.name} does not search")
    # Numba takes a while to load, and not every agent searches.
    from semisplit.search.multitree.search import MultiTreeSearch
    from semisplit.search.search import Search

    if config.multitree:
        return MultiTreeSearch(game, config.multitree, seed=seed, memory=memory)
    if config.cluster:
        from semisplit.cluster.search import ClusterSearch

        return ClusterSearch(
            game, config.settings, config.cluster, player=player, seed=seed, memory=memory
        )
    return Search(game, config.settings, seed=seed, memory=memory)


class SearchAgent:
    """Plays by Monte-Carlo Tree Search."""

    def __init__(self, config: AgentConfig, game: Game, seed: int, player: int | None, memory: int):
        self.config = config
        self._player = player
        self.search = make_search(config, game, seed, player, memory)
        self._pondering: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.search.state

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Choose a move for the player in control. It is not made yet."""
        self.close()
        budget = budget.part(self.config.settings.share)
        pause = None if watch is None else partial(watch, self._look)
        result = self.search.run(budget, details=False, pause=pause)
        if best:
            # Where moves are as good as each other, another look may choose another one.
            variation = result.variation or self.search.expectation(result.move)
            result = replace(result, moves=self.search.look(best).moves, variation=variation)
        return self._thought(result)

    def _look(self, best: int) -> Thought:
        return self._thought(self.search.look(best))

    def _thought(self, result: Result) -> Thought:
        scores = {choice.player: choice.score for choice in result.choices}
        score = scores.get(self._player or 0, result.score)
        return Thought(
            result.move, score, result.simulations, result.states, result.seconds, result
        )

    def begin(self, state: State) -> None:
        """Go to a nodal state from which nothing is known."""
        self.close()
        self.search.set_state(state)

    def play(self, move: Move) -> None:
        """Go on to the state after a move, whoever has made it."""
        self.close()
        self.search.play(move)

    def wait(self, budget: Budget) -> None:
        """Search on during somebody else's turn, if the configuration says so.

        A budget of simulations or states is spent once; one of time is not looked at.
        """
        if not self.config.ponders or self.state.is_terminal:
            return
        self._stop.clear()
        self._pondering = threading.Thread(target=self._ponder, args=(budget,), daemon=True)
        self._pondering.start()

    def _ponder(self, budget: Budget) -> None:
        # What cannot be searched is told when it is the agent's turn.
        with suppress(_Stopped, PlayLimit):
            if budget.seconds is None:
                self.search.run(budget, details=False)
            else:
                self.search.run(Budget(seconds=_FOR_EVER), details=False, pause=self._check_stop)

    def _check_stop(self) -> None:
        if self._stop.is_set():
            raise _Stopped

    def close(self) -> None:
        """End pondering."""
        if self._pondering is not None:
            self._stop.set()
            self._pondering.join()
            self._pondering = None


def _moves(state: State) -> list[Move]:
    moves = state.moves()
    if not moves:
        raise InputError("the game is over")
    return moves


def _is_spent(budget: Budget, begin: float, simulations: int, states: int) -> bool:
    if simulations == 0:
        return False
    if budget.seconds is not None:
        return time.perf_counter() - begin >= budget.seconds - budget.buffer
    if budget.simulations is not None:
        return simulations >= budget.simulations
    assert budget.states is not None
    return states >= budget.states
