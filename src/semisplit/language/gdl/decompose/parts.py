"""Fluents in parts, which are joined more and more."""

from __future__ import annotations

import numpy as np

from semisplit.language.gdl.ground.rows import Flags, Integers


class Parts:
    """A partition of fluents."""

    def __init__(self, labels: Integers):
        self.labels = labels
        """For each fluent the first one of its part."""

    def copy(self) -> Parts:
        """The same parts, to be joined in another way."""
        return Parts(self.labels.copy())

    def join(self, fluents: Integers) -> None:
        """Join the parts of some fluents."""
        labels = self.labels[fluents]
        if len(labels) and (labels != labels[0]).any():
            self.labels[np.isin(self.labels, labels)] = labels.min()


def connected(links: Flags) -> Parts:
    """The parts of fluents that are linked, in whatever direction, also by others."""
    either, number = links | links.T, len(links)
    labels = np.arange(number)
    while True:
        lowest = np.where(either, labels, number).min(axis=1, initial=number)
        new = np.minimum(labels, lowest)
        new = new[new]
        if np.array_equal(new, labels):
            return Parts(labels)
        labels = new
