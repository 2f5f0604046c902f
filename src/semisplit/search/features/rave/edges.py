"""What RAVE keeps for each edge: samples, their averages, and an element."""

from __future__ import annotations

from semisplit.search.engine.candidates import edge_steps
from semisplit.search.engine.layout import SettingsRecord, TreeRecord, Workspace
from semisplit.search.engine.toolkit.elements import copy_elements, swap_elements
from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.record import address_of, f4, i4, size_of
from semisplit.search.features.submoves.kernels import add_all
from semisplit.search.features.submoves.records import KnownSubmoves, SamplesRecord

_PREFIXES = KnownSubmoves.PREFIXES.value
_SAMPLES, _MEAN, _ELEMENT = size_of(SamplesRecord), size_of(f4), size_of(i4)


@kernel
def rave_bytes(settings: SettingsRecord) -> int:
    """The memory that RAVE needs for an edge."""
    known = (_SAMPLES + _MEAN) * settings.rave.kinds
    return known + (_ELEMENT if settings.rave.submoves else 0)


@kernel
def clear_rave(s: Workspace, edge: int) -> None:
    """Begin without samples of an edge."""
    kinds = s.settings.rave.kinds
    for number in range(edge * kinds, (edge + 1) * kinds):
        s.tree.rave.samples[number].total = 0.0
        s.tree.rave.samples[number].weight = 0.0


@kernel
def name_element(s: Workspace, edge: int, submove: int) -> None:
    """Find what RAVE knows an edge as, in the context of its node; 0 if it does not."""
    if s.settings.rave.submoves:
        steps, length = edge_steps(s, edge)
        start = submove if s.settings.rave.submoves == _PREFIXES else 0
        s.tree.rave.elements[edge] = max(0, add_all(s, start, steps, length))


@kernel
def show_rave(s: Workspace, edge: int) -> None:
    """Let other threads see an edge as if it had lost once, until it has samples."""
    kinds = s.settings.rave.kinds
    for number in range(edge * kinds, (edge + 1) * kinds):
        if s.tree.rave.samples[number].weight == 0.0:
            s.tree.rave.means[number] = 0.0


@kernel
def swap_rave(s: Workspace, a: int, b: int) -> None:
    """Exchange what is known about two edges."""
    rave, kinds, spare = s.tree.rave, s.settings.rave.kinds, s.worker.swap_space
    if kinds:
        swap_elements(address_of(rave.samples, 0), kinds * _SAMPLES, a, b, spare)
        swap_elements(address_of(rave.means, 0), kinds * _MEAN, a, b, spare)
    if s.settings.rave.submoves:
        swap_elements(address_of(rave.elements, 0), _ELEMENT, a, b, spare)


@kernel
def copy_rave(
    settings: SettingsRecord, tree: TreeRecord, first: int, count: int, to: TreeRecord, place: int
) -> None:
    """Copy what is known about some edges to a place in a tree, which may be the same."""
    rave, other, kinds = tree.rave, to.rave, settings.rave.kinds
    if kinds:
        samples, means = address_of(rave.samples, 0), address_of(rave.means, 0)
        to_samples, to_means = address_of(other.samples, 0), address_of(other.means, 0)
        copy_elements(samples, kinds * _SAMPLES, first, count, to_samples, place)
        copy_elements(means, kinds * _MEAN, first, count, to_means, place)
    if settings.rave.submoves:
        elements, to_elements = address_of(rave.elements, 0), address_of(other.elements, 0)
        copy_elements(elements, _ELEMENT, first, count, to_elements, place)
