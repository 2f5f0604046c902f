"""Reading the trees of a search: their branches, a drawing, statistics of moves, variations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from semisplit.compiler.runtime.codec import Codec
from semisplit.compiler.runtime.compiled import Codes
from semisplit.core.errors import UnknownName
from semisplit.game import Move, State
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.layout import ROOT
from semisplit.search.features.submoves.records import KnownSubmoves
from semisplit.search.result import Branch, Choice, Statistics
from semisplit.search.view import View, VisitedEdge, by_visits


@dataclass(frozen=True)
class Inspector:
    """The trees of a search as they are now.

    They may be read between two runs and in the pauses of one.
    """

    state: State
    """Where the game is: at the root."""
    view: View
    """All trees as one."""
    views: Sequence[View]
    """Each tree by itself."""
    memories: Sequence[TreeMemory]
    """The records and arrays of each tree."""
    workers: Sequence[WorkerMemory]
    """Those of each thread."""

    @property
    def visits(self) -> int:
        """How often the roots of all trees were visited."""
        return sum(int(tree.edges[ROOT]["visits"]) for tree in self.memories)

    def find(self, move: Move) -> int | None:
        """The node to which a move at the root leads, if there is one."""
        codes = self._codec.codes(move.steps)
        return None if codes is None else self.view.find(codes)

    def branches(self, path: Sequence[str] = ()) -> list[Branch]:
        """The edges of a node, the most visited first; it is known by the names on the way to it.

        A tree that grows is dissolved here and there, so numbers of nodes would not do.
        """
        self.view.forget()
        node, state = ROOT, self.state
        for name in path:
            found = {self._name(state, edge): edge for edge in self.view.edges(node)}
            if name not in found:
                raise UnknownName("branch", name, found)
            node, state = found[name].number, self._after(state, found[name])
        edges = sorted(self.view.edges(node), key=by_visits, reverse=True)
        return [
            Branch(
                self._name(state, edge),
                edge.visits,
                edge.score,
                state.player,
                bool(self.view.edges(edge.number)),
            )
            for edge in edges
        ]

    def draw(self, least: int = 1) -> str:
        """The tree as text: edges with at least so many visits, their visits and average scores."""
        lines = [f"{self.state.player_name} to move, {self.visits} visits"]
        stack: list[tuple[VisitedEdge, State, str, bool]] = []

        def push(node: int, state: State, margin: str) -> None:
            edges = [edge for edge in self.view.edges(node) if edge.visits >= least]
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

    def moves(self) -> tuple[Statistics, ...]:
        """What is known about moves at the root, the most visited first."""
        return self._move_statistics(self.view.moves())

    def best_moves(self, count: int) -> tuple[Statistics, ...]:
        """What is known about some of the best moves, without looking at all others."""
        return self._move_statistics(self.view.most_visited(count))

    def semimoves(self) -> tuple[Statistics, ...]:
        """What is known about the edges of the root."""
        return self._statistics((edge.codes, edge, True) for edge in self.view.members(ROOT))

    def explain(self, choice: Choice) -> Choice:
        """What a player should do, with what is known about all that the player could do."""
        view, player = self.view, choice.player
        known = [
            Statistics(
                self.part(edge.codes), edge.visits, edge.score, view.mast(player, edge.codes), None
            )
            for edge in view.members(view.choosers().get(player, ROOT))
        ]
        return replace(choice, steps=_by_visits(known))

    def expectation(self, move: Move) -> tuple[Move, ...]:
        """A move at the root, and then what both sides have done most often.

        It is found quickly: ties are not broken at random, and moves are written for themselves.
        Otherwise all legal moves would have to be listed on the way, as their texts depend on
        each other.
        """
        node, variation = self.find(move), [move.steps]
        while node is not None and (found := self.view.most_visited(1, node)):
            ((codes, edge),) = found
            variation.append(self._codec.steps(codes))
            node = edge.number
        return tuple(Move(steps, self.state.game.write_move(steps)) for steps in variation)

    def variation(self, move: Move, random: Random) -> tuple[Move, ...]:
        """A move at the root, and then what both sides have done most often; ties are drawn."""
        node, state, variation = self.find(move), self.state.apply(move), [move]
        while node is not None and (moves := list(self.view.moves(node))):
            top = max(by_visits(edge) for _, edge in moves)
            best = [one for one in moves if by_visits(one[1]) == top]
            codes, edge = random.choice(best)
            variation.append(self.move(state, codes))
            state = state.apply(variation[-1])
            node = edge.number
        return tuple(variation)

    def move(self, state: State, codes: Codes) -> Move:
        """A move in a state, given by the codes of its steps."""
        return state.move(self._codec.steps(codes))

    def part(self, codes: Codes) -> Move:
        """Steps as a move with the text that they have for themselves: a part of one player."""
        steps = self._codec.steps(codes)
        return Move(steps, self.state.game.write_move(steps))

    @property
    def _codec(self) -> Codec:
        return self.memories[0].common.coding.game.codec

    def _name(self, state: State, edge: VisitedEdge) -> str:
        group = self.view.group(edge.number)
        return f"[{group}]" if group else str(self.move(state, edge.codes))

    def _after(self, state: State, edge: VisitedEdge) -> State:
        """The state after an edge; a group does nothing."""
        is_group = self.view.group(edge.number)
        return state if is_group else state.apply(self.move(state, edge.codes))

    def _move_statistics(
        self, found: Iterable[tuple[Codes, VisitedEdge]]
    ) -> tuple[Statistics, ...]:
        # If MAST knows semimoves as a whole, it does not know moves.
        known = self.memories[0].common.settings.mast.submoves != KnownSubmoves.SEMIMOVES
        return self._statistics((codes, edge, known) for codes, edge in found)

    def _statistics(
        self, found: Iterable[tuple[Codes, VisitedEdge, bool]]
    ) -> tuple[Statistics, ...]:
        """What is known about steps that end with an edge, and in which MAST may have a say."""
        view, player = self.view, self.state.player
        return _by_visits(
            Statistics(
                self.move(self.state, codes),
                edge.visits,
                edge.score,
                view.mast(player, codes) if in_mast else None,
                view.rave(edge),
            )
            for codes, edge, in_mast in found
        )


def _by_visits(known: Iterable[Statistics]) -> tuple[Statistics, ...]:
    return tuple(sorted(known, key=lambda one: -one.visits))
