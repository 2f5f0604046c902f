"""The life of an agent: it follows the moves of a game, and makes its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Protocol

from semisplit.agents.config import (
    AgentConfig,
    AutoConfig,
    FlatConfig,
    MctsConfig,
    MultiTreeConfig,
    RandomConfig,
)
from semisplit.core.errors import InputError, NotCompiled, PlayLimit
from semisplit.core.steps import RandomPlay, Steps
from semisplit.game import Game, Move, State
from semisplit.search import Budget, Result, Settings
from semisplit.search.budget import DEFAULT_MEMORY
from semisplit.search.searcher import Searcher
from semisplit.search.stopping import SLICE, Run, StopRequest, iterations, stopper_of

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

    @property
    def abandoned(self) -> int:
        """Iterations that a search has given up."""
        return self.result.abandoned if self.result else 0


Look = Callable[[int], Thought]
"""Tells what an agent thinks so far, in detail about some of the best moves: how many is given."""
Watch = Callable[[Look], None]
"""Is called every few milliseconds while an agent thinks, and may look what it thinks.

That takes some of the agent's time. It may stop the agent, and what it raises ends the thinking.
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
            watch: Is called with thoughts on the way.
        """

    def stop(self) -> None:
        """End the thinking that is under way, from any thread: the agent takes what it has so far.

        If none is under way nothing happens: earlier stops do not count for later thinking.
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
    if isinstance(config, RandomConfig):
        return RandomAgent(config, game, seed)
    if game.rules.hides:
        # Few games need it.
        from semisplit.agents.imperfect.sampling import SamplingAgent

        if player is None:
            raise InputError(f"in {game.name} each player sees something else; say which one it is")
        inner = _make_agent(config, game, seed, player, memory)
        return SamplingAgent(config, inner, game, seed, player)
    return _make_agent(config, game, seed, player, memory)


def _make_agent(
    config: AgentConfig, game: Game, seed: int, player: int | None, memory: int
) -> Agent:
    """An agent that sees all positions."""
    if isinstance(config, FlatConfig):
        return FlatMonteCarlo(config, game, seed, player)
    try:
        search = make_search(config, game, seed, player, memory)
    except NotCompiled as error:
        settings = config.settings if isinstance(config, MctsConfig) else Settings()
        draws = " and with random simulations" if settings.policies else ""
        error.warn(f"the agent searches with the interpreter, slowly{draws}")
        # Few games need it.
        from semisplit.search.reference.searcher import ReferenceSearcher

        # It would forget all that it finds out during somebody else's turn.
        config = replace(config, ponders=False)
        search = ReferenceSearcher(game, settings, seed=seed)
    return SearchAgent(config, search, player)


