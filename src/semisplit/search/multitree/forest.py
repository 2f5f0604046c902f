"""MT-MCTS for one game: a tree for each sub-game, or one tree with transpositions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from semisplit.compiler.runtime.abi import Status
from semisplit.compiler.runtime.compiled import Codes
from semisplit.compiler.runtime.scratch import raise_status
from semisplit.core.errors import InputError
from semisplit.core.steps import NOBODY, Steps
from semisplit.game import Game, Move, State
from semisplit.search.budget import Budget
from semisplit.search.cycle_clock import ticks_at
from semisplit.search.multitree.inspector import ForestInspector, move_codes
from semisplit.search.multitree.kernels.iterate import mt_mcts
from semisplit.search.multitree.kernels.positions import LONG_LIST
from semisplit.search.multitree.memory import Memory
from semisplit.search.multitree.reference import ENOUGH_DOUBTS
from semisplit.search.multitree.settings import MultiTreeSettings, merge_masks
from semisplit.search.result import Choice, Result, Statistics, note_of
from semisplit.search.search import MAX_FAILURES
from semisplit.search.stopping import (
    ENDLESS,
    Pause,
    Run,
    Solution,
    StopRequest,
    slices,
    stopper_of,
)


class Unsuitable(Exception):
    """The game cannot be searched in this way; the reason is given."""


class Known(NamedTuple):
    """What is known about a move at the root, or about a step of it."""

    codes: Codes
    visits: int
    scores: list[float]
    """The sum of each player's."""


