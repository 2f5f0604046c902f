"""The reference of the search as a searcher: for games that have no machine code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from semisplit.core.errors import InputError, UnknownName
from semisplit.core.steps import Steps
from semisplit.game import Game, Move, State
from semisplit.search.budget import Budget
from semisplit.search.reference.node import Node, without_dots
from semisplit.search.reference.search import ReferenceSearch
from semisplit.search.result import Branch, Choice, Result, Statistics
from semisplit.search.settings import Settings
from semisplit.search.stopping import Pause, Run, StopRequest, iterations, stopper_of

_Known: TypeAlias = Mapping[Steps, tuple[int, float]]
"""Visits and average scores."""


@dataclass(frozen=True)
class ReferenceTree:
    """The tree of the reference as it is now."""

    state: State
    """Where the game is."""
    search: ReferenceSearch

    def branches(self, path: Sequence[str] = ()) -> list[Branch]:
        """The edges of a node, known by the names on the way to it; the most visited first."""
        node, state = self.search.root, self.state
        for name in path:
            found = {self._name(state, child): child for child in _visited(node)}
            if name not in found:
                raise UnknownName("branch", name, found)
            node = found[name]
            state = state if node.group else state.apply(_move(state, node.steps))
        children = sorted(_visited(node), key=lambda child: -child.visits)
        return [
            Branch(
                self._name(state, child),
                child.visits,
                child.mean,
                state.player,
                bool(_visited(child)),
            )
            for child in children
        ]

    def expectation(self, move: Move) -> tuple[Move, ...]:
        """A move at the root; it is not worked out how the game goes on."""
        return (move,)

    def _name(self, state: State, child: Node) -> str:
        group = self.search.group(child)
        return f"[{group}]" if group else str(_move(state, child.steps))


class ReferenceSearcher:
    """Searches a game on the interpreter, each position with a new tree.

    Results do not say how much memory it takes, nor where the time has gone.
    """

    def __init__(self, game: Game, settings: Settings, *, seed: int = 0):
        """Prepare a search from the initial state.

        Args:
            game: The game; how its moves are split is up to the settings.
            settings: What to do.
            seed: Makes the search repeatable, if its budget is not in seconds.
        """
        self.game = game.split_by(settings.split)
        self.state = self.game.initial_state()
        self.result: Result | None = None
        """What the latest run came to; None before the first."""
        self._search = ReferenceSearch(self.game, settings, seed)
        self._request = StopRequest()
        self._latest = Run()

    @property
    def tree(self) -> ReferenceTree:
        """Its tree, to be read between two runs or in a pause."""
        return ReferenceTree(self.state, self._search)

    def run(self, budget: Budget, *, details: bool = True, pause: Pause | None = None) -> Result:
        """Search within a budget and select a move.

        Args:
            budget: How long to search.
            details: Makes no difference.
            pause: Is called every few milliseconds; what it raises ends the search.

        Raises:
            InputError: If the game is over.
        """
        self._request.forget()
        if not self.state.moves():
            raise InputError("the game is over")
        search, run = self._search, Run()
        self._latest = run
        simulations, states = search.simulations, search.states
        for _ in iterations([self._request, stopper_of(budget, run)], run, pause):
            search.run(1)
            run.simulations = search.simulations - simulations
            run.states = search.states - states
        self.result = self.snapshot()
        return self.result

    def stop(self) -> None:
        """End the run that is under way, after the simulation that is being made.

        If none is under way nothing happens: a run that begins knows of no earlier stops.
        """
        self._request.make()

    def play(self, move: Move | str) -> None:
        """Go on to the state after a move; MAST may forget some of what it has learnt."""
        if isinstance(move, str):
            move = self.state.parse_move(move)
        self._go(self.state.apply(move), move.steps)

    def set_state(self, state: State) -> None:
        """Search from a state."""
        self._go(State(self.game, state.position), ())

    def _go(self, state: State, previous: Steps) -> None:
        """Begin a new tree in a state, after the steps of a move."""
        self.state = state
        self._search.played()
        self._search.set_root(state.position, previous)

    def snapshot(self, count: int = 0) -> Result:
        """What the latest run has come to so far, with all that is known about moves."""
        search, run = self._search, self._latest
        steps = search.select_final()
        move, players = self.state.move(steps), search.player_statistics()
        nodes, depth = _measure(search.root)
        return Result(
            move=move,
            score=self._score(steps),
            moves=self._statistics(search.move_statistics()),
            semimoves=self._statistics(search.semimove_statistics()),
            variation=(move,),
            depth=depth,
            simulations=run.simulations,
            states=run.states,
            abandoned=0,
            seconds=run.seconds,
            nodes=nodes,
            bytes=0,
            tree_share=0.0,
            choices=tuple(
                self._choice(player, steps, known)
                for player, known in (players if len(players) > 1 else {}).items()
            ),
        )

    def _score(self, steps: Steps) -> float:
        """What is known about a move, or else about its beginning."""
        for known in (self._search.move_statistics(), self._search.semimove_statistics()):
            for begun, (_, mean) in known.items():
                plain = without_dots(begun)
                if steps[: len(plain)] == plain:
                    return mean
        return 0.0

    def _choice(self, player: int, steps: Steps, known: _Known) -> Choice:
        """What one player should do, as a part of the steps of a move."""
        part = self.game.rules.part(steps, player)
        _, score = known.get(part, (0, 0.0))
        return Choice(player, Move(part, self.game.write_move), score, self._statistics(known))

    def _statistics(self, known: _Known) -> tuple[Statistics, ...]:
        found = [
            Statistics(_move(self.state, steps), visits, score, None, None)
            for steps, (visits, score) in known.items()
        ]
        return tuple(sorted(found, key=lambda one: -one.visits))


def _move(state: State, steps: Steps) -> Move:
    return state.move(without_dots(steps))


def _visited(node: Node) -> list[Node]:
    return [child for child in node.children or () if child.visits]


def _measure(root: Node) -> tuple[int, int]:
    """How many nodes there are below a root, itself counted, and how many moves they are deep."""
    nodes = deepest = 0
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        nodes, deepest = nodes + 1, max(deepest, depth)
        stack += ((child, depth + child.nodal) for child in _visited(node))
    return nodes, deepest