def _chosen(
    config: AgentConfig, game: Game, budget: Budget
) -> RandomConfig | FlatConfig | MctsConfig | MultiTreeConfig:
    """The agent that one which chooses how to search becomes; others stay as they are."""
    if not isinstance(config, AutoConfig):
        return config
    # Few agents choose, and NumPy takes a while to load.
    from semisplit.agents.auto.choice import resolve

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

    def stop(self) -> None:
        """It does not take long anyway."""

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
        self._request = StopRequest()

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Try all moves in turn, each equally often, until the budget is spent."""
        self._request.forget()
        run = Run()
        game, player = self.state.game, self._player or self.state.player
        parts: dict[Steps, list[Move]] = {}
        for move in _moves(self.state):
            parts.setdefault(game.rules.part(move.steps, player), []).append(move)
        moves = list(parts.values())
        tries: dict[Move, RandomPlay] = {}
        bound = game.rules.players[game.player_name(player)]
        sums = [0.0] * len(moves)

        def look(_: int, choose: Callable[[list[int]], int] = min) -> Thought:
            # The last round need not be complete.
            count, rest = divmod(run.simulations, len(moves))
            counts = [count + (i < rest) for i in range(len(moves))]
            means = [total / count if count else -1.0 for total, count in zip(sums, counts)]
            highest = max(means)
            chosen = choose([i for i, mean in enumerate(means) if mean == highest])
            return Thought(
                moves[chosen][0], means[chosen], run.simulations, run.states, run.seconds
            )

        pause = None if watch is None else partial(watch, look)
        for _ in iterations([self._request, stopper_of(budget, run)], run, pause):
            tried = run.simulations % len(moves)
            move = moves[tried][0] if len(moves[tried]) == 1 else self.random.choice(moves[tried])
            if move not in tries:
                following = self.state.apply(move)
                tries[move] = game.reasoner.random_play(following.position, player)
            score, made = tries[move](self.random.getrandbits(64))
            sums[tried] += score / bound
            run.simulations += 1
            run.states += 1 + made
        return look(0, self.random.choice)

    def stop(self) -> None:
        """End the thinking that is under way."""
        self._request.make()


def make_search(
    config: AgentConfig,
    game: Game,
    seed: int,
    player: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Searcher:
    """The search of an agent that searches, for a player if it is always the same."""
    config = _chosen(config, game, _USUAL)
    alone = isinstance(config, MctsConfig) and not config.on_cluster
    if (game.rules.chance or game.rules.hides) and config.searches and not alone:
        kind = "hidden information" if game.rules.hides else "chance"
        raise InputError(f"{config.name} cannot play games of {kind}, like {game.name}")
    # Numba takes a while to load, and not every agent searches.
    match config:
        case MultiTreeConfig(multitree=multitree):
            from semisplit.search.multitree.search import MultiTreeSearch

            return MultiTreeSearch(game, multitree, seed=seed, memory=memory)
        case MctsConfig(settings=settings, cluster=None):
            from semisplit.search.search import Search

            return Search(game, settings, seed=seed, memory=memory)
        case MctsConfig(settings=settings, cluster=cluster) if cluster:
            from semisplit.search.cluster.search import ClusterSearch

            return ClusterSearch(game, settings, cluster, player=player, seed=seed, memory=memory)
    raise InputError(f"the agent {config.name} does not search")


class SearchAgent:
    """Plays by Monte-Carlo Tree Search."""

    def __init__(self, config: AgentConfig, search: Searcher, player: int | None):
        self.config = config
        self.search = search
        self._player = player
        self._pondering: threading.Thread | None = None
        self._is_endless = False
        """Whether pondering has to be stopped, as nothing else ends it."""

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.search.state

    def think(self, budget: Budget, *, best: int = 0, watch: Watch | None = None) -> Thought:
        """Choose a move for the player in control. It is not made yet."""
        self.close()
        budget = budget.part(self.config.share)
        pause = None if watch is None else partial(watch, self._look)
        result = self.search.run(budget, details=False, pause=pause)
        if best:
            # Where moves are as good as each other, another look may choose another one.
            variation = result.variation or self.search.tree.expectation(result.move)
            result = replace(result, moves=self.search.snapshot(best).moves, variation=variation)
        return self._thought(result)

    def _look(self, best: int) -> Thought:
        return self._thought(self.search.snapshot(best))

    def _thought(self, result: Result) -> Thought:
        scores = {choice.player: choice.score for choice in result.choices}
        score = scores.get(self._player or 0, result.score)
        return Thought(
            result.move, score, result.simulations, result.states, result.seconds, result
        )

    def stop(self) -> None:
        """End the thinking that is under way."""
        self.search.stop()

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
        self._is_endless = budget.seconds is not None
        budget = Budget(seconds=_FOR_EVER) if self._is_endless else budget
        self._pondering = threading.Thread(target=self._ponder, args=(budget,), daemon=True)
        self._pondering.start()

    def _ponder(self, budget: Budget) -> None:
        # If it cannot be searched, that is an error when it is the agent's turn.
        with suppress(PlayLimit):
            self.search.run(budget, details=False)

    def close(self) -> None:
        """End pondering."""
        while self._pondering is not None and self._pondering.is_alive():
            if self._is_endless:
                # The thread may not have begun to search yet, so once may not be enough.
                self.search.stop()
            self._pondering.join(SLICE)
        self._pondering = None


def _moves(state: State) -> list[Move]:
    moves = state.moves()
    if not moves:
        raise InputError("the game is over")
    return moves
