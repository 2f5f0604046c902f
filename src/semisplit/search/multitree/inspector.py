"""Reading the trees of a search in several trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from semisplit.compiler.runtime.compiled import Codes
from semisplit.core.errors import InputError
from semisplit.game import Move, State
from semisplit.search.multitree.memory import Memory
from semisplit.search.multitree.view import Edge, root_nodes, visited_edges
from semisplit.search.result import Branch

_FEW_NAMES = 3


@dataclass(frozen=True)
class ForestInspector:
    """The trees of a search as they are now."""

    state: State
    """Where the game is."""
    memory: Memory
    """Their records and arrays."""
    line: Sequence[Codes]
    """What is left of the best line, if there is one."""

    def expectation(self, move: Move) -> tuple[Move, ...]:
        """A move at the root, and how the game goes on with it, as far as that is known."""
        line = tuple(map(self._move, self.line))
        return line if line[:1] == (move,) else (move,)

    def branches(self, path: Sequence[str] = ()) -> list[Branch]:
        """The edges of a node, known by the names on the way to it; the first is that of a tree."""
        memory, player = self.memory, self.state.player
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
        edges = list(visited_edges(self.memory, node))
        total = sum(edge.scores[self.state.player - 1] for edge in edges)
        return total / max(1, sum(edge.visits for edge in edges))

    def _names(self, edge: Edge) -> str:
        """The moves that do the same in a sub-game; a few of them if they are many."""
        base = self.memory.rules.base
        names = [str(self._move(move_codes(number, base))) for number in edge.moves[:_FEW_NAMES]]
        more = len(edge.moves) - len(names)
        return " or ".join(names) + (f" or {more} more" if more else "")

    def _move(self, codes: Codes) -> Move:
        return Move(self.memory.game.codec.steps(codes), self.state.game.write_move)


def move_codes(number: int, base: int) -> Codes:
    """The codes of a move that kernels know as a number."""
    codes: Codes = ()
    while number:
        number, digit = divmod(number, base)
        codes = (digit - 1, *codes)
    return codes
