"""Whose turn it is: a proof from the network that never two roles have a choice at once.

Some fluents go on whatever players do, like those that say who is in control and how many steps
have been made. They are the *clock*. It runs by itself, so all states it can be in are found by
running it until one comes again. In each of them the network is evaluated with everything else
unknown (ternary simulation). What is known of moves then holds in all states of the game that can
be reached with the clock in that state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from semisplit.language.gdl.ground.rows import FALSE, Flags, Integers
from semisplit.language.gdl.network.circuit import Circuit
from semisplit.language.gdl.network.network import Network, arranged

MAX_TICKS = 1024
"""States of the clock that are looked at; if there are more, nothing is proven."""


@dataclass(frozen=True, eq=False)
class Turns:
    """What is known about whose turn it is."""

    exclusive: bool
    """Whether never two roles have a choice in a state that can be reached."""
    slots: tuple[Integers, ...] = ()
    """If it is always the turn of exactly one role, and all others have exactly one move: the codes
    of the moves from which each role chooses when it is its turn. Empty if that is not known."""
    waits: tuple[Integers, ...] = ()
    """With slots: the codes of the moves that each role may make when it is not its turn."""
    controls: tuple[int, ...] = ()
    """With slots: for each role a literal that says whether it is its turn. It is a literal of an
    input of the network, where that of a move stands for its being legal."""
    clock: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    """The fluents of the clock, by number."""
    ticks: Flags = field(default_factory=lambda: np.zeros((0, 0), bool))
    """The states of the clock for which all this is known: a row for each, with its fluents."""


def find_turns(circuit: Circuit) -> Turns:
    """Try to prove that roles take turns."""
    program = circuit.program
    if len(program.roles) == 1:
        return Turns(exclusive=True)
    clock = _find_clock(circuit)
    ticks = _run_clock(circuit, clock)
    if ticks is None:
        return Turns(exclusive=False)
    network = _part(circuit.network, np.append(circuit.legal, circuit.terminal))
    values = _simulate(network, ticks)
    can, cannot_fail = values[network.outputs], ~values[network.outputs ^ 1]
    # The clock stops where the game is over for sure.
    before_end = ~np.logical_or.accumulate(cannot_fail[-1])
    can, cannot_fail = can[:-1, before_end], cannot_fail[:-1, before_end]
    role_of = np.array([role for role, _ in program.moves])
    codes = [np.flatnonzero(role_of == role) for role in range(len(program.roles))]
    may_choose = np.array([can[moves].sum(0) > 1 for moves in codes])
    turns = Turns(exclusive=not (may_choose.sum(0) > 1).any())
    has_move = np.array([cannot_fail[moves].any(0) for moves in codes])
    one_chooses = before_end.any() and (may_choose.sum(0) == 1).all()
    if not (one_chooses and (may_choose | has_move).all()):
        return turns
    fluents = 2 + 2 * len(program.fluents)
    inputs = np.ones((fluents + 2 * len(can), can.shape[1]), bool)
    inputs[:fluents] = ticks[:fluents, before_end]
    inputs[fluents::2], inputs[fluents + 1 :: 2] = can, ~cannot_fail
    controls = [_telling(inputs, chooses) for chooses in may_choose]
    if any(control is None for control in controls):
        return turns

    def possible(where: Flags) -> tuple[Integers, ...]:
        return tuple(moves[can[moves][:, now].any(1)] for moves, now in zip(codes, where))

    return replace(
        turns,
        slots=possible(may_choose),
        waits=possible(~may_choose),
        controls=tuple(filter(None, controls)),
        clock=clock,
        ticks=ticks[2 + 2 * clock][:, before_end].T,
    )


def _telling(can: Flags, where: Flags) -> int | None:
    """A literal that holds in some states for sure, and surely not in the others."""
    opposite = np.arange(len(can)) ^ 1
    fails: Flags = np.asarray(np.where(where, can[opposite], can).any(1))
    # The constants are no literals of an input.
    found = 2 + np.flatnonzero(~fails[2:])
    return int(found[0]) if len(found) else None


def _run_clock(circuit: Circuit, clock: Integers) -> Flags | None:
    """What literals of inputs can be, a row for each, in each state of the clock, a column.

    None if there are too many states.
    """
    network = _part(circuit.network, circuit.next[clock])
    state = circuit.program.initial[clock]
    seen: dict[bytes, Flags] = {}
    while state.tobytes() not in seen:
        if len(seen) == MAX_TICKS:
            return None
        can = np.ones((2 + 2 * network.inputs, 1), bool)
        can[2 + 2 * clock, 0], can[3 + 2 * clock, 0] = state, ~state
        seen[state.tobytes()] = can
        state = _simulate(network, can)[network.outputs, 0]
    return np.hstack([*seen.values()])


def _find_clock(circuit: Circuit) -> Integers:
    """The fluents that depend on each other alone, neither on moves nor on loops."""
    network = circuit.network
    is_free = np.ones(1 + network.inputs + len(network.gates), bool)
    clock = np.arange(len(circuit.program.fluents))
    while True:
        is_free[: 1 + network.inputs] = True
        is_free[0] = is_free[1 + clock] = False
        for gates, left, right in _levels(network):
            is_free[gates] = is_free[left >> 1] | is_free[right >> 1]
        stays = ~is_free[circuit.next[clock] >> 1]
        if stays.all():
            return clock
        clock = clock[stays]


def _part(network: Network, outputs: Integers) -> Network:
    """The part of a network on which some literals depend; these are its outputs."""
    return arranged(replace(network, outputs=outputs))


def _simulate(network: Network, inputs: Flags) -> Flags:
    """What all literals can be if it is known what those of inputs can be."""
    can = np.ones((2 * (1 + network.inputs + len(network.gates)), inputs.shape[1]), bool)
    can[: len(inputs)] = inputs
    can[FALSE] = False
    for gates, left, right in _levels(network):
        can[2 * gates] = can[left] & can[right]
        can[2 * gates + 1] = can[left ^ 1] | can[right ^ 1]
    return can


def _levels(network: Network) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Gates that do not depend on each other, and their two literals, in order."""
    left, right = network.gates.literals.reshape(-1, 2).T
    first = 1 + network.inputs
    highest = np.maximum(left, right) // 2 - first
    begin = 0
    while begin < len(highest):
        depends = highest[begin:] >= begin
        end = begin + int(depends.argmax()) if depends.any() else len(highest)
        yield first + np.arange(begin, end), left[begin:end], right[begin:end]
        begin = end
