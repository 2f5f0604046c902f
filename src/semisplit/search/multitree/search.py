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

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from semisplit.core.errors import InputError
from semisplit.core.steps import NOBODY
from semisplit.game import Game, Move, State
from semisplit.runtime.abi import Status
from semisplit.runtime.compiled import Codes
from semisplit.runtime.scratch import raise_status
from semisplit.search.budget import DEFAULT_MEMORY, Budget
from semisplit.search.multitree.kernels.iterate import mt_mcts
from semisplit.search.multitree.kernels.positions import LONG_LIST
from semisplit.search.multitree.memory import MOST_TREES, Memory
from semisplit.search.multitree.reference import ENOUGH_DOUBTS
from semisplit.search.multitree.settings import MultiTreeSettings, merge_masks
from semisplit.search.multitree.view import Edge, root_nodes, visited_edges
from semisplit.search.result import Branch, Choice, Result, Statistics
from semisplit.search.search import MAX_FAILURES, Pause, Search
from semisplit.search.settings import Settings
from semisplit.search.ticking import ticks_at

_SLICE = 0.01
"""Seconds after which kernels come back."""
_ENDLESS = 2**62
_FEW_NAMES = 3


@dataclass
class _Begun:
    """A run: what there was when it began, and what it has done since."""

    time: float
    states: int
    abandoned: int
    simulations: int = 0


