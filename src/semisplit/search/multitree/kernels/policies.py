"""The local policy of each sub-game, and the global one: votes and expected earnings."""

from __future__ import annotations

import math

from semisplit.search.engine.toolkit.kernel import kernel
from semisplit.search.engine.toolkit.portable import logarithm
from semisplit.search.engine.toolkit.random import below
from semisplit.search.multitree.kernels.memory import EXPLORED, NONE, Workplace
from semisplit.search.multitree.kernels.positions import moves_in


@kernel
def select(s: Workplace, position: int) -> int:
    """Let each player who decides choose a step; the place of the move that results."""
    memo, worker = s.memo, s.worker
    here = memo.positions[position]
    if here.steps == 1:
        for option in range(here.options):
            worker.votes[option] = 0
        for tree in range(s.rules.trees):
            vote_for_moves(s, position, tree)
        return memo.options[here.first + global_select_policy(s, position, here.player)]
    divisor = 1
    for _ in range(here.steps - 1):
        divisor *= s.rules.base
    move = 0
    for _ in range(here.steps):
        player = _list_steps(s, position, divisor)
        for tree in range(s.rules.trees):
            vote_for_steps(s, position, tree, player)
        step = global_select_policy(s, position, player)
        one = memo.moves[here.first + worker.first_moves[step]].move
        move = move * s.rules.base + one // divisor % s.rules.base
        divisor //= s.rules.base
    place = 0
    while memo.moves[here.first + place].move != move:
        place += 1
    return place


@kernel
def _list_steps(s: Workplace, position: int, divisor: int) -> int:
    """List the steps of a player, given by its place in moves; returns the player."""
    rules, memo, worker = s.rules, s.memo, s.worker
    here = memo.positions[position]
    worker.step_count = 0
    for place in range(here.count):
        code = memo.moves[here.first + place].move // divisor % rules.base
        step = 0
        while step < worker.step_count:
            first = memo.moves[here.first + worker.first_moves[step]].move
            if first // divisor % rules.base == code:
                break
            step += 1
        if step == worker.step_count:
            worker.step_count += 1
            worker.first_moves[step] = place
            worker.votes[step] = 0
        else:
            worker.next_moves[worker.last_moves[step]] = place
        worker.last_moves[step] = place
        worker.next_moves[place] = NONE
    code = memo.moves[here.first].move // divisor % rules.base - 1
    player = 1
    while code >= rules.step_ends[player - 1]:
        player += 1
    return player


@kernel
def vote_for_moves(s: Workplace, position: int, tree: int) -> None:
    """Vote for the moves that are best in one sub-game: the local policy of the reference.

    Moves of the same kind have the same merit, so it is found for each kind.
    """
    forest, memo, worker, players = s.forest, s.memo, s.worker, s.rules.players
    here, at = memo.positions[position], position * s.rules.trees + tree
    begin, count = moves_in(s, position, tree), memo.open_kinds[at]
    reach = _reach(s, memo.nodes[at])
    visits, bonus = 0, 0.0
    for kind in range(count):
        number = memo.kinds[begin + kind]
        transition, value = forest.transitions[number], number * players + here.player - 1
        potentials = forest.potentials[value] if s.rules.parameters.alpha < 1.0 else 0.0
        # Many have been made equally often, and square roots take time.
        if transition.visits != visits:
            visits = transition.visits
            bonus = _bonus(s, visits, reach)
        worker.merits[kind] = _merit(s, visits, forest.scores[value], potentials, bonus)
        worker.explored[kind] = transition.flags & EXPLORED
    best, left = _best(s, count)
    for option in range(here.options):
        # Kinds are in the order of options.
        kind = option if count == here.options else memo.kind_of[begin + option]
        worker.votes[option] += _is_best(s, kind, best, left)


