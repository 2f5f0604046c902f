"""The search as one uses it.

>>> import semisplit
>>> from semisplit.search import Budget, Search, Settings
>>> search = Search(semisplit.load("tic_tac_toe"), Settings(), seed=1)
>>> result = search.run(Budget(simulations=1000))
>>> result.simulations
1000
>>> search.play(result.move)
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random

from semisplit.compiler.runtime.abi import Status
from semisplit.compiler.runtime.compiled import Codes
from semisplit.compiler.runtime.scratch import raise_status
from semisplit.core.errors import InputError, PlayLimit
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.search.allocation.common import Common
from semisplit.search.budget import DEFAULT_MEMORY, Budget
from semisplit.search.cycle_clock import ticks_at
from semisplit.search.engine.candidates import LONG_LIST
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.simulate import MANY_SEMIMOVES
from semisplit.search.features.chance.settings import check_chance
from semisplit.search.features.decoupled.settings import check_simultaneous
from semisplit.search.features.line.line import BestLine
from semisplit.search.features.narrowing.intervals import Part
from semisplit.search.features.narrowing.narrowing import Narrowing
from semisplit.search.features.solver.feature import SolverFeature
from semisplit.search.features.submoves.kernels import NEEDS_SUBMOVES
from semisplit.search.final import (
    Votes,
    cast_votes,
    complete_at_random,
    select_final,
    select_jointly,
)
from semisplit.search.inspector import Inspector
from semisplit.search.parallel.exchange import Exchange
from semisplit.search.parallel.merged import MergedView
from semisplit.search.parallel.pool import WorkerPool
from semisplit.search.parallel.settings import Merge
from semisplit.search.result import Choice, Result, note_of
from semisplit.search.settings import Settings, Simulation, Tree, check_players
from semisplit.search.stopping import (
    ENDLESS,
    Pause,
    Run,
    Solution,
    StopRequest,
    slices,
    stopper_of,
)
from semisplit.search.view import View

MAX_MEMORY = 2**40
MAX_FAILURES = 100
"""Iterations given up in a row after which there is no sense in going on."""
_LEAST_WORK, _MOST_WORK = 1_000_000, 200_000_000
_WORK_PER_SECOND = 20_000_000
"""Failures after which a simulation in compiled code is given up: about what there is time for."""


class Search:
    """Monte-Carlo Tree Search for one game, from move to move."""

    def __init__(
        self, game: Game, settings: Settings, *, seed: int = 0, memory: int = DEFAULT_MEMORY
    ):
        """Prepare a search from the initial state.

        Args:
            game: The game; how its moves are split is up to the settings.
            settings: What to do.
            seed: Makes the search repeatable, if its budget is not in seconds.
            memory: How many bytes the tree may take. When it is full, the search goes on without
                growing it.
        """
        if not 0 <= memory <= MAX_MEMORY:
            raise InputError(f"the memory of a search must be from 0 to {MAX_MEMORY} bytes")
        self.game = game.split_by(settings.split)
        if self.game.compiled.facts.simultaneous:
            check_simultaneous(settings)
        if game.rules.chance:
            check_chance(settings)
        self.settings = settings
        self._common = Common(self.game, settings)
        check_players(settings, self._common.rules.players)
        self._pool = WorkerPool(self._common, settings.parallel, seed, memory)
        pairs = list(zip(self._pool.trees, self._pool.workers))
        self._views = [View(tree, worker) for tree, worker in pairs]
        merges = len(self._views) > 1
        self._view = MergedView(self._views, settings.parallel.merge) if merges else self._views[0]
        semisplit = settings.simulation == Simulation.SEMISPLIT
        self._lines = [BestLine(tree, semisplit) for tree in self._pool.trees]
        self.exchange = Exchange(*pairs[0])
        """What this search and others of the same position have found out, for each other."""
        self._narrowing = Narrowing(*pairs[0])
        self._random = Random(seed)
        self.note = self._common.note
        """What results say about what the search does otherwise than it was asked to."""
        self._request = StopRequest()
        self._latest = Run()
        self.result: Result | None = None
        """What the latest run came to; None before the first."""
        self.set_state(self.game.initial_state())

    def set_state(self, state: State) -> None:
        """Search from a state, with a new tree; what MAST has learnt is kept."""
        if state.game.text != self.game.text:
            raise InputError("the state belongs to another game")
        if not state.is_nodal:
            raise InputError("a search cannot begin inside a move")
        self.state = State(self.game, state.position)
        self.widen()
        self.exchange.forget()
        for tree, line in zip(self._pool.trees, self._lines):
            tree.clear()
            line.forget()
        self._set_root()

    def narrow(self, player: int, part: Part) -> None:
        """Try only a part of what a player can do, at the first choice on each way, until `widen`.

        That is the first nodal node where the player has several edges. A move played ends it.
        """
        self._narrowing.begin(player, part)

    def widen(self) -> None:
        """Try all that can be done."""
        self._narrowing.end()

    @property
    def _root(self) -> bytes:
        return self._common.coding.game.codec.pack(self.state.position)

    def _set_root(self, previous: Steps = ()) -> None:
        for tree in self._pool.trees:
            tree.set_root(self._root, previous)

    @property
    def _proven(self) -> tuple[float, ...] | None:
        """The proven score of each player, if there is one: then all is in one tree."""
        return self._common.feature(SolverFeature).proven(self._pool.trees[0])

    @property
    def _is_solved(self) -> bool:
        """Whether more iterations could not change what is to be played."""
        return self._line.is_best or self._proven is not None

    @property
    def _line(self) -> BestLine:
        """The best line that has been found in any tree."""
        return max(self._lines, key=lambda line: line.score)

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move, and keep the part of the tree below it."""
        if isinstance(move, str):
            move = self.state.parse_move(move)
        following = self.state.apply(move)
        if not following.is_nodal:
            raise InputError("a search goes from move to move, not by semimoves")
        codes = self._common.coding.game.codec.codes(move.steps)
        assert codes is not None
        self.widen()
        self.exchange.retract()
        for line in self._lines:
            line.play(tuple(codes), self._root)
        for tree, worker, view in zip(self._pool.trees, self._pool.workers, self._views):
            node = view.find(codes)
            if node is None:
                tree.clear()
            else:
                tree.keep_subtree(node)
            for feature in self._common.features:
                feature.play(tree, worker)
        self.state = following
        self._set_root(move.steps)

    def run(self, budget: Budget, *, details: bool = True, pause: Pause | None = None) -> Result:
        """Search within a budget and select a move.

        Args:
            budget: How long to search.
            details: Whether to look through the tree for the statistics of all moves and for the
                principal variation, which takes some milliseconds, in some games hundreds.
            pause: Is called every few milliseconds. What it does belongs to the time of the search,
                and what it raises ends it.

        Raises:
            InputError: If the game is over.
            PlayLimit: If the rules lead into moves or games without an end.
        """
        if self.state.is_terminal:
            raise InputError("the game is over")
        self._request.forget()
        self._latest = Run(is_solved=self._is_solved, note=self.note)
        self._pool.forget_times()
        self._iterate(budget, self._latest, pause)
        result = self._result(self._random)
        if details:
            tree = self.tree
            result = replace(
                result,
                choices=tuple(map(tree.explain, result.choices)),
                moves=tree.moves(),
                semimoves=tree.semimoves(),
                variation=tree.variation(result.move, self._random),
            )
        self.result = result
        return result

    def stop(self) -> None:
        """End the run that is under way, in about ten milliseconds; returns at once.

        Any thread may call it, also in a pause of the search. The run returns what it has found so
        far. If none is under way nothing happens: a run that begins knows of no earlier stops.
        """
        self._request.make()

    @property
    def tree(self) -> Inspector:
        """Its trees, to be read between two runs or in a pause."""
        return Inspector(self.state, self._view, self._views, self._pool.trees, self._pool.workers)

    def snapshot(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with some of the best moves if there are any.

        It takes less than a millisecond also where there are thousands of moves, and the search
        goes on as it would have without.
        """
        result = self._result(Random(0))
        if not count:
            return result
        variation = self.tree.expectation(result.move)
        return replace(result, moves=self.tree.best_moves(count), variation=variation)

    def vote(self) -> Votes:
        """What its trees vote for, each by what it has found out so far."""
        player, random = self.state.player, Random(0)
        votes = (cast_votes(view, player, self.settings, random) for view in self._views)
        return sum(votes, Counter())

    def _votes(self) -> Votes:
        """What decides on the move instead of scores and visits, if that is asked for."""
        return self.vote() if self.settings.parallel.merge == Merge.MAJORITY else Counter()

    def _result(self, random: Random) -> Result:
        """The move to be played now, and what it is based on."""
        pool, run, inspector = self._pool, self._latest, self.tree
        trees = [tree.record for tree in pool.trees]
        self._view.forget()
        seconds = run.seconds
        complete = partial(self._complete, random)
        reason = self._about_semidepth if run.has_long_moves else ""
        choices: tuple[Choice, ...] = ()
        line, votes = self._line.moves(self._root), self._votes()
        if self._view.choosers():
            found = select_jointly(self._view, self.state.player, self.settings, random, votes)
            codes = complete(tuple(code for edge in found.values() for code in edge.codes))
            score = found[self.state.player].score
            choices = tuple(
                Choice(player, inspector.part(edge.codes), edge.score, ())
                for player, edge in found.items()
            )
        elif line:
            codes, score = line[0], self._line.score
        else:
            codes, score = select_final(self._view, self.settings, random, complete, votes)
        proven = self._proven[self.state.player - 1] if self._proven else None
        return Result(
            move=inspector.move(self.state, codes),
            score=score if proven is None else proven,
            proven=proven,
            moves=(),
            semimoves=(),
            variation=(),
            depth=max(tree.deepest for tree in trees),
            simulations=run.simulations,
            states=run.states,
            abandoned=run.abandoned,
            seconds=seconds,
            nodes=sum(tree.node_count for tree in trees),
            bytes=sum(tree.used_bytes for tree in pool.trees),
            tree_share=pool.tree_share,
            line=tuple(map(inspector.part, line)),
            line_simulation=self._line.simulation,
            note=note_of(run.note, run.abandoned, reason),
            choices=choices,
            policies=pool.policies,
        )

    def _iterate(self, budget: Budget, run: Run, pause: Pause | None) -> None:
        """Iterate until a stopper is due."""
        pool, clock = self._pool, budget.clock
        states, abandoned = pool.states, pool.abandoned
        work = int(max(_LEAST_WORK, min(clock * _WORK_PER_SECOND, _MOST_WORK)))
        for part in slices([self._request, Solution(), stopper_of(budget, run)], run, pause):
            pool.allow(work, ENDLESS if part.deadline == math.inf else ticks_at(part.deadline))
            made = pool.work(part.simulations, part.states, ticks_at(part.end))
            run.simulations += made
            if (error := pool.error) is None:
                self._check(made)
            run.states, run.abandoned = pool.states - states, pool.abandoned - abandoned
            run.is_solved = self._is_solved
            if error:
                pool.error = None
                if not run.simulations:
                    raise error
                run.note = f"the search ended early, as a thread did: {error!r}"
                break
        if not run.simulations and 0 < clock <= run.seconds:
            run.note = "there was not enough time for a single simulation"

    def _check(self, made: int) -> None:
        """Raise what keeps iterations from being completed, if so many were made latest."""
        failures = []
        for number, worker in enumerate(self._pool.workers):
            record, tree = worker.record, self._pool.tree_of(number)
            failure, record.failure = record.failure, 0
            if failure == NEEDS_SUBMOVES:
                # It has waited for nothing but more room.
                record.counts.abandoned -= 1
                record.counts.failures -= 1
                continue
            self._latest.has_long_moves |= failure == MANY_SEMIMOVES
            # What fails at the root fails always.
            cannot_begin = tree.edges[ROOT]["first"] < 0 and not tree.record.full
            if failure and (cannot_begin or record.counts.failures >= MAX_FAILURES):
                failures.append(failure)
        if made or not failures:
            return
        if LONG_LIST in failures:
            raise PlayLimit("there are more moves in a position than the search has room for")
        if MANY_SEMIMOVES in failures:
            raise PlayLimit(f"no move was found: {self._about_semidepth}")
        raise_status(Status(failures[0]))

    @property
    def _about_semidepth(self) -> str:
        most = self.settings.max_semidepth
        return f"moves have more semimoves than max_semidepth, {most}, allows"

    def _complete(self, random: Random, codes: Codes) -> Codes:
        game = self._common.coding.game
        state = self._root
        begun = game.play(state, codes) if codes else state
        assert begun is not None
        if self.settings.tree == Tree.ORTHODOX:
            # A move is begun only if several players decide at once.
            is_whole = codes and game.is_nodal(begun)
            return codes if is_whole else codes + game.random_move(begun, random)
        return codes + complete_at_random(game, begun, random)
