"""Decomposing a game: from its description to its parts."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from semisplit.core.work import doing
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.decompose.actions import Actions
from semisplit.language.gdl.decompose.decomposition import (
    PROVEN,
    SEEN,
    TRIED,
    Decomposition,
    Evidence,
)
from semisplit.language.gdl.decompose.goals import Goals, choose_cover
from semisplit.language.gdl.decompose.influence import find_control, find_options
from semisplit.language.gdl.decompose.play import play, sample
from semisplit.language.gdl.decompose.serial import connect
from semisplit.language.gdl.decompose.statistics import Statistics
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.program import GroundProgram, ground
from semisplit.language.gdl.ground.rows import Flags
from semisplit.language.gdl.text.ast import Term

_STATES = 4096
"""States in which it is seen what goals tell apart."""


def decompose(
    description: Description,
    seed: int = 0,
    *,
    overlapping: bool = False,
    statistical: bool = False,
) -> Decomposition:
    """Find the sub-games of a game.

    Args:
        description: The game.
        seed: Of the random play in which it is observed; the same seed gives the same result.
        overlapping: Whether a fluent may be in several sub-games.
        statistical: Whether only what is seen counts for what moves do, not the rules.

    Raises:
        NotCompiled: If the rules are too large to be grounded.
    """
    begin = time.perf_counter()
    program = ground(description)
    seconds = time.perf_counter() - begin
    with doing(f"decomposing {program.name}"):
        found = decompose_program(program, seed, overlapping=overlapping, statistical=statistical)
    return replace(found, grounding_seconds=seconds)


def decompose_program(
    program: GroundProgram, seed: int = 0, *, overlapping: bool = False, statistical: bool = False
) -> Decomposition:
    """Find the sub-games of a game whose rules are ground, as `decompose` does."""
    begin = time.perf_counter()
    structure = Structure(program)
    log = play(structure, seed)
    states = sample(np.concatenate([log.states, log.ended], axis=1), _STATES, seed)
    if statistical:
        seen = Statistics(log)
        control = seen.find_control()
        parts, must = seen.find_parts(control), None
        evidence = Evidence(SEEN, log.games, seen.moments, 0)
    else:
        control = find_control(structure)
        options = find_options(structure, log, control, seed)
        must = structure.fluents_of(structure.next) & ~control & ~control[:, None]
        parts = connect(structure, log, states, control, must, options.depends)
        evidence = Evidence(PROVEN, log.games, options.states, options.tests)
    goals = Goals(structure, states, control)
    tasks = goals.find_tasks(parts)
    cover = choose_cover(tasks)
    for task in cover:
        parts.join(np.flatnonzero(task.fluents))
    goals.join_pieces(parts, cover)
    goals.join_conditions(parts, cover)
    if must is not None and (must & (parts.labels != parts.labels[:, None])).any():
        evidence = evidence._replace(transitions=TRIED)
    subgames = [parts.labels == label for label in np.unique(parts.labels[~control])]
    overlaps = overlapping and len(tasks) > len(cover)
    if overlaps:
        subgames = _overlapping(subgames, [task.fluents for task in tasks])
    actions = Actions(structure, log, control)
    return Decomposition(
        control=_terms(program, control),
        subgames=tuple(_terms(program, fluents) for fluents in subgames),
        useless=frozenset(step for step, idle in zip(actions.steps, actions.useless) if idle),
        meta_actions=tuple(actions.meta_actions(fluents) for fluents in subgames),
        kind="games that overlap" if overlaps else actions.kind(subgames, log, states),
        evidence=evidence,
        seconds=time.perf_counter() - begin,
        grounding_seconds=0.0,
        overlapping=overlaps,
    )


def _overlapping(subgames: list[Flags], tasks: list[Flags]) -> list[Flags]:
    """The fluents of all tasks, and what is left of sub-games without them."""
    rest = [fluents & ~np.any(tasks, axis=0) for fluents in subgames]
    return sorted([*tasks, *(fluents for fluents in rest if fluents.any())], key=_order)


def _order(fluents: Flags) -> list[int]:
    order: list[int] = np.flatnonzero(fluents).tolist()
    return order


def _terms(program: GroundProgram, fluents: Flags) -> frozenset[Term]:
    return frozenset(program.fluents[number] for number in np.flatnonzero(fluents))
