"""Plans: solving a puzzle by solving its sub-games, and putting what was found together.

Sub-games are searched for themselves (see `local`). For each length of a game it is known then from
which states of each sub-game a goal can be reached in time. A search through whole states follows
nothing else, and so hardly ever goes wrong. This is how Guenther, Schiffel and Thielscher solve
decomposed games, less the order in which plans are tried.
"""

from __future__ import annotations

import time

import numpy as np

from semisplit.language.gdl.decompose.decomposition import Decomposition
from semisplit.language.gdl.decompose.lanes import Lanes, make_values, pack, set_inputs, unpack
from semisplit.language.gdl.decompose.plans.local import FAR, NONE, LocalGame, Numbers
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.program import GroundProgram
from semisplit.language.gdl.ground.rows import Flags
from semisplit.language.gdl.play.interpret import Step

_STATES = 1 << 18
"""Of all sub-games, before it is given up."""
_TRIES = 2_000
"""Whole states that are looked at for each length."""
Substates = tuple[int, ...]


def find_plan(
    program: GroundProgram, found: Decomposition, seconds: float
) -> tuple[Step, ...] | None:
    """A line from the initial state to the highest score, the shortest one that is found.

    Args:
        program: A puzzle's rules.
        found: Its parts. If it is not proven that they are apart, there is no plan.
        seconds: What it may take of the processor.
    """
    if len(program.roles) > 1 or len(found.subgames) < 2 or found.overlapping:
        return None
    return _Planner(Structure(program), found).plan(seconds) if found.evidence.proven else None


class _Planner:
    """The sub-games of a puzzle, and its whole states."""

    def __init__(self, structure: Structure, found: Decomposition):
        program = structure.program
        self._structure = structure
        numbers = {fluent: number for number, fluent in enumerate(program.fluents)}
        steps = {Step(role + 1, move): code for code, (role, move) in enumerate(program.moves)}
        self._control = np.zeros(len(numbers), bool)
        self._control[[numbers[fluent] for fluent in found.control]] = True
        self._steps = list(steps)
        self._locals: list[LocalGame] = []
        for fluents, classes in zip(found.subgames, found.meta_actions):
            kinds = np.zeros(len(steps), np.int64)
            for kind, members in enumerate(classes, 1):
                kinds[[steps[step] for step in members]] = kind
            mine = np.zeros(len(numbers), bool)
            mine[[numbers[fluent] for fluent in fluents]] = True
            self._locals.append(LocalGame(structure, mine, self._control, kinds))
        self._counts = not found.acts_together
        """Whether a move acts in one sub-game, so that the needs of all add up."""
        self._times = [program.initial & self._control]
        """The control fluents at each time."""
        self._clock = Lanes(structure, structure.next[self._control])
        goals = [(score, goal) for goal, (_, score, _) in enumerate(program.goals)]
        self._goal = int(structure.goals[max(goals)[1]])
        outputs = [*structure.legal.tolist(), structure.terminal, self._goal]
        self._whole = Lanes(structure, np.array(outputs))

    def plan(self, seconds: float) -> tuple[Step, ...] | None:
        """Look for a line, the short ones first."""
        end = time.process_time() + seconds
        while all(len(one.layers[-1]) for one in self._locals):
            needs = [one.needs(self._times[-1], counts=self._counts) for one in self._locals]
            if 0 < len(self._times) - 1 >= sum(int(need[0][0]) for need in needs):
                moves = self._follow(needs, end)
                if moves is not None:
                    return tuple(self._steps[move] for move in moves)
            states = sum(one.count for one in self._locals)
            if states > _STATES or time.process_time() > end:
                return None
            for one in self._locals:
                one.advance(self._times[-1])
            self._tick()
        return None

    def _tick(self) -> None:
        """Find the control fluents of the next time."""
        structure, now = self._structure, self._times[-1]
        values = make_values(structure, 1)
        set_inputs(values, structure.fluents, pack(np.repeat(now[:, None], 64, axis=1)))
        self._clock.compute(values, known=True)
        after = np.zeros_like(now)
        after[self._control] = unpack(values[structure.next[self._control]])[:, 0]
        self._times.append(after)

    def _follow(self, needs: list[list[Numbers]], end: float) -> list[int] | None:
        """Moves through whole states, from each of whose parts a goal can be reached in time."""
        length = len(self._times) - 1
        failed: set[tuple[int, Substates]] = set()
        line: list[int] = []
        start = (0,) * len(self._locals)
        ways = [self._ways(0, start, needs)]
        for _ in range(_TRIES):
            if not ways or time.process_time() > end:
                return None
            if not ways[-1]:
                ways.pop()
                if line:
                    line.pop()
                continue
            move, after = ways[-1].pop()
            if (len(ways), after) in failed:
                continue
            failed.add((len(ways), after))
            line.append(move)
            if len(line) < length:
                ways.append(self._ways(len(line), after, needs))
            elif self._is_won(after):
                return line
            else:
                line.pop()
        return None

    def _ways(
        self, time: int, state: Substates, needs: list[list[Numbers]]
    ) -> list[tuple[int, Substates]]:
        """Moves and the states behind them from which there may be a way; the best comes last."""
        legal, ends, _ = self._look(time, state)
        if ends:
            return []
        left, found = len(self._times) - 2 - time, dict[Substates, tuple[int, int]]()
        for move in np.flatnonzero(legal).tolist():
            after, need = [], 0
            for one, number, of in zip(self._locals, state, needs):
                place = int(np.searchsorted(one.layers[time], number))
                to = int(one.edges[time][place, one.classes[move]])
                after.append(to)
                if to != NONE:
                    need += int(of[time + 1][np.searchsorted(one.layers[time + 1], to)])
            if NONE not in after and need < FAR and need <= left:
                found.setdefault(tuple(after), (need, move))
        best_last = sorted(found.items(), key=lambda one: -one[1][0])
        return [(move, after) for after, (_, move) in best_last]

    def _is_won(self, state: Substates) -> bool:
        _, ends, wins = self._look(len(self._times) - 1, state)
        return ends and wins

    def _look(self, time: int, state: Substates) -> tuple[Flags, bool, bool]:
        """Of a whole state the legal moves, whether the game is over, and whether it is won."""
        structure, whole = self._structure, self._times[time].copy()
        for one, number in zip(self._locals, state):
            one.fill(number, whole)
        values = make_values(structure, 1)
        set_inputs(values, structure.fluents, pack(np.repeat(whole[:, None], 64, axis=1)))
        self._whole.compute(values, known=True)
        flags = unpack(values[[*structure.legal.tolist(), structure.terminal, self._goal]])[:, 0]
        return flags[:-2], bool(flags[-2]), bool(flags[-1])
