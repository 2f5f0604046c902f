"""An iteration of the search: the page to begin with.

Its phases are in `select.py`, `expand.py` and `simulate.py`; `descend.py` goes from node to node.
Where features take part is listed in `features/hooks.py`.
"""

from __future__ import annotations

from semisplit.search.engine.candidates import FAILED
from semisplit.search.engine.descend import OVER, descend
from semisplit.search.engine.expand import grow
from semisplit.search.engine.layout import STATUS, Workspace
from semisplit.search.engine.records import NodeKind
from semisplit.search.engine.share import (
    add_to_edge,
    add_to_path,
    add_to_root,
    count_simulations,
    fetch_path,
    leave_tree,
    take_tree,
)
from semisplit.search.engine.simulate import simulate
from semisplit.search.engine.toolkit.kernel import copy_bytes, kernel, large_kernel
from semisplit.search.features.decoupled.kernels import count_tried, select_decoupled
from semisplit.search.features.groups.choose import count_groups
from semisplit.search.features.hooks import learn
from semisplit.search.parallel.records import Sharing

_TERMINAL, _ALONE = NodeKind.TERMINAL.value, Sharing.ALONE.value


@kernel
def iterate(s: Workspace) -> bool:
    """MCTSITERATION; False if it was given up because a limit of the game was hit."""
    worker, states = s.worker, s.worker.counts.states
    take_tree(s)
    level = select(s)
    leave_tree(s)
    worker.moves = 0
    played = level != FAILED and (level == OVER or simulate(s, level))
    take_tree(s)
    if played:
        finish(s, level)
        _backpropagate(s, 1)
    else:
        worker.counts.states = states
        give_up(s, level != FAILED)
    leave_tree(s)
    return played


@large_kernel
def select(s: Workspace) -> int:
    """Selection and expansion: leaves the way.

    Returns the level of the state to simulate from; OVER, with the scores, if there is nothing to
    simulate; or FAILED.
    """
    worker = s.worker
    worker.counts.iterations += 1
    worker.path_length = 0
    worker.depth = 0
    worker.trace_length = 0
    worker.tree_length = 0
    worker.lists.buffer_top = 0
    worker.lists.top = 0
    worker.growth.pending = 0
    worker.leaf = -1
    copy_bytes(worker.stack, s.tree.root, s.rules.state_bytes)
    level = select_decoupled(s) if s.rules.choosers else descend(s)
    if level != FAILED and s.settings.parallel.sharing != _ALONE:
        add_to_path(s, s.settings.parallel.loss)
        _count_new(s, s.settings.parallel.loss)
    return level


@kernel
def finish(s: Workspace, level: int) -> None:
    """Note what a simulation from a level has shown about the state in which it began."""
    worker = s.worker
    worker.counts.failures = 0
    worker.counts.states += worker.moves
    if worker.growth.pending:
        grow(s, worker.moves == 0)
    elif level != OVER and worker.moves == 0 and worker.leaf >= 0:
        s.tree.edges[worker.leaf].kind = _TERMINAL


@large_kernel
def backpropagate(s: Workspace, playouts: int) -> None:
    """BACKPROPAGATION, for batches."""
    _backpropagate(s, playouts)


@kernel
def _backpropagate(s: Workspace, playouts: int) -> None:
    """BACKPROPAGATION: give the result of an iteration to all that took part in it.

    Scores are sums over some playouts, each of which counts as a visit.
    """
    parallel, worker = s.settings.parallel, s.worker
    here, scores = worker.path, worker.scores
    visits = playouts if parallel.sharing == _ALONE else playouts - parallel.loss
    fetch_path(s)
    for i in range(worker.path_length):
        add_to_edge(s, here[i].edge, visits, scores[here[i].player - 1])
    if parallel.sharing == _ALONE:
        _count_new(s, playouts)
    add_to_root(s, visits)
    count_simulations(s, playouts)
    learn(s, playouts)


@kernel
def give_up(s: Workspace, is_claimed: bool) -> None:
    """Forget an iteration in which a limit was hit."""
    worker = s.worker
    worker.context[STATUS] = 0
    worker.counts.abandoned += 1
    worker.counts.failures += 1
    if is_claimed and s.settings.parallel.sharing != _ALONE:
        add_to_path(s, -s.settings.parallel.loss)


@kernel
def _count_new(s: Workspace, visits: int) -> None:
    """Count what has been visited for the first time in an iteration, unless that has been done."""
    if s.rules.choosers:
        count_tried(s, visits)
    elif s.settings.groups.layers:
        count_groups(s)