class ForestSearch:
    """Searches in given trees, from move to move."""

    def __init__(
        self,
        game: Game,
        masks: tuple[int, ...],
        settings: MultiTreeSettings,
        *,
        seed: int,
        memory: int,
        note: str,
    ):
        """Prepare a search from the initial state.

        Args:
            game: The game, with whole moves.
            masks: What there are trees of, as bits of states.
            settings: What to do.
            seed: Makes the search repeatable, if its budget is not in seconds.
            memory: How many bytes the trees may take.
            note: What results say about what the search does otherwise than it was asked to.
        """
        self.game, self.settings, self.masks = game, settings, masks
        self.state = game.initial_state()
        self.result: Result | None = None
        """What the latest run came to; None before the first."""
        self._max_bytes, self._note = memory, note
        self._depth = 0
        self._line: list[Codes] = []
        self._line_score = -1
        """What is left of the best line, and its score; -1 if there is none."""
        self._request = StopRequest()
        self._latest = Run()
        self._memory = Memory(game, masks, settings, seed, memory)
        self._set_root()

    @property
    def _root(self) -> bytes:
        return self.game.compiled.codec.pack(self.state.position)

    def _set_root(self) -> None:
        self._memory.set_root(self._root, self._depth)
        self._memory.forest.best_score = self._line_score

    def set_state(self, state: State) -> None:
        """Search from a state, with new trees."""
        if state.game.text != self.game.text:
            raise InputError("the state belongs to another game")
        if not state.is_nodal:
            raise InputError("a search cannot begin inside a move")
        self.state, self._depth = State(self.game, state.position), 0
        self._line, self._line_score = [], -1
        self._plant(self.masks)

    def take_over(self, line: Sequence[Steps]) -> None:
        """Play a line from here that was found elsewhere, if it is better than what is known."""
        state = self.state
        for steps in line:
            state = state.apply(Move(steps, self.game.write_move))
        if state.is_terminal and state.scores[0] > self._line_score:
            codes = map(self.game.compiled.codec.codes, line)
            self._line = [tuple(one) for one in codes if one]
            self._line_score = state.scores[0]
            self._set_root()

    def _plant(self, masks: tuple[int, ...]) -> None:
        """Begin with new trees."""
        random = int(self._memory.worker.random)
        self.masks = masks
        self._memory = Memory(self.game, masks, self.settings, random, self._max_bytes)
        self._set_root()

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move, and keep what is known about what follows."""
        if isinstance(move, str):
            move = self.state.parse_move(move)
        following = self.state.apply(move)
        if not following.is_nodal:
            raise InputError("a search goes from move to move, not by semimoves")
        codes = self.game.compiled.codec.codes(move.steps)
        self.read_line()
        if self._line and codes is not None and self._line[0] == tuple(codes):
            del self._line[0]
        else:
            self._line, self._line_score = [], -1
        self.state = following
        self._depth += 1
        if self._memory.forest.full:
            self._plant(self.masks)
        else:
            self._set_root()

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
        self.forget_stops()
        if self.state.player == NOBODY:
            raise InputError("the game is over")
        worker = self._memory.worker
        worker.ticks = worker.simulation_ticks = 0
        self._latest = Run(is_solved=self._is_solved)
        self.iterate(budget, self._latest, pause)
        self.result = self._result(ENDLESS if details else 0)
        return self.result

    def stop(self) -> None:
        """End the run that is under way, in about ten milliseconds; returns at once.

        If none is under way nothing happens: a run that begins knows of no earlier stops.
        """
        self._request.make()

    def forget_stops(self) -> None:
        """A run begins, which nobody has asked to stop yet."""
        self._request.forget()

    def snapshot(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with some of the best moves."""
        return self._result(count)

    @property
    def tree(self) -> ForestInspector:
        """Its trees, to be read between two runs or in a pause."""
        return ForestInspector(self.state, self._memory, tuple(self._line))

    @property
    def _is_solved(self) -> bool:
        """Whether a line is known that cannot be better."""
        memory = self._memory
        highest = int(memory.of_rules["highest"][0])
        return bool(memory.rules.prunes and memory.forest.best_score >= highest)

    def iterate(self, budget: Budget, run: Run, pause: Pause | None) -> None:
        """Iterate until a stopper is due."""
        highest = int(self._memory.of_rules["highest"][0])
        for part in slices([self._request, Solution(), stopper_of(budget, run)], run, pause):
            memory = self._memory
            worker = memory.worker
            states, abandoned = worker.states, worker.abandoned
            memory.make_room()
            run.simulations += mt_mcts(
                memory.workplace,
                part.simulations,
                states + part.states,
                highest,
                ticks_at(part.end),
            )
            run.states += worker.states - states
            run.abandoned += worker.abandoned - abandoned
            self._check()
            self._repair()
            run.is_solved = self._is_solved

    def _check(self) -> None:
        """Raise what keeps iterations from being completed."""
        worker = self._memory.worker
        failure, worker.failure = worker.failure, 0
        if failure == LONG_LIST:
            raise Unsuitable(f"{self.game.name} has positions with too many moves")
        if worker.failures >= MAX_FAILURES:
            raise_status(Status(failure))

    def _repair(self) -> None:
        """Merge sub-games that depend on each other."""
        memory, trees = self._memory, len(self.masks)
        for tree, doubts in enumerate(memory.of_forest["doubts"].tolist()):
            if not doubts:
                continue
            bits = int(memory.of_forest["suspects"][tree])
            suspects = frozenset(other for other in range(trees) if bits >> other & 1)
            if not suspects:
                raise Unsuitable(f"the decomposition of {self.game.name} has turned out wrong")
            # When the trees are full, there may be no room for another contradiction.
            enough = 1 if len(suspects) == 1 or memory.forest.full else ENOUGH_DOUBTS
            if doubts >= enough:
                self.read_line()
                self._note = f"{len(suspects) + 1} sub-games depend on each other: they are merged"
                before = memory.of_forest
                self._plant(merge_masks(self.masks, suspects | {tree}))
                for name in ("root_visits", "root_scores"):
                    self._memory.of_forest[name][:] = before[name]
                break

    # Results

    def read_line(self) -> None:
        """Take over a line that is better than what was known."""
        memory = self._memory
        if memory.forest.best_score > self._line_score:
            self._line_score = memory.forest.best_score
            self._line = [move_codes(number, memory.rules.base) for number in memory.best_line()]

    def adopt(self, other: ForestSearch) -> None:
        """Take over the line of another search from the same state if it is better."""
        if other._line_score > self._line_score:
            self._line, self._line_score = list(other._line), other._line_score
            mine, its = self._memory.forest, other._memory.forest
            mine.best_score, mine.best_iteration = its.best_score, its.best_iteration

    def _result(self, count: int) -> Result:
        """The move to be played now, and what it is based on: some of the best moves."""
        memory, run = self._memory, self._latest
        forest, worker = memory.forest, memory.worker
        self.read_line()
        line = tuple(map(self._move, self._line))
        known = [] if line and not count else self.root_moves()
        places = range(len(known[0].codes) if known else 0)
        choices = [self._choice(known, place) for place in places]
        if line:
            move = line[0]
            score = self._line_score / int(memory.of_rules["highest"][0])
        else:
            move = self._move(tuple(code for code, _ in choices))
            score = choices[0][1].score
        best = sorted(known, key=lambda one: -one.visits)[:count]
        moves = tuple(self._statistics(one, self.state.player) for one in best if one.visits)
        return Result(
            move=move,
            score=score,
            moves=moves,
            semimoves=moves,
            variation=self.tree.expectation(move),
            depth=forest.deepest,
            simulations=run.simulations,
            states=run.states,
            abandoned=run.abandoned,
            seconds=run.seconds,
            nodes=forest.node_count,
            bytes=memory.used_bytes,
            tree_share=1.0 - worker.simulation_ticks / max(1, worker.ticks),
            line=line,
            line_simulation=forest.best_iteration,
            note=note_of(self._note, run.abandoned),
            choices=tuple(choice for _, choice in choices) if len(choices) > 1 else (),
        )

    def root_moves(self) -> list[Known]:
        """What is known about each legal move."""
        legal, arrays = self.game.compiled.moves(self._root), self._memory.of_forest
        scores = arrays["root_scores"].reshape(-1, self._memory.rules.players).tolist()
        return [*map(Known, legal, arrays["root_visits"].tolist(), scores)]

    def _choice(self, known: list[Known], place: int) -> tuple[int, Choice]:
        """The most visited step of a player, given by the place of its steps in moves."""
        game = self.game.compiled
        several = len(known[0].codes) > 1
        player = game.owner(known[0].codes[place]) if several else self.state.player
        steps: dict[int, Known] = {}
        for one in known:
            code = one.codes[place]
            so_far = steps.get(code, Known((code,), 0, [0.0] * len(one.scores)))
            scores = [a + b for a, b in zip(so_far.scores, one.scores)]
            steps[code] = Known((code,), so_far.visits + one.visits, scores)
        listed = sorted(steps.values(), key=lambda one: -one.visits)
        best = listed[0]
        score = best.scores[player - 1] / max(1, best.visits)
        # Nobody asks for those of a single player, which are the same as those of moves.
        found = (self._statistics(one, player) for one in listed if one.visits and several)
        return best.codes[0], Choice(player, self._move(best.codes), score, tuple(found))

    def _statistics(self, one: Known, player: int) -> Statistics:
        score = one.scores[player - 1] / one.visits
        return Statistics(self._move(one.codes), one.visits, score, None, None)

    def _move(self, codes: Codes) -> Move:
        return Move(self._memory.game.codec.steps(codes), self.game.write_move)