class _Known(NamedTuple):
    """What is known about a move at the root, or about a step of it."""

    codes: Codes
    visits: int
    scores: list[float]
    """The sum of each player's."""


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
        self.state = self.game.initial_state()
        self.decomposition_seconds = 0.0
        self._seed, self._max_bytes = seed, memory
        self._depth = 0
        self._line: list[Codes] = []
        self._line_score = -1
        """What is left of the best line, and its score; -1 if there is none."""
        self._ordinary: Search | None = None
        """Searches instead, if this is a game for it."""
        self._note = ""
        self._begun = _Begun(time.perf_counter(), 0, 0)
        self._masks: tuple[int, ...] = ()
        reason = self._choose_trees()
        if reason:
            self._give_up(reason)
        else:
            self._memory = Memory(self.game, self._masks, self.settings, seed, memory)
            self._set_root()

    def _choose_trees(self) -> str:
        """Choose of what there are trees; returns what is in the way of searching in them."""
        facts = self.game.compiled.facts
        if not facts.bits:
            return "games in this language are not decomposed"
        self._masks = ((1 << 8 * facts.state_bytes) - (1 << 8 * facts.bits),)
        reason = self._find_subgames() if self.settings.decomposed else ""
        if not reason or len(self.game.players) > 1:
            return reason
        self._note = f"{reason}: it is searched in one tree, with transpositions"
        # A single tree needs no other estimate than the score.
        self.settings = replace(self.settings, alpha=1.0)
        return ""

    def _find_subgames(self) -> str:
        """Find the parts of the game; returns what is in the way of a tree for each."""
        name = self.game.name
        found = self.game.rules.find_subgames(overlapping=self.settings.overlapping)
        assert found is not None, "only games in GDL consist of bits"
        self.decomposition_seconds = found.seconds
        if len(found.masks) < 2:
            return f"{name} is one piece"
        if len(found.masks) > MOST_TREES:
            return f"{name} falls into more than {MOST_TREES} sub-games"
        # What a sub-game is worth depends on who will move there, which others of them decide.
        if len(self.game.players) > 1 and not found.together:
            return f"moves of {name} act in one sub-game only"
        self._masks = found.masks
        return ""

    def _give_up(self, reason: str) -> None:
        """Search in the ordinary way from now on."""
        self._note = f"{reason}: it is searched in the ordinary way"
        settings = Settings(exploration=self.settings.exploration)
        self._ordinary = Search(self.game, settings, seed=self._seed, memory=self._max_bytes)
        self._ordinary.set_state(self.state)

    @property
    def subgames(self) -> int:
        """The number of trees; 0 if the search is an ordinary one."""
        return 0 if self._ordinary else len(self._masks)

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
        if self._ordinary:
            self._ordinary.set_state(state)
        else:
            self._plant(self._masks)

    def _plant(self, masks: tuple[int, ...]) -> None:
        """Begin with new trees."""
        random = int(self._memory.worker.random)
        self._masks = masks
        self._memory = Memory(self.game, masks, self.settings, random, self._max_bytes)
        self._set_root()

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move, and keep what is known about what follows."""
        if isinstance(move, str):
            move = self.state.parse_move(move)
        following = self.state.apply(move)
        if not following.is_nodal:
            raise InputError("a search goes from move to move, not by semimoves")
        if self._ordinary:
            self._ordinary.play(move)
            self.state = following
            return
        codes = self.game.compiled.codec.codes(move.steps)
        self._read_line()
        if self._line and codes is not None and self._line[0] == tuple(codes):
            del self._line[0]
        else:
            self._line, self._line_score = [], -1
        self.state = following
        self._depth += 1
        if self._memory.forest.full:
            self._plant(self._masks)
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
        if self._ordinary:
            return self._noted(self._ordinary.run(budget, details=details, pause=pause))
        if self.state.player == NOBODY:
            raise InputError("the game is over")
        worker = self._memory.worker
        self._begun = _Begun(time.perf_counter(), worker.states, worker.abandoned)
        worker.ticks = worker.simulation_ticks = 0
        self._run(budget, pause or (lambda: None))
        if self._ordinary:
            return self._noted(self._ordinary.run(budget, details=details, pause=pause))
        return self._result(_ENDLESS if details else 0)

    def look(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with some of the best moves."""
        if self._ordinary:
            return self._noted(self._ordinary.look(count))
        return self._result(count)

    def expectation(self, move: Move) -> tuple[Move, ...]:
        """A move at the root, and how the game goes on with it, as far as that is known."""
        if self._ordinary:
            return self._ordinary.expectation(move)
        line = tuple(map(self._move, self._line))
        return line if line[:1] == (move,) else (move,)

    def _noted(self, result: Result) -> Result:
        return replace(result, note=self._note)

    def _run(self, budget: Budget, pause: Pause) -> None:
        """Iterate until the budget is spent, or a best line is found."""
        begun, highest = self._begun, int(self._memory.of_rules["highest"][0])
        states = _ENDLESS if budget.states is None else begun.states + max(1, budget.states)
        most = _ENDLESS if budget.simulations is None else max(1, budget.simulations)
        seconds = math.inf if budget.seconds is None else budget.seconds - budget.buffer
        end = begun.time + seconds
        while begun.simulations < most and self._memory.worker.states < states:
            memory = self._memory
            if memory.rules.prunes and memory.forest.best_score >= highest:
                break
            if begun.simulations:
                pause()
            now = time.perf_counter()
            if begun.simulations and now >= end:
                break
            memory.make_room()
            slice_end = ticks_at(min(end, now + _SLICE))
            left = most - begun.simulations
            begun.simulations += mt_mcts(memory.workplace, left, states, highest, slice_end)
            if not self._check() or not self._repair():
                break

    def _check(self) -> bool:
        """Raise what keeps iterations from being completed; whether the search can go on."""
        worker = self._memory.worker
        failure, worker.failure = worker.failure, 0
        if failure == LONG_LIST:
            self._give_up(f"{self.game.name} has positions with too many moves")
            return False
        if worker.failures >= MAX_FAILURES:
            raise_status(Status(failure))
        return True

    def _repair(self) -> bool:
        """Merge sub-games that depend on each other; whether the search can go on."""
        memory, trees = self._memory, len(self._masks)
        for tree, doubts in enumerate(memory.of_forest["doubts"].tolist()):
            if not doubts:
                continue
            bits = int(memory.of_forest["suspects"][tree])
            suspects = frozenset(other for other in range(trees) if bits >> other & 1)
            if not suspects:
                self._give_up(f"the decomposition of {self.game.name} has turned out wrong")
                return False
            # When the trees are full, there may be no room for another contradiction.
            enough = 1 if len(suspects) == 1 or memory.forest.full else ENOUGH_DOUBTS
            if doubts >= enough:
                self._read_line()
                self._note = f"{len(suspects) + 1} sub-games depend on each other: they are merged"
                before = memory.of_forest
                self._plant(merge_masks(self._masks, suspects | {tree}))
                for name in ("root_visits", "root_scores"):
                    self._memory.of_forest[name][:] = before[name]
                break
        return True

    # Results

    def branches(self, path: Sequence[str] = ()) -> list[Branch]:
        """The edges of a node, known by the names on the way to it; the first is that of a tree."""
        if self._ordinary:
            return self._ordinary.branches(path)
        memory, player = self._memory, self.state.player
        roots = {f"[sub-game {tree + 1}]": node for tree, node in root_nodes(memory).items()}
        if not path:
            visits = memory.of_forest["nodes"]["visits"]
            return [
                Branch(name, int(visits[node]), self._mean(node), player, True)
                for name, node in roots.items()
            ]
        node = roots.get(path[0])
        for name in path[1:]:
            if node is not None:
                known = {self._names(edge): edge.target for edge in visited_edges(memory, node)}
                node = known.get(name)
        if node is None:
            raise InputError(f"there is no branch '{path[-1]}' any more")
        edges = sorted(visited_edges(memory, node), key=lambda edge: -edge.visits)
        return [
            Branch(
                self._names(edge),
                edge.visits,
                edge.scores[player - 1] / edge.visits,
                player,
                any(visited_edges(memory, edge.target)),
            )
            for edge in edges
        ]

    def _mean(self, node: int) -> float:
        """The average score of all that was tried at a node."""
        edges = list(visited_edges(self._memory, node))
        total = sum(edge.scores[self.state.player - 1] for edge in edges)
        return total / max(1, sum(edge.visits for edge in edges))

    def _names(self, edge: Edge) -> str:
        """The moves that do the same in a sub-game; a few of them if they are many."""
        base = self._memory.rules.base
        names = [str(self._move(_codes(number, base))) for number in edge.moves[:_FEW_NAMES]]
        more = len(edge.moves) - len(names)
        return " or ".join(names) + (f" or {more} more" if more else "")

    def _read_line(self) -> None:
        """Take over a line that is better than what was known."""
        memory = self._memory
        if memory.forest.best_score > self._line_score:
            self._line_score = memory.forest.best_score
            self._line = [_codes(number, memory.rules.base) for number in memory.best_line()]

    def _result(self, count: int) -> Result:
        """The move to be played now, and what it is based on: some of the best moves."""
        memory, begun = self._memory, self._begun
        forest, worker = memory.forest, memory.worker
        self._read_line()
        line = tuple(map(self._move, self._line))
        known = [] if line and not count else self._root_moves()
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
            variation=self.expectation(move),
            depth=forest.deepest,
            simulations=begun.simulations,
            states=worker.states - begun.states,
            abandoned=worker.abandoned - begun.abandoned,
            seconds=time.perf_counter() - begun.time,
            nodes=forest.node_count,
            bytes=memory.used_bytes,
            tree_share=1.0 - worker.simulation_ticks / max(1, worker.ticks),
            line=line,
            line_simulation=forest.best_iteration,
            note=self._note,
            choices=tuple(choice for _, choice in choices) if len(choices) > 1 else (),
        )

    def _root_moves(self) -> list[_Known]:
        """What is known about each legal move."""
        legal, arrays = self.game.compiled.moves(self._root), self._memory.of_forest
        scores = arrays["root_scores"].reshape(-1, self._memory.rules.players).tolist()
        return [*map(_Known, legal, arrays["root_visits"].tolist(), scores)]

    def _choice(self, known: list[_Known], place: int) -> tuple[int, Choice]:
        """The most visited step of a player, given by the place of its steps in moves."""
        game = self.game.compiled
        several = len(known[0].codes) > 1
        player = game.owner(known[0].codes[place]) if several else self.state.player
        steps: dict[int, _Known] = {}
        for one in known:
            code = one.codes[place]
            so_far = steps.get(code, _Known((code,), 0, [0.0] * len(one.scores)))
            scores = [a + b for a, b in zip(so_far.scores, one.scores)]
            steps[code] = _Known((code,), so_far.visits + one.visits, scores)
        listed = sorted(steps.values(), key=lambda one: -one.visits)
        best = listed[0]
        score = best.scores[player - 1] / max(1, best.visits)
        # Nobody asks for those of a single player, which are the same as those of moves.
        found = (self._statistics(one, player) for one in listed if one.visits and several)
        return best.codes[0], Choice(player, self._move(best.codes), score, tuple(found))

    def _statistics(self, one: _Known, player: int) -> Statistics:
        score = one.scores[player - 1] / one.visits
        return Statistics(self._move(one.codes), one.visits, score, None, None)

    def _move(self, codes: Codes) -> Move:
        return Move(self._memory.game.codec.steps(codes), self.game.write_move)


def _codes(number: int, base: int) -> Codes:
    """The codes of a move that kernels know as a number."""
    codes: Codes = ()
    while number:
        number, digit = divmod(number, base)
        codes = (digit - 1, *codes)
    return codes
