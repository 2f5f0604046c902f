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
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from semisplit.core.errors import InputError, PlayLimit, UnknownName
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.runtime.abi import Status
from semisplit.runtime.compiled import Codes
from semisplit.runtime.scratch import raise_status
from semisplit.search.budget import DEFAULT_MEMORY, Budget
from semisplit.search.crew import Crew
from semisplit.search.exchange import Exchange
from semisplit.search.final import (
    Votes,
    cast_votes,
    complete_at_random,
    select_final,
    select_jointly,
)
from semisplit.search.intervals import Part
from semisplit.search.kernels.candidates import LONG_LIST
from semisplit.search.kernels.mast import decay_mast
from semisplit.search.kernels.memory import ROOT, KnownSubmoves
from semisplit.search.kernels.submoves import NEEDS_SUBMOVES
from semisplit.search.line import BestLine
from semisplit.search.memory.common import Common
from semisplit.search.merged import MergedView
from semisplit.search.narrowing import Narrowing
from semisplit.search.parallel import Merge
from semisplit.search.result import Branch, Choice, Result, Statistics
from semisplit.search.settings import (
    Decay,
    Settings,
    Simulation,
    Tree,
    check_players,
    check_simultaneous,
)
from semisplit.search.ticking import ticks_at
from semisplit.search.view import View, VisitedEdge, by_visits

MAX_MEMORY = 2**40
MAX_FAILURES = 100
"""Iterations given up in a row after which there is no sense in going on."""
_SLICE = 0.01
"""Seconds after which a kernel comes back, unless an iteration takes longer."""
_ENDLESS = 2**62
_LEAST_WORK, _MOST_WORK = 1_000_000, 200_000_000
_WORK_PER_SECOND = 20_000_000
"""Failures after which a simulation in compiled code is given up: about what there is time for."""
Pause = Callable[[], None]
"""Is called during a search, every few milliseconds."""


