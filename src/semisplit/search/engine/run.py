"""Running a search: iterations until something is spent."""

from __future__ import annotations

from semisplit.search.engine.iterate import iterate
from semisplit.search.engine.layout import Workspace
from semisplit.search.engine.toolkit.kernel import kernel, ticks
from semisplit.search.features.hooks import is_settled
from semisplit.search.parallel.batch import dismiss_helpers, iterate_batch


@kernel
def run(s: Workspace, simulations: int, states: int, end: int) -> int:
    """Iterate up to a number of simulations, or until so many states have been counted in all.

    Comes back early when the processor's clock has come to the end, when an iteration had to be
    given up, when the table of submoves should grow, or when a line is known that cannot be better.
    Returns how many simulations were made.
    """
    tree, settings, begin = s.tree, s.settings, ticks()
    is_single = settings.parallel.batch == 1 and settings.parallel.playouts == 1
    done = 0
    while done < simulations and s.worker.counts.states < states:
        made = 1
        if is_single:
            is_complete = iterate(s)
            made = is_complete
        else:
            made = iterate_batch(s, simulations - done)
            is_complete = s.worker.failure == 0
        done += made
        wanted = min(2 * tree.submoves.count, tree.submoves.limit)
        if not is_complete or tree.submoves.capacity < wanted:
            break
        if ticks() >= end or is_settled(s):
            break
    dismiss_helpers(s)
    s.worker.clock.ticks += ticks() - begin
    return done


@kernel
def read_ticks() -> int:
    """What the processor's clock shows."""
    return ticks()
