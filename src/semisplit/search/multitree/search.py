"""The search in several trees as one uses it.

>>> import semisplit
>>> from semisplit.search import Budget
>>> from semisplit.search.multitree.search import MultiTreeSearch
>>> from semisplit.search.multitree.settings import MultiTreeSettings
>>> search = MultiTreeSearch(semisplit.load("nonogram_g"), MultiTreeSettings(), seed=1)
>>> result = search.run(Budget(simulations=100_000))
>>> result.score, len(result.line)
(1.0, 13)
"""

from __future__ import annotations

import time
from dataclasses import replace

from semisplit.game import Game, Move, State
from semisplit.search.budget import DEFAULT_MEMORY, Budget
from semisplit.search.multitree.crew import CrewSearch
from semisplit.search.multitree.forest import ForestSearch, Unsuitable
from semisplit.search.multitree.memory import MOST_TREES
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.result import Result
from semisplit.search.search import Search
from semisplit.search.searcher import TreeReader
from semisplit.search.settings import Settings
from semisplit.search.stopping import Pause

_PLANNING = 0.5
"""Seconds of the processor in which plans are looked for."""


class MultiTreeSearch:
    """MT-MCTS for one game, from move to move.

    A puzzle that is one piece is searched in one tree, with transpositions. Games of several
    players are searched in the ordinary way if they are one piece, or if moves act in one sub-game
    at a time. Results say so.
    """

    def __init__(
        self,
        game: Game,
        settings: MultiTreeSettings,
        *,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
    ):
        """Prepare a search from the initial state.

        Args:
            game: The game.
            settings: What to do.
            seed: Makes the search repeatable, if its budget is not in seconds.
            memory: How many bytes the trees may take. When they are full, the search goes on
                without growing them.
        """
        self.game = game.split_by(None)
        self.settings = settings
        self.decomposition_seconds = 0.0
        self._seed, self._max_bytes = seed, memory
        self._is_stopped = False
        self._searcher: ForestSearch | Search
        try:
            self._searcher = self._make_forest()
        except Unsuitable as reason:
            self._searcher = self._make_ordinary(reason)

    def _make_forest(self) -> ForestSearch:
        """Choose of what there are trees, and search in them."""
        facts, note = self.game.compiled.facts, ""
        if not facts.bits:
            raise Unsuitable("games in this language are not decomposed")
        masks: tuple[int, ...] = ((1 << 8 * facts.state_bytes) - (1 << 8 * facts.bits),)
        settings = self.settings
        try:
            masks = self._find_subgames() if settings.decomposed else masks
        except Unsuitable as reason:
            if len(self.game.players) > 1:
                raise
            note = f"{reason}: it is searched in one tree, with transpositions"
            # A single tree needs no other estimate than the score.
            settings = replace(settings, alpha=1.0)
        search = ForestSearch if settings.threads == 1 else CrewSearch
        forest = search(
            self.game, masks, settings, seed=self._seed, memory=self._max_bytes, note=note
        )
        if settings.plans and len(masks) > 1 and len(self.game.players) == 1:
            self._plan(forest)
        return forest

    def _plan(self, forest: ForestSearch) -> None:
        """Solve sub-games for themselves, and put the solutions together."""
        begin = time.perf_counter()
        line = self.game.rules.find_plan(_PLANNING)
        if line is not None:
            forest.take_over(line)
        self.decomposition_seconds += time.perf_counter() - begin

    def _find_subgames(self) -> tuple[int, ...]:
        """The parts of the game, if each of them can have a tree."""
        name = self.game.name
        found = self.game.rules.find_subgames(overlapping=self.settings.overlapping)
        assert found is not None, "only games in GDL consist of bits"
        self.decomposition_seconds = found.seconds
        if len(found.masks) < 2:
            raise Unsuitable(f"{name} is one piece")
        if len(found.masks) > MOST_TREES:
            raise Unsuitable(f"{name} falls into more than {MOST_TREES} sub-games")
        # What a sub-game is worth depends on who will move there, which others of them decide.
        if len(self.game.players) > 1 and not found.together:
            raise Unsuitable(f"moves of {name} act in one sub-game only")
        return found.masks

    def _make_ordinary(self, reason: Unsuitable) -> Search:
        settings = Settings(exploration=self.settings.exploration)
        search = Search(self.game, settings, seed=self._seed, memory=self._max_bytes)
        search.note = f"{reason}: it is searched in the ordinary way"
        return search

    @property
    def subgames(self) -> int:
        """The number of trees; 0 if the search is an ordinary one."""
        return len(self._searcher.masks) if isinstance(self._searcher, ForestSearch) else 0

    @property
    def state(self) -> State:
        """Where the game is."""
        return self._searcher.state

    @property
    def result(self) -> Result | None:
        """What the latest run came to; None before the first."""
        return self._searcher.result

    @property
    def tree(self) -> TreeReader:
        """Its trees, to be read between two runs or in a pause."""
        return self._searcher.tree

    def set_state(self, state: State) -> None:
        """Search from a state, with new trees."""
        self._searcher.set_state(state)

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move, and keep what is known about what follows."""
        self._searcher.play(move)

    def run(self, budget: Budget, *, details: bool = True, pause: Pause | None = None) -> Result:
        """Search within a budget and select a move.

        Args:
            budget: How long to search. In a game of one player a search ends when it has found a
                line that reaches the highest score.
            details: Whether to tell the statistics of all moves.
            pause: Is called every few milliseconds. What it does belongs to the time of the search,
                and what it raises ends it.

        Raises:
            InputError: If the game is over.
            PlayLimit: If the rules lead into games without an end.
        """
        self._is_stopped = False
        try:
            return self._searcher.run(budget, details=details, pause=pause)
        except Unsuitable as reason:
            state, self._searcher = self.state, self._make_ordinary(reason)
            self._searcher.set_state(state)

        def pause_again() -> None:
            if self._is_stopped:
                # Somebody may have asked for it before this second run began.
                self._searcher.stop()
            if pause is not None:
                pause()

        return self._searcher.run(budget, details=details, pause=pause_again)

    def stop(self) -> None:
        """End the run that is under way, in about ten milliseconds; returns at once.

        If none is under way nothing happens: a run that begins knows of no earlier stops.
        """
        self._is_stopped = True
        self._searcher.stop()

    def snapshot(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with some of the best moves."""
        return self._searcher.snapshot(count)
