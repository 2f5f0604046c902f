"""Which sites a machine comes to, from where, and how deep its stack is there.

A site has a known depth if there is only one way to it. Then its frame is at a fixed address, and
the way back from it needs no look at the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from semisplit.core.components import components
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.language.rbg.native.evaluate.region import Exit, Region

MAX_DEPTH = 16
"""Depths up to which they are kept track of; each takes variables of the function."""


class Reach:
    """The sites of a machine."""

    def __init__(
        self,
        entries: Iterable[int],
        region: Callable[[int], Region],
        taken: Callable[[Exit], Exit | None],
        *,
        tracks_depths: bool,
    ):
        """Look at all sites that can be reached from where the machine starts.

        Args:
            entries: Where it starts.
            region: The region of a site.
            taken: The exit by which the machine goes to another site, None if it does not.
            tracks_depths: Whether depths may be known.
        """
        self.entries = set(entries)
        self.arrivals: dict[int, list[tuple[int, Exit]]] = {}
        """The sites and exits from which each site is entered."""
        self.frame = 0
        """The size of the largest frame of a region."""
        seen = set(self.entries)
        work = list(seen)
        while work:
            node = work.pop()
            here = region(node)
            self.frame = max(self.frame, here.frame)
            for exit_ in map(taken, here.exits):
                if exit_ is None or exit_.arc is None:
                    continue
                target = exit_.arc.target
                self.arrivals.setdefault(target, []).append((node, exit_))
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        self.depths: dict[int, int | None] = dict.fromkeys(seen) if not tracks_depths else {}
        """How many frames are below that of each site, if it is always the same."""
        for node in seen:
            self._find_depth(node)
        self._ranks: dict[int, int] = {}

    def _find_depth(self, node: int) -> None:
        path = []
        depth: int | None = None
        while node not in self.depths:
            self.depths[node] = None
            path.append(node)
            arrivals = self.arrivals.get(node, [])
            if node in self.entries or len(arrivals) != 1:
                depth = 0 if node in self.entries and not arrivals else None
                break
            node = arrivals[0][0]
            if len(path) == MAX_MOVE_LENGTH // 2:
                break
        else:
            depth = _above(self.depths[node])
        for node in reversed(path):
            self.depths[node] = depth
            depth = _above(depth)

    def rank(self, node: int) -> int:
        """A number that rises along the ways from entries, as far as there are no circles."""
        if not self._ranks:
            targets: dict[int, list[int]] = {}
            for target, arrivals in self.arrivals.items():
                for source, _ in arrivals:
                    targets.setdefault(source, []).append(target)
            order = components(self.entries, lambda source: targets.get(source, []))
            self._ranks = {site: rank for rank, site in enumerate(chain.from_iterable(order))}
        return self._ranks[node]

    @property
    def knows_all_depths(self) -> bool:
        """Whether each site has a known depth."""
        return None not in self.depths.values()

    @property
    def deepest(self) -> int:
        """The deepest of the known depths."""
        return max((depth for depth in self.depths.values() if depth is not None), default=0)


def _above(depth: int | None) -> int | None:
    """The depth of a site above one of some depth, if it is kept track of."""
    return None if depth in (None, MAX_DEPTH) else depth + 1