@kernel
def vote_for_steps(s: Workplace, position: int, tree: int, player: int) -> None:
    """Vote for the steps of a player that are best in one sub-game, if several players decide.

    What is known about a step is the sum of what is known about the moves that it is part of.
    """
    forest, memo, worker, players = s.forest, s.memo, s.worker, s.rules.players
    begin = moves_in(s, position, tree)
    reach = _reach(s, memo.nodes[position * s.rules.trees + tree])
    for kind in range(memo.all_kinds[position * s.rules.trees + tree]):
        worker.counted[kind] = 0
    for step in range(worker.step_count):
        visits, scores, potentials, explored = 0, 0.0, 0.0, EXPLORED
        place = worker.first_moves[step]
        while place != NONE:
            # If several players decide, all moves are options.
            kind = memo.kind_of[begin + place]
            if worker.counted[kind] != step + 1:
                worker.counted[kind] = step + 1
                number = memo.kinds[begin + kind]
                visits += forest.transitions[number].visits
                scores += forest.scores[number * players + player - 1]
                potentials += forest.potentials[number * players + player - 1]
                explored &= forest.transitions[number].flags
            place = worker.next_moves[place]
        bonus = _bonus(s, visits, reach)
        worker.merits[step] = _merit(s, visits, scores, potentials, bonus)
        worker.explored[step] = explored
        worker.means[tree * s.rules.most_moves + step] = scores / max(1, visits)
    best, left = _best(s, worker.step_count)
    for step in range(worker.step_count):
        worker.votes[step] += _is_best(s, step, best, left)


@kernel
def _reach(s: Workplace, node: int) -> float:
    return logarithm(float(max(1, s.forest.nodes[node].visits)))


@kernel
def _bonus(s: Workplace, visits: int, reach: float) -> float:
    return s.rules.parameters.exploration * math.sqrt(reach / visits)


@kernel
def _merit(s: Workplace, visits: int, scores: float, potentials: float, bonus: float) -> float:
    if visits == 0:
        return math.inf
    alpha = s.rules.parameters.alpha
    return alpha * (scores / visits) + (1.0 - alpha) * (potentials / visits) + bonus


@kernel
def _best(s: Workplace, count: int) -> tuple[float, bool]:
    """The highest merit of what is not explored, and whether anything is not.

    If nothing is left, all of it counts.
    """
    worker, left = s.worker, False
    for i in range(count):
        left = left or not worker.explored[i]
    best = -1.0
    for i in range(count):
        if not (left and worker.explored[i]):
            best = max(best, worker.merits[i])
    return best, left


@kernel
def _is_best(s: Workplace, i: int, best: float, left: bool) -> bool:
    return not (left and s.worker.explored[i]) and s.worker.merits[i] == best


@kernel
def global_select_policy(s: Workplace, position: int, player: int) -> int:
    """Of the options that most sub-games vote for, one with the highest expected earnings."""
    worker, here = s.worker, s.memo.positions[position]
    count = here.options if here.steps == 1 else worker.step_count
    most, tied = 0, 0
    for option in range(count):
        if worker.votes[option] > most:
            most, tied = worker.votes[option], 0
        tied += worker.votes[option] == most
    compared = tied > 1 and not worker.explored_trees
    best = 0.0
    if compared:
        best, tied = _compare_earnings(s, position, player, count, most)
    left = below(s, tied)
    for option in range(count):
        if worker.votes[option] == most and (not compared or worker.earnings[option] == best):
            if left == 0:
                return option
            left -= 1
    return NONE


@kernel
def _compare_earnings(
    s: Workplace, position: int, player: int, count: int, most: int
) -> tuple[float, int]:
    """The highest expected earnings of options with most votes, and how many have them."""
    rules, worker = s.rules, s.worker
    needed = True
    for tree in range(rules.trees):
        needed = needed and s.forest.limits[tree * rules.players + player - 1] != 0
    best, tied = -1.0, 0
    for option in range(count):
        if worker.votes[option] == most:
            # The product if each sub-game is needed, otherwise the sum.
            earnings = 1.0 if needed else 0.0
            for tree in range(rules.trees):
                mean = _mean(s, position, tree, option, player)
                earnings = earnings * mean if needed else earnings + mean
            worker.earnings[option] = earnings
            if earnings > best:
                best, tied = earnings, 0
            tied += earnings == best
    return best, tied


@kernel
def _mean(s: Workplace, position: int, tree: int, option: int, player: int) -> float:
    """The average score of an option in one sub-game."""
    memo, forest = s.memo, s.forest
    here = memo.positions[position]
    if here.steps > 1:
        return s.worker.means[tree * s.rules.most_moves + option]
    place = memo.options[here.first + option]
    number = memo.transitions[moves_in(s, position, tree) + place]
    visits = max(1, forest.transitions[number].visits)
    return forest.scores[number * s.rules.players + player - 1] / visits
