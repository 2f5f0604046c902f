"""Which parts belong together because of what the goals say.

A cell of tic-tac-toe is no game of its own though nothing else has an influence on it: the goals
look at all there is to know of it. They look at a game among others through a narrow interface: it
is won or not. So parts without one are joined where they meet in the rules for goals.

Parts with narrow interfaces are joined if goals speak of them together: the lamps of a panel, if
one panel of several has to be lit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semisplit.language.gdl.decompose.interface import Interfaces
from semisplit.language.gdl.decompose.lanes import unpack
from semisplit.language.gdl.decompose.parts import Parts
from semisplit.language.gdl.decompose.play import count_distinct
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.rows import Flags


class Task(NamedTuple):
    """One of the conditions of a goal."""

    fluents: Flags
    """Those that it depends on."""
    cases: int
    """How many states of these fluents the goals tell apart at most."""


class Goals:
    """The rules for goals, and their values in some states."""

    def __init__(self, structure: Structure, states: Flags, control: Flags):
        self._structure = structure
        self._interfaces = Interfaces(structure, structure.goals, states, control)
        self._fluents = self._interfaces.fluents
        nodes = np.unique(structure.goals >> 1)
        self._roots = [int(node) for node in nodes if self._fluents[node].any()]
        """What goals are, or the opposite of which they are."""

    def join_pieces(self, parts: Parts, tasks: list[Task]) -> None:
        """Join parts without narrow interfaces with those they meet first; not those of tasks."""
        while True:
            narrow = {int(parts.labels[task.fluents][0]) for task in tasks}
            wide = self._interfaces.wide(parts)
            if wide.keys() <= narrow:
                return
            for part in wide.keys() - narrow:
                for fluents in wide[part]:
                    parts.join(fluents)

    def find_tasks(self, parts: Parts) -> list[Task]:
        """Conditions that have to hold all at once, if that is the only goal and each is hard.

        Another reason for narrow interfaces: whenever a condition does not hold, it does not matter
        what the state of its fluents is. Tasks are made of whole parts; the largest come first, but
        a conjunction of tasks that are about all of its fluents is none itself.
        """
        if len(self._roots) != 1:
            return []
        inputs = self._inputs(2 * self._roots[0])
        hard = [task for one in inputs for task in self._tasks_in(one, parts)]
        hard.sort(key=lambda task: (-task.fluents.sum(), np.flatnonzero(task.fluents).tolist()))
        found: list[Task] = []
        for task in hard:
            if not any((larger.fluents >= task.fluents).all() for larger in found):
                found.append(task)
        return found

    def _tasks_in(self, literal: int, parts: Parts) -> list[Task]:
        """What a literal is as a task, or the tasks of which it is the conjunction."""
        if not self._fluents[literal >> 1].any():
            return []
        inner = [task for one in self._inputs(literal) for task in self._tasks_in(one, parts)]
        task = self._task(literal, parts)
        covered = np.any([one.fluents for one in inner], axis=0)
        if (covered == task.fluents).all() and not any(
            (one.fluents == task.fluents).all() for one in inner
        ):
            return inner
        # It fails in more than half of the states, which are one case.
        is_hard = 2 * (task.cases - 1) < count_distinct(self._interfaces.states[task.fluents])
        return [task, *inner] if is_hard else inner

    def _task(self, literal: int, parts: Parts) -> Task:
        fluents = np.isin(parts.labels, parts.labels[self._fluents[literal >> 1]])
        holds = unpack(self._interfaces.values[literal][None])[0]
        return Task(fluents, 1 + count_distinct(self._interfaces.states[fluents][:, holds]))

    def _conditions(self, node: int) -> list[int]:
        """The literals of which a node is the conjunction, by all conjunctions in it."""
        found: list[int] = []
        left = self._inputs(2 * node)
        while left:
            literal = left.pop()
            inside = self._inputs(literal)
            left += inside
            if not inside and self._fluents[literal >> 1].any():
                found.append(literal)
        return found

    def _inputs(self, literal: int) -> list[int]:
        """The literals of a conjunction; none if a literal is something else."""
        if literal & 1 or literal >> 1 < self._structure.first_gate:
            return []
        inside: list[int] = self._structure.inputs_of(literal >> 1).tolist()
        return inside

    def join_conditions(self, parts: Parts, tasks: list[Task]) -> None:
        """Join what a condition is about, if a goal has several conditions with nothing in common.

        Whether all of them have to hold or one of them makes no difference. Tasks stay as they are.
        """
        settled = np.isin(parts.labels, [parts.labels[task.fluents][0] for task in tasks])
        for root in self._roots:
            joined = parts.copy()
            for literal in self._conditions(root):
                fluents = self._fluents[literal >> 1]
                if not settled[fluents].all():
                    joined.join(np.flatnonzero(fluents))
            if len(np.unique(joined.labels[self._fluents[root]])) > 1:
                parts.labels = joined.labels


def choose_cover(tasks: list[Task]) -> list[Task]:
    """Some tasks that have all fluents together, none of them twice; none if there are no such.

    Among several the one with the fewest cases is taken.
    """
    most = np.any([task.fluents for task in tasks], axis=0).sum()
    covers: list[tuple[float, list[int]]] = []
    for first, seed in enumerate(tasks):
        cover, covered = [first], seed.fluents.copy()
        for number, task in enumerate(tasks):
            if not (task.fluents & covered).any():
                cover.append(number)
                covered |= task.fluents
        if covered.sum() == most:
            cases = np.log2([tasks[number].cases for number in cover]).sum()
            covers.append((round(float(cases), 6), sorted(cover)))
    return [tasks[number] for number in min(covers)[1]] if covers else []
