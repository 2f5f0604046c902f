"""Narrowing a search to some of a player's actions, and showing all of them again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from semisplit.compiler.runtime.compiled import Codes
from semisplit.search.allocation.tree import TreeMemory
from semisplit.search.allocation.worker import WorkerMemory
from semisplit.search.engine.candidates import FAILED
from semisplit.search.engine.layout import ROOT
from semisplit.search.engine.records import NodeKind
from semisplit.search.features.narrowing.intervals import Part, interval
from semisplit.search.features.narrowing.kernels import list_edges
from semisplit.search.features.narrowing.records import MAX_NARROWED, NARROWED_SIZE
from semisplit.search.view import View


class Narrowing:
    """Keeps a player's first choice on each way to a part of the actions.

    Kernels narrow nodes that get their edges (`kernels/narrow.py`), this those that have some.
    """

    def __init__(self, tree: TreeMemory, worker: WorkerMemory):
        self._tree = tree
        self._worker = worker
        self._view = View(tree, worker)
        self._coding = tree.common.coding
        self._joint = tree.common.rules.choosers > 0

    def begin(self, player: int, part: Part) -> None:
        """Narrow what a player can do, until `end` or until all nodes are forgotten."""
        self.end()
        record = self._tree.record.narrowing
        record.player, record.parts = player, part.parts
        record.low, record.high = (
            part.number - part.overlap,
            part.number + part.overlap,
        )
        for node, indices, count in list(self._choices(player)):
            self._narrow(node, indices, set(interval(count, part)))

    def _choices(self, player: int) -> Iterator[tuple[int, list[int], int]]:
        """The nodes where the player has a first choice.

        Each with the place of its edges among all actions, and how many of these there are.
        """
        edges, game = self._tree.edges, self._coding.game
        stack = [(ROOT, bytes(self._tree.arrays["root"]))]
        while stack:
            node, state = stack.pop()
            if edges[node]["first"] < 0:
                continue
            if edges[node]["kind"] != NodeKind.INTERMEDIATE:
                chooser = (
                    node if game.player(state) == player else self._view.choosers(node).get(player)
                )
                if chooser is not None and edges[chooser]["count"] > 1:
                    yield chooser, *self._indices(chooser, chooser == node, state)
                    continue
            for edge in self._view.edges(node):
                following = game.play(state, self._view.changing(edge.codes))
                assert following is not None
                if game.player(following) == 0:
                    following = game.run_keeper(following)
                stack.append((edge.number, following))

    def _indices(self, node: int, is_first: bool, state: bytes) -> tuple[list[int], int]:
        here = self._tree.edges[node]
        numbers = range(here["first"], here["first"] + here["count"])
        if not is_first:
            # Arms know where they stand.
            return [int(self._tree.edges[number]["count"]) for number in numbers], len(numbers)
        listed = {codes: place for place, codes in enumerate(self._list(state))}
        return [listed[tuple(self._tree.codes(number))] for number in numbers], len(listed)

    def _list(self, state: bytes) -> list[Codes]:
        """What would become edges in a state, in order, as kernels know it."""
        self._worker.arrays["stack"][: len(state)] = np.frombuffer(state, "u1")
        count = list_edges(self._worker.at(self._tree))
        assert count != FAILED  # It has been listed before.
        candidates, buffer = (
            self._worker.arrays[name] for name in ("lists.candidates", "lists.buffer")
        )
        places = candidates[:count].tolist()
        if self._worker.arrays["levels"][0]["flat"]:
            return [(code,) for code in places]
        return [tuple(buffer[place + 1 : place + 1 + buffer[place]].tolist()) for place in places]

    def _narrow(self, node: int, indices: list[int], inside: set[int]) -> None:
        """Put those edges of a node first that are inside, and hide the others."""
        record, here = self._tree.record.narrowing, self._tree.edges[node]
        count, tried = int(here["count"]), int(here["tried"])
        shown = [place for place, index in enumerate(indices) if index in inside]
        hidden = [place for place, index in enumerate(indices) if index not in inside]
        if not shown or not hidden or record.count == MAX_NARROWED:
            return
        self._tree.reorder(int(here["first"]), [*shown, *hidden])
        hidden_tried = sum(place < tried for place in hidden)
        here["tried"] = tried - hidden_tried
        if not self._joint:
            here["count"] = len(shown)
        note = NARROWED_SIZE * record.count
        self._tree.arrays["narrowing.nodes"][note : note + NARROWED_SIZE] = (
            *(node, count, len(shown), hidden_tried),
        )
        record.count += 1

    def end(self) -> None:
        """Show all edges again."""
        record = self._tree.record.narrowing
        notes = self._tree.arrays["narrowing.nodes"][: NARROWED_SIZE * record.count]
        for node, count, size, hidden in notes.reshape(-1, NARROWED_SIZE).tolist():
            here = self._tree.edges[node]
            first, tried = int(here["first"]), int(here["tried"])
            if hidden:
                tried_first = [*range(tried), *range(size, size + hidden)]
                self._tree.reorder(
                    first, [*tried_first, *range(tried, size), *range(size + hidden, count)]
                )
            here["tried"], here["count"] = tried + hidden, count
        record.player = record.count = 0