@dataclass
class _Begun:
    """A run: what there was when it began, and what it has done since."""

    time: float
    states: int
    abandoned: int
    simulations: int = 0
    note: str = ""


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
        self.settings = settings
        self._common = Common(self.game, settings)
        check_players(settings, self._common.rules.players)
        self._crew = Crew(self._common, settings.parallel, seed, memory)
        pairs = list(zip(self._crew.trees, self._crew.workers))
        self._views = [View(tree, worker) for tree, worker in pairs]
        merges = len(self._views) > 1
        self._view = MergedView(self._views, settings.parallel.merge) if merges else self._views[0]
        semisplit = settings.simulation == Simulation.SEMISPLIT
        self._lines = [BestLine(tree, semisplit) for tree in self._crew.trees]
        self.exchange = Exchange(*pairs[0])
        """What other searches of the same position are told, and what they have told."""
        self._narrowing = Narrowing(*pairs[0])
        self._random = Random(seed)
        self._begun = _Begun(time.perf_counter(), 0, 0)
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
        for tree, line in zip(self._crew.trees, self._lines):
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
        for tree in self._crew.trees:
            tree.set_root(self._root, previous)

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
        forgets = self.settings.mast is not None and self.settings.mast.decay == Decay.MOVE
        for tree, worker, view in zip(self._crew.trees, self._crew.workers, self._views):
            node = view.find(codes)
            if node is None:
                tree.clear()
            else:
                tree.keep_subtree(node)
            if forgets:
                decay_mast(worker.at(tree))
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
        crew = self._crew
        self._begun = _Begun(
            time.perf_counter(), crew.states, crew.abandoned, note=self._common.note
        )
        crew.forget_times()
        self._run(budget, self._begun, pause or (lambda: None))
        result = self._result(self._random)
        if not details:
            return result
        return replace(
            result,
            choices=tuple(map(self._explain, result.choices)),
            moves=self._move_statistics(),
            semimoves=self._semimove_statistics(),
            variation=self._variation(result.move),
        )

    def look(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with some of the best moves if there are any.

        It takes less than a millisecond also where there are thousands of moves, and the search
        goes on as if nobody had looked.
        """
        result = self._result(Random(0))
        if not count:
            return result
        found = ((codes, edge, self._knows_moves) for codes, edge in self._view.most_visited(count))
        variation = self.expectation(result.move)
        return replace(result, moves=self._statistics(found), variation=variation)

    def expectation(self, move: Move) -> tuple[Move, ...]:
        """A move at the root, and then what both sides have done most often.

        It is found quickly: ties are not broken at random, and moves are written for themselves.
        Otherwise all legal moves would have to be listed on the way, as moves are told apart.
        """
        node, variation = self._node(move), [move.steps]
        while node is not None and (found := self._view.most_visited(1, node)):
            ((codes, edge),) = found
            variation.append(self._common.coding.game.codec.steps(codes))
            node = edge.number
        return tuple(Move(steps, self.game.write_move(steps)) for steps in variation)

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
        crew, begun = self._crew, self._begun
        trees = [tree.record for tree in crew.trees]
        self._view.forget()
        seconds = time.perf_counter() - begun.time
        complete = partial(self._complete, random)
        choices: tuple[Choice, ...] = ()
        line, votes = self._line.moves(self._root), self._votes()
        if self._view.choosers():
            found = select_jointly(self._view, self.state.player, self.settings, random, votes)
            codes = complete(tuple(code for edge in found.values() for code in edge.codes))
            score = found[self.state.player].score
            choices = tuple(
                Choice(player, self._part(edge.codes), edge.score, ())
                for player, edge in found.items()
            )
        elif line:
            codes, score = line[0], self._line.score
        else:
            codes, score = select_final(self._view, self.settings, random, complete, votes)
        return Result(
            move=self._move(self.state, codes),
            score=score,
            moves=(),
            semimoves=(),
            variation=(),
            depth=max(tree.deepest for tree in trees),
            simulations=begun.simulations,
            states=crew.states - begun.states,
            abandoned=crew.abandoned - begun.abandoned,
            seconds=seconds,
            nodes=sum(tree.node_count for tree in trees),
            bytes=sum(tree.used_bytes for tree in crew.trees),
            tree_share=crew.tree_share,
            line=tuple(map(self._part, line)),
            line_simulation=self._line.simulation,
            note=begun.note,
            choices=choices,
            policies=crew.policies,
        )

    def branches(self, path: Sequence[str] = ()) -> list[Branch]:
        """The edges of a node, the most visited first; it is known by the names on the way to it.

        A tree that grows is dissolved here and there, so numbers of nodes would not do.
        """
        self._view.forget()
        node, state = ROOT, self.state
        for name in path:
            found = {self._name(state, edge): edge for edge in self._view.edges(node)}
            if name not in found:
                raise UnknownName("branch", name, found)
            node, state = found[name].number, self._after(state, found[name])
        edges = sorted(self._view.edges(node), key=by_visits, reverse=True)
        return [
            Branch(
                self._name(state, edge),
                edge.visits,
                edge.score,
                state.player,
                bool(self._view.edges(edge.number)),
            )
            for edge in edges
        ]

    def _name(self, state: State, edge: VisitedEdge) -> str:
        group = self._view.group(edge.number)
        return f"[{group}]" if group else str(self._move(state, edge.codes))

    def _after(self, state: State, edge: VisitedEdge) -> State:
        """The state after an edge; a group does nothing."""
        is_group = self._view.group(edge.number)
        return state if is_group else state.apply(self._move(state, edge.codes))

    def draw(self, least: int = 1) -> str:
        """The tree as text: edges with at least so many visits, their visits and average scores."""
        visits = sum(tree.edges[ROOT]["visits"] for tree in self._crew.trees)
        lines = [f"{self.state.player_name} to move, {visits} visits"]
        stack: list[tuple[VisitedEdge, State, str, bool]] = []

        def push(node: int, state: State, margin: str) -> None:
            edges = [edge for edge in self._view.edges(node) if edge.visits >= least]
            edges.sort(key=by_visits)
            stack.extend((edge, state, margin, edge is edges[0]) for edge in edges)

        push(ROOT, self.state, "")
        while stack:
            edge, state, margin, is_last = stack.pop()
            corner, line = ("└─", "   ") if is_last else ("├─", "│  ")
            name = self._name(state, edge)
            lines.append(f"{margin}{corner} {name} {edge.visits} {edge.score:.2f}")
            push(edge.number, self._after(state, edge), margin + line)
        return "\n".join(lines)

    def _run(self, budget: Budget, begun: _Begun, pause: Pause) -> None:
        """Iterate until the budget is spent."""
        crew = self._crew
        states = _ENDLESS if budget.states is None else begun.states + max(1, budget.states)
        most = _ENDLESS if budget.simulations is None else max(1, budget.simulations)
        seconds = math.inf if budget.seconds is None else budget.seconds - budget.buffer
        end = begun.time + seconds
        work = int(max(_LEAST_WORK, min(seconds * _WORK_PER_SECOND, _MOST_WORK)))
        while begun.simulations < most and crew.states < states and not self._line.is_best:
            has_tried = begun.simulations > 0 or crew.abandoned > begun.abandoned
            if has_tried:
                pause()
            now = time.perf_counter()
            if has_tried and now >= end:
                break
            slice_end = ticks_at(min(end, now + _SLICE))
            crew.allow(work, ticks_at(end + _SLICE) if budget.seconds is not None else _ENDLESS)
            made = crew.work(most - begun.simulations, states - crew.states, slice_end)
            begun.simulations += made
            if error := crew.error:
                crew.error = None
                if not begun.simulations:
                    raise error
                begun.note = f"the search ended early, as a thread did: {error!r}"
                break
            self._check(made)
        if not begun.simulations and begun.time < end <= time.perf_counter():
            begun.note = "there was not enough time for a single simulation"

    def _check(self, made: int) -> None:
        """Raise what keeps iterations from being completed, if so many were made latest."""
        failures = []
        for number, worker in enumerate(self._crew.workers):
            record, tree = worker.record, self._crew.tree_of(number)
            failure, record.failure = record.failure, 0
            if failure == NEEDS_SUBMOVES:
                # It has waited for nothing but more room.
                record.abandoned -= 1
                record.failures -= 1
                continue
            # What fails at the root fails always.
            cannot_begin = tree.edges[ROOT]["first"] < 0 and not tree.record.full
            if failure and (cannot_begin or record.failures >= MAX_FAILURES):
                failures.append(failure)
        if made or not failures:
            return
        if LONG_LIST in failures:
            raise PlayLimit("there are more moves in a position than the search has room for")
        raise_status(Status(failures[0]))

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

    def _move(self, state: State, codes: Codes) -> Move:
        return state.move(self._common.coding.game.codec.steps(codes))

    def _part(self, codes: Codes) -> Move:
        """Steps as a move whose text tells it from no other: what one of several players does."""
        steps = self._common.coding.game.codec.steps(codes)
        return Move(steps, self.game.write_move(steps))

    def _explain(self, choice: Choice) -> Choice:
        """The same choice, with what is known about all that the player could do."""
        view, player = self._view, choice.player
        known = [
            Statistics(
                self._part(edge.codes), edge.visits, edge.score, view.mast(player, edge.codes), None
            )
            for edge in view.members(view.choosers().get(player, ROOT))
        ]
        return replace(choice, steps=tuple(sorted(known, key=lambda one: -one.visits)))

    def _move_statistics(self) -> tuple[Statistics, ...]:
        found = ((codes, edge, self._knows_moves) for codes, edge in self._view.moves())
        return self._statistics(found)

    @property
    def _knows_moves(self) -> bool:
        # If MAST knows semimoves as a whole, it does not know moves.
        return self._common.settings.mast_submoves != KnownSubmoves.SEMIMOVES

    def _semimove_statistics(self) -> tuple[Statistics, ...]:
        return self._statistics((edge.codes, edge, True) for edge in self._view.members(ROOT))

    def _statistics(
        self, found: Iterable[tuple[Codes, VisitedEdge, bool]]
    ) -> tuple[Statistics, ...]:
        """What is known about steps that end with an edge, and in which MAST may have a say."""
        view, player = self._view, self.state.player
        known = [
            Statistics(
                self._move(self.state, codes),
                edge.visits,
                edge.score,
                view.mast(player, codes) if in_mast else None,
                view.rave(edge),
            )
            for codes, edge, in_mast in found
        ]
        return tuple(sorted(known, key=lambda one: -one.visits))

    def _node(self, move: Move) -> int | None:
        """The node to which a move at the root leads, if there is one."""
        codes = self._common.coding.game.codec.codes(move.steps)
        return None if codes is None else self._view.find(codes)

    def _variation(self, move: Move) -> tuple[Move, ...]:
        node, state, variation = self._node(move), self.state.apply(move), [move]
        while node is not None and (moves := list(self._view.moves(node))):
            top = max(by_visits(edge) for _, edge in moves)
            best = [one for one in moves if by_visits(one[1]) == top]
            codes, edge = self._random.choice(best)
            variation.append(self._move(state, codes))
            state = state.apply(variation[-1])
            node = edge.number
        return tuple(variation)
