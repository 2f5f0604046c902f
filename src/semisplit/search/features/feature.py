"""What a feature of the search adds to its memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.core.steps import Steps

if TYPE_CHECKING:
    from semisplit.search.allocation.common import Common
    from semisplit.search.allocation.tree import TreeMemory
    from semisplit.search.allocation.worker import WorkerMemory


class Feature:
    """A feature of one search, switched on or not. What it does not need it need not define."""

    def __init__(self, common: Common):
        """Complete the records of the game and of the settings."""
        self.common = common

    def columns(self) -> dict[str, int]:
        """The arrays of a tree that have entries for each edge, and how many each."""
        return {}

    def prepare_tree(self, tree: TreeMemory) -> None:
        """Complete the record of a new tree."""

    def prepare_worker(self, worker: WorkerMemory) -> None:
        """Complete the record of a new worker."""

    def clear(self, tree: TreeMemory) -> None:
        """Forget what is known about nodes, as there are none any more."""

    def set_root(self, tree: TreeMemory, previous: Steps) -> None:
        """Begin at another state, to which a move led."""

    def play(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Note that a move is really played."""

    def begin(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Get a worker ready for a tree, before kernels are called."""

    def settle(self, tree: TreeMemory, worker: WorkerMemory) -> None:
        """Do what has to wait until no iteration is under way: after each slice of the search."""
