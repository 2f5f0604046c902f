"""The best line found: in a game of one player nothing keeps it from being played."""

from __future__ import annotations

from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.share import LINE_LOCK, lock_if_free, unlock_if_free
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.features.line.records import MAX_LINE


@kernel
def keep_line(s: Workspace) -> None:
    """Keep what was played in the current iteration, if nothing better was played before."""
    tree, worker = s.tree, s.worker
    if s.rules.players > 1:
        return
    if worker.scores[0] <= tree.line.score or worker.trace_length > MAX_LINE:
        return
    lock_if_free(s, LINE_LOCK)
    if worker.scores[0] > tree.line.score:
        _note_line(s)
    unlock_if_free(s, LINE_LOCK)


@kernel
def _note_line(s: Workspace) -> None:
    tree, worker = s.tree, s.worker
    tree.line.score = worker.scores[0]
    tree.line.simulation = tree.simulations
    tree.line.seed = worker.seed
    tree.line.length = worker.trace_length
    for i in range(worker.trace_length):
        tree.line.steps[i].step = worker.trace[i].step
        tree.line.steps[i].end = worker.trace[i].end
